// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.soak.Windows.Cause;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkFault;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.metastore.HiveMetastoreServer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;

/** Injects faults into a cluster, one at a time. Not thread-safe. */
final class Faults
{
    private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final LinkShape SLOW = new LinkShape(Duration.ofMillis(700), 2_000_000);
    private static final double REQUESTS_BROKEN = 0.2;
    private static final int MOST_BYTES_BEFORE = 200_000;
    private static final int VICTIMS = 100;

    private final Lake lake;
    private final HiveMetastoreServer metastore;
    private final List<List<SoakDisk>> disks;
    private final Windows windows;
    private final IntConsumer victim;
    private long cancelled;

    /**
     * @param disks of each worker, in their order
     * @param victim runs a query as the user whose queries are killed
     */
    Faults(Lake lake, HiveMetastoreServer metastore, List<List<SoakDisk>> disks, Windows windows, IntConsumer victim)
    {
        this.lake = lake;
        this.metastore = metastore;
        this.disks = List.copyOf(disks);
        this.windows = windows;
        this.victim = victim;
    }

    /** Returns how many queries were killed so far. */
    long cancelled()
    {
        return cancelled;
    }

    /** Injects a fault for a while and removes it. Returns the worker that was restarted, if any. */
    Optional<Integer> inject(Fault fault, Random random)
            throws IOException
    {
        int worker = random.nextInt(disks.size());
        List<SoakDisk> own = disks.get(worker);
        SoakDisk disk = own.get(random.nextInt(own.size()));
        switch (fault) {
            case S3_SLOW -> {
                lake.link().reshape(SLOW);
                Soak.pause(LASTS_NANOS);
                lake.link().reshape(LinkShape.STANDARD);
            }
            case S3_RESETS -> breakRequests(LinkFault::resetAfter);
            case S3_UNAVAILABLE -> breakRequests(bytes -> LinkFault.UNAVAILABLE);
            case S3_TRUNCATES -> breakRequests(LinkFault::truncateAfter);
            case METASTORE_RESTARTED -> {
                windows.during(Cause.METASTORE, "", () -> {
                    metastore.restart(Map.of());
                });
            }
            case DISK_FULL -> {
                disk.fill();
                Soak.pause(LASTS_NANOS);
                disk.empty();
            }
            case DISK_READ_ONLY -> {
                disk.failReadOnly();
                Soak.pause(LASTS_NANOS);
                disk.heal();
            }
            case DISK_WRONG_BYTES -> {
                disk.flip(random);
                Soak.pause(LASTS_NANOS);
            }
            case WORKER_KILLED -> {
                windows.during(Cause.WORKER, "", () -> {
                    lake.presto().killWorker(worker);
                    Soak.pause(LASTS_NANOS);
                    lake.presto().startWorker(worker);
                });
                return Optional.of(worker);
            }
            case QUERIES_CANCELLED -> cancelled += new Canceller(lake.client(Soak.SCHEMA)).run(VICTIMS, victim);
            default -> throw new IllegalArgumentException(fault.name());
        }
        return Optional.empty();
    }

    private void breakRequests(LongFunction<LinkFault> fault)
    {
        windows.during(Cause.S3, "", () -> {
            lake.link().injectFaults(request -> {
                ThreadLocalRandom dice = ThreadLocalRandom.current();
                return dice.nextDouble() < REQUESTS_BROKEN ? Optional.of(fault.apply(dice.nextInt(MOST_BYTES_BEFORE))) : Optional.empty();
            });
            Soak.pause(LASTS_NANOS);
            lake.link().clearFaults();
        });
    }
}
