// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.TestingEventLog;
import io.eyrie.metastore.version.VersionSource;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests a metastore without a notification log: each query compares the cached entries with it. */
class ComparedMetadataTest
{
    private static final EntryLimits LIMITS = new EntryLimits(10_000_000, 10_000, Duration.ofHours(1), Duration.ofMinutes(10));

    private final TestingMetastore store = new TestingMetastore();
    private final TestingEventLog log = new TestingEventLog();
    private final TestingVersions versions = new TestingVersions();
    private final AtomicLong nanos = new AtomicLong();
    private VersionedHiveMetastore metastore = withoutLog();

    @Test
    void queryLooksOnceAtEverythingAndLoadsNoStatisticsThatItHas()
    {
        store.putPartition("a", "s3://lake/a");
        store.putPartition("b", "s3://lake/b");
        plan(newQuery());
        store.takeCalls();
        MetastoreContext query = newQuery();
        plan(query);
        plan(query);
        assertThat(store.takeCalls()).containsExactly("getTable", "getPartitionNamesByFilter", "getPartitionsByNames [ds=a, ds=b]");
    }

    @Test
    void onlyTheChangedPartitionsStatisticsAreLoaded()
    {
        store.putPartition("a", "s3://lake/a");
        store.putPartition("b", "s3://lake/b");
        plan(newQuery());
        store.takeCalls();
        store.putPartition("b", "s3://lake/new");
        assertThat(plan(newQuery())).containsEntry("ds=b", "s3://lake/new");
        assertThat(store.takeCalls()).last().isEqualTo("getPartitionStatistics [ds=b]");
    }

    @Test
    void statisticsOfATableFollowIt()
    {
        metastore.getTableStatistics(newQuery(), "db", "t");
        store.takeCalls();
        tick();
        metastore.getTableStatistics(newQuery(), "db", "t");
        assertThat(store.takeCalls()).containsExactly("getTable");
        store.setOwner("second");
        tick();
        metastore.getTableStatistics(newQuery(), "db", "t");
        assertThat(store.takeCalls()).containsExactly("getTable", "getTableStatistics");
    }

    @Test
    void changeIsSeenByTheNextQuery()
    {
        MetastoreContext query = newQuery();
        assertThat(owner(query)).isEqualTo("first");
        store.setOwner("second");
        tick();
        assertThat(owner(newQuery())).isEqualTo("second");
        assertThat(owner(newQuery())).isEqualTo("second");
        assertThat(metastore.counters().bypasses()).isZero();
    }

    @Test
    void slowLookOfAnOlderQueryDoesNotAnswerAYoungerOne()
    {
        store.during("getTable", () -> {
            store.setOwner("second");
            tick();
            MetastoreContext younger = newQuery();
            assertThat(owner(younger)).isEqualTo("second");
            store.during("getAllDatabases", () -> assertThat(owner(younger)).isEqualTo("second"));
        });
        assertThat(owner(newQuery())).isEqualTo("first");
        tick();
        metastore.getAllDatabases(newQuery());
        assertThat(owner(newQuery())).isEqualTo("second");
    }

    @Test
    void partitionThatCameBackAsItWas()
    {
        store.putPartition("a", "s3://lake/a");
        MetastoreContext query = newQuery();
        plan(query);
        Object before = version(query, "a").orElseThrow();
        store.putPartition("a", "s3://lake/b");
        plan(newQuery());
        store.putPartition("a", "s3://lake/a");
        query = newQuery();
        assertThat(plan(query)).containsEntry("ds=a", "s3://lake/a");
        assertThat(version(query, "a")).isPresent().get().isNotEqualTo(before);
    }

    @Test
    void versionsForListsOfFilesFollowWhatIsFound()
    {
        store.putPartition("a", "s3://lake/a");
        store.putPartition("b", "s3://lake/b");
        MetastoreContext query = newQuery();
        plan(query);
        Object a = version(query, "a").orElseThrow();
        Object b = version(query, "b").orElseThrow();
        Object table = version(query).orElseThrow();
        store.putPartition("b", "s3://lake/new");
        query = newQuery();
        plan(query);
        assertThat(version(query, "a")).contains(a);
        assertThat(version(query, "b")).isPresent().get().isNotEqualTo(b);
        assertThat(version(query)).contains(table);
        store.setOwner("second");
        query = newQuery();
        plan(query);
        assertThat(version(query)).isPresent().get().isNotEqualTo(table);
    }

