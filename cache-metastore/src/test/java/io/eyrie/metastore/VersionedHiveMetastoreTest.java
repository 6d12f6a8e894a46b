// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo.HivePrivilege;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.PrincipalType;
import io.airlift.slice.Slices;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.LookupListener.LookupMiss;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.EventLogException.Reason;
import io.eyrie.metastore.log.TestingEventLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VersionedHiveMetastoreTest
{
    private static final EntryLimits LIMITS = new EntryLimits(10_000_000, 10_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final PrestoPrincipal ANN = new PrestoPrincipal(PrincipalType.USER, "ann");

    private final TestingMetastore store = new TestingMetastore();
    private final TestingEventLog log = new TestingEventLog();
    private final AtomicLong nanos = new AtomicLong();
    private VersionedHiveMetastore metastore = metastore(config(Duration.ZERO));

    @Test
    void warmQueryAsksForTheLogsNumberAlone()
    {
        IntStream.range(0, 1000).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
        plan(newQuery());
        store.takeCalls();
        log.takeCalls();
        assertThat(plan(newQuery())).hasSize(1000);
        assertThat(store.takeCalls()).isEmpty();
        assertThat(log.takeCalls()).containsExactly("currentId");
    }

    @Test
    void namesThatVeryManyValuesChoseAreAskedForEachTime()
    {
        store.putPartition("p1", "s3://lake/1");
        Map<Column, Domain> predicates = predicates(100_000);
        for (int i = 0; i < 2; i++) {
            store.takeCalls();
            assertThat(metastore.getPartitionNamesByFilter(newQuery(), "db", "t", predicates)).hasSize(1);
            assertThat(store.takeCalls()).hasSize(1);
        }
        assertThat(metastore.counters().bypasses()).isEqualTo(2);
        assertThat(metastore.counters().lookups()).isEqualTo(2);
    }

    @Test
    void onlyTheChangedPartitionIsFetched()
    {
        IntStream.range(0, 1000).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
        plan(newQuery());
        store.takeCalls();
        store.putPartition("p7", "s3://lake/new");
        log.alterPartition("db", "t", "p7");
        assertThat(plan(newQuery())).containsEntry("ds=p7", "s3://lake/new").hasSize(1000);
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=p7]");
    }

    /* As in Hive's schema for SQL Server, whose column of messages has the characters of the database's collation. */
    @Test
    void eventWhoseValuesLostCharacters()
    {
        store.putPartition("Łódź", "s3://lake/old");
        store.putPartition("北京", "s3://lake/old");
        store.putPartition("paris", "s3://lake/old");
        plan(newQuery());
        for (String value : List.of("Łódź", "北京")) {
            for (String reported : value.equals("北京") ? List.of("??", "京", "") : List.of("Lódz", "Lodz", "??d?", "?d", "Ä¹Ã³dÅº")) {
                Optional<Object> version = version(newQuery(), value);
                store.putPartition(value, "s3://lake/" + reported);
                log.alterPartition("db", "t", reported);
                assertThat(plan(newQuery())).containsEntry("ds=" + value, "s3://lake/" + reported);
                assertThat(version(newQuery(), value)).isPresent().isNotEqualTo(version);
            }
        }
        store.takeCalls();
        store.putPartition("北京", "s3://lake/new");
        log.alterPartition("db", "t", "北京");
        assertThat(plan(newQuery())).containsEntry("ds=北京", "s3://lake/new");
        assertThat(store.takeCalls()).as("the event names a partition that is cached").containsExactly("getPartitionsByNames [ds=北京]");
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"ds\":\"??\"}]}");
        plan(newQuery());
        assertThat(store.takeCalls()).as("a new partition makes no other wrong").containsExactly("getPartitionNamesByFilter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Łódź", "北京"})
    void insertBesideAPartitionWhoseValueMayLoseCharacters(String lossy)
    {
        Optional<Object> rome = planned(lossy, "paris", "rome");
        for (int i = 0; i < 2; i++) {
            metastore.updatePartitionStatistics(newQuery(), "db", "t", "ds=paris", statistics -> statistics);
            log.alterPartition("db", "t", "paris");
            plan(newQuery());
            assertThat(store.takeCalls()).containsExactly("updatePartitionStatistics", "getPartitionsByNames [ds=paris]");
        }
        assertThat(version(newQuery(), "rome")).isEqualTo(rome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Łódź", "北京"})
    void twoEventsAboutAPartitionBesideOneWhoseValueMayLoseCharacters(String lossy)
    {
        Optional<Object> rome = planned(lossy, "paris", "rome");
        log.alterPartition("db", "t", "paris");
        log.alterPartition("db", "t", "paris");
        plan(newQuery());
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=paris]");
        assertThat(version(newQuery(), "rome")).isEqualTo(rome);
    }

    @Test
    void newPartitionWithStatisticsBesideOneWhoseValueMayLoseCharacters()
    {
        Optional<Object> rome = planned("Łódź", "paris", "rome");
        store.putPartition("oslo", "s3://lake/oslo");
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"ds\":\"oslo\"}]}");
        log.alterPartition("db", "t", "oslo");
        assertThat(plan(newQuery())).hasSize(4);
        assertThat(store.takeCalls()).containsExactly("getPartitionNamesByFilter", "getPartitionsByNames [ds=oslo]");
        assertThat(version(newQuery(), "rome")).isEqualTo(rome);
    }

    /* The first two events do not prove that a partition "Lodz" exists. */
    @Test
    void eventsBeforeTheFirstValueThatMayLoseCharacters()
    {
        store.putPartition("paris", "s3://lake/paris");
        plan(newQuery());
        store.putPartition("Łódź", "s3://lake/old");
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"ds\":\"Lodz\"}]}");
        log.alterPartition("db", "t", "Lodz");
        assertThat(plan(newQuery())).containsEntry("ds=Łódź", "s3://lake/old");
        for (String location : List.of("s3://lake/new", "s3://lake/newer")) {
            store.putPartition("Łódź", location);
            log.alterPartition("db", "t", "Lodz");
            assertThat(plan(newQuery())).containsEntry("ds=Łódź", location);
        }
    }

    @Test
    void versionsFollowChanges()
    {
        store.putPartition("a", "s3://lake/a");
        store.putPartition("b", "s3://lake/b");
        List<PartitionNameWithVersion> before = names(newQuery());
        Partition a = partition(newQuery(), before.get(0));
        assertThat(before).allSatisfy(name -> assertThat(name.getPartitionVersion()).isPresent());
        assertThat(a.getPartitionVersion()).isEqualTo(before.get(0).getPartitionVersion());
        assertThat(names(newQuery())).isEqualTo(before);
        log.alterPartition("db", "t", "a");
        List<PartitionNameWithVersion> after = names(newQuery());
        assertThat(after.get(0).getPartitionVersion()).isNotEqualTo(before.get(0).getPartitionVersion());
        assertThat(after.get(1)).isEqualTo(before.get(1));
        assertThat(partition(newQuery(), after.get(0)).getPartitionVersion()).isEqualTo(after.get(0).getPartitionVersion());
    }

    @Test
    void listenerHearsOfWhichTable()
    {
        Map<LookupListener.LookupOrigin, Integer> asked = new HashMap<>();
        Map<LookupListener.LookupOrigin, Integer> missed = new HashMap<>();
        metastore.setListener(new LookupListener() {
            @Override
            public void onLookups(LookupOrigin asker, int lookups)
            {
                asked.merge(asker, lookups, Integer::sum);
            }

            @Override
            public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
            {
                missed.merge(asker, lookups, Integer::sum);
            }
        });
        MetastoreContext query = newQuery();
        LookupListener.LookupOrigin table = new LookupListener.LookupOrigin(query.getQueryId(), "db", "t");
        owner(query);
        owner(query);
        assertThat(metastore.getAllDatabases(query)).containsExactly("db");
        assertThat(asked).isEqualTo(Map.of(table, 2, new LookupListener.LookupOrigin(query.getQueryId(), "", ""), 1));
        assertThat(missed).containsEntry(table, 1);
        assertThat(metastore.held()).singleElement().satisfies(held -> {
            assertThat(held.database()).isEqualTo("db");
            assertThat(held.table()).isEqualTo("t");
            assertThat(held.entries()).isEqualTo(1);
            assertThat(held.bytes()).isPositive();
        });
    }

    @Test
    void listenerHearsWhyAnAnswerIsNotCached()
    {
        metastore = metastore(new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, true, Duration.ZERO));
        Map<LookupMiss, Integer> missed = new EnumMap<>(LookupMiss.class);
        metastore.setListener(new LookupListener() {
            @Override
            public void onLookups(LookupOrigin asker, int lookups)
            {}

            @Override
            public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
            {
                missed.merge(why, lookups, Integer::sum);
            }
        });
        metastore.getPartitionNamesByFilter(newQuery(), "db", "t", predicates(1001));
        assertThat(missed).isEqualTo(Map.of(LookupMiss.LONG_PREDICATE, 1));

        missed.clear();
        store.during("getTable", () -> {
            log.alterTable("db", "t");
            owner(newQuery("other"));
        });
        owner(newQuery());
        assertThat(missed).as("the other query read of the change").isEqualTo(Map.of(LookupMiss.CHANGED, 1, LookupMiss.ABSENT, 1));

        missed.clear();
        for (int i = 0; i < 1001; i++) {
            owner(newQuery("user" + i));
        }
        assertThat(missed).as("the other user is one of a thousand").isEqualTo(Map.of(LookupMiss.ABSENT, 999, LookupMiss.TOO_MANY_USERS, 2));
        owner(newQuery("user998"));
        owner(newQuery("user999"));
        assertThat(missed).isEqualTo(Map.of(LookupMiss.ABSENT, 999, LookupMiss.TOO_MANY_USERS, 3));
        assertThat(metastore.counters().entries().uncachedLoads()).isEqualTo(4);

        missed.clear();
        log.fail(Reason.FAILED);
        owner(newQuery("user998"));
        assertThat(missed).isEqualTo(Map.of(LookupMiss.NOT_VALIDATED, 1));
    }

    private static Map<Column, Domain> predicates(int values)
    {
        return Map.of(
                new Column("ds", HiveType.HIVE_STRING, Optional.empty(), Optional.empty()),
                Domain.multipleValues(VarcharType.VARCHAR, IntStream.range(0, values).mapToObj(i -> Slices.utf8Slice("p" + i)).toList()));
    }

    @ParameterizedTest
    @EnumSource(CacheMode.class)
    void queryDoesWhatItsModeAllows(CacheMode mode)
    {
        MetastoreContext first = newQuery();
        MetastoreContext last = newQuery();
        Set<String> moded = Set.of(first.getQueryId(), last.getQueryId());
        AtomicInteger there = new AtomicInteger();
        metastore.setListener(new LookupListener() {
            @Override
            public CacheMode mode(String queryId)
            {
                return moded.contains(queryId) ? mode : CacheMode.READ_WRITE;
            }

            @Override
            public void onLookups(LookupOrigin asker, int lookups)
            {}

            @Override
            public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
            {}

            @Override
            public void onDryRunHit(LookupOrigin asker)
            {
                there.incrementAndGet();
            }
        });
        store.putPartition("a", "s3://lake/a");
        plan(first);
        store.takeCalls();
        plan(newQuery());
        assertThat(store.takeCalls()).as("what the first left for others").hasSize(mode == CacheMode.READ_WRITE ? 0 : 3);
        assertThat(there).hasValue(0);
        assertThat(plan(last)).containsEntry("ds=a", "s3://lake/a").hasSize(1);
        assertThat(store.takeCalls()).as("what is asked where all is kept").hasSize(mode.serves() ? 0 : 3);
        assertThat(there.get()).isEqualTo(mode == CacheMode.DRY_RUN ? 3 : 0);
    }

    @Test
    void versionsAreNotHandedOnUnasked()
    {
        metastore = metastore(new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, false, false, Duration.ZERO));
        store.putPartition("a", "s3://lake/a");
        List<PartitionNameWithVersion> names = names(newQuery());
        assertThat(names).containsExactly(new PartitionNameWithVersion("ds=a", Optional.empty()));
        assertThat(partition(newQuery(), names.get(0)).getPartitionVersion()).isEmpty();
    }

    @Test
    void eventBetweenValidationAndLoad()
    {
        MetastoreContext query = newQuery();
        assertThat(metastore.getAllDatabases(query)).containsExactly("db");
        store.setOwner("second");
        log.alterTable("db", "t");
        assertThat(owner(query)).isEqualTo("second");
        store.setOwner("third");
        log.alterTable("db", "t");
        assertThat(owner(newQuery())).isEqualTo("third");
    }

    @Test
    void changeAndOtherQuerysValidationDuringALoad()
    {
        store.during("getTable", () -> {
            store.setOwner("second");
            log.alterTable("db", "t");
            assertThat(owner(newQuery())).isEqualTo("second");
        });
        assertThat(owner(newQuery())).isEqualTo("first");
        assertThat(owner(newQuery())).isEqualTo("second");
    }

    @Test
    void changeOfWhichNoOneWasToldDuringALoad()
    {
        store.during("getTable", () -> {
            store.setOwner("second");
            log.alterTable("db", "t");
        });
        assertThat(owner(newQuery())).isEqualTo("first");
        assertThat(owner(newQuery())).isEqualTo("second");
    }

    @Test
    void restartOfTheMetastoreWithAnEmptyLog()
    {
        log.alterTable("db", "t");
        assertThat(owner(newQuery())).isEqualTo("first");
        store.setOwner("second");
        log.replace("new", 0);
        assertThat(owner(newQuery())).isEqualTo("second");
    }

    @Test
    void metastoreThatIsDown()
    {
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        IllegalStateException down = new IllegalStateException("down");
        store.fail(down);
        log.fail(Reason.FAILED);
        assertThatThrownBy(() -> plan(newQuery())).isSameAs(down);
        store.fail(null);
        log.fail(null);
        store.putPartition("a", "s3://lake/meanwhile");
        log.alterPartition("db", "t", "a");
        assertThat(plan(newQuery())).containsExactlyEntriesOf(Map.of("ds=a", "s3://lake/meanwhile"));
    }

    @Test
    void failureOfTheStoreAloneLeavesNothing()
    {
        store.putPartition("a", "s3://lake/a");
        IllegalStateException timeout = new IllegalStateException("timeout");
        store.fail(timeout);
        assertThatThrownBy(() -> plan(newQuery())).isSameAs(timeout);
        store.fail(null);
        assertThat(plan(newQuery())).containsExactlyEntriesOf(Map.of("ds=a", "s3://lake/a"));
    }

    @Test
    void exceptionForOnePartitionOfAThousandPoisonsNone()
    {
        IntStream.range(0, 1000).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
        IllegalStateException broken = new IllegalStateException("one of them cannot be read");
        store.failFor("p500", broken);
        assertThatThrownBy(() -> plan(newQuery())).isSameAs(broken);
        assertThatThrownBy(() -> plan(newQuery())).isSameAs(broken);
        store.failFor("", null);
        assertThat(plan(newQuery())).hasSize(1000).containsEntry("ds=p500", "s3://lake/500");
        store.takeCalls();
        plan(newQuery());
        assertThat(store.takeCalls()).isEmpty();
    }

    @Test
    void halfAnAnswerIsCompletedByTheNextQuery()
    {
        IntStream.range(0, 1000).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
        store.failFor("p500", null);
        assertThat(plan(newQuery())).hasSize(999);
        store.failFor("", null);
        store.takeCalls();
        assertThat(plan(newQuery())).hasSize(1000);
        assertThat(store.takeCalls()).containsExactly("getPartitionsByNames [ds=p500]");
    }

    @Test
    void metastoreThatIsDownWithinTheGrace()
    {
        metastore = metastore(config(Duration.ofMinutes(5)));
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        IllegalStateException down = new IllegalStateException("down");
        store.fail(down);
        log.fail(Reason.FAILED);
        assertThat(plan(newQuery())).containsExactlyEntriesOf(Map.of("ds=a", "s3://lake/a"));
        assertThatThrownBy(() -> metastore.getAllDatabases(newQuery())).as("what is not kept").isSameAs(down);
        nanos.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThatThrownBy(() -> plan(newQuery())).isSameAs(down);
        assertThat(metastore.counters().log().graceReadings()).isEqualTo(2);
    }

    @Test
    void versionOfATableOrPartitionIsVouchedForByTheLog()
    {
        MetastoreContext query = newQuery();
        plan(query);
        Object table = version(query).orElseThrow();
        Object a = version(query, "a").orElseThrow();
        log.alterPartition("db", "t", "a");
        query = newQuery();
        plan(query);
        assertThat(version(query, "a").orElseThrow()).isNotEqualTo(a);
        assertThat(version(query).orElseThrow()).isEqualTo(table);
        log.alterTable("db", "t");
        query = newQuery();
        plan(query);
        assertThat(version(query).orElseThrow()).isNotEqualTo(table);
        log.fail(Reason.FAILED);
        query = newQuery();
        plan(query);
        assertThat(version(query)).isEmpty();
    }

    /* The queries of an explicit transaction after the first one: the transaction remembers what the metastore answered. */
    @Test
    void versionForAQueryThatLookedNothingUp()
    {
        MetastoreContext first = newQuery();
        owner(first);
        Object before = version(first).orElseThrow();
        log.alterTable("db", "t");
        MetastoreContext second = newQuery();
        assertThat(version(second)).isPresent().get().isNotEqualTo(before);
        log.takeCalls();
        version(second);
        owner(second);
        assertThat(log.takeCalls()).as("after its validation").isEmpty();
        assertThat(metastore.versionOf("", "db", "t", List.of())).as("for an unknown query").isEmpty();
    }

    @Test
    void versionForAQueryThatBypassesTheCache()
    {
        MetastoreContext first = newQuery();
        owner(first);
        Object before = version(first).orElseThrow();
        metastore.setListener(new LookupListener() {
            @Override
            public CacheMode mode(String queryId)
            {
                return CacheMode.BYPASS;
            }

            @Override
            public void onLookups(LookupOrigin asker, int lookups)
            {}

            @Override
            public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
            {}
        });
        log.alterTable("db", "t");
        MetastoreContext second = newQuery();
        owner(second);
        assertThat(version(second)).isPresent().get().isNotEqualTo(before);
    }

    @Test
    void versionForAQueryThatListsForMinutes()
    {
        MetastoreContext query = newQuery();
        owner(query);
        Object before = version(query).orElseThrow();
        log.takeCalls();
        for (int minute = 0; minute < 15; minute++) {
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            assertThat(version(query)).contains(before);
        }
        assertThat(log.takeCalls()).isEmpty();
    }

    @Test
    void versionOfATableInPartitionScope()
    {
        metastore = metastore(new MetastoreCacheConfig(LIMITS, CachedKinds.PARTITION, true, false, Duration.ZERO));
        MetastoreContext first = newQuery();
        owner(first);
        Object before = version(first).orElseThrow();
        log.alterTable("db", "t");
        log.takeCalls();
        MetastoreContext second = newQuery();
        owner(second);
        assertThat(version(second)).isPresent().get().isNotEqualTo(before);
        version(second);
        assertThat(log.takeCalls()).containsOnlyOnce("currentId");
    }

    @Test
    void ownWritesAreSeenAtOnceByTheQueryThatWroteToo()
    {
        store.putPartition("a", "s3://lake/a");
        MetastoreContext query = newQuery();
        plan(query);
        PartitionWithStatistics altered = new PartitionWithStatistics(TestingMetastore.partition("a", "s3://lake/b"), "ds=a", PartitionStatistics
                .empty());
        store.putPartition("a", "s3://lake/b");
        metastore.alterPartition(query, "db", "t", altered);
        assertThat(plan(query)).containsExactlyEntriesOf(Map.of("ds=a", "s3://lake/b"));
    }

    @Test
    void failedWriteForgetsToo()
    {
        store.putPartition("a", "s3://lake/a");
        MetastoreContext query = newQuery();
        plan(query);
        PartitionWithStatistics altered = new PartitionWithStatistics(TestingMetastore.partition("a", "s3://lake/b"), "ds=a", PartitionStatistics
                .empty());
        store.putPartition("a", "s3://lake/b");
        store.fail(new IllegalStateException("answer lost"));
        assertThatThrownBy(() -> metastore.alterPartition(query, "db", "t", altered)).hasMessage("answer lost");
        store.fail(null);
        assertThat(plan(query)).containsExactlyEntriesOf(Map.of("ds=a", "s3://lake/b"));
    }

    @Test
    void impersonatedUsersHaveTheirOwnAnswers()
    {
        metastore = metastore(new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, true, Duration.ZERO));
        metastore.getTable(newQuery("ann"), "db", "t");
        metastore.getTable(newQuery("bob"), "db", "t");
        metastore.getTable(newQuery("ann"), "db", "t");
        assertThat(store.takeCalls()).containsExactly("getTable", "getTable");
    }

    @Test
    void partitionScopeKeepsPartitionsAlone()
    {
        metastore = metastore(new MetastoreCacheConfig(LIMITS, CachedKinds.PARTITION, true, false, Duration.ZERO));
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        store.takeCalls();
        plan(newQuery());
        assertThat(store.takeCalls()).containsExactly("getTable", "getPartitionNamesByFilter");
    }

    @Test
    void revokedPrivilegeIsNotServedToTheNextQuery()
    {
        for (VersionedHiveMetastore each : List.of(metastore, new VersionedHiveMetastore(store.metastore(), Optional.empty(), Optional.empty(),
                config(
                        Duration.ZERO), nanos::get))) {
            metastore = each;
            store.setPrivilege(HivePrivilege.SELECT);
            store.takeCalls();
            MetastoreContext query = newQuery();
            for (int i = 0; i < 2; i++) {
                assertThat(privilege(query)).isEqualTo(HivePrivilege.SELECT);
                metastore.listRoles(query);
                metastore.listRoleGrants(query, ANN);
            }
            assertThat(store.takeCalls()).as("once a query").containsExactly("listTablePrivileges", "listRoles", "listRoleGrants");
            store.setPrivilege(HivePrivilege.INSERT);
            nanos.incrementAndGet();
            assertThat(privilege(newQuery())).isEqualTo(HivePrivilege.INSERT);
        }
    }

    @Test
    void privilegesOfOneAreNotThoseOfAnother()
    {
        MetastoreContext query = newQuery();
        metastore.listTablePrivileges(query, "db", "t", ANN);
        metastore.listTablePrivileges(query, "db", "t", new PrestoPrincipal(PrincipalType.ROLE, "ann"));
        metastore.listTablePrivileges(query, "db", "other", ANN);
        metastore.listTablePrivileges(query, "db", "t", null);
        assertThat(store.takeCalls()).hasSize(4);
    }

    @Test
    void ownGrantsAndRevokesAreSeenAtOnce()
    {
        MetastoreContext query = newQuery();
        assertThat(privilege(query)).isEqualTo(HivePrivilege.SELECT);
        metastore.listRoleGrants(query, ANN);
        store.setPrivilege(HivePrivilege.INSERT);
        metastore.revokeTablePrivileges(query, "db", "t", ANN, Set.of());
        assertThat(privilege(query)).isEqualTo(HivePrivilege.INSERT);
        metastore.grantRoles(query, Set.of("admin"), Set.of(ANN), false, ANN);
        store.takeCalls();
        metastore.listRoleGrants(query, ANN);
        assertThat(store.takeCalls()).containsExactly("listRoleGrants");
    }

    @Test
    void graceServesNoPrivileges()
    {
        metastore = metastore(config(Duration.ofMinutes(5)));
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        privilege(newQuery());
        IllegalStateException down = new IllegalStateException("down");
        store.fail(down);
        log.fail(Reason.FAILED);
        nanos.incrementAndGet();
        assertThat(plan(newQuery())).hasSize(1);
        assertThatThrownBy(() -> privilege(newQuery())).isSameAs(down);
    }

    @Test
    void columnStatisticsHaveABoundedAge()
    {
        store.putPartition("a", "s3://lake/a");
        metastore.getPartitionStatistics(newQuery(), "db", "t", Set.of("ds=a"));
        metastore.getPartitionStatistics(newQuery(), "db", "t", Set.of("ds=a"));
        assertThat(store.takeCalls()).hasSize(1);
        nanos.addAndGet(LIMITS.statisticsAge().toNanos());
        metastore.getPartitionStatistics(newQuery(), "db", "t", Set.of("ds=a"));
        assertThat(store.takeCalls()).hasSize(1);
    }

    @Test
    void queryThatGoesOnIsValidatedAgain()
    {
        MetastoreContext query = newQuery();
        assertThat(owner(query)).isEqualTo("first");
        store.setOwner("second");
        log.alterTable("db", "t");
        assertThat(owner(query)).isEqualTo("first");
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(owner(query)).isEqualTo("second");
    }

    @Test
    void countersAddUpAndTheQueryHasItsOwn()
    {
        store.putPartition("a", "s3://lake/a");
        plan(newQuery());
        MetastoreContext query = newQuery();
        log.alterPartition("db", "t", "a");
        plan(query);
        MetastoreCacheCounters counters = metastore.counters();
        assertThat(counters.entries().hits() + counters.entries().misses() + counters.bypasses()).isEqualTo(counters.lookups()).isEqualTo(6);
        assertThat(query.getRuntimeStats().getMetric("eyrieMetastoreLookups").getSum()).isEqualTo(3);
        assertThat(query.getRuntimeStats().getMetric("eyrieMetastoreMisses").getSum()).isEqualTo(1);
    }

    private VersionedHiveMetastore metastore(MetastoreCacheConfig config)
    {
        return new VersionedHiveMetastore(store.metastore(), Optional.of(log), Optional.empty(), config, nanos::get);
    }

    private static MetastoreCacheConfig config(Duration grace)
    {
        return new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, false, grace);
    }

    private HivePrivilege privilege(MetastoreContext query)
    {
        return getOnlyElement(metastore.listTablePrivileges(query, "db", "t", ANN)).getHivePrivilege();
    }

    private Optional<Object> version(MetastoreContext query, String... values)
    {
        return metastore.versionOf(query.getQueryId(), "db", "t", List.of(values));
    }

    private String owner(MetastoreContext query)
    {
        return metastore.getTable(query, "db", "t").orElseThrow().getOwner();
    }

    private List<PartitionNameWithVersion> names(MetastoreContext query)
    {
        return metastore.getPartitionNamesByFilter(query, "db", "t", Map.of());
    }

    private Partition partition(MetastoreContext query, PartitionNameWithVersion name)
    {
        return requireNonNull(metastore.getPartitionsByNames(query, "db", "t", List.of(name)).get(name.getPartitionName())).orElseThrow();
    }

    /* Plans a query over partitions with these values; returns the version of the last one. */
    private Optional<Object> planned(String... values)
    {
        for (String value : values) {
            store.putPartition(value, "s3://lake/" + value);
        }
        plan(newQuery());
        store.takeCalls();
        Optional<Object> last = version(newQuery(), values[values.length - 1]);
        assertThat(last).isPresent();
        return last;
    }

    /** Makes the calls of a query over the whole table; returns each partition's location. */
    private Map<String, String> plan(MetastoreContext query)
    {
        metastore.getTable(query, "db", "t");
        Map<String, String> locations = new LinkedHashMap<>();
        metastore.getPartitionsByNames(query, "db", "t", names(query))
                .forEach((name, partition) -> locations.put(name, partition.orElseThrow().getStorage().getLocation()));
        return locations;
    }
}
