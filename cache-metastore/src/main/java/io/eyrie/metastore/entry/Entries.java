// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.stored.StoredTable;
import io.eyrie.metastore.stored.StoredValue;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

/**
 * A cache of values loaded from a metastore. An empty value is returned and not cached; a failed load leaves nothing. Thread-safe. Loads run on the caller's
 * thread, outside of every lock.
 */
public final class Entries
{
    /*
     * Subjects    at most one at a time for each table, each database, the list of databases and all roles. The index refers to them weakly, entries and loads
     *             strongly, so a subject without entries is garbage-collected
     * Dropping    a subject that changes as a whole leaves the index, so its keys are never looked up again. Eviction frees its entries, or a sweep does when
     *             such entries may be more than a quarter of all
     * Changes     a subject remembers each partition that changed. If all subjects remember too many (ChangeBound), those with the most of them are dropped
     * Versions    an entry answers only lookups under its version: a log validates it, it was compared with the metastore, or the metastore's own
     * Disk        entries of tables that the log validates are written to the store behind queries, and read from it if they are not in memory (EntryStore)
     * Bounds      one weight enforces both limits: an entry weighs its estimated bytes, but at least the byte limit divided by the entry limit
     */
    private static final long LEAST_SWEPT = 1000;
    private static final String BY_LOG = "log";
    private static final String BY_COMPARING = "compared";

    private final Cache<EntryKey, CachedValue> cache;
    private final Ticker ticker;
    private final Cache<Name, Subject> subjects = Caffeine.newBuilder().weakValues().build();
    private final SingleFlight<EntryKey, Object> loads = new SingleFlight<>(key -> byTheLog(key).map(CachedValue::value), SingleFlight.WAIT_MILLIS);
    private final AtomicLong versions = new AtomicLong(System.currentTimeMillis() << 20);
    private final AtomicLong forgotten = new AtomicLong();
    private final ChangeBound changes = new ChangeBound(subjects.asMap().values(), this::boundExceeded);
    private final LongAdder lookups = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder sharedLoads = new LongAdder();
    private final LongAdder uncachedLoads = new LongAdder();
    private final LongAdder boundDrops = new LongAdder();
    private final AtomicLong epoch = new AtomicLong();
    private final EntryLimits limits;
    private volatile @Nullable EntryStore store;

    public Entries(EntryLimits limits, Ticker ticker)
    {
        limits.validate();
        this.limits = limits;
        this.ticker = requireNonNull(ticker, "ticker is null");
        long least = Math.max(1, limits.bytes() / limits.entries());
        cache = Caffeine.newBuilder()
                .executor(Runnable::run)
                .ticker(ticker)
                .maximumWeight(limits.bytes())
                .<EntryKey, CachedValue>weigher((key, kept) -> (int) Math.min(Integer.MAX_VALUE, Math.max(least, kept.bytes() + key.bytes())))
                .expireAfter(Expiry.<EntryKey, CachedValue>writing((key, kept) -> age(key)))
                .recordStats()
                .build();
    }

    /** Sets the store that entries are written to from now on. */
    void storeIn(EntryStore newStore)
    {
        store = newStore;
    }

    /** Returns the subject of a table. */
    public Subject table(String database, String table)
    {
        return subject(new Name(database, table));
    }

    /** Returns the subject of a database: the database itself and the names of its tables and views. */
    public Subject database(String database)
    {
        return subject(new Name(database, ""));
    }

    /** Returns the subject of the list of databases. */
    public Subject databases()
    {
        return subject(Name.DATABASES);
    }

    /** Returns the subject of roles and role grants. */
    public Subject roles()
    {
        return subject(Name.ROLES);
    }

    /** Returns the cached value that the log validates, or loads it from {@code source}. Callers that miss the same key at the same time share one load. */
    public <V> V get(EntryKey key, Supplier<V> source)
    {
        lookups.increment();
        long stamp = key.subject().stamp();
        CachedValue kept = find(key);
        if (kept != null && kept.isOf(BY_LOG)) {
            hits.increment();
            return typed(kept.value());
        }
        misses.increment();
        try (SingleFlight<EntryKey, Object>.Load load = loads.join(key, stamp)) {
            Optional<Object> shared = load.await();
            if (shared.isPresent()) {
                sharedLoads.increment();
                return typed(shared.get());
            }
            V value = keep(key, BY_LOG, stamp, source.get());
            load.share(value);
            return value;
        }
    }