    @Test
    void versionForAQueryThatComparedNothing()
    {
        for (VersionedHiveMetastore each : List.of(metastore, telling())) {
            metastore = each;
            store.putPartition("a", "s3://lake/a");
            MetastoreContext first = newQuery();
            plan(first);
            assertThat(version(first)).isPresent();
            assertThat(version(first, "a")).isPresent();
            assertThat(version(first, "b")).isEmpty();
            tick();
            MetastoreContext second = newQuery();
            assertThat(version(second)).isEmpty();
            assertThat(version(second, "a")).isEmpty();
            plan(newQuery());
            assertThat(version(second, "a")).as("compared by another query since").isEqualTo(version(first, "a")).isPresent();
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            assertThat(version(second, "a")).as("minutes later").isPresent();
        }
    }

    @Test
    void versionForAQueryThatMayNotKeepWhatItCompared()
    {
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        metastore.setListener(new LookupListener() {
            @Override
            public CacheMode mode(String queryId)
            {
                return CacheMode.READ_ONLY;
            }

            @Override
            public void onLookups(LookupOrigin asker, int lookups)
            {}

            @Override
            public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
            {}
        });
        MetastoreContext query = newQuery();
        plan(query);
        assertThat(version(query, "a")).isEmpty();
    }

    @Test
    void ownWritesAreSeenByTheQueryThatWrote()
    {
        store.putPartition("a", "s3://lake/a");
        MetastoreContext query = newQuery();
        plan(query);
        store.putPartition("a", "s3://lake/b");
        metastore.alterPartition(query, "db", "t", new PartitionWithStatistics(TestingMetastore.partition("a", "s3://lake/b"), "ds=a",
                PartitionStatistics
                        .empty()));
        assertThat(plan(query)).containsEntry("ds=a", "s3://lake/b");
    }

    @Test
    void logSwitchedOnAndOff()
    {
        metastore = new VersionedHiveMetastore(store.metastore(), Optional.of(log), Optional.empty(), config(CachedKinds.ALL), nanos::get);
        log.setWritten(false);
        assertThat(owner(newQuery())).isEqualTo("first");
        log.setWritten(true);
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        store.setOwner("second");
        assertThat(owner(newQuery())).isEqualTo("second");
        store.takeCalls();
        assertThat(owner(newQuery())).isEqualTo("second");
        assertThat(store.takeCalls()).isEmpty();
        log.setWritten(false);
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        store.setOwner("third");
        metastore.getAllDatabases(newQuery());
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(owner(newQuery())).isEqualTo("third");
        store.setOwner("fourth");
        tick();
        assertThat(owner(newQuery())).isEqualTo("fourth");
    }

    @Test
    void partitionScopeKeepsPartitionsAlone()
    {
        metastore = new VersionedHiveMetastore(store.metastore(), Optional.empty(), Optional.empty(), config(CachedKinds.PARTITION), nanos::get);
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        store.takeCalls();
        plan(newQuery());
        assertThat(store.takeCalls()).containsExactly("getTable", "getPartitionNamesByFilter", "getPartitionsByNames [ds=a]");
    }

    @Test
    void toldVersionsSpareTheLoad()
    {
        metastore = telling();
        store.putPartition("a", "s3://lake/a");
        store.putPartition("b", "s3://lake/b");
        plan(newQuery());
        store.takeCalls();
        plan(newQuery());
        assertThat(store.takeCalls()).containsExactly("getPartitionNamesByFilter");
        store.putPartition("b", "s3://lake/new");
        versions.put("ds=b", 2);
        assertThat(plan(newQuery())).containsEntry("ds=b", "s3://lake/new");
        assertThat(store.takeCalls()).containsExactly("getPartitionNamesByFilter", "getPartitionsByNames [ds=b]", "getPartitionStatistics [ds=b]");
        store.setOwner("second");
        versions.put("", 2);
        assertThat(owner(newQuery())).isEqualTo("second");
    }

