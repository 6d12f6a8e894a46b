// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.google.common.base.CharMatcher;
import io.eyrie.metastore.stored.StoredTable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * The unit of invalidation: a table with its partitions, a database, the list of databases, or all roles. It exists from the first lookup until it changes as a
 * whole. Then another subject replaces it, and its entries are useless. Compared by identity. Thread-safe.
 */
public final class Subject
{
    /*
     * Stamp     counts changes. A load reads it before it calls the metastore, and its value is cached only if the stamp is still the same, under the subject's
     *           lock
     * Versions  a partition that has not changed since the subject was created has the subject's version; each changed partition has its own
     * Lossy     the metastore's database may keep events in a smaller character set than partitions. An event then names another partition, or none: characters
     *           beyond ASCII are replaced or missing. The other characters of a value remain, so they show which names it can have
     * Names     lists of partition names have a version of their own, which only stored lists need: those in memory are dropped
     * Stored    the entries of each reader that are on the disk; they carry the versions under which they are valid
     * Locks     the subject's own; it is not held during I/O. A partition's version is read without it, by each listing of a directory: it is looked up
     *           among the changed partitions first, and these are cleared after the subject's version has changed
     */
    static final int MOST_CHANGED_PARTITIONS = 100_000;
    private static final int MOST_LISTS_OF_NAMES = 1000;
    private static final long MOST_NAMES_BYTES = 4 << 20; // of all their predicates
    static final int MOST_READERS = 1000;
    private static final int MOST_LOSSY_VALUES = 100;
    private static final Pattern LOSSY = Pattern.compile("\\P{ASCII}|.(?=\\p{M})", Pattern.DOTALL); // a letter and its accent may become one character
    private static final String ANY = "";

    private final String database;
    private final String table;
    private final LongSupplier versions;
    private final Runnable boundExceeded;
    private volatile long stamp;

    private final Set<String> lossyValues = ConcurrentHashMap.newKeySet(); // of each value that an event can lose a part of, the rest

    // changed under this
    private volatile long version;
    private final Map<List<String>, Long> changedPartitions = new ConcurrentHashMap<>();
    // guarded by this
    private final Set<List<String>> existed = new HashSet<>(); // some changed partitions; others may be in events only
    private long namesVersion;
    private long listsVersion;
    private final Map<MetastoreView, StoredTable> stored = new HashMap<>();
    private final Set<MetastoreView> readers = new HashSet<>();
    private final Set<EntryKey> listsOfNames = new HashSet<>();
    private long listsOfNamesBytes;
    private long kept;
    private boolean ended;

