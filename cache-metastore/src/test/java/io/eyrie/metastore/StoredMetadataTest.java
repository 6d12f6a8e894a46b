// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.CrashMark;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.entry.StoredStats;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.metastore.log.EventLogException.Reason;
import io.eyrie.metastore.log.TestingEventLog;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/** Metadata that an earlier process stored on the coordinator's disk. */
class StoredMetadataTest
{
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final int PAGE_BYTES = 256 << 10;
    private static final int PARTITIONS = 3000;

    private final TestingMetastore store = new TestingMetastore();
    private final TestingEventLog log = new TestingEventLog();
    private final TestingPageStore disk = new TestingPageStore();
    private final AtomicLong millis = new AtomicLong(Duration.ofDays(20_000).toMillis());
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryMark mark = new MemoryMark();
    private boolean impersonation;
    private int mostBlobBytes = 16 << 20;
    private Runnable duringFlush = () -> {};

    /** A coordinator from its start to its end. */
    private final class Coordinator
    {
        private final PageWriter writer = new PageWriter(disk, 64 << 20, PAGE_BYTES);
        private final VersionedHiveMetastore metastore = new VersionedHiveMetastore(store.metastore(), Optional.of(log), Optional.empty(),
                new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, impersonation, Duration.ZERO), nanos::get);

        Coordinator()
        {
            metastore.storeIn(new StoreBlobCache(disk, writer, PAGE_BYTES, mostBlobBytes), "metadata", mark, () -> {
                duringFlush.run();
                return millis.get();
            });
        }

        StoredStats stats()
        {
            return metastore.counters().stored();
        }

        /* What the queue of the writer contains is written, as it would be without the end of the process. */
        void end()
                throws InterruptedException
        {
            writer.close(10);
        }

