// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.HiveFileInfo;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.metastore.entry.TableUsage;
import io.eyrie.metastore.files.Listing.ListRefusal;
import io.eyrie.metastore.stored.PackedText;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

/**
 * A cache of the file lists of directories. Lists of sealed directories are cached under the version of their partition or table; every other directory is
 * listed each time. Failures are those of the listing and leave nothing. Thread-safe. Listings run on the caller's thread, outside of every lock.
 */
public final class FileLists
{
    /*
     * Key         user, path, options and version: the metastore cache's token, if there is such a cache, and always the parameters that the metastore returned
     *             to this query. Another version is another key; the list of the old one expires. If the cache validates no token, the query lists
     * Sealed      the operator named the directory's table, nothing declares the directory open, and its newest file is old enough. The last is known only
     *             after the listing, so a caller that waits for another caller's listing uses it only if it was cached, and lists otherwise
     * Publishing  if nothing was invalidated and the version has not changed since before the listing began
     * Suspects    lists that a query received. If the query fails, they are dropped, because a file in them may no longer exist. For lists beyond the first
     *             MOST_GIVEN of a query, all lists of their tables are
     * Stored      lists with a validated version are written to the coordinator's disk behind queries, and read from it by another process, under the same version
     * Gathering   all running listings together may take as much memory as all lists. A listing that finds no more room is streamed to its caller and not
     *             cached
     */
    private static final long ENTRY_BYTES = 400;
    private static final long FILE_BYTES = 100; // not in HiveFileInfo's own estimate: headers of strings and arrays, and the slot in the list
    private static final long TEXT_BYTES = 56;
    static final int MOST_GIVEN = 10_000;
    private static final LimitedLog undecodableLog = new LimitedLog(FileLists.class, Level.WARNING);
    private static final int MOST_UNITS_LOG = 30; // the weight of a list larger than the whole cache still fits an int, unless it has billions of files

    private final FileListConfig config;
    private final TableVersions versions;
    private final ListStore store;
    private final Clock clock;
    private final long unitBytes;
    private final Cache<Key, CachedList> cache;
    private final SingleFlight<Key, CachedList> listings;
    private final AtomicLong gatheredBytes = new AtomicLong();
    private final Cache<Object, ReceivedLists> givenTo = Caffeine.newBuilder().weakKeys().build();

    private final LongAdder lookups = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder sharedListings = new LongAdder();
    private final LongAdder openListings = new LongAdder();
    private final LongAdder uncachedListings = new LongAdder();
    private final LongAdder longListings = new LongAdder();
    private final LongAdder storedHits = new LongAdder();
    private final LimitedLog longLog = new LimitedLog(FileLists.class, Level.WARNING);

    public FileLists(FileListConfig config, TableVersions versions, ListStore store)
    {
        this(config, versions, store, Clock.systemUTC(), Ticker.systemTicker());
    }