    /**
     * Returns values of some of a subject's partitions, in the order of {@code names}: the cached ones that the log validates, and those that {@code source}
     * loads for all other names. Names without a value in {@code source} are left out.
     *
     * @param keyOf the key for a name
     * @param source receives some of the names, at least one
     */
    public <V> Map<String, V> getAll(Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
            Function<List<String>, Map<String, V>> source)
    {
        return getAll(subject, names, keyOf, source, name -> Optional.of(BY_LOG));
    }

    /**
     * Returns the values that are cached under these versions, and loads the others.
     *
     * @param versionOf a name's version, read before this call; if it is empty, the value is loaded and not cached
     */
    public <V> Map<String, V> getAll(Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
            Function<List<String>, Map<String, V>> source, Function<String, Optional<?>> versionOf)
    {
        long stamp = subject.stamp();
        return getAll(names, keyOf, (name, kept) -> versionOf.apply(name).filter(kept::isOf).isPresent(), missing -> {
            Map<String, V> loaded = new HashMap<>(source.apply(List.copyOf(missing.keySet())));
            missing.forEach((name, key) -> versionOf.apply(name)
                    .ifPresent(version -> loaded.computeIfPresent(name, (ignored, value) -> keep(key, version, stamp, value))));
            return loaded;
        });
    }

    /**
     * Returns values that a metastore call that began at {@code sinceNanos} or later loaded or found unchanged. For names without such a value, {@code source}
     * loads it. A loaded value that equals the cached one does not replace it.
     *
     * @param sinceNanos a time of this object's ticker
     */
    public <V> Map<String, V> getAllSince(long sinceNanos, Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
            Function<List<String>, Map<String, V>> source)
    {
        long stamp = subject.stamp();
        return getAll(names, keyOf, (name, kept) -> kept.isOf(BY_COMPARING) && kept.isCheckedSince(sinceNanos), missing -> {
            long nowNanos = ticker.read();
            Map<String, V> loaded = new HashMap<>(source.apply(List.copyOf(missing.keySet())));
            missing.forEach((name, key) -> compare(key, stamp, nowNanos, loaded.get(name)).ifPresent(kept -> loaded.put(name, typed(kept))));
            return loaded;
        });
    }

    /* Returns the value that is cached afterwards, if any. */
    private Optional<Object> compare(EntryKey key, long stamp, long nowNanos, @Nullable Object value)
    {
        CachedValue before = cache.getIfPresent(key);
        if (before != null && before.isOf(BY_COMPARING) && before.value().equals(value)) {
            before.checked(nowNanos);
            return Optional.of(before.value());
        }
        if (before != null || value == null) {
            key.changed().map(key.subject()::foundChanged).ifPresent(changes::add);
        }
        return value == null ? Optional.empty() : Optional.of(keep(key, BY_COMPARING, stamp, nowNanos, value));
    }

    private <V> Map<String, V> getAll(Collection<String> names, Function<String, EntryKey> keyOf, BiPredicate<String, CachedValue> answers,
            Function<Map<String, EntryKey>, Map<String, V>> load)
    {
        Map<String, V> found = new LinkedHashMap<>();
        Map<String, EntryKey> missing = new LinkedHashMap<>();
        names.forEach(name -> missing.put(name, keyOf.apply(name)));
        find(missing, answers, found);
        EntryStore disk = store;
        if (!missing.isEmpty() && disk != null && disk.load(missing.values())) {
            find(missing, answers, found);
        }
        lookups.add(found.size() + missing.size());
        hits.add(found.size());
        misses.add(missing.size());
        Map<String, V> loaded = missing.isEmpty() ? Map.of() : load.apply(missing);
        Map<String, V> all = new LinkedHashMap<>();
        for (String name : names) {
            V value = missing.containsKey(name) ? loaded.get(name) : found.get(name);
            if (value != null) {
                all.put(name, value);
            }
        }
        return all;
    }

    /* Moves cached values from one map to the other. */
    private <V> void find(Map<String, EntryKey> missing, BiPredicate<String, CachedValue> answers, Map<String, V> found)
    {
        missing.entrySet().removeIf(entry -> {
            CachedValue kept = cache.getIfPresent(entry.getValue());
            if (kept == null || !answers.test(entry.getKey(), kept)) {
                return false;
            }
            found.put(entry.getKey(), typed(kept.value()));
            return true;
        });
    }

