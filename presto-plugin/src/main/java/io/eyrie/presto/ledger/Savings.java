// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoredState;
import io.eyrie.cache.file.Scope;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Counts the work of this node's queries by day and table: the work that they requested, and the work that the caches did not save. The difference may be
 * negative while a cache fills. Bounded. Survives restarts, if there is a store. Thread-safe; counting does no I/O.
 */
public final class Savings
{
    /*
     * Bounds   MOST_DAYS days; MOST_TABLES tables a day, further ones share one row
     * Stored   in the cache's own store by maintain(): the stored rows are added once, when the store has recovered its pages, and all rows are
     *          written every SAVE_NANOS, and when the catalog is closed. Nothing is written before the stored rows are added
     */
    static final int MOST_DAYS = 31;
    static final int MOST_TABLES = 200;
    static final String OTHER_TABLES = "(other tables)";
    private static final int FORMAT = 1;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final long SAVE_NANOS = Duration.ofMinutes(5).toNanos();

    private final LongSupplier millis;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<DayTable, Amounts> rows = new ConcurrentHashMap<>();
    private final Amounts total = new Amounts();
    private final Object storing = new Object();
    private volatile Optional<Store> store = Optional.empty();
    // guarded by storing
    private boolean restored;
    private long savedNanos;

    private record Store(StoredState state, BooleanSupplier recovered)
    {}

    /** A table on a day, which is counted from 1970 in UTC. */
    public record DayTable(long epochDay, String schema, String table)
    {}

    /** Amounts of each kind of work. Thread-safe. */
    public static final class Amounts
    {
        // of a fixed size: LongAdders grow with the processors that contend for them
        private final Map<WorkKind, AtomicLong> requested = new EnumMap<>(WorkKind.class);
        private final Map<WorkKind, AtomicLong> done = new EnumMap<>(WorkKind.class);

        Amounts()
        {
            for (WorkKind work : WorkKind.values()) {
                requested.put(work, new AtomicLong());
                done.put(work, new AtomicLong());
            }
        }

        /** Returns the work that queries requested: the work that would be done without caches. */
        public long requested(WorkKind work)
        {
            return requireNonNull(requested.get(work)).get();
        }

        /** Returns the work that was done: requests that the caches did not serve, and further ones of the caches themselves. */
        public long done(WorkKind work)
        {
            return requireNonNull(done.get(work)).get();
        }

        public long saved(WorkKind work)
        {
            return requested(work) - done(work);
        }

        private void add(WorkKind work, long newRequested, long newDone)
        {
            requireNonNull(requested.get(work)).addAndGet(newRequested);
            requireNonNull(done.get(work)).addAndGet(newDone);
        }

        private void add(Amounts other)
        {
            for (WorkKind work : WorkKind.values()) {
                add(work, other.requested(work), other.done(work));
            }
        }
    }

    public Savings()
    {
        this(System::currentTimeMillis, System::nanoTime);
    }

