package io.eyrie.metastore.entry;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * A table with its partitions, a database, the list of databases, or all roles, from the first look at it until it changes as a whole; then another subject takes its place,
 * and what is kept about this one is of no use. Compared by identity. Thread-safe.
 */
public final class Subject
{
    /*
     * Stamp     counts changes; a load notes it before it asks the metastore, and is kept only if it is still the same, under the subject's lock
     * Versions  a partition that has not changed since the subject came has the subject's version; those that have, one each
     * Locks     the subject's own; none is held during I/O
     */
    private static final int MOST_CHANGED_PARTITIONS = 100_000;
    private static final int MOST_LISTS_OF_NAMES = 1000;
    private static final long MOST_NAMES_BYTES = 4 << 20; // of their predicates
    static final int MOST_READERS = 1000;

    private final String database;
    private final String table;
    private final LongSupplier versions;
    private volatile long stamp;

    // under the lock
    private long version;
    private final Map<List<String>, Long> changedPartitions = new HashMap<>();
    private final Set<Reader> readers = new HashSet<>();
    private final Set<EntryKey> listsOfNames = new HashSet<>();
    private long listsOfNamesBytes;
    private long kept;
    private boolean ended;

    Subject(String database, String table, LongSupplier versions)
    {
        this.database = requireNonNull(database, "database is null");
        this.table = requireNonNull(table, "table is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.version = versions.getAsLong();
    }

    /** The database that it is, or is of; empty for the list of databases and for roles. */
    public String database()
    {
        return database;
    }

    /** The table; empty for a database. */
    public String table()
    {
        return table;
    }

    /** How often it has changed in parts. */
    long stamp()
    {
        return stamp;
    }

    /** A number that no other state of this partition ever had or will have. */
    public synchronized long partitionVersion(List<String> values)
    {
        return changedPartitions.getOrDefault(values, version);
    }

    /** Keeps an entry by {@code keep} unless something has changed since the stamp was read. */
    synchronized boolean keepUnlessChanged(EntryKey key, long since, Runnable keep, Consumer<EntryKey> forget)
    {
        if (since != stamp || (readers.size() >= MOST_READERS && !readers.contains(key.reader()))) {
            return false;
        }
        readers.add(key.reader());
        if (key.kind() == Kind.PARTITION_NAMES && !listsOfNames.contains(key)) {
            if (listsOfNames.size() >= MOST_LISTS_OF_NAMES || listsOfNamesBytes + key.bytes() > MOST_NAMES_BYTES) {
                forgetNames(forget);
            }
            listsOfNames.add(key);
            listsOfNamesBytes += key.bytes();
        }
        keep.run();
        kept++;
        return true;
    }

    /** Some partitions have changed; whether they have so often that another subject should take this one's place. */
    synchronized boolean partitionsChanged(Collection<List<String>> partitions, boolean namesToo, Consumer<EntryKey> forget)
    {
        stamp = stamp + 1;
        if (namesToo) {
            forgetNames(forget);
        }
        for (List<String> values : partitions) {
            changedPartitions.put(values, versions.getAsLong());
            for (Reader reader : readers) {
                forget.accept(new EntryKey(this, reader, Kind.PARTITION, values));
                forget.accept(new EntryKey(this, reader, Kind.PARTITION_VERSION, values));
                forget.accept(new EntryKey(this, reader, Kind.PARTITION_STATISTICS, values));
            }
        }
        return changedPartitions.size() > MOST_CHANGED_PARTITIONS;
    }

    /** A look at the metastore found another partition, or with no values another table, than the one before. What is kept of it is told apart by its version. */
    synchronized void foundChanged(List<String> values)
    {
        changedPartitions.put(values, versions.getAsLong());
        if (changedPartitions.size() > MOST_CHANGED_PARTITIONS) {
            changedPartitions.clear();
            version = versions.getAsLong();
        }
    }

    /** Another subject has taken this one's place: nothing is kept any more. How many entries may have been. */
    synchronized long end()
    {
        stamp = stamp + 1;
        ended = true;
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