    /* Returns the cached value, which is read from the disk if it is not in memory. */
    private @Nullable CachedValue find(EntryKey key)
    {
        CachedValue kept = cache.getIfPresent(key);
        EntryStore disk = store;
        return kept == null && disk != null && disk.load(List.of(key)) ? cache.getIfPresent(key) : kept;
    }

    /**
     * Returns a view of the entries for one query.
     *
     * @param mode how the query may use the entries; a query that bypasses them does not call this
     * @param thereInDryRun called for each entry that would have answered
     */
    public View as(CacheMode mode, Runnable thereInDryRun)
    {
        return new View(mode, thereInDryRun);
    }

    /** A query's view of the entries. Only with {@link CacheMode#READ_WRITE} may it store entries; a dry run returns none. */
    public final class View
    {
        private final CacheMode mode;
        private final Runnable thereInDryRun;

        private View(CacheMode mode, Runnable thereInDryRun)
        {
            this.mode = requireNonNull(mode, "mode is null");
            this.thereInDryRun = requireNonNull(thereInDryRun, "thereInDryRun is null");
        }

        /** {@link Entries#get} */
        public <V> V get(EntryKey key, Supplier<V> source)
        {
            if (mode == CacheMode.READ_WRITE) {
                return Entries.this.get(key, source);
            }
            lookups.increment();
            CachedValue kept = find(key);
            if (kept != null && serves(kept.isOf(BY_LOG))) {
                hits.increment();
                return typed(kept.value());
            }
            misses.increment();
            return source.get();
        }

        /** {@link Entries#getAll(Subject, Collection, Function, Function)} */
        public <V> Map<String, V> getAll(Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
                Function<List<String>, Map<String, V>> source)
        {
            return getAll(subject, names, keyOf, source, name -> Optional.of(BY_LOG));
        }

        /** {@link Entries#getAll(Subject, Collection, Function, Function, Function)} */
        public <V> Map<String, V> getAll(Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
                Function<List<String>, Map<String, V>> source, Function<String, Optional<?>> versionOf)
        {
            return mode == CacheMode.READ_WRITE
                    ? Entries.this.getAll(subject, names, keyOf, source, versionOf)
                    : Entries.this.getAll(names, keyOf, (name, kept) -> serves(versionOf.apply(name).filter(kept::isOf).isPresent()),
                            missing -> source.apply(List.copyOf(missing.keySet())));
        }

        /** {@link Entries#getAllSince} */
        public <V> Map<String, V> getAllSince(long sinceNanos, Subject subject, Collection<String> names, Function<String, EntryKey> keyOf,
                Function<List<String>, Map<String, V>> source)
        {
            return mode == CacheMode.READ_WRITE
                    ? Entries.this.getAllSince(sinceNanos, subject, names, keyOf, source)
                    : Entries.this.getAll(names, keyOf, (name, kept) -> serves(kept.isOf(BY_COMPARING) && kept.isCheckedSince(
                            sinceNanos)),
                            missing -> source.apply(List.copyOf(missing.keySet())));
        }

        private boolean serves(boolean answers)
        {
            if (answers && mode == CacheMode.DRY_RUN) {
                thereInDryRun.run();
            }
            return answers && mode.serves();
        }
    }

    /** Drops a database that was created, altered or dropped, with everything in it. */
    public void databaseChanged(String database)
    {
        end(Name.DATABASES);
        subjects.asMap().keySet().stream().filter(name -> name.database.equals(database)).forEach(this::end);
    }

    /** Drops a table that was created, altered or dropped, with all its partitions. */
    public void tableChanged(String database, String table)
    {
        end(new Name(database, ""));
        end(new Name(database, table));
    }

    /**
     * Drops partitions that changed.
     *
     * @param namesToo whether partitions were added or removed
     */
    public void partitionsChanged(String database, String table, Collection<List<String>> values, boolean namesToo)
    {
        Subject subject = subjects.getIfPresent(new Name(database, table));
        if (subject != null) {
            changed(subject, values, namesToo, true);
        }
    }