    Savings(LongSupplier millis, LongSupplier nanoTime)
    {
        this.millis = requireNonNull(millis, "millis is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        savedNanos = nanoTime.getAsLong();
    }

    /**
     * Sets the store in which {@link #maintain} and {@link #save} store the rows.
     *
     * @param name identifies these rows in the store
     * @param recovered whether the store has recovered its pages
     */
    public void storeIn(BlobCache blobs, String name, BooleanSupplier recovered)
    {
        store = Optional.of(new Store(new StoredState("savings " + name, blobs), recovered));
    }

    /** Returns the counters of a table, for any number of calls. */
    TableSavings of(Scope table)
    {
        return new TableSavings(table.schema(), table.table());
    }

    /** The counters of one table. Remembers the row of the current day. Thread-safe. */
    final class TableSavings
    {
        private final String schema;
        private final String table;
        private volatile @Nullable DayAmounts current;

        private record DayAmounts(long epochDay, Amounts amounts)
        {}

        private TableSavings(String schema, String table)
        {
            this.schema = schema;
            this.table = table;
        }

        void add(WorkKind work, long requested, long done)
        {
            if (requested == 0 && done == 0) {
                return;
            }
            long today = today();
            DayAmounts row = current;
            if (row == null || row.epochDay != today) {
                row = new DayAmounts(today, row(today, schema, table));
                current = row;
            }
            total.add(work, requested, done);
            row.amounts.add(work, requested, done);
        }
    }

    /** Returns the amounts since this process began. */
    public Amounts total()
    {
        return total;
    }

    /** Returns the amounts of the current day, in UTC. */
    public Amounts ofToday()
    {
        Amounts sum = new Amounts();
        long today = today();
        forEach((key, row) -> {
            if (key.epochDay() == today) {
                sum.add(row);
            }
        });
        return sum;
    }

    /** Visits all rows. */
    public void forEach(BiConsumer<DayTable, Amounts> action)
    {
        long oldest = today() - MOST_DAYS;
        rows.forEach((key, row) -> {
            if (key.epochDay() > oldest) {
                action.accept(key, row);
            }
        });
    }

    private long today()
    {
        return Math.floorDiv(millis.getAsLong(), DAY_MILLIS);
    }

    private Amounts row(long day, String schema, String table)
    {
        DayTable key = new DayTable(day, schema, table);
        Amounts known = rows.get(key);
        if (known != null) {
            return known;
        }
        // exists if the day's tables are full
        Amounts others = rows.get(otherTables(day));
        return others == null ? newRow(key) : others;
    }

    private synchronized Amounts newRow(DayTable key)
    {
        long oldest = today() - MOST_DAYS;
        rows.keySet().removeIf(row -> row.epochDay() <= oldest);
        long tables = rows.keySet().stream().filter(row -> row.epochDay() == key.epochDay()).count();
        DayTable bounded = tables < MOST_TABLES ? key : otherTables(key.epochDay());
        return rows.computeIfAbsent(bounded, any -> new Amounts());
    }

    private static DayTable otherTables(long day)
    {
        return new DayTable(day, "", OTHER_TABLES);
    }

    /** Adds the stored rows as soon as they can be read, and stores all rows now and then. Called periodically; may wait for a disk. */
    public void maintain()
    {
        synchronized (storing) {
            restore();
            if (nanoTime.getAsLong() - savedNanos >= SAVE_NANOS) {
                save();
            }
        }
    }

    /** Stores all rows, unless the stored ones have not been added yet. May wait for a disk. */
    public void save()
    {
        synchronized (storing) {
            if (restored) {
                savedNanos = nanoTime.getAsLong();
                store.orElseThrow().state().write(bytes());
            }
        }
    }

    private void restore()
    {
        Optional<Store> known = store;
        if (restored || known.isEmpty() || !known.get().recovered().getAsBoolean()) {
            return;
        }
        restored = true;
        known.get().state().read().ifPresent(this::read);
    }

    private byte[] bytes()
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            for (Map.Entry<DayTable, Amounts> row : rows.entrySet()) {
                out.writeLong(row.getKey().epochDay());
                out.writeUTF(row.getKey().schema());
                out.writeUTF(row.getKey().table());
                for (WorkKind work : WorkKind.values()) {
                    out.writeLong(row.getValue().requested(work));
                    out.writeLong(row.getValue().done(work));
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void read(byte[] bytes)
    {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readInt() != FORMAT) {
                return;
            }
            long oldest = today() - MOST_DAYS;
            while (in.available() > 0) {
                DayTable key = new DayTable(in.readLong(), in.readUTF(), in.readUTF());
                // not bounded again: the stored rows are, and their order is arbitrary
                Amounts row = key.epochDay() > oldest ? rows.computeIfAbsent(key, any -> new Amounts()) : new Amounts();
                for (WorkKind work : WorkKind.values()) {
                    row.add(work, in.readLong(), in.readLong());
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