    /** @param boundExceeded called when entries are dropped because there are too many lists of names or changed partitions */
    Subject(String database, String table, LongSupplier versions, Runnable boundExceeded)
    {
        this.boundExceeded = requireNonNull(boundExceeded, "boundExceeded is null");
        this.database = requireNonNull(database, "database is null");
        this.table = requireNonNull(table, "table is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.version = versions.getAsLong();
        this.namesVersion = version;
        this.listsVersion = version;
    }

    /**
     * Creates the subject of a table that continues one of an earlier process.
     *
     * @param stored its entries on the disk
     */
    Subject(SubjectState state, Map<MetastoreView, StoredTable> stored, LongSupplier versions, Runnable boundExceeded)
    {
        this.boundExceeded = requireNonNull(boundExceeded, "boundExceeded is null");
        this.database = state.database();
        this.table = state.table();
        this.versions = requireNonNull(versions, "versions is null");
        this.version = state.version();
        this.namesVersion = state.namesVersion();
        this.listsVersion = state.listsVersion();
        lossyValues.addAll(state.lossyValues());
        changedPartitions.putAll(state.changedPartitions());
        this.stored.putAll(stored);
    }

    /** Returns what another process needs to continue this subject; empty if it has ended. */
    synchronized Optional<SubjectState> state()
    {
        return ended
                ? Optional.empty()
                : Optional.of(new SubjectState(database, table, version, namesVersion, listsVersion, lossyValues, changedPartitions));
    }

    /** Returns the entries on the disk of each reader. */
    synchronized Map<MetastoreView, StoredTable> stored()
    {
        return Map.copyOf(stored);
    }

    /** Returns a reader's entries on the disk, if there are any. */
    synchronized Optional<StoredTable> stored(MetastoreView reader)
    {
        return Optional.ofNullable(stored.get(reader));
    }

    /** Sets a reader's entries on the disk. Returns false if the subject has ended. */
    synchronized boolean setStored(MetastoreView reader, StoredTable entriesOnDisk)
    {
        if (!ended) {
            stored.put(reader, entriesOnDisk);
        }
        return !ended;
    }

    /** Returns the version of the stored lists of files; they are valid under this and the version of their partition or table. */
    synchronized long listsVersion()
    {
        return listsVersion;
    }

    /** Drops the stored lists of files. */
    synchronized void forgetLists()
    {
        listsVersion = versions.getAsLong();
    }

    /** Whether a stored entry with this version is still valid. */
    synchronized boolean isCurrent(StoredKey key, long ofVersion)
    {
        return !ended && ofVersion == (key.isOfNames() ? namesVersion : partitionVersion(key.values()));
    }

    /** Passes the version of a valid entry to a function, while the subject cannot change. Empty if the subject has ended. */
    synchronized <T> Optional<T> withVersion(StoredKey key, LongFunction<Optional<T>> use)
    {
        return ended ? Optional.empty() : use.apply(key.isOfNames() ? namesVersion : partitionVersion(key.values()));
    }

    /**
     * Stores an entry that was read from the disk by running {@code keep}, if its version is still valid. Returns whether it did.
     *
     * @param ofVersion empty if the entry is cached under a version of the metastore's own, which each lookup compares
     */
    synchronized boolean keepStored(EntryKey key, StoredKey storedKey, OptionalLong ofVersion, Runnable keep, Consumer<EntryKey> forget)
    {
        boolean current = ofVersion.isPresent() ? isCurrent(storedKey, ofVersion.getAsLong()) : !ended;
        if (!current || !accepts(key.reader())) {
            return false;
        }
        keep(key, keep, forget);
        return true;
    }

    /** Returns the name of the database, or of the table's database; empty for the list of databases and for roles. */
    public String database()
    {
        return database;
    }

    /** Returns the table's name; empty for a database. */
    public String table()
    {
        return table;
    }

    /** Returns how often parts of it changed. */
    public long stamp()
    {
        return stamp;
    }

    /** Whether an event that names these partitions may be about others, which have characters that it has lost. */
    boolean mayBeAboutOthers(Collection<List<String>> partitions)
    {
        return partitions.stream().flatMap(List::stream).anyMatch(value -> lossyValues.stream().anyMatch(rest -> contains(value, rest)));
    }

    /* Whether a value has these characters, in this order. */
    private static boolean contains(String value, String characters)
    {
        int from = 0;
        for (int i = 0; i < characters.length(); i++) {
            from = value.indexOf(characters.charAt(i), from) + 1;
            if (from == 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether each of these partitions is known to exist or to have existed: it has an entry in memory, or had one when it changed, or this process changed it. */
    synchronized boolean haveExisted(Collection<List<String>> partitions, Predicate<EntryKey> inMemory)
    {
        return partitions.stream().allMatch(values -> existed.contains(values)
                || readers.stream().anyMatch(reader -> inMemory.test(new EntryKey(this, reader, EntryKind.PARTITION, values))));
    }

    private void note(List<String> values)
    {
        for (String value : values) {
            if (!CharMatcher.ascii().matchesAllOf(value)) {
                String rest = LOSSY.matcher(value).replaceAll("");
                if (!lossyValues.contains(rest)) {
                    lossyValues.add(lossyValues.size() < MOST_LOSSY_VALUES ? rest : ANY);
                }
            }
        }
    }

    /** Returns a number that no other state of this partition ever had or will have. */
    public long partitionVersion(List<String> values)
    {
        note(values);
        Long changed = changedPartitions.get(values);
        return changed == null ? version : changed;
    }

    /** Returns the readers that may have entries. */
    synchronized Set<MetastoreView> readers()
    {
        return Set.copyOf(readers);
    }

    /** Whether entries of this reader may be stored. */
    public synchronized boolean accepts(MetastoreView reader)
    {
        return readers.size() < MOST_READERS || readers.contains(reader);
    }

    /**
     * Stores an entry by running {@code keep}, unless the subject changed since the stamp was read or has entries of too many readers. Returns whether it did.
     */
    synchronized boolean keepUnlessChanged(EntryKey key, long since, Runnable keep, Consumer<EntryKey> forget)
    {
        if (since != stamp || !accepts(key.reader())) {
            return false;
        }
        keep(key, keep, forget);
        return true;
    }

    private void keep(EntryKey key, Runnable keep, Consumer<EntryKey> forget)
    {
        readers.add(key.reader());
        if (key.kind().isOfPartition()) {
            note(key.partitionValues());
        }
        if (key.kind() == EntryKind.PARTITION_NAMES && !listsOfNames.contains(key)) {
            if (listsOfNames.size() >= MOST_LISTS_OF_NAMES || listsOfNamesBytes + key.bytes() > MOST_NAMES_BYTES) {
                boundExceeded.run();
                forgetNames(forget);
            }
            listsOfNames.add(key);
            listsOfNamesBytes += key.bytes();
        }
        keep.run();
        kept++;
    }

    /**
     * Records that some partitions changed. Returns how many of them it did not remember before.
     *
     * @param exist whether all of them are known to exist or to have existed
     */
    synchronized int partitionsChanged(Collection<List<String>> partitions, boolean namesToo, boolean exist, Consumer<EntryKey> forget)
    {
        stamp = stamp + 1;
        if (namesToo) {
            namesVersion = versions.getAsLong();
            forgetNames(forget);
        }
        int more = 0;
        for (List<String> values : partitions) {
            more += changed(values);
            if (exist && !ended) {
                existed.add(values);
            }
            for (MetastoreView reader : readers) {
                forget.accept(new EntryKey(this, reader, EntryKind.PARTITION, values));
                forget.accept(new EntryKey(this, reader, EntryKind.PARTITION_VERSION, values));
                forget.accept(new EntryKey(this, reader, EntryKind.PARTITION_STATISTICS, values));
            }
        }
        return more;
    }

    /* Returns how many partitions it remembers in addition. */
    private int changed(List<String> values)
    {
        if (ended) {
            version = versions.getAsLong(); // of all partitions
            return 0;
        }
        return changedPartitions.put(values, versions.getAsLong()) == null ? 1 : 0;
    }

    /** Returns how many changed partitions it remembers. */
    int changedPartitions()
    {
        return changedPartitions.size();
    }

    /**
     * Records that a metastore call returned another partition, or with no values another table, than the one before. Versions distinguish entries that depend
     * on it. Returns how many partitions it did not remember before.
     */
    synchronized int foundChanged(List<String> values)
    {
        int more = changed(values);
        if (changedPartitions.size() > MOST_CHANGED_PARTITIONS) {
            boundExceeded.run();
            forgetChanges();
        }
        return more;
    }

    private void forgetChanges()
    {
        version = versions.getAsLong();
        changedPartitions.clear();
        existed.clear();
    }

    /**
     * Ends this subject because another one replaces it: nothing more is cached, and no changed partition is remembered. Returns how many entries may have been
     * stored for it.
     */
    synchronized long end()
    {
        stamp = stamp + 1;
        ended = true;
        forgetChanges();
        return kept;
    }

    synchronized boolean isEnded()
    {
        return ended;
    }

    private void forgetNames(Consumer<EntryKey> forget)
    {
        listsOfNames.forEach(forget);
        listsOfNames.clear();
        listsOfNamesBytes = 0;
    }
}