    /** Drops partitions that an event reports; drops their table if the event may be about others, see {@link Subject#mayBeAboutOthers}. */
    public void partitionsReported(String database, String table, Collection<List<String>> values, boolean namesToo, boolean added)
    {
        Subject subject = subjects.getIfPresent(new Name(database, table));
        if (subject != null) {
            boolean exist = subject.haveExisted(values, this::isInMemory);
            changed(subject, values, namesToo, exist); // first: what is cached from now on was loaded after the event
            if (!added && !exist && subject.mayBeAboutOthers(values)) { // no entry of a partition that did not exist can be wrong
                tableChanged(database, table);
            }
        }
    }

    private void changed(Subject subject, Collection<List<String>> values, boolean namesToo, boolean exist)
    {
        changes.add(subject.partitionsChanged(values, namesToo, exist, cache::invalidate));
        if (subject.changedPartitions() > Subject.MOST_CHANGED_PARTITIONS) {
            boundExceeded(subject);
        }
    }

    /** Drops roles and role grants. */
    public void rolesChanged()
    {
        end(Name.ROLES);
    }

    /** Drops everything. */
    public void everythingChanged()
    {
        epoch.incrementAndGet();
        subjects.asMap().keySet().forEach(this::end);
        cache.invalidateAll();
        forgotten.set(0);
    }

    public EntryStats stats()
    {
        long bytes = cache.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        return new EntryStats(
                lookups.sum(),
                hits.sum(),
                misses.sum(),
                sharedLoads.sum(),
                uncachedLoads.sum(),
                boundDrops.sum(),
                cache.stats().evictionCount(),
                cache.estimatedSize(),
                bytes);
    }

    /** Returns the size of the entries of each table and database. For interactive use: it visits all entries. */
    public Collection<TableUsage> held()
    {
        Map<Name, TableUsage> held = new HashMap<>();
        cache.asMap().forEach((key, kept) -> {
            Subject subject = key.subject();
            if (!subject.database().isEmpty()) {
                held.merge(
                        new Name(subject.database(), subject.table()),
                        new TableUsage(subject.database(), subject.table(), 1, kept.bytes()),
                        TableUsage::plus);
            }
        });
        return held.values();
    }

    private <V> V keep(EntryKey key, Object version, long stamp, V value)
    {
        return keep(key, version, stamp, ticker.read(), value);
    }

    private <V> V keep(EntryKey key, Object version, long stamp, long checkedNanos, V value)
    {
        if (value instanceof Optional<?> answer && answer.isEmpty()) {
            return value;
        }
        CachedValue kept = CachedValue.of(key, value, version, checkedNanos);
        if (!key.subject().keepUnlessChanged(key, stamp, () -> cache.put(key, kept), cache::invalidate)) {
            uncachedLoads.increment();
        }
        else if (!version.equals(BY_COMPARING)) {
            EntryStore disk = store;
            if (disk != null) {
                disk.kept(key);
            }
        }
        return typed(kept.value());
    }

    private Subject subject(Name name)
    {
        return subjects.get(name, ignored -> new Subject(
                name.database(),
                name.database().isEmpty() ? "" : name.table(),
                versions::incrementAndGet,
                boundDrops::increment));
    }

    /* A table has too many changed partitions. */
    private void boundExceeded(Subject subject)
    {
        boundDrops.increment();
        end(new Name(subject.database(), subject.table()));
    }

    private void end(Name name)
    {
        Subject subject = subjects.asMap().remove(name);
        if (subject != null) {
            ended(subject);
        }
    }

    private void ended(Subject subject)
    {
        if (forgotten.addAndGet(subject.end()) > Math.max(LEAST_SWEPT, cache.estimatedSize() / 4)) {
            forgotten.set(0);
            cache.asMap().keySet().removeIf(key -> key.subject().isEnded());
        }
        EntryStore disk = store;
        if (disk != null) {
            disk.ended(subject);
        }
    }

    /** Drops the stored lists of files of a table, of a database if {@code table} is empty, or all if both are empty. */
    public void forgetLists(String database, String table)
    {
        subjects.asMap().forEach((name, subject) -> {
            if ((database.isEmpty() || database.equals(name.database())) && (table.isEmpty() || table.equals(name.table()))) {
                subject.forgetLists();
            }
        });
    }

    /** Returns how often everything was dropped. */
    long epoch()
    {
        return epoch.get();
    }