    FileLists(FileListConfig config, TableVersions versions, ListStore store, Clock clock, Ticker ticker)
    {
        config.validate();
        this.config = config;
        this.store = requireNonNull(store, "store is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.clock = requireNonNull(clock, "clock is null");
        long bytesPerFile = config.bytes() / config.files();
        unitBytes = Math.max(1, config.bytes() >> MOST_UNITS_LOG);
        cache = Caffeine.newBuilder()
                .executor(Runnable::run)
                .ticker(requireNonNull(ticker, "ticker is null"))
                .maximumWeight(config.bytes() / unitBytes)
                .<Key, CachedList>weigher((key, kept) -> (int) (Math.max(kept.bytes(), kept.files().size() * bytesPerFile) / unitBytes + 1))
                .expireAfter(Expiry.<Key, CachedList>writing((key, kept) -> config.age().minusMillis(kept.ageMillis())))
                .recordStats()
                .build();
        listings = new SingleFlight<>(key -> Optional.ofNullable(cache.getIfPresent(key)), SingleFlight.WAIT_MILLIS);
    }

    /**
     * Returns the files of a directory, from the cache or a listing.
     *
     * @param query the identity of the query
     */
    public Iterator<HiveFileInfo> list(Directory directory, Object query, Listing listing)
    {
        if (!mayBeSealed(directory)) {
            return listing.list();
        }
        lookups.increment();
        Optional<Key> validated = key(directory);
        if (validated.isEmpty()) {
            misses.increment();
            listing.refused(ListRefusal.NOT_VALIDATED);
            return listing.list();
        }
        Key key = validated.get();
        CachedList kept = find(directory, key);
        if (kept != null) {
            hits.increment();
            return given(query, key, kept);
        }
        misses.increment();
        try (SingleFlight<Key, CachedList>.Load load = listings.join(key, listings.epoch())) {
            Optional<CachedList> shared = load.await();
            if (shared.isPresent()) {
                sharedListings.increment();
                return given(query, key, shared.get());
            }
            long epoch = listings.epoch();
            Iterator<HiveFileInfo> listed = listing.list();
            List<HiveFileInfo> files = gathered(listed);
            if (listed.hasNext()) {
                longListings.increment();
                longLog.log("The list of the files under " + directory.path() + " is not cached: after " + files.size()
                        + " files, the lists being read exceed hive.file-status-cache.max-retained-size (" + config.bytes() + " bytes)");
                listing.refused(ListRefusal.NO_MEMORY);
                return Iterators.concat(files.iterator(), listed);
            }
            publish(directory, key, epoch, ImmutableList.copyOf(files), load).ifPresent(listing::refused);
            return files.iterator();
        }
    }

    /** Returns the files of a directory if they are cached. */
    public Optional<Iterator<HiveFileInfo>> find(Directory directory, Object query)
    {
        if (!mayBeSealed(directory)) {
            return Optional.empty();
        }
        lookups.increment();
        Optional<Iterator<HiveFileInfo>> found = key(directory).flatMap(key -> Optional.ofNullable(find(directory, key)).map(kept -> given(query, key,
                kept)));
        (found.isEmpty() ? misses : hits).increment();
        return found;
    }

    /* Returns the cached list, which is read from the disk if it is not in memory. */
    private @Nullable CachedList find(Directory directory, Key key)
    {
        CachedList kept = cache.getIfPresent(key);
        if (kept != null) {
            return kept;
        }
        long epoch = listings.epoch();
        store.find(owner(directory, key), key.identity())
                .filter(stored -> stored.ageMillis() < config.age().toMillis())
                .flatMap(stored -> decoded(stored).map(files -> new CachedList(files, bytes(key, files), Math.max(1, stored.ageMillis()))))
                .ifPresent(found -> {
                    if (isCurrent(directory, key) && listings.store(epoch, () -> cache.put(key, found))) {
                        storedHits.increment();
                    }
                });
        return cache.getIfPresent(key);
    }

    private static Optional<List<HiveFileInfo>> decoded(ListStore.StoredList stored)
    {
        try {
            return Optional.of(ListCodec.decode(stored.list()));
        }
        catch (RuntimeException e) {
            undecodableLog.log("A stored list of files is dropped, because it cannot be decoded; the query lists the directory", e);
            return Optional.empty();
        }
    }

    private static ListStore.ListOwner owner(Directory directory, Key key)
    {
        return new ListStore.ListOwner(key.database, key.table, directory.values(), key.version);
    }

    /** Whether the files of a directory are cached. This does not count as a lookup. */
    public boolean isKept(Directory directory)
    {
        return mayBeSealed(directory) && key(directory).map(cache::getIfPresent).isPresent();
    }

    /** Whether any user's list of this path is cached. */
    public boolean isKept(String path)
    {
        return cache.asMap().keySet().stream().anyMatch(key -> key.path.equals(path));
    }

    /**
     * Drops the lists of a directory and of those below it, and all lists that are only on the disk, because their directories are not known. The names
     * {@code s3}, {@code s3a} and {@code s3n} of a scheme mean the same.
     *
     * @return whether any list in memory was dropped
     */
    public boolean forgetPath(String path)
    {
        String directory = ofAnyS3(path);
        Predicate<Key> within = key -> ofAnyS3(key.path).equals(directory) || ofAnyS3(key.path).startsWith(directory + "/");
        boolean kept = cache.asMap().keySet().stream().anyMatch(within);
        forget("", "", within);
        return kept;
    }

    private static String ofAnyS3(String path)
    {
        return path.startsWith("s3a://") || path.startsWith("s3n://") ? "s3" + path.substring(3) : path;
    }

    /** Drops the lists of a table and of its partitions. */
    public void forgetTable(String database, String table)
    {
        forget(database, table, isOf(database, table));
    }

    /** Drops the lists of a table into which a transaction has written. The transaction ends with another call: this one may be undone by a crash. */
    public void forgetWritten(String database, String table)
    {
        forget(() -> store.forget(database, table, false), () -> forget(isOf(database, table)));
    }

    /** Whether only parameters distinguish the states of tables and partitions. A write may leave them unchanged. */
    public boolean knowOnlyParameters()
    {
        return versions == TableVersions.UNKNOWN;
    }

    private static Predicate<Key> isOf(String database, String table)
    {
        return key -> key.database.equals(database) && key.table.equals(table);
    }

    /** Drops the lists of a database. */
    public void forgetDatabase(String database)
    {
        forget(database, "", key -> key.database.equals(database));
    }

    /** Drops all lists. */
    public void forgetAll()
    {
        forget("", "", key -> true);
    }

    /** Signals that a query has ended. If it failed, the lists that it received are dropped, because files in them may no longer exist. */
    public void ended(Object query, boolean failed)
    {
        ReceivedLists given = givenTo.asMap().remove(query);
        if (failed && given != null) {
            forget(
                    () -> given.allTables().forEach(table -> store.forget(table.get(0), table.get(1), false)),
                    () -> {
                        cache.invalidateAll(given.lists());
                        if (!given.tables().isEmpty()) {
                            forget(key -> given.tables().contains(key.ofTable()));
                        }
                    });
        }
    }

    public FileListStats stats()
    {
        return new FileListStats(
                lookups.sum(),
                hits.sum(),
                misses.sum(),
                sharedListings.sum(),
                openListings.sum(),
                uncachedListings.sum(),
                longListings.sum(),
                storedHits.sum(),
                cache.stats().evictionCount(),
                cache.estimatedSize(),
                cache.policy().eviction().orElseThrow().weightedSize().orElseThrow() * unitBytes,
                config.bytes());
    }

    /** Returns the size of the cached lists of each table. For interactive use: it visits all lists. */
    public Collection<TableUsage> held()
    {
        Map<List<String>, TableUsage> held = new HashMap<>();
        cache.asMap().forEach((key, kept) -> held.merge(
                List.of(key.database, key.table),
                new TableUsage(key.database, key.table, 1, kept.bytes()),
                TableUsage::plus));
        return held.values();
    }

    /** Whether a list of the directory may be cached, once its newest file is old enough. */
    public boolean mayBeSealed(Directory directory)
    {
        return config.names(directory.table().getDatabaseName(), directory.table().getTableName())
                && !directory.isDeclaredOpen()
                && config.openPaths().filter(pattern -> pattern.matcher(directory.path()).find()).isEmpty();
    }

    /* Returns the key under which the query may use a list; empty if no version can be validated for it. */
    Optional<Key> key(Directory directory)
    {
        String database = directory.table().getDatabaseName();
        String table = directory.table().getTableName();
        return versions.versionOf(directory.queryId(), database, table, directory.values())
                .map(version -> new Key(database, table, directory.user(), directory.path(), directory.options(), version, directory.parameters()));
    }

    private boolean isCurrent(Directory directory, Key key)
    {
        return key(directory).equals(Optional.of(key));
    }

    /* Returns all files, or those for which there is room. */
    private List<HiveFileInfo> gathered(Iterator<HiveFileInfo> listed)
    {
        List<HiveFileInfo> files = new ArrayList<>();
        long bytes = 0;
        try {
            while (listed.hasNext() && gatheredBytes.get() < config.bytes()) {
                HiveFileInfo file = listed.next();
                files.add(file);
                long more = bytes(file);
                bytes += more;
                gatheredBytes.addAndGet(more);
            }
            return files;
        }
        finally {
            gatheredBytes.addAndGet(-bytes);
        }
    }

    /* Caches and shares a list, or returns why not. */
    private Optional<ListRefusal> publish(Directory directory, Key key, long epoch, List<HiveFileInfo> files, SingleFlight<Key, CachedList>.Load load)
    {
        if (isOpen(files)) {
            openListings.increment();
            return Optional.of(ListRefusal.OPEN);
        }
        CachedList kept = new CachedList(files, bytes(key, files), 0);
        if (isCurrent(directory, key) && listings.store(epoch, () -> {
            cache.put(key, kept);
            store.offer(owner(directory, key), key.identity(), () -> published(key));
        })) {
            load.share(kept);
            return Optional.empty();
        }
        uncachedListings.increment();
        return Optional.of(ListRefusal.CHANGED);
    }

    /* Returns the bytes of the list under the key, if it is still cached. A list that was read from the disk is older than the one that was published. */
    private Optional<byte[]> published(Key key)
    {
        Optional<CachedList> kept = Optional.ofNullable(cache.policy().getIfPresentQuietly(key));
        return kept.filter(list -> list.ageMillis() == 0).flatMap(list -> ListCodec.encode(list.files()));
    }

    private boolean isOpen(List<HiveFileInfo> files)
    {
        OptionalLong newest = files.stream().mapToLong(HiveFileInfo::getFileModifiedTime).max();
        return newest.isEmpty() || clock.millis() - newest.getAsLong() < config.openAge().toMillis();
    }

    private Iterator<HiveFileInfo> given(Object query, Key key, CachedList kept)
    {
        givenTo.get(query, ignored -> new ReceivedLists(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet())).add(key);
        return kept.files().iterator();
    }

    private void forget(String database, String table, Predicate<Key> which)
    {
        forget(() -> store.forget(database, table, true), () -> forget(which));
    }

    private void forget(Predicate<Key> which)
    {
        cache.asMap().keySet().removeIf(which);
    }

    /*
     * The first invalidation precedes the store's: a listing that began before would otherwise be stored as if it had begun after, and a slow disk would prolong the
     * use of the lists. The second one prevents that a list that was read from the disk in between stays in memory.
     */
    private void forget(Runnable onDisk, Runnable inMemory)
    {
        listings.invalidate(inMemory);
        onDisk.run();
        listings.invalidate(inMemory);
    }

    private static long bytes(Key key, List<HiveFileInfo> files)
    {
        long parameters = key.parameters.entrySet().stream().mapToLong(entry -> 2 * TEXT_BYTES + entry.getKey().length() + entry.getValue().length())
                .sum();
        return ENTRY_BYTES + key.path.length() + parameters + files.stream().mapToLong(FileLists::bytes).sum();
    }

    private static long bytes(HiveFileInfo file)
    {
        return FILE_BYTES + file.getRetainedSizeInBytes();
    }

    record Key(
            String database,
            String table,
            String user,
            String path,
            Object options,
            Object version,
            Map<String, String> parameters)
    {
        List<String> ofTable()
        {
            return List.of(database, table);
        }

        /* Returns a hash of everything but the table and the version, the same in each process. */
        BlobKey identity()
        {
            ByteArrayDataOutput out = ByteStreams.newDataOutput();
            PackedText.write(user, out);
            PackedText.write(path, out);
            PackedText.write(options.toString(), out);
            PackedText.write(new TreeMap<>(parameters), out);
            return BlobKey.of(ByteBuffer.wrap(out.toByteArray()));
        }
    }

    /** What a query received: the keys of its first lists, and the tables of the others. */
    private record ReceivedLists(Set<Key> lists, Set<List<String>> tables)
    {
        void add(Key key)
        {
            if (lists.size() < MOST_GIVEN) {
                lists.add(key);
            }
            else {
                tables.add(key.ofTable());
            }
        }

        Set<List<String>> allTables()
        {
            return Stream.concat(lists.stream().map(Key::ofTable), tables.stream()).collect(toSet());
        }
    }

    /** @param ageMillis its age when it was put into memory; positive if it was read from the disk */
    private record CachedList(List<HiveFileInfo> files, long bytes, long ageMillis)
    {}
}
