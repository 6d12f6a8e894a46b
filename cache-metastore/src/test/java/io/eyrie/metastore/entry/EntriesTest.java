// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EntriesTest
{
    private static final MetastoreView READER = new MetastoreView("", false);
    private static final long BYTES = 10_000_000;
    private static final Duration AGE = Duration.ofHours(1);
    private static final Duration STATISTICS_AGE = Duration.ofMinutes(10);

    private final AtomicLong nanos = new AtomicLong();
    private final Entries entries = new Entries(new EntryLimits(BYTES, 1000, AGE, STATISTICS_AGE), nanos::get);
    private final AtomicInteger loads = new AtomicInteger();

    @Test
    void loadedOnceUntilItChanges()
    {
        assertThat(table("t")).isEqualTo("1");
        assertThat(table("t")).isEqualTo("1");
        entries.tableChanged("db", "other");
        entries.partitionsChanged("db", "t", List.of(List.of("1")), true);
        assertThat(table("t")).isEqualTo("1");
        entries.tableChanged("db", "t");
        assertThat(table("t")).isEqualTo("2");
        entries.databaseChanged("other");
        assertThat(table("t")).isEqualTo("2");
        entries.databaseChanged("db");
        assertThat(table("t")).isEqualTo("3");
        entries.everythingChanged();
        assertThat(table("t")).isEqualTo("4");
    }

    @Test
    void changedTableIsInTheListsOfItsDatabase()
    {
        assertThat(load(entries.database("db"), EntryKind.TABLES, "")).isEqualTo("1");
        entries.tableChanged("db", "t");
        assertThat(load(entries.database("db"), EntryKind.TABLES, "")).isEqualTo("2");
        assertThat(load(entries.databases(), EntryKind.DATABASES, "")).isEqualTo("3");
        entries.databaseChanged("db");
        assertThat(load(entries.databases(), EntryKind.DATABASES, "")).isEqualTo("4");
    }

    @Test
    void changedPartitionAlone()
    {
        assertThat(partitions("1", "2", "3")).containsExactlyEntriesOf(ImmutableMap.of("1", "1a", "2", "1b", "3", "1c"));
        long version = entries.table("db", "t").partitionVersion(List.of("2"));
        entries.partitionsChanged("db", "t", List.of(List.of("2")), false);
        assertThat(partitions("1", "2", "3")).containsExactlyEntriesOf(ImmutableMap.of("1", "1a", "2", "2a", "3", "1c"));
        assertThat(entries.table("db", "t").partitionVersion(List.of("2"))).isNotEqualTo(version);
        assertThat(entries.table("db", "t").partitionVersion(List.of("3"))).isEqualTo(version);
    }

    @Test
    void namesOfPartitionsChangeOnlyWithTheirNumber()
    {
        Subject subject = entries.table("db", "t");
        assertThat(load(subject, EntryKind.PARTITION_NAMES, "")).isEqualTo("1");
        assertThat(load(subject, EntryKind.PARTITION_NAMES, Map.of())).isEqualTo("2");
        entries.partitionsChanged("db", "t", List.of(List.of("1")), false);
        assertThat(load(subject, EntryKind.PARTITION_NAMES, "")).isEqualTo("1");
        entries.partitionsChanged("db", "t", List.of(List.of("1")), true);
        assertThat(load(subject, EntryKind.PARTITION_NAMES, "")).isEqualTo("3");
        assertThat(load(subject, EntryKind.PARTITION_NAMES, Map.of())).isEqualTo("4");
    }

    @Test
    void versionsOfPartitionsNeverComeBack()
    {
        load(entries.table("db", "t"), EntryKind.TABLE, "");
        long version = entries.table("db", "t").partitionVersion(List.of("1"));
        entries.tableChanged("db", "t");
        assertThat(entries.table("db", "t").partitionVersion(List.of("1"))).isGreaterThan(version);
    }

    @Test
    void readersDoNotSeeEachOthersAnswers()
    {
        Subject subject = entries.table("db", "t");
        assertThat(entries.get(new EntryKey(subject, new MetastoreView("ann", false), EntryKind.PARTITION, List.of("1")), () -> "ann's")).isEqualTo(
                "ann's");
        assertThat(entries.get(new EntryKey(subject, new MetastoreView("bob", false), EntryKind.PARTITION, List.of("1")), () -> "bob's")).isEqualTo(
                "bob's");
        entries.partitionsChanged("db", "t", List.of(List.of("1")), false);
        assertThat(entries.get(new EntryKey(subject, new MetastoreView("ann", false), EntryKind.PARTITION, List.of("1")), () -> "ann's new"))
                .isEqualTo(
                        "ann's new");
        assertThat(entries.get(new EntryKey(subject, new MetastoreView("bob", false), EntryKind.PARTITION, List.of("1")), () -> "bob's new"))
                .isEqualTo(
                        "bob's new");
    }

    @Test
    void failedAndEmptyLoadsLeaveNothing()
    {
        EntryKey key = new EntryKey(entries.table("db", "t"), READER, EntryKind.TABLE, "");
        IllegalStateException down = new IllegalStateException("down");
        assertThatThrownBy(() -> entries.get(key, () -> {
            throw down;
        })).isSameAs(down);
        assertThat(entries.<Optional<String>>get(key, Optional::empty)).isEmpty();
        assertThat(entries.<Optional<String>>get(key, () -> Optional.of("there"))).contains("there");
    }

    @Test
    void halfAnAnswerIsKeptForWhatItHolds()
    {
        assertThat(partitions(Map.of("1", "one"), "1", "2")).containsExactlyEntriesOf(Map.of("1", "one"));
        assertThat(partitions(Map.of("2", "two"), "1", "2")).containsExactlyEntriesOf(ImmutableMap.of("1", "one", "2", "two"));
    }

    @Test
    void changeDuringALoad()
    {
        assertThat(entries.get(new EntryKey(entries.table("db", "t"), READER, EntryKind.TABLE, ""), () -> {
            entries.tableChanged("db", "t");
            return "old";
        })).isEqualTo("old");
        assertThat(table("t")).isEqualTo("1");

        assertThat(entries.getAll(entries.table("db", "t"), List.of("1"), name -> partition(entries.table("db", "t"), name), names -> {
            entries.partitionsChanged("db", "t", List.of(List.of("1")), false);
            return Map.of("1", "old");
        })).containsExactlyEntriesOf(Map.of("1", "old"));
        assertThat(partitions(Map.of("1", "new"), "1")).containsExactlyEntriesOf(Map.of("1", "new"));
        assertThat(entries.stats().uncachedLoads()).isEqualTo(2);
    }

    @Test
    void lookupAfterAChangeDoesNotJoinALoadFromBeforeIt()
            throws Exception
    {
        Subject subject = entries.table("db", "t");
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> old = CompletableFuture.supplyAsync(() -> entries.get(partition(subject, "1"), () -> {
            loading.countDown();
            awaitUninterruptibly(goOn);
            return "old";
        }));
        loading.await();
        entries.partitionsChanged("db", "t", List.of(List.of("1")), false);
        assertThat(entries.get(partition(subject, "1"), () -> "new")).isEqualTo("new");
        goOn.countDown();
        assertThat(old.get()).isEqualTo("old");
        assertThat(entries.get(partition(subject, "1"), () -> "not asked")).isEqualTo("new");
    }

    @Test
    void callersThatMissTheSameShareOneLoadButNotItsFailure()
            throws Exception
    {
        for (boolean fails : new boolean[] {false, true}) {
            entries.everythingChanged();
            CountDownLatch loading = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            EntryKey key = partition(entries.table("db", "t"), "1");
            CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> entries.get(key, () -> {
                loading.countDown();
                awaitUninterruptibly(goOn);
                if (fails) {
                    throw new IllegalStateException("down");
                }
                return "first";
            }));
            loading.await();
            CompletableFuture<String> outcome = new CompletableFuture<>();
            Thread second = new Thread(() -> outcome.complete(entries.get(key, () -> "second")));
            second.start();
            while (second.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            assertThat(outcome.get()).isEqualTo(fails ? "second" : "first");
            assertThat(first.handle((value, failure) -> failure != null).get()).isEqualTo(fails);
        }
        assertThat(entries.stats().sharedLoads()).isEqualTo(1);
    }

    @Test
    void ageOfEntriesAndOfStatistics()
    {
        Subject subject = entries.table("db", "t");
        assertThat(load(subject, EntryKind.TABLE, "")).isEqualTo("1");
        assertThat(load(subject, EntryKind.TABLE_STATISTICS, "")).isEqualTo("2");
        nanos.addAndGet(STATISTICS_AGE.toNanos());
        assertThat(load(subject, EntryKind.TABLE, "")).isEqualTo("1");
        assertThat(load(subject, EntryKind.TABLE_STATISTICS, "")).isEqualTo("3");
        nanos.addAndGet(AGE.toNanos() - STATISTICS_AGE.toNanos());
        assertThat(load(subject, EntryKind.TABLE, "")).isEqualTo("4");
    }

    @Test
    void boundInEntries()
    {
        IntStream.range(0, 5000).forEach(i -> load(entries.table("db", "t"), EntryKind.PARTITION, List.of("p" + i)));
        assertThat(entries.stats().currentEntries()).isLessThanOrEqualTo(1000);
        assertThat(entries.stats().evictions()).isGreaterThanOrEqualTo(4000);
    }

    @Test
    void boundInBytes()
    {
        IntStream.range(0, 100)
                .forEach(i -> entries.get(partition(entries.table("db", "t"), "p" + i), () -> List.of("x".repeat((int) (BYTES / 10)))));
        assertThat(entries.stats().currentBytes()).isBetween(BYTES / 2, BYTES);
        assertThat(entries.stats().currentEntries()).isLessThanOrEqualTo(10);
    }

    @Test
    void whatWasForgottenGivesItsRoomBack()
    {
        IntStream.range(0, 900).forEach(i -> load(entries.table("db", "t" + i % 3), EntryKind.PARTITION, List.of("p" + i)));
        IntStream.range(0, 3).forEach(i -> entries.tableChanged("db", "t" + i));
        IntStream.range(0, 900).forEach(i -> load(entries.table("db", "u"), EntryKind.PARTITION, List.of("p" + i)));
        entries.tableChanged("db", "u");
        assertThat(entries.stats().currentEntries()).isZero();
    }

    @Test
    void partitionsShareWhatIsEqual()
    {
        Optional<Partition> one = entries.get(partition(entries.table("db", "t"), "1"), () -> Optional.of(hivePartition("1")));
        Optional<Partition> two = entries.get(partition(entries.table("db", "t"), "2"), () -> Optional.of(hivePartition("2")));
        assertThat(one).contains(hivePartition("1"));
        assertThat(two).contains(hivePartition("2"));
        assertThat(one.orElseThrow().getColumns()).isSameAs(two.orElseThrow().getColumns());
        assertThat(one.orElseThrow().getStorage().getStorageFormat()).isSameAs(two.orElseThrow().getStorage().getStorageFormat());
        assertThat(entries.stats().currentBytes()).isLessThan(2 * CachedValue.of(
                partition(entries.table("db", "t"), "x"),
                Optional.of(hivePartition("of other columns", "x")),
                "v",
                0).bytes());
    }

    @Test
    void countersAddUp()
    {
        partitions("1", "2");
        partitions("2", "3");
        table("t");
        EntryStats stats = entries.stats();
        assertThat(stats.hits() + stats.misses()).isEqualTo(stats.lookups()).isEqualTo(5L);
        assertThat(stats.hits()).isEqualTo(1);
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> new EntryLimits(0, 1, AGE, AGE).validate()).isInstanceOf(ConfigException.class).hasMessageContaining("bytes");
        assertThatThrownBy(() -> new EntryLimits(1, 0, AGE, AGE).validate()).isInstanceOf(ConfigException.class).hasMessageContaining("entries");
        assertThatThrownBy(() -> new EntryLimits(1, 1, Duration.ZERO, AGE).validate()).isInstanceOf(ConfigException.class).hasMessageContaining(
                "age");
        assertThatThrownBy(() -> new EntryLimits(1, 1, AGE, Duration.ZERO).validate()).isInstanceOf(ConfigException.class)
                .hasMessageContaining("statisticsAge");
    }

    @Test
    void moreReadersOfATableThanAreRemembered()
    {
        Subject subject = entries.table("db", "t");
        for (int i = 0; i < Subject.MOST_READERS + 2; i++) {
            EntryKey key = new EntryKey(subject, new MetastoreView("user" + i, false), EntryKind.TABLE, "");
            assertThat(entries.get(key, () -> "loaded")).isEqualTo("loaded");
        }
        assertThat(entries.stats().uncachedLoads()).isEqualTo(2);
    }

    @Test
    void moreChangedPartitionsThanAreRemembered()
    {
        table("other");
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 2; j++) {
                String name = "t" + i;
                table(name);
                int first = 50_000 * j;
                entries.partitionsChanged("db", name, IntStream.range(first, first + 50_000).mapToObj(value -> List.of("" + value)).toList(), false);
            }
        }
        assertThat(entries.stats().boundDrops()).isEqualTo(1);
        assertThat(table("other")).isEqualTo("1");
        assertThat(Stream.of("t0", "t1", "t2").filter(name -> Integer.parseInt(table(name)) > 4)).as("loaded again").hasSize(1);
    }

    @Test
    void partitionThatChangesOftenIsRememberedOnce()
    {
        table("other");
        table("t");
        for (int i = 0; i < 300_000; i++) {
            entries.partitionsChanged("db", "t", List.of(List.of("1")), false);
        }
        assertThat(entries.stats().boundDrops()).isZero();
        assertThat(table("other")).isEqualTo("1");
        assertThat(table("t")).isEqualTo("2");
    }

    @Test
    void partitionThatIsComparedOftenIsRememberedOnce()
    {
        table("other");
        for (int i = 0; i < 300_000; i++) {
            long since = nanos.incrementAndGet();
            String value = Integer.toString(i);
            entries.getAllSince(since, entries.table("db", "t"), List.of("1"), name -> partition(entries.table("db", "t"), name), missing -> Map.of(
                    "1", value));
        }
        assertThat(entries.stats().boundDrops()).isZero();
        assertThat(table("other")).isEqualTo("1");
    }

    @Test
    void changedPartitionsOfDroppedTablesDoNotCount()
    {
        table("other");
        for (int i = 0; i < 3; i++) {
            table("t");
            int first = 100_001 * i;
            entries.partitionsChanged("db", "t", IntStream.range(first, first + 100_001).mapToObj(value -> List.of("" + value)).toList(), false);
        }
        assertThat(entries.stats().boundDrops()).as("of the table itself").isEqualTo(3);
        assertThat(table("other")).isEqualTo("1");
    }

    @Test
    void predicatesInKeysTakeMemory()
    {
        Subject subject = entries.table("db", "t");
        String text = "x".repeat(1_000_000);
        for (int i = 0; i < 40; i++) {
            load(subject, EntryKind.PARTITION_NAMES, predicates(List.of(i + text)));
        }
        assertThat(entries.stats().currentEntries()).isLessThan(10);
        assertThat(entries.stats().boundDrops()).isPositive();
        assertThat(predicates(IntStream.range(0, 1000).mapToObj(Integer::toString).toList()).isLong()).isFalse();
        assertThat(predicates(IntStream.range(0, 1001).mapToObj(Integer::toString).toList()).isLong()).isTrue();
    }

    private static Predicates predicates(List<String> values)
    {
        Column column = new Column("ds", HiveType.HIVE_STRING, Optional.empty(), Optional.empty());
        return new Predicates(Map.of(column, Domain.multipleValues(VarcharType.VARCHAR, values.stream().map(Slices::utf8Slice).toList())));
    }

    private String table(String table)
    {
        return load(entries.table("db", table), EntryKind.TABLE, "");
    }

    private String load(Subject subject, EntryKind kind, Object detail)
    {
        return entries.get(new EntryKey(subject, READER, kind, detail), () -> Integer.toString(loads.incrementAndGet()));
    }

    private Map<String, String> partitions(String... names)
    {
        Subject subject = entries.table("db", "t");
        return entries.getAll(subject, List.of(names), name -> partition(subject, name), missing -> {
            int load = loads.incrementAndGet();
            return IntStream.range(0, missing.size()).boxed().collect(toMap(missing::get, i -> load + "abcdef".substring(i, i + 1)));
        });
    }

    private Map<String, String> partitions(Map<String, String> answer, String... names)
    {
        Subject subject = entries.table("db", "t");
        return entries.getAll(subject, List.of(names), name -> partition(subject, name), missing -> answer);
    }

    private static EntryKey partition(Subject subject, String name)
    {
        return new EntryKey(subject, READER, EntryKind.PARTITION, List.of(name));
    }

    private static Partition hivePartition(String value, String... moreColumns)
    {
        ImmutableList.Builder<Column> columns = ImmutableList.builder();
        IntStream.range(0, 100).forEach(i -> columns.add(new Column("c" + i, HiveType.HIVE_LONG, Optional.empty(), Optional.empty())));
        List.of(moreColumns).forEach(name -> columns.add(new Column(name, HiveType.HIVE_LONG, Optional.empty(), Optional.empty())));
        return Partition.builder()
                .setCatalogName(Optional.empty())
                .setDatabaseName("db")
                .setTableName("t")
                .setValues(List.of(value))
                .setColumns(columns.build())
                .setParameters(Map.of("numRows", value))
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation("s3://lake/t/p=" + value))
                .build();
    }

    private static void awaitUninterruptibly(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
