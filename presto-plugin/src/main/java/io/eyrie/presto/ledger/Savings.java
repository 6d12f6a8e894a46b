// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoredState;
import io.eyrie.cache.file.Scope;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Counts the work of this node's queries by day and table: what they requested, and what was done nevertheless. The difference is what the caches saved; it
 * may be negative while a cache fills. Bounded. Survives restarts, if there is a store. Thread-safe.
 */
public final class Savings
{
    /*
     * Bounds   MOST_DAYS days; MOST_TABLES tables a day, further ones share one row
     * Stored   in the cache's own store, at most every SAVE_NANOS, and when the catalog is closed. The stored rows are added to those of this process when the
     *          store has recovered its pages; nothing is written before that
     */
    static final int MOST_DAYS = 31;
    static final int MOST_TABLES = 200;
    static final String OTHER_TABLES = "(other tables)";
    private static final int FORMAT = 1;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final long SAVE_NANOS = Duration.ofMinutes(5).toNanos();
    private static final System.Logger logger = System.getLogger(Savings.class.getName());

    private final LongSupplier millis;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<DayTable, Amounts> rows = new ConcurrentHashMap<>();
    private final Amounts total = new Amounts();
    private final AtomicLong savedNanos;
    private volatile Optional<Store> store = Optional.empty();

    private record Store(StoredState state, BooleanSupplier recovered, AtomicInteger restored)
    {}

    /** A table on a day, which is counted from 1970 in UTC. */
    public record DayTable(long epochDay, String schema, String table)
    {}

    /** Amounts of each kind of work. Thread-safe. */
    public static final class Amounts
    {
        private final Map<WorkKind, LongAdder> requested = new EnumMap<>(WorkKind.class);
        private final Map<WorkKind, LongAdder> done = new EnumMap<>(WorkKind.class);

        Amounts()
        {
            for (WorkKind work : WorkKind.values()) {
                requested.put(work, new LongAdder());
                done.put(work, new LongAdder());
            }
        }

        /** Returns what queries requested: what would be done without caches. */
        public long requested(WorkKind work)
        {
            return requireNonNull(requested.get(work)).sum();
        }

        /** Returns what was done: what the caches did not serve, and what they requested in addition. */
        public long done(WorkKind work)
        {
            return requireNonNull(done.get(work)).sum();
        }

        public long saved(WorkKind work)
        {
            return requested(work) - done(work);
        }

        private void add(WorkKind work, long newRequested, long newDone)
        {
            requireNonNull(requested.get(work)).add(newRequested);
            requireNonNull(done.get(work)).add(newDone);
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
        savedNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /**
     * From now on, stores all rows, and restores them.
     *
     * @param name identifies these rows in the store
     * @param recovered whether the store has recovered its pages
     */
    public void storeIn(BlobCache blobs, String name, BooleanSupplier recovered)
    {
        store = Optional.of(new Store(new StoredState("savings " + name, blobs), recovered, new AtomicInteger()));
    }

    /** Counts work for a table. */
    void add(Scope table, WorkKind work, long requested, long done)
    {
        total.add(work, requested, done);
        row(today(), table.schema(), table.table()).add(work, requested, done);
        long now = nanoTime.getAsLong();
        long saved = savedNanos.get();
        if (now - saved >= SAVE_NANOS && savedNanos.compareAndSet(saved, now)) {
            save();
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
        restore();
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

    /** Stores all rows in the background. */
    public void save()
    {
        if (restore()) {
            store.ifPresent(where -> where.state().write(bytes()));
        }
    }

    /* Adds the stored rows once, as soon as they can be read. */
    private synchronized boolean restore()
    {
        if (store.isEmpty() || !store.get().recovered().getAsBoolean()) {
            return false;
        }
        if (store.get().restored().getAndIncrement() == 0) {
            try {
                store.get().state().read().ifPresent(this::read);
            }
            catch (UncheckedIOException e) {
                logger.log(Level.WARNING, "The savings of the days before the restart are lost: they cannot be read", e);
            }
        }
        return true;
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
            while (in.available() > 0) {
                Amounts row = row(in.readLong(), in.readUTF(), in.readUTF());
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