    /** Returns a number that is not less than any version so far. */
    long newestVersion()
    {
        return versions.get();
    }

    /**
     * Continues with the subjects of an earlier process, in place of those of the same tables.
     *
     * @param newestVersion at least the largest of their versions
     * @param restored creates each of them
     */
    void restore(long newestVersion, Collection<SubjectState> states, Function<SubjectState, Map<MetastoreView, StoredTable>> restored,
            Consumer<Subject> action)
    {
        versions.accumulateAndGet(newestVersion, Math::max);
        for (SubjectState state : states) {
            Subject subject = new Subject(state, restored.apply(state), versions::incrementAndGet, boundDrops::increment);
            action.accept(subject);
            Subject before = subjects.asMap().put(new Name(state.database(), state.table()), subject);
            if (before != null) {
                ended(before);
            }
            changes.add(state.changedPartitions().size());
        }
    }

    /** Returns the cached entry that the log validates. */
    Optional<CachedValue> byTheLog(EntryKey key)
    {
        return Optional.ofNullable(cache.getIfPresent(key)).filter(kept -> kept.isOf(BY_LOG));
    }

    /** Returns the cached entry under any version. */
    Optional<CachedValue> underAnyVersion(EntryKey key)
    {
        return Optional.ofNullable(cache.getIfPresent(key));
    }

    /** Returns the metastore's own version of a partition or, without values, of the table, as found last; empty if it is not known or readers differ. */
    Optional<Object> foundVersion(Subject subject, List<String> values)
    {
        Set<Object> found = compared(subject, values, EntryKind.TABLE_VERSION, EntryKind.PARTITION_VERSION).map(CachedValue::value)
                .map(value -> value instanceof Optional<?> optional ? optional.orElseThrow() : value).collect(toSet());
        return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
    }

    /** Whether a metastore call that began at this time of the ticker or later returned the cached partition or, without values, the cached table. */
    public boolean isComparedSince(Subject subject, List<String> values, long sinceNanos)
    {
        return Stream.concat(
                compared(subject, values, EntryKind.TABLE, EntryKind.PARTITION),
                compared(subject, values, EntryKind.TABLE_VERSION, EntryKind.PARTITION_VERSION)).anyMatch(kept -> kept.isCheckedSince(sinceNanos));
    }

    /* Returns the entries of all readers that were compared. */
    private Stream<CachedValue> compared(Subject subject, List<String> values, EntryKind ofTable, EntryKind ofPartition)
    {
        EntryKind kind = values.isEmpty() ? ofTable : ofPartition;
        Object detail = values.isEmpty() ? "" : values;
        return subject.readers().stream().flatMap(reader -> Optional.ofNullable(cache.getIfPresent(new EntryKey(subject, reader, kind, detail)))
                .filter(kept -> kept.isOf(BY_COMPARING)).stream());
    }

    boolean isInMemory(EntryKey key)
    {
        return cache.asMap().containsKey(key);
    }

    /** Returns how long any entry is cached at most. */
    Duration mostAge()
    {
        return limits.age();
    }

    /** Returns how long an entry is cached. */
    Duration age(EntryKey key)
    {
        return key.kind().isStatistics() ? limits.statisticsAge() : limits.age();
    }

    /**
     * Caches an entry that was read from the disk, unless its subject changed. Returns whether it did.
     *
     * @param metastoresVersion the metastore's own version; if it is empty, the log validates the entry as long as its subject has the other version
     */
    boolean keepStored(EntryKey key, StoredKey storedKey, StoredValue stored, Optional<Object> metastoresVersion, Object packed, Duration remaining)
    {
        OptionalLong version = metastoresVersion.isPresent() ? OptionalLong.empty() : OptionalLong.of(stored.version());
        CachedValue kept = CachedValue.stored(packed, metastoresVersion.orElse(BY_LOG), ticker.read());
        return key.subject().keepStored(key, storedKey, version, () -> {
            Object unused = cache.policy().expireVariably().orElseThrow().putIfAbsent(key, kept, remaining.toNanos(), TimeUnit.NANOSECONDS);
        }, cache::invalidate);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // all values of a key have the type of its kind
    private static <V> V typed(Object value)
    {
        return (V) value;
    }

    private record Name(String database, String table)
    {
        static final Name DATABASES = new Name("", "");
        static final Name ROLES = new Name("", "roles");
    }
}