        void flush()
        {
            while (metastore.flush()) {
                millis.incrementAndGet();
            }
        }
    }

    /** A mark that survives each process. */
    private static final class MemoryMark
            implements CrashMark
    {
        private long number;

        @Override
        public long current()
        {
            return number;
        }

        @Override
        public void renew()
        {
            number++;
        }
    }

    /** Plans a query over all partitions. */
    private static Map<String, Object> plan(VersionedHiveMetastore metastore, String user)
    {
        MetastoreContext query = newQuery(user);
        Map<String, Object> seen = new TreeMap<>();
        seen.put("table", metastore.getTable(query, "db", "t"));
        seen.put("statistics", metastore.getTableStatistics(query, "db", "t"));
        seen.put("names", metastore.getPartitionNames(query, "db", "t"));
        List<PartitionNameWithVersion> names = metastore.getPartitionNamesByFilter(query, "db", "t", Map.of());
        seen.put("some names", names);
        for (int from = 0; from < names.size(); from += 100) {
            seen.putAll(metastore.getPartitionsByNames(query, "db", "t", names.subList(from, Math.min(names.size(), from + 100))));
        }
        seen.put("partition statistics", metastore.getPartitionStatistics(query, "db", "t", names.stream().map(
                PartitionNameWithVersion::getPartitionName).collect(toSet())));
        return seen;
    }

    private static Map<String, Object> plan(VersionedHiveMetastore metastore)
    {
        return plan(metastore, "user");
    }

    private void putPartitions()
    {
        log.alterTable("db", "first");
        IntStream.range(0, PARTITIONS).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
    }

    /* Runs a coordinator that stores what it planned, to its end. */
    private Map<String, Object> stored()
            throws InterruptedException
    {
        Coordinator first = new Coordinator();
        Map<String, Object> planned = plan(first.metastore);
        first.flush();
        first.end();
        store.takeCalls();
        log.takeCalls();
        return planned;
    }

    @Test
    void nextProcessReadsTheLogAndNothingElse()
            throws InterruptedException
    {
        putPartitions();
        Map<String, Object> planned = stored();
        Coordinator next = new Coordinator();
        assertThat(log.takeCalls()).as("before the first query").isEmpty();
        assertThat(plan(next.metastore)).isEqualTo(planned).hasSizeGreaterThan(PARTITIONS);
        assertThat(store.takeCalls()).isEmpty();
        assertThat(log.takeCalls()).containsExactly("written", "cached", "metastore", "currentId", "eventsAfter 1");
        assertThat(next.stats().entriesRead()).isEqualTo(2 * PARTITIONS + 4);
        assertThat(next.stats().resumptions()).isEqualTo(1);
        assertThat(next.stats().losses()).isZero();
        assertThat(next.metastore.counters().log().restarts()).isZero();
        assertThat(next.metastore.counters().entries().misses()).isZero();
    }

    @Test
    void eventsSinceTheStoredPositionAreAppliedFirst()
            throws InterruptedException
    {
        putPartitions();
        stored();
        store.putPartition("p7", "s3://lake/new");
        log.alterPartition("db", "t", "p7");
        Coordinator next = new Coordinator();
        assertThat(location(plan(next.metastore), "ds=p7")).isEqualTo("s3://lake/new");
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=p7]", "getPartitionStatistics [ds=p7]");
        next.flush();
        next.end();

        store.putPartition("added", "s3://lake/added");
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"ds\":\"added\"}]}");
        next = new Coordinator();
        assertThat(location(plan(next.metastore), "ds=added")).isEqualTo("s3://lake/added");
        assertThat(store.takeCalls()).containsExactly("getPartitionNames", "getPartitionNamesByFilter", "getPartitionsByNames [ds=added]",
                "getPartitionStatistics [ds=added]");
        next.flush();
        next.end();

        store.setOwner("second");
        log.alterTable("db", "t");
        next = new Coordinator();
        plan(next.metastore);
        assertThat(store.takeCalls()).hasSizeGreaterThan(PARTITIONS / 100).contains("getTable", "getPartitionNames");
        assertThat(next.stats().entriesRead()).isZero();
    }

    @Test
    void eventWhoseValueLostCharactersWhileNoProcessRan()
            throws InterruptedException
    {
        store.putPartition("Łódź", "s3://lake/old");
        putPartitions();
        stored();
        log.alterPartition("db", "t", "p7");
        Coordinator next = new Coordinator();
        assertThat(location(plan(next.metastore), "ds=Łódź")).isEqualTo("s3://lake/old");
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=p7]", "getPartitionStatistics [ds=p7]");
        next.flush();
        next.end();

        store.putPartition("Łódź", "s3://lake/new");
        log.alterPartition("db", "t", "Lodz");
        assertThat(location(plan(new Coordinator().metastore), "ds=Łódź")).isEqualTo("s3://lake/new");
    }

    @Test
    void changesOfThisCoordinator()
            throws InterruptedException
    {
        putPartitions();
        Coordinator first = new Coordinator();
        plan(first.metastore);
        first.flush();
        store.setOwner("second");
        first.metastore.forget("db", "t");
        first.flush();
        first.end();
        store.takeCalls();
        Coordinator next = new Coordinator();
        assertThat(next.metastore.getTable(newQuery(), "db", "t").orElseThrow().getOwner()).isEqualTo("second");
        assertThat(store.takeCalls()).containsExactly("getTable");
    }

    @Test
    void logThatDoesNotContinueThere()
            throws InterruptedException
    {
        List<Runnable> gaps = List.of(
                () -> log.clean(1),
                () -> log.replace("another", 1),
                () -> log.setLastId(0),
                () -> {
                    log.replace("one", 0);
                    log.alterTable("db", "another");
                },
                () -> IntStream.range(0, 2001).forEach(i -> log.alterTable("db", "other")),
                () -> {
                    log.alterTable("db", "missing");
                    log.alterTable("db", "later");
                    log.clean(1);
                },
                () -> {
                    log.setLastId(3);
                    log.alterTable("db", "gap before");
                });
        for (int i = 0; i < gaps.size(); i++) {
            log.replace("one", 0);
            log.alterTable("db", "start " + i);
            store.setOwner("old " + i);
            store.putPartition("p", "s3://lake/p");
            stored();
            gaps.get(i).run();
            store.setOwner("new " + i);
            Coordinator next = new Coordinator();
            assertThat(next.metastore.getTable(newQuery(), "db", "t").orElseThrow().getOwner()).isEqualTo("new " + i);
            assertThat(next.stats().entriesRead()).as("gap %s", i).isZero();
            assertThat(next.metastore.counters().log().restarts()).as("gap %s", i).isEqualTo(1);
            next.end();
        }
    }

    @Test
    void metastoreThatIsDownAtTheStart()
            throws InterruptedException
    {
        putPartitions();
        Map<String, Object> planned = stored();
        store.putPartition("p7", "s3://lake/new");
        log.alterPartition("db", "t", "p7");
        Coordinator next = new Coordinator();
        log.fail(Reason.FAILED);
        plan(next.metastore);
        assertThat(store.takeCalls()).as("nothing is trusted").isNotEmpty();
        log.fail(null);
        log.afterCurrentId(() -> log.fail(Reason.FAILED));
        plan(next.metastore);
        assertThat(store.takeCalls()).as("before the events were read").isNotEmpty();
        log.afterCurrentId(() -> {});
        log.fail(null);
        assertThat(location(plan(next.metastore), "ds=p7")).isEqualTo("s3://lake/new");
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=p7]", "getPartitionStatistics [ds=p7]");
        assertThat(planned).isNotEmpty();
    }

    /* Long names of 2,400 changed partitions take 480 kB. */
    @Test
    void largeRootIsNotWrittenForEachEvent()
            throws InterruptedException
    {
        log.alterTable("db", "first");
        Coordinator first = new Coordinator();
        first.metastore.getTable(newQuery(), "db", "t");
        first.flush();
        for (int i = 0; i < 2400; i++) {
            log.alterPartition("db", "t", "p".repeat(180) + i);
            if (i % 1200 == 1199) {
                first.metastore.getTable(newQuery(), "db", "t");
            }
        }
        first.flush();
        first.end();
        assertThat(isRootAsNewAsTheLog(next -> assertThat(next.metastore.flush()).isFalse())).isFalse();
        assertThat(isRootAsNewAsTheLog(next -> {
            millis.addAndGet(Duration.ofMinutes(1).toMillis());
            assertThat(next.metastore.flush()).isFalse();
        })).as("later").isTrue();
        assertThat(isRootAsNewAsTheLog(next -> {
            next.metastore.forget("db", "other", true);
            assertThat(next.metastore.flush()).isFalse();
        })).as("after a command of an operator").isTrue();
        assertThat(isRootAsNewAsTheLog(next -> {
            millis.addAndGet(-1);
            assertThat(next.metastore.flush()).isFalse();
        })).as("after the clock was set back").isTrue();
        assertThat(isRootAsNewAsTheLog(next -> assertThat(next.metastore.flush(true)).isFalse())).as("at the end").isTrue();
    }

    @Test
    void blobsBehindARootThatIsTooLarge()
            throws InterruptedException
    {
        mostBlobBytes = PAGE_BYTES;
        log.alterTable("db", "first");
        Coordinator coordinator = new Coordinator();
        for (int i = 0; i < 30; i++) {
            store.putPartition("a", "s3://lake/" + i);
            log.alterPartition("db", "t", "a");
            plan(coordinator.metastore);
            for (int j = 0; j < 50; j++) {
                log.alterPartition("db", "t", "p".repeat(180) + i + " " + j);
            }
            coordinator.flush();
            millis.addAndGet(Duration.ofMinutes(1).toMillis());
        }
        assertThat(coordinator.stats().entriesRefused()).as("roots").isPositive();
        coordinator.end();
        assertThat(disk.tags()).as("blobs, of which at most one chunk is replaced at a time").hasSizeLessThan(10);
    }

    /* Runs the action in a coordinator that has written the root and then applied an event, and lets it crash. */
    private boolean isRootAsNewAsTheLog(Consumer<Coordinator> action)
            throws InterruptedException
    {
        Coordinator coordinator = new Coordinator();
        coordinator.metastore.getTable(newQuery(), "db", "t");
        coordinator.flush();
        log.alterTable("db", "other");
        coordinator.metastore.getTable(newQuery(), "db", "t");
        action.accept(coordinator);
        coordinator.end();
        log.takeCalls();
        Coordinator next = new Coordinator();
        next.metastore.getTable(newQuery(), "db", "t");
        assertThat(next.stats().resumptions()).isEqualTo(1);
        next.end();
        // only the event at the position of the root, which the log must still have
        return log.takeCalls().stream().filter(call -> call.startsWith("eventsAfter")).toList().equals(List.of("eventsAfter 1"));
    }

    @Test
    void usersOfAnImpersonatingMetastore()
            throws InterruptedException
    {
        impersonation = true;
        putPartitions();
        stored();
        Coordinator next = new Coordinator();
        plan(next.metastore, "other");
        assertThat(store.takeCalls()).contains("getTable", "getPartitionNames");
        plan(next.metastore, "user");
        assertThat(store.takeCalls()).isEmpty();
    }

    @Test
    void privilegesAreNotStored()
            throws InterruptedException
    {
        log.alterTable("db", "first");
        Coordinator first = new Coordinator();
        first.metastore.listTablePrivileges(newQuery(), "db", "t", null);
        first.metastore.listRoles(newQuery());
        first.metastore.getAllDatabases(newQuery());
        first.flush();
        first.end();
        assertThat(first.stats().entriesWritten()).isZero();
    }

    @Test
    void agesGoOn()
            throws InterruptedException
    {
        putPartitions();
        stored();
        millis.addAndGet(Duration.ofMinutes(10).toMillis() - 1);
        plan(new Coordinator().metastore);
        assertThat(store.takeCalls()).isEmpty();
        millis.addAndGet(1);
        plan(new Coordinator().metastore);
        assertThat(store.takeCalls()).as("statistics").allMatch(call -> call.contains("Statistics")).isNotEmpty();
        Coordinator third = new Coordinator();
        third.metastore.getTable(newQuery(), "db", "t");
        assertThat(store.takeCalls()).isEmpty();
        nanos.addAndGet(Duration.ofMinutes(50).toNanos() - 1);
        third.metastore.getTable(newQuery(), "db", "t");
        assertThat(store.takeCalls()).isEmpty();
        nanos.addAndGet(1);
        millis.addAndGet(Duration.ofMinutes(50).toMillis());
        third.metastore.getTable(newQuery(), "db", "t");
        assertThat(store.takeCalls()).as("aged in both processes").containsExactly("getTable");
        millis.addAndGet(-Duration.ofDays(1).toMillis());
        new Coordinator().metastore.getTable(newQuery(), "db", "t");
        assertThat(store.takeCalls()).as("of a clock that was set back").containsExactly("getTable");
    }

    @Test
    void fullDisk()
            throws InterruptedException
    {
        putPartitions();
        disk.setWriteFault(key -> Optional.of(WriteOutcome.DEVICE_ERROR));
        Map<String, Object> planned = stored();
        Coordinator next = new Coordinator();
        assertThat(plan(next.metastore).keySet()).isEqualTo(planned.keySet());
        assertThat(next.stats().resumptions()).isZero();
    }

    @Test
    void everythingDroppedDuringAFlush()
            throws InterruptedException
    {
        putPartitions();
        Coordinator first = new Coordinator();
        plan(first.metastore);
        duringFlush = () -> first.metastore.forget("", "");
        first.flush();
        first.end();
        duringFlush = () -> {};
        store.takeCalls();
        store.setOwner("new");
        assertThat(new Coordinator().metastore.getTable(newQuery(), "db", "t").orElseThrow().getOwner()).isEqualTo("new");
    }

    @Test
    void fileLists()
            throws InterruptedException
    {
        log.alterTable("db", "first");
        BlobKey identity = new BlobKey(1, 2);
        Coordinator first = new Coordinator();
        plan(first.metastore);
        for (String value : List.of("p1", "p2", "p3")) {
            first.metastore.offer(owner(first, value), identity, () -> Optional.of(value.getBytes(UTF_8)));
        }
        first.flush();
        first.end();
        log.alterPartition("db", "t", "p2");
        Coordinator next = new Coordinator();
        plan(next.metastore);
        assertThat(next.metastore.find(owner(next, "p1"), identity).map(list -> UTF_8.decode(list.list()).toString())).contains("p1");
        assertThat(next.metastore.find(owner(next, "p1"), new BlobKey(1, 3))).isEmpty();
        assertThat(next.metastore.find(owner(next, "p2"), identity)).as("changed").isEmpty();
        assertThat(next.metastore.find(owner(next, "p4"), identity)).isEmpty();

        next.metastore.forget("other", "t", false);
        assertThat(next.metastore.find(owner(next, "p1"), identity)).isPresent();
        next.metastore.forget("db", "t", true);
        assertThat(next.metastore.find(owner(next, "p1"), identity)).isEmpty();
        next.end(); // without a flush, as in a crash
        next = new Coordinator();
        plan(next.metastore);
        assertThat(next.metastore.find(owner(next, "p1"), identity)).as("after a crash").isEmpty();
        assertThat(next.stats().resumptions()).isEqualTo(1);

        next.metastore.offer(owner(next, "p3"), identity, () -> Optional.of(new byte[1]));
        next.flush();
        next.end();
        next = new Coordinator();
        plan(next.metastore);
        assertThat(next.metastore.find(owner(next, "p3"), identity)).as("stored again").isPresent();
        next.metastore.forget("db", "", false);
        next.flush();
        next.end();
        next = new Coordinator();
        plan(next.metastore);
        assertThat(next.metastore.find(owner(next, "p3"), identity)).isEmpty();
    }

    @Test
    void listsThatWaitWhileTheMetastoreHasNoLog()
    {
        log.setWritten(false);
        Coordinator coordinator = new Coordinator();
        MetastoreContext query = newQuery();
        store.putPartition("p1", "s3://lake/1");
        coordinator.metastore.getPartitionsByNames(query, "db", "t", List.of(new PartitionNameWithVersion("ds=p1", Optional.empty())));
        ListStore.ListOwner owner = new ListStore.ListOwner("db", "t", List.of("p1"), coordinator.metastore.versionOf(query.getQueryId(), "db", "t",
                List.of(
                        "p1")).orElseThrow());
        for (int flush = 0; flush < 2; flush++) {
            for (int i = 0; i < 20_000; i++) {
                coordinator.metastore.offer(owner, new BlobKey(flush, i), Optional::empty);
            }
            assertThat(coordinator.stats().entriesRefused()).as("beyond the bound").isZero();
            coordinator.flush();
        }
    }

    private static ListStore.ListOwner owner(Coordinator coordinator, String value)
    {
        return new ListStore.ListOwner("db", "t", List.of(value), coordinator.metastore.versionOf(newQuery().getQueryId(), "db", "t", List.of(value))
                .orElseThrow());
    }

    /* Changes, lost writes, lost reads and restarts at random: each answer is that of the metastore. */
    @Test
    void randomHistory()
            throws InterruptedException
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        log.alterTable("db", "first");
        Map<String, String> truth = new TreeMap<>();
        String owner = "first";
        Coordinator current = new Coordinator();
        long read = 0;
        for (int step = 0; step < (Boolean.getBoolean("eyrie.stress") ? 20_000 : 2000); step++) {
            int kind = random.nextInt(12);
            String value = (random.nextInt(8) == 0 ? "ł" : "p") + random.nextInt(40);
            // the metastore's database loses characters of events that its tables have
            String reported = value.replace('ł', 'l');
            switch (kind) {
                case 0 -> {
                    owner = "owner " + step;
                    store.setOwner(owner);
                    log.alterTable("db", "t");
                }
                case 1, 2, 3 -> {
                    boolean added = truth.put(value, "s3://lake/" + step) == null;
                    store.putPartition(value, "s3://lake/" + step);
                    if (kind == 3) {
                        current.metastore.updatePartitionStatistics(newQuery(), "db", "t", "ds=" + value, statistics -> statistics);
                    }
                    changed(reported, added);
                }
                case 4 -> log.alterTable("db", "other");
                case 5, 6 -> {
                    boolean unused = current.metastore.flush();
                }
                case 7 -> {
                    int lost = random.nextInt(4);
                    disk.setWriteFault(key -> random.nextInt(4) < lost ? Optional.of(WriteOutcome.BUSY) : Optional.empty());
                    disk.setReadFault(key -> random.nextInt(20) < lost ? Optional.of(ReadOutcome.MISS) : Optional.empty());
                }
                case 8 -> {
                    read += current.stats().entriesRead();
                    current.end();
                    current = new Coordinator();
                }
                case 9 -> current.metastore.forget("db", "t");
                default -> log.alterPartition("db", "t", reported);
            }
            done.add(kind + " " + value);
            if (random.nextInt(3) > 0) {
                Map<String, Object> seen = plan(current.metastore);
                for (Map.Entry<String, String> partition : truth.entrySet()) {
                    assertThat(location(seen, "ds=" + partition.getKey())).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(partition
                            .getValue());
                }
                assertThat(seen).as("after %s; replay with -Deyrie.seed=%s", done, seed).hasSize(truth.size() + 5);
                assertThat(current.metastore.getTable(newQuery(), "db", "t").orElseThrow().getOwner()).isEqualTo(owner);
            }
        }
        assertThat(read).isPositive();
    }

    private void changed(String value, boolean added)
    {
        if (added) {
            log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"ds\":\"" + value + "\"}]}");
        }
        else {
            log.alterPartition("db", "t", value);
        }
    }

    private static String location(Map<String, Object> planned, String name)
    {
        Object found = planned.get(name);
        assertThat(found).as(name).isInstanceOf(Optional.class);
        return ((Partition) ((Optional<?>) found).orElseThrow()).getStorage().getLocation();
    }
}