    @Test
    void whatHasNoVersionIsNotKept()
    {
        metastore = telling();
        store.putPartition("a", "s3://lake/a");
        versions.remove("ds=a");
        versions.remove("");
        plan(newQuery());
        store.putPartition("a", "s3://lake/b");
        store.setOwner("second");
        MetastoreContext query = newQuery();
        assertThat(plan(query)).containsEntry("ds=a", "s3://lake/b");
        assertThat(owner(query)).isEqualTo("second");
        store.takeCalls();
        plan(query);
        assertThat(store.takeCalls()).containsExactly("getTable", "getPartitionsByNames [ds=a]", "getPartitionStatistics [ds=a]");
    }

    @Test
    void changeBetweenTheVersionAndTheLoad()
    {
        metastore = telling();
        store.putPartition("a", "s3://lake/a");
        versions.afterPartitions(() -> store.putPartition("a", "s3://lake/b"));
        assertThat(plan(newQuery())).containsEntry("ds=a", "s3://lake/b");
        versions.put("ds=a", 2);
        store.putPartition("a", "s3://lake/c");
        versions.put("ds=a", 3);
        assertThat(plan(newQuery())).containsEntry("ds=a", "s3://lake/c");
    }

    @Test
    void countersAddUp()
    {
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        plan(newQuery());
        MetastoreCacheCounters counters = metastore.counters();
        assertThat(counters.entries().hits() + counters.entries().misses() + counters.bypasses()).isEqualTo(counters.lookups());
        assertThat(counters.entries().hits()).isPositive();
    }

    private VersionedHiveMetastore withoutLog()
    {
        return new VersionedHiveMetastore(store.metastore(), Optional.empty(), Optional.empty(), config(CachedKinds.ALL), nanos::get);
    }

    private VersionedHiveMetastore telling()
    {
        return new VersionedHiveMetastore(store.metastore(), Optional.empty(), Optional.of(versions), config(CachedKinds.ALL), nanos::get);
    }

    private static MetastoreCacheConfig config(CachedKinds scope)
    {
        return new MetastoreCacheConfig(LIMITS, scope, true, false, Duration.ZERO);
    }

    private void tick()
    {
        nanos.incrementAndGet();
    }

    private Optional<Object> version(MetastoreContext query, String... values)
    {
        return metastore.versionOf(query.getQueryId(), "db", "t", List.of(values));
    }

    private String owner(MetastoreContext query)
    {
        return metastore.getTable(query, "db", "t").orElseThrow().getOwner();
    }

    /** Makes the calls of a query over the whole table; returns each partition's location. */
    private Map<String, String> plan(MetastoreContext query)
    {
        tick();
        metastore.getTable(query, "db", "t");
        List<PartitionNameWithVersion> names = metastore.getPartitionNamesByFilter(query, "db", "t", Map.of());
        Map<String, String> locations = new LinkedHashMap<>();
        metastore.getPartitionsByNames(query, "db", "t", names)
                .forEach((name, partition) -> locations.put(name, partition.orElseThrow().getStorage().getLocation()));
        Set<String> all = names.stream().map(PartitionNameWithVersion::getPartitionName).collect(toSet());
        assertThat(metastore.getPartitionStatistics(query, "db", "t", all)).containsOnlyKeys(all);
        tick();
        return locations;
    }

    /** Returns version 1 of everything, or the version that was set; the empty name is the table's. */
    private static final class TestingVersions
            implements VersionSource
    {
        private final Map<String, Integer> versions = new ConcurrentHashMap<>();
        private Runnable afterPartitions = () -> {};

        void put(String name, int version)
        {
            versions.put(name, version);
        }

        void remove(String name)
        {
            versions.put(name, 0);
        }

        void afterPartitions(Runnable action)
        {
            afterPartitions = action;
        }

        @Override
        public Optional<Object> ofTable(MetastoreContext context, String database, String table)
        {
            return Optional.<Object>of(versions.getOrDefault("", 1)).filter(version -> !version.equals(0));
        }

        @Override
        public boolean tellsPartitions()
        {
            return true;
        }

        @Override
        public Map<String, Object> ofPartitions(MetastoreContext context, String database, String table, Collection<String> names)
        {
            Map<String, Object> told = new LinkedHashMap<>();
            names.forEach(name -> told.put(name, versions.getOrDefault(name, 1)));
            told.values().removeIf(version -> version.equals(0));
            Runnable action = afterPartitions;
            afterPartitions = () -> {};
            action.run();
            return told;
        }
    }
}
