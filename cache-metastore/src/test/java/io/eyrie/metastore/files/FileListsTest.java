// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.BlockLocation;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.files.Listing.ListRefusal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FileListsTest
{
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration OPEN_AGE = Duration.ofHours(1);
    private static final Duration AGE = Duration.ofHours(24);
    private static final long OLD = NOW.minus(OPEN_AGE).toEpochMilli();

    private final AtomicInteger listings = new AtomicInteger();
    private final AtomicReference<@Nullable Object> version = new AtomicReference<>("v1");
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryListStore store = new MemoryListStore();
    private List<HiveFileInfo> files = List.of(file("a", OLD));
    private FileLists lists = lists(config("*"));

    @Test
    void sealedDirectoryIsListedOnce()
    {
        assertThat(list(directory())).isEqualTo(files);
        files = List.of();
        assertThat(list(directory())).containsExactly(file("a", OLD));
        assertThat(listings).hasValue(1);
    }

    @Test
    void storedListIsUsedByAnotherProcess()
    {
        store.stores = true;
        files = List.of(
                new HiveFileInfo("s3://lake/t/a/b", false, ImmutableList.of(new BlockLocation(List.of("host", "other"), 3, 4)), 5, OLD, Optional.of(
                        new byte[] {1, -2}), Map.of("key", "value")),
                new HiveFileInfo("s3://lake/t/abc", true, ImmutableList.of(), Long.MAX_VALUE, -1, Optional.empty(), Map.of()),
                new HiveFileInfo("elsewhere", false, ImmutableList.of(), 0, OLD, Optional.of(new byte[0]), Map.of()));
        list(directory());
        lists = lists(config("*"));
        List<HiveFileInfo> again = list(directory());
        assertThat(listings).hasValue(1);
        assertThat(again).usingRecursiveComparison().isEqualTo(files);
        assertThat(list(directory())).isEqualTo(again);
        assertThat(lists.stats().storedHits()).isEqualTo(1);
        assertThat(lists.stats().hits()).isEqualTo(2);
    }

    @Test
    void storedListOfSomethingElse()
    {
        store.stores = true;
        list(directory());
        for (Directory other : List.of(
                new Directory("query", "ann", "s3://lake/t", "", table(Map.of()), Optional.empty()),
                new Directory("query", "", "s3://lake/u", "", table(Map.of()), Optional.empty()),
                new Directory("query", "", "s3://lake/t", "recursive", table(Map.of()), Optional.empty()),
                new Directory("query", "", "s3://lake/t", "", table(Map.of("numFiles", "2")), Optional.empty()),
                new Directory("query", "", "s3://lake/t", "", table(Map.of()), Optional.of(partition(Map.of(), true))))) {
            lists = lists(config("*"));
            int before = listings.get();
            list(other);
            assertThat(listings).as("%s", other).hasValue(before + 1);
        }
        version.set("v2");
        int before = listings.get();
        list(directory());
        assertThat(listings).hasValue(before + 1);
    }

    @Test
    void storedListThatIsTooOldOrAgesInMemory()
    {
        store.stores = true;
        list(directory());
        store.ageMillis = AGE.toMillis();
        lists = lists(config("*"));
        list(directory());
        assertThat(listings).hasValue(2);
        store.ageMillis = AGE.toMillis() - 1;
        lists = lists(config("*"));
        list(directory());
        assertThat(listings).hasValue(2);
        store.ageMillis = AGE.toMillis();
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        list(directory());
        assertThat(listings).hasValue(3);
    }

    @Test
    void droppedListsAreNotStored()
    {
        store.stores = true;
        for (Runnable drop : List.<Runnable>of(
                () -> lists.forgetTable("db", "t"),
                () -> lists.forgetDatabase("db"),
                () -> lists.forgetPath("s3://lake/t"),
                () -> lists.forgetAll())) {
            list(directory());
            drop.run();
            assertThat(store.stored).isEmpty();
            assertThat(store.forGood).isTrue();
        }
        list(directory());
        list(directory());
        lists.ended(this, true);
        assertThat(store.stored).as("of a failed query").isEmpty();
        assertThat(store.forGood).isFalse();
    }

    @Test
    void listsDroppedWhileAStoredOneIsRead()
    {
        store.stores = true;
        list(directory());
        lists = lists(config("*"));
        store.onFind = () -> lists.forgetTable("db", "t");
        list(directory());
        assertThat(listings).hasValue(2);
        assertThat(lists.stats().storedHits()).isZero();
    }

    /* The store has dropped the lists, and waits for a disk. */
    @Test
    void listingThatEndsWhileTheStoreForgets()
            throws Exception
    {
        store.stores = true;
        Object failing = new Object();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            for (Runnable drop : List.<Runnable>of(
                    () -> lists.forgetTable("db", "t"),
                    () -> lists.forgetDatabase("db"),
                    () -> lists.forgetPath("s3://lake/t"),
                    () -> lists.forgetAll(),
                    () -> lists.ended(failing, true))) {
                lists = lists(config("*"));
                list(directory());
                lists.list(directory(), failing, this::listing);
                Directory other = new Directory("query", "", "s3://lake/t/other", "", table(Map.of()), Optional.empty());
                CountDownLatch began = new CountDownLatch(1);
                CountDownLatch dropped = new CountDownLatch(1);
                Future<?> listing = threads.submit(() -> lists.list(other, this, () -> {
                    began.countDown();
                    await(dropped);
                    return listing();
                }));
                await(began);
                store.onForget = () -> {
                    dropped.countDown();
                    assertThat(listing).succeedsWithin(Duration.ofMinutes(1));
                };
                drop.run();
                store.onForget = () -> {};
                assertThat(store.stored).isEmpty();
                int before = listings.get();
                lists = lists(config("*"));
                list(other);
                assertThat(listings).hasValue(before + 1);
                lists.forgetAll();
            }
        }
        finally {
            threads.shutdownNow();
        }
    }

    @Test
    void storedListThatCannotBeRead()
    {
        store.stores = true;
        list(directory());
        store.stored.replaceAll((key, list) -> Arrays.copyOf(list, list.length - 1));
        lists = lists(config("*"));
        assertThat(list(directory())).isEqualTo(files);
        assertThat(listings).hasValue(2);
    }

    @Test
    void listThatWaitsToBeStoredWhenItIsDropped()
    {
        list(directory());
        assertThat(store.offered.get()).isPresent();
        lists.forgetAll();
        assertThat(store.offered.get()).as("dropped").isEmpty();
        list(directory());
        nanos.addAndGet(AGE.toNanos());
        assertThat(store.offered.get()).as("too old").isEmpty();
        store.stores = true;
        list(directory());
        store.ageMillis = AGE.toMillis() / 2;
        nanos.addAndGet(AGE.toNanos());
        list(directory());
        assertThat(listings).as("the last list is from the disk").hasValue(3);
        assertThat(store.offered.get()).as("the list from the disk, which is older than the offered one").isEmpty();
    }

    /** Stores lists in memory. */
    private static final class MemoryListStore
            implements ListStore
    {
        private final Map<List<Object>, byte[]> stored = new HashMap<>();
        private boolean stores;
        private long ageMillis;
        private boolean forGood;
        private Runnable onFind = () -> {};
        private Runnable onForget = () -> {};
        private Supplier<Optional<byte[]>> offered = Optional::empty;

        @Override
        public Optional<StoredList> find(ListOwner owner, BlobKey identity)
        {
            Optional<StoredList> found = Optional.ofNullable(stored.get(List.of(owner, identity))).map(list -> new StoredList(ByteBuffer.wrap(list),
                    ageMillis));
            onFind.run();
            return found;
        }

        @Override
        public void offer(ListOwner owner, BlobKey identity, Supplier<Optional<byte[]>> list)
        {
            offered = list;
            if (stores) {
                stored.put(List.of(owner, identity), list.get().orElseThrow());
            }
        }

        @Override
        public void forget(String database, String table, boolean newForGood)
        {
            forGood = newForGood;
            stored.keySet().removeIf(key -> {
                ListOwner owner = (ListOwner) key.get(0);
                return (database.isEmpty() || database.equals(owner.database())) && (table.isEmpty() || table.equals(owner.table()));
            });
            onForget.run();
        }
    }

    @Test
    void whoKeepsNothingOnlyLooks()
    {
        assertThat(lists.find(directory(), "query")).isEmpty();
        assertThat(lists.isKept(directory())).isFalse();
        list(directory());
        assertThat(lists.isKept(directory())).isTrue();
        assertThat(lists.held()).singleElement().satisfies(held -> {
            assertThat(held.database() + "." + held.table()).isEqualTo("db.t");
            assertThat(held.entries()).isEqualTo(1);
            assertThat(held.bytes()).isPositive();
        });
        assertThat(lists.find(directory(), "query").map(ImmutableList::copyOf)).contains(ImmutableList.copyOf(files));
        assertThat(lists.stats().hits()).isEqualTo(1);
        assertThat(lists.stats().misses()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"*, true", "db.*, true", "db.t, true", "DB.T, true", "db.u, false", "other.*, false"})
    void tablesThatAreNamed(String tables, boolean kept)
    {
        lists = lists(config(tables));
        list(directory());
        list(directory());
        assertThat(listings).hasValue(kept ? 1 : 2);
    }

    @Test
    void withoutATimeToLiveNothingIsKept()
    {
        lists = lists(new FileListConfig(List.of("*"), 1 << 20, 1000, Duration.ZERO, OPEN_AGE, Optional.empty()));
        list(directory());
        list(directory());
        assertThat(listings).hasValue(2);
        assertThat(lists.stats().lookups()).isZero();
    }

    @Test
    void directoryWithAYoungFileIsListedEachTime()
    {
        files = List.of(file("a", OLD), file("b", OLD + 1));
        list(directory());
        list(directory());
        assertThat(listings).hasValue(2);
        assertThat(lists.stats().openListings()).isEqualTo(2);
    }

    @Test
    void emptyDirectoryIsListedEachTime()
    {
        files = List.of();
        list(directory());
        files = List.of(file("first", OLD));
        assertThat(list(directory())).containsExactly(file("first", OLD));
    }

    @Test
    void directoryThatIsDeclaredOpenIsListedEachTime()
    {
        Map<String, String> open = Map.of("eyrie.open", "true");
        for (Directory directory : List.of(
                new Directory("query", "", "s3://lake/t", "", table(open), Optional.empty()),
                new Directory("query", "", "s3://elsewhere", "", Table.builder(table(Map.of()))
                        .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde",
                                "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat", "out")))
                        .build(), Optional.empty()),
                new Directory("query", "", "s3://lake/t/p=1", "", table(open), Optional.of(partition(Map.of(), true))),
                new Directory("query", "", "s3://lake/t/p=1", "", table(Map.of()), Optional.of(partition(open, true))),
                new Directory("query", "", "s3://lake/t/p=1", "", table(Map.of()), Optional.of(partition(Map.of(), false))))) {
            listings.set(0);
            list(directory);
            list(directory);
            assertThat(listings).as("%s", directory).hasValue(2);
        }
    }

    @Test
    void pathThatIsDeclaredOpenIsListedEachTime()
    {
        lists = lists(new FileListConfig(List.of("*"), 1 << 20, 1000, AGE, OPEN_AGE, Optional.of(Pattern.compile("/hot/"))));
        list(directory());
        list(directory());
        assertThat(listings).hasValue(1);
        Directory hot = new Directory("query", "", "s3://lake/hot/t", "", table(Map.of()), Optional.empty());
        list(hot);
        list(hot);
        assertThat(listings).hasValue(3);
    }

    @Test
    void anotherVersionIsListedAnew()
    {
        list(directory());
        version.set("v2");
        files = List.of(file("b", OLD));
        assertThat(list(directory())).containsExactly(file("b", OLD));
    }

    @Test
    void queryForWhichNoVersionIsValidated()
    {
        list(directory());
        version.set(null);
        files = List.of(file("b", OLD));
        assertThat(list(directory())).containsExactly(file("b", OLD));
        assertThat(lists.find(directory(), "query")).isEmpty();
        assertThat(lists.isKept(directory())).isFalse();
        files = List.of(file("c", OLD));
        assertThat(list(directory())).as("its list is not cached").containsExactly(file("c", OLD));
        assertThat(lists.stats().hits() + lists.stats().misses()).isEqualTo(lists.stats().lookups()).isEqualTo(4);
        version.set("v1");
        assertThat(list(directory())).containsExactly(file("a", OLD));
    }

    @Test
    void otherParametersAreAnotherVersionWhereNothingElseTells()
    {
        lists = new FileLists(config("*"), TableVersions.UNKNOWN, ListStore.NONE, clock(), nanos::get);
        list(directory());
        list(directory());
        assertThat(listings).hasValue(1);
        list(new Directory("query", "", "s3://lake/t", "", table(Map.of("numFiles", "2")), Optional.empty()));
        assertThat(listings).hasValue(2);
    }

    @Test
    void usersAndOptionsHaveTheirOwnLists()
    {
        list(directory());
        list(new Directory("query", "ann", "s3://lake/t", "", table(Map.of()), Optional.empty()));
        list(new Directory("query", "", "s3://lake/t", "recursive", table(Map.of()), Optional.empty()));
        assertThat(listings).hasValue(3);
    }

    @Test
    void listIsForgottenAfterItsTime()
    {
        list(directory());
        nanos.addAndGet(AGE.toNanos());
        list(directory());
        assertThat(listings).hasValue(2);
    }

    @Test
    void changeOfTheVersionDuringAListing()
    {
        lists.list(directory(), this, () -> {
            version.set("v2");
            return listing();
        });
        version.set("v1");
        list(directory());
        assertThat(listings).hasValue(2);
        assertThat(lists.stats().uncachedListings()).isEqualTo(1);
    }

    @Test
    void invalidationDuringAListing()
    {
        for (Runnable invalidation : List.<Runnable>of(
                lists::forgetAll,
                () -> lists.forgetPath("s3://lake/t"),
                () -> lists.forgetTable("db", "t"))) {
            listings.set(0);
            lists.forgetAll();
            assertThat(lists.list(directory(), this, () -> {
                Iterator<HiveFileInfo> found = listing();
                invalidation.run();
                return found;
            })).toIterable().isEqualTo(files);
            list(directory());
            assertThat(listings).hasValue(2);
        }
    }

    @Test
    void invalidationForgetsWhatItNames()
    {
        list(directory());
        lists.forgetTable("db", "u");
        assertThat(lists.forgetPath("s3://lake/u")).isFalse();
        list(directory());
        assertThat(listings).hasValue(1);
        assertThat(lists.isKept("s3://lake/t")).isTrue();
        lists.forgetTable("db", "t");
        assertThat(lists.isKept("s3://lake/t")).isFalse();
        list(directory());
        assertThat(lists.forgetPath("s3a://lake/t")).as("as another client names the store").isTrue();
        list(directory());
        assertThat(listings).hasValue(3);
    }

    @Test
    void listGivenToAQueryThatFailedIsForgotten()
    {
        Object failing = new Object();
        Object well = new Object();
        list(directory());
        lists.list(directory(), well, this::listing);
        lists.ended(well, false);
        lists.list(directory(), failing, this::listing);
        assertThat(listings).hasValue(1);
        lists.ended(failing, true);
        list(directory());
        assertThat(listings).hasValue(2);
    }

    @Test
    void queryThatFailedAndWasGivenVeryManyLists()
    {
        lists = lists(new FileListConfig(List.of("*"), 1 << 30, 1 << 20, AGE, OPEN_AGE, Optional.empty()));
        Object failing = new Object();
        for (int i = 0; i < FileLists.MOST_GIVEN + 2; i++) {
            Directory directory = new Directory("query", "", "s3://lake/t/" + i, "", table(Map.of()), Optional.empty());
            list(directory);
            lists.list(directory, failing, this::listing);
        }
        lists.ended(failing, true);
        assertThat(lists.stats().currentLists()).isZero();
    }

    @Test
    void listingOfMoreFilesThanThereIsRoomFor()
    {
        AtomicInteger read = new AtomicInteger();
        Iterator<HiveFileInfo> million = IntStream.range(0, 1_000_000).mapToObj(i -> file("part-" + i, OLD)).peek(file -> read.incrementAndGet())
                .iterator();
        Iterator<HiveFileInfo> given = lists.list(directory(), this, () -> million);
        assertThat(read.get()).as("files in memory").isBetween(100, 10_000);
        assertThat(Iterators.size(given)).isEqualTo(1_000_000);
        assertThat(lists.stats().longListings()).isEqualTo(1);
        assertThat(lists.stats().currentLists()).isZero();
        assertThat(list(directory())).isEqualTo(files);
        assertThat(lists.stats().currentLists()).as("room again").isEqualTo(1);
    }

    @Test
    void queryHearsWhyItsListIsNotCached()
    {
        assertThat(refusal(this::listing)).isEmpty();
        lists.forgetAll();
        assertThat(refusal(() -> {
            version.set("v2");
            return listing();
        })).contains(ListRefusal.CHANGED);
        files = List.of(file("young", OLD + 1));
        assertThat(refusal(this::listing)).contains(ListRefusal.OPEN);
        assertThat(refusal(() -> IntStream.range(0, 100_000).mapToObj(i -> file("part-" + i, OLD)).iterator())).contains(ListRefusal.NO_MEMORY);
        version.set(null);
        assertThat(refusal(this::listing)).contains(ListRefusal.NOT_VALIDATED);
        lists = lists(config("other.*"));
        assertThat(refusal(this::listing)).as("of a table that is not named").isEmpty();
    }

    private Optional<ListRefusal> refusal(Supplier<Iterator<HiveFileInfo>> source)
    {
        List<ListRefusal> refusals = new ArrayList<>();
        lists.list(directory(), this, new Listing() {
            @Override
            public Iterator<HiveFileInfo> list()
            {
                return source.get();
            }

            @Override
            public void refused(ListRefusal refusal)
            {
                refusals.add(refusal);
            }
        });
        assertThat(refusals).hasSizeLessThan(2);
        return refusals.stream().findFirst();
    }

    @Test
    void listingThatFailsLeavesNothing()
    {
        IllegalStateException refused = new IllegalStateException("refused");
        assertThatThrownBy(() -> lists.list(directory(), this, () -> {
            throw refused;
        })).isSameAs(refused);
        assertThatThrownBy(() -> lists.list(directory(), this, () -> new BrokenListing(files.iterator(), refused))).isSameAs(refused);
        assertThat(list(directory())).isEqualTo(files);
        assertThat(listings).hasValue(1);
    }

    @Test
    void manyThatWantTheSameListOnce()
            throws Exception
    {
        assertThat(concurrently(8)).allMatch(files::equals);
        assertThat(listings).hasValue(1);
        assertThat(lists.stats().hits() + lists.stats().sharedListings()).isEqualTo(7);
        assertThat(lists.stats().hits() + lists.stats().misses()).isEqualTo(lists.stats().lookups()).isEqualTo(8);
    }

    @Test
    void manyThatWantAnOpenDirectoryListItEach()
            throws Exception
    {
        files = List.of(file("a", OLD + 1));
        assertThat(concurrently(4)).allMatch(files::equals);
        assertThat(listings).hasValue(4);
    }

    @Test
    void boundedInBytesAndInFiles()
    {
        files = IntStream.range(0, 100).mapToObj(i -> file("f" + i, OLD)).toList();
        for (FileListConfig config : List.of(
                new FileListConfig(List.of("*"), 200_000, Long.MAX_VALUE, AGE, OPEN_AGE, Optional.empty()),
                new FileListConfig(List.of("*"), 1L << 40, 1000, AGE, OPEN_AGE, Optional.empty()))) {
            lists = lists(config);
            IntStream.range(0, 100).forEach(i -> list(new Directory("query", "", "s3://lake/t/" + i, "", table(Map.of()), Optional.empty())));
            assertThat(lists.stats().currentBytes()).isLessThanOrEqualTo(config.bytes());
            assertThat(lists.stats().currentLists()).isPositive();
            assertThat(lists.stats().currentLists() * 100).isLessThanOrEqualTo(config.files());
            assertThat(lists.stats().evictions() + lists.stats().currentLists()).isEqualTo(100);
            assertThat(lists.stats().evictions()).isGreaterThan(50);
        }
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> new FileListConfig(List.of(), 0, 1, AGE, OPEN_AGE, Optional.empty()).validate()).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> new FileListConfig(List.of(), 1, 0, AGE, OPEN_AGE, Optional.empty()).validate()).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> new FileListConfig(List.of(), 1, 1, AGE, Duration.ofSeconds(-1), Optional.empty()).validate())
                .isInstanceOf(ConfigException.class);
    }

    /* The first listing ends when all others either wait for it or have begun their own. */
    private List<List<HiveFileInfo>> concurrently(int queries)
            throws Exception
    {
        ExecutorService threads = Executors.newFixedThreadPool(queries);
        CountDownLatch arrived = new CountDownLatch(queries - 1);
        try {
            CountDownLatch listing = new CountDownLatch(1);
            Future<List<HiveFileInfo>> first = threads.submit(() -> ImmutableList.copyOf(lists.list(directory(), new Object(), () -> {
                listing.countDown();
                await(arrived);
                return listing();
            })));
            await(listing);
            List<Future<List<HiveFileInfo>>> others = IntStream.range(1, queries).mapToObj(i -> threads.submit(() -> {
                arrived.countDown();
                return list(directory());
            })).toList();
            List<List<HiveFileInfo>> answers = new ArrayList<>(List.of(first.get()));
            for (Future<List<HiveFileInfo>> other : others) {
                answers.add(other.get());
            }
            return answers;
        }
        finally {
            threads.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<HiveFileInfo> list(Directory directory)
    {
        return ImmutableList.copyOf(lists.list(directory, this, this::listing));
    }

    private Iterator<HiveFileInfo> listing()
    {
        listings.incrementAndGet();
        return files.iterator();
    }

    private FileLists lists(FileListConfig config)
    {
        return new FileLists(config, (queryId, database, table, values) -> Optional.ofNullable(version.get()), store, clock(), nanos::get);
    }

    private static Clock clock()
    {
        return Clock.fixed(NOW, ZoneOffset.UTC);
    }

    private static FileListConfig config(String tables)
    {
        return new FileListConfig(List.of(tables), 1 << 20, 1000, AGE, OPEN_AGE, Optional.empty());
    }

    private static Directory directory()
    {
        return new Directory("query", "", "s3://lake/t", "", table(Map.of()), Optional.empty());
    }

    private static HiveFileInfo file(String name, long modifiedMillis)
    {
        return new HiveFileInfo("s3://lake/t/" + name, false, ImmutableList.of(), 1, modifiedMillis, Optional.empty(), Map.of());
    }

    private static Partition partition(Map<String, String> parameters, boolean sealed)
    {
        return Partition.builder()
                .setCatalogName(Optional.empty())
                .setDatabaseName("db")
                .setTableName("t")
                .setValues(List.of("1"))
                .setColumns(List.of())
                .setParameters(parameters)
                .setSealedPartition(sealed)
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation("s3://lake/t/p=1"))
                .build();
    }

    private static Table table(Map<String, String> parameters)
    {
        return Table.builder()
                .setDatabaseName("db")
                .setTableName("t")
                .setOwner("owner")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of())
                .setPartitionColumns(List.of())
                .setParameters(parameters)
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation("s3://lake/t"))
                .build();
    }

    /** A listing that fails after its last file. */
    private record BrokenListing(Iterator<HiveFileInfo> files, RuntimeException failure)
            implements Iterator<HiveFileInfo>
    {
        @Override
        public boolean hasNext()
        {
            if (!files.hasNext()) {
                throw failure;
            }
            return true;
        }

        @Override
        public HiveFileInfo next()
        {
            return files.next();
        }
    }
}
