// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that is unknown to Presto changes a real metastore, or the files of a file metastore, at random, while coordinators are killed at any moment and restarted on their stored metadata. Each
 * answer equals that of the metastore.
 */
class CoordinatorRestartIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    /** In each metastore. */
    private static final int STEPS = STRESS ? 500 : 40;

    /** Changes the metastore and describes the change. */
    @FunctionalInterface
    private interface Writer
    {
        String change()
                throws TException;
    }

    @ParameterizedTest
    @EnumSource(names = {"DERBY", "MARIADB"})
    void answersEqualTheTruth(MetastoreDatabase database, @TempDir Path directory)
            throws Exception
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        try (MetastoreUnderTest metastore = MetastoreUnderTest.start("coordinators", database, HiveMetastoreServer.NOTIFICATION_LOG);
                SecondWriter writer = new SecondWriter(metastore.server().uri(), metastore.server().warehouse(), new Random(seed))) {
            CoordinatorProcess last = restarts(metastore.server().uri(), directory, writer::change, seed);
            try {
                restartsAreWarm(metastore, writer, last, directory);
            }
            finally {
                last.kill();
            }
        }
    }

    @Test
    void answersEqualTheTruthOfAFileMetastore(@TempDir Path directory)
            throws Exception
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        Path metastore = Files.createDirectory(directory.resolve("metastore"));
        Path stored = directory.resolve("stored");
        FileMetastoreWriter writer = new FileMetastoreWriter(metastore);
        AtomicInteger serial = new AtomicInteger();
        CoordinatorProcess last = restarts(metastore.toUri(), stored, () -> writer.change(random, serial.incrementAndGet()), seed);
        try {
            if (writer.metastore().getTable(Contexts.newQuery(), "one", "a").isPresent()) {
                writer.metastore().dropTable(Contexts.newQuery(), "one", "a", true);
            }
            writer.table("one", "a", 1);
            writer.addPartitions("one", "a", FileMetastoreWriter.PARTITIONS, 1);
            assertThat(last.order(CoordinatorProcess.CHECK)).startsWith(CoordinatorProcess.SAME);
        }
        finally {
            last.close();
        }
        try (CoordinatorProcess next = new CoordinatorProcess(metastore.toUri(), stored)) {
            String[] counters = next.order(CoordinatorProcess.CHECK).split(" ", -1);
            assertThat(Long.parseLong(counters[2])).as("partitions, their statistics, the table").isGreaterThanOrEqualTo(
                    1 + 2L * FileMetastoreWriter.PARTITIONS.size());
        }
    }

    /* Returns the last of the coordinators, which runs. */
    private static CoordinatorProcess restarts(URI metastore, Path directory, Writer writer, long seed)
            throws Exception
    {
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        long fromDisk = 0;
        CoordinatorProcess coordinator = new CoordinatorProcess(metastore, directory);
        try {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) > 0) {
                    done.add(writer.change());
                }
                String answer = coordinator.order(CoordinatorProcess.CHECK);
                assertThat(answer).as("after %s; replay with -Deyrie.seed=%s", done, seed).startsWith(CoordinatorProcess.SAME);
                int next = random.nextInt(6);
                if (next < 3) {
                    String unused = coordinator.order(CoordinatorProcess.FLUSH);
                    done.add("flush");
                }
                if (next % 3 == 0) {
                    fromDisk += Long.parseLong(answer.substring(CoordinatorProcess.SAME.length()).split(" ", -1)[0]);
                    if (random.nextBoolean()) {
                        coordinator.kill();
                        done.add("kill");
                    }
                    else {
                        coordinator.close();
                        done.add("restart");
                    }
                    coordinator = new CoordinatorProcess(metastore, directory);
                }
            }
            assertThat(fromDisk).as("entries that came from the disk").isGreaterThanOrEqualTo(STRESS ? 1 : 0);
            return coordinator;
        }
        catch (Exception | AssertionError e) {
            coordinator.kill();
            throw e;
        }
    }

    private static void restartsAreWarm(MetastoreUnderTest metastore, SecondWriter writer, CoordinatorProcess last, Path directory)
            throws Exception
    {
        writer.dropEverything();
        writer.createDatabase("one");
        writer.createTable("one", "a", 2, 20); // Derby cannot store an event for many more
        assertThat(last.order(CoordinatorProcess.CHECK)).startsWith(CoordinatorProcess.SAME);
        last.close();
        try (CoordinatorProcess next = new CoordinatorProcess(metastore.server().uri(), directory)) {
            String[] counters = next.order(CoordinatorProcess.CHECK).split(" ", -1);
            assertThat(Long.parseLong(counters[2])).as("partitions, their statistics, names, the table").isGreaterThan(2 * 20);
            assertThat(List.of(counters).subList(3, 5)).as("resumed, and did not begin again").isEqualTo(List.of("1", "0"));
        }
        // a log whose events were cleaned away
        metastore.server().restart(Map.of("metastore.event.db.listener.timetolive", "0s"));
        MetastoreRestartIT.awaitEmptyLog(metastore.log());
        try (CoordinatorProcess next = new CoordinatorProcess(metastore.server().uri(), directory)) {
            assertThat(next.order(CoordinatorProcess.CHECK)).startsWith(CoordinatorProcess.SAME + "0 ");
        }
        // another metastore behind the same address has a log of its own
        try (MetastoreUnderTest another = MetastoreUnderTest.start("another", MetastoreDatabase.DERBY, HiveMetastoreServer.NOTIFICATION_LOG);
                CoordinatorProcess next = new CoordinatorProcess(another.server().uri(), directory)) {
            assertThat(next.order(CoordinatorProcess.CHECK)).isEqualTo(CoordinatorProcess.SAME + "0 0 1");
        }
    }
}
