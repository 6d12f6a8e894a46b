// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.admission.DailyBudget;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.thread.Threads;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import static java.util.Objects.requireNonNull;

/**
 * A {@link DailyBudget} whose state is stored in the cache that it limits, so that a restart does not refill it. A restart refunds only the bytes
 * admitted since the last write of the state: at most a 256th of a day's bytes, and none after {@link #close}.
 */
public final class StoredBudget
        implements AdmissionPolicy, AutoCloseable
{
    private static final int STEPS_A_DAY = 256;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DailyBudget budget;
    private final StoredState stored;
    private final long stepBytes;
    private final AtomicLong untilWriteBytes = new AtomicLong();
    private volatile boolean closed;
    // guarded by this
    private boolean restored;

    /**
     * Restores the stored state, or does so later in a thread of its own. Until then, no state is stored.
     *
     * @param recovered whether the state can be read by now, if there is one
     */
    public StoredBudget(DailyBudget budget, BlobCache blobs, BooleanSupplier recovered)
    {
        this.budget = requireNonNull(budget, "budget is null");
        this.stored = new StoredState("daily budget", blobs);
        stepBytes = budget.bytesADay() / STEPS_A_DAY;
        untilWriteBytes.set(stepBytes);
        if (recovered.getAsBoolean()) {
            restore();
        }
        else {
            Threads.SYSTEM.start("eyrie-daily-budget", () -> {
                while (!closed && !recovered.getAsBoolean()) {
                    LockSupport.parkNanos(WAIT_NANOS);
                }
                restore();
            });
        }
    }

    private synchronized void restore()
    {
        budget.restore(stored.read().map(StoredBudget::longs).orElse(List.of()));
        restored = true;
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget query)
    {
        Admission admission = budget.admit(page, scope, bytes, query);
        if (admission == Admission.ADMITTED && untilWriteBytes.addAndGet(-bytes) < 0) {
            untilWriteBytes.set(stepBytes);
            write();
        }
        return admission;
    }

    /** Adds the usage of this budget to the statistics of the policies before it. */
    public AdmissionStats with(AdmissionStats stats)
    {
        return new AdmissionStats(stats.decisions(), stats.bytes(), OptionalLong.of(budget.spentBytes()), OptionalLong.of(budget.bytesADay()));
    }

    private synchronized void write()
    {
        if (!restored) {
            return;
        }
        List<Long> state = budget.state();
        ByteBuffer bytes = ByteBuffer.allocate(state.size() * Long.BYTES);
        state.forEach(bytes::putLong);
        stored.write(bytes.array());
    }

    /** Writes the state. */
    @Override
    public void close()
    {
        closed = true;
        write();
    }

    private static List<Long> longs(byte[] state)
    {
        LongBuffer longs = ByteBuffer.wrap(state).asLongBuffer();
        return LongStream.range(0, longs.remaining()).mapToObj(index -> longs.get((int) index)).toList();
    }
}
