// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SchemaTableName;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoredState;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.metastore.stored.PackedText;
import io.eyrie.metastore.stored.StoredBlobs;
import io.eyrie.metastore.stored.StoredTable;
import io.eyrie.metastore.stored.StoredValue;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.fragment.FileProofs;
import io.eyrie.presto.fragment.FileProofs.FactsKey;
import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.metastore.StoredBesideMetadata;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

import static java.util.Objects.requireNonNull;

/**
 * The facts of files that the coordinator has read, in memory and, if the coordinator stores metadata, on its disk. Any of them may be lost at any time.
 * Thread-safe. {@link #find} reads from the disk on the caller's thread; everything else that touches the disk is done behind queries by {@link #flush}.
 */
final class LearnedFacts
        implements Steerable, StoredBesideMetadata
{
    /*
     * Disk      docs/formats/file-facts-v1.md: a sorted table of facts for each table, by path, and one root that refers to all of them. The facts of the next
     *           version of a file take the place of those of the version before
     * Validity  a key identifies the version of the file, so nothing that is found can be stale; the root only finds
     * Absent    a file that is not on the disk is remembered as such in memory until it is learned, so that each query does not look again
     * Forget    facts that are read or written while an operator invalidates any are not remembered
     * Bounds    memory, tables (MOST_TABLES), facts that wait (MOST_WAITING), bytes of one flush (MOST_FLUSHED_BYTES), the capacity of the blob cache. Of too
     *           many tables, the one that was used longest ago is forgotten. The root does not contain their order: it would change with each use
     */
    private static final int MOST_TABLES = 10_000;
    static final int MOST_WAITING = 10_000;
    private static final long MOST_FLUSHED_BYTES = 8 << 20;
    private static final int FORMAT = 1;
    private static final int ENTRY_BYTES = 160;
    private static final int KEY_BYTES = 2 * Long.BYTES;
    private static final FileFacts ABSENT = new FileFacts(new byte[0]);
    private static final LimitedLog log = new LimitedLog(LearnedFacts.class, Level.WARNING);

    private final Cache<BlobKey, FileFacts> memory;
    private final int mostTables;
    private final ReadBudget budget;
    private final Map<SchemaTableName, StoredTable> tables = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true)); // in the order of use
    private final LongAdder found = new LongAdder();
    private final LoadEpoch epoch = new LoadEpoch();
    private volatile @Nullable Disk disk;

    // guarded by this
    private Map<SchemaTableName, TreeMap<String, StoredValue>> waiting = new HashMap<>();
    private int waitingFacts;
    private List<BlobKey> replaced = new ArrayList<>(); // nothing but the root before the latest one refers to them
    private byte[] writtenRoot = new byte[0];

    private record Disk(StoredBlobs blobs, StoredState root, int mostRootBytes)
    {}

    @Inject
    LearnedFacts(NodeManager nodes, MemoryPlan plan, ReadBudget budget)
    {
        this(FileProofs.factsBytes(plan, nodes), MOST_TABLES, budget);
    }

    LearnedFacts(long maxMemoryBytes, int mostTables, ReadBudget budget)
    {
        this.mostTables = mostTables;
        this.budget = requireNonNull(budget, "budget is null");
        memory = Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(maxMemoryBytes)
                .<BlobKey, FileFacts>weigher((key, facts) -> ENTRY_BYTES + facts.bytes().length)
                .build();
    }

    /** Returns the known facts of some files of a table, by their keys. May read from the disk. */
    Map<BlobKey, FileFacts> find(SchemaTableName table, Collection<FactsKey> files)
    {
        long began = epoch.current();
        Map<BlobKey, FileFacts> facts = new HashMap<>();
        List<FactsKey> missing = new ArrayList<>();
        for (FactsKey file : files) {
            FileFacts known = memory.getIfPresent(file.facts());
            if (known == null) {
                missing.add(file);
            }
            else if (known != ABSENT) {
                facts.put(file.facts(), known);
            }
        }
        StoredTable stored = tables.get(table);
        if (!missing.isEmpty() && stored != null) {
            read(stored, missing, facts, began);
        }
        return facts;
    }

    private void read(StoredTable stored, List<FactsKey> missing, Map<BlobKey, FileFacts> facts, long began)
    {
        Map<BlobKey, FileFacts> near = new HashMap<>();
        stored.near(missing.stream().map(FactsKey::place).toList()).values().forEach(value -> {
            ByteBuffer own = value.own().duplicate();
            BlobKey key = new BlobKey(own.getLong(), own.getLong());
            byte[] bytes = new byte[own.remaining()];
            own.get(bytes);
            near.put(key, new FileFacts(bytes));
        });
        found.add(near.size());
        boolean unused = epoch.store(began, () -> {
            memory.putAll(near);
            // unless it was learned in the meantime
            missing.forEach(file -> memory.asMap().putIfAbsent(file.facts(), ABSENT));
        });
        for (FactsKey file : missing) {
            FileFacts here = near.get(file.facts());
            if (here != null) {
                facts.put(file.facts(), here);
            }
        }
    }

    /** Returns the number of invalidations. Read it before the footer of a file, and pass it to {@link #learned} afterwards. */
    long epoch()
    {
        return epoch.current();
    }

    /**
     * Remembers the facts of a file of a table.
     *
     * @param began the {@link #epoch} from before the footer was read: facts from before an invalidation are not remembered
     */
    void learned(SchemaTableName table, FactsKey file, FileFacts facts, long began)
    {
        boolean unused = epoch.store(began, () -> remember(table, file, facts));
    }

    private void remember(SchemaTableName table, FactsKey file, FileFacts facts)
    {
        memory.put(file.facts(), facts);
        if (disk == null) {
            return;
        }
        byte[] own = ByteBuffer.allocate(KEY_BYTES + facts.bytes().length)
                .putLong(file.facts().hashHigh())
                .putLong(file.facts().hashLow())
                .put(facts.bytes())
                .array();
        StoredValue value = new StoredValue(0, System.currentTimeMillis(), ByteBuffer.allocate(0), ByteBuffer.wrap(own));
        synchronized (this) {
            if (waitingFacts < MOST_WAITING) {
                waiting.computeIfAbsent(table, any -> new TreeMap<>()).put(file.place(), value);
                waitingFacts++;
            }
        }
    }

    /** Whether the facts of a file are in memory. */
    boolean isKnown(FactsKey file)
    {
        FileFacts known = memory.getIfPresent(file.facts());
        return known != null && known != ABSENT;
    }

    /** Whether facts of files of a table are on the disk. */
    boolean isStored(SchemaTableName table)
    {
        return tables.containsKey(table);
    }

    long storedFactsFound()
    {
        return found.sum();
    }

    long writtenBytes()
    {
        Disk now = disk;
        return now == null ? 0 : now.blobs().writtenBytes();
    }

    long memoryBytes()
    {
        return memory.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    long capacityBytes()
    {
        return memory.policy().eviction().orElseThrow().getMaximum();
    }

    long entries()
    {
        return memory.estimatedSize();
    }

    @Override
    public Stage stage()
    {
        return Stage.STATISTICS;
    }

    /** Forgets the facts of tables; those of a partition with those of its table. */
    @Override
    public void invalidate(Scope scope)
    {
        epoch.invalidate(() -> drop(scope));
    }

    private synchronized void drop(Scope scope)
    {
        memory.invalidateAll();
        for (SchemaTableName table : List.copyOf(tables.keySet())) {
            if ((scope.schema().isEmpty() || scope.schema().equals(table.getSchemaName())) && (scope.table().isEmpty() || scope.table().equals(table
                    .getTableName()))) {
                StoredTable gone = tables.remove(table);
                if (gone != null) {
                    replaced.addAll(gone.blobs());
                }
            }
        }
        waiting.clear();
        waitingFacts = 0;
    }

    @Override
    public synchronized void storeIn(BlobCache blobs)
    {
        StoredBlobs stored = new StoredBlobs(blobs);
        StoredState root = new StoredState("file facts", blobs);
        root.read().flatMap(bytes -> stored.decoded(bytes, LearnedFacts::decode)).ifPresent(before -> {
            budget.restore(before.budget());
            before.indexes().forEach((table, index) -> tables.put(table, new StoredTable(stored, index)));
        });
        memory.invalidateAll(); // what was absent before
        disk = new Disk(stored, root, blobs.maxBlobBytes() - Long.BYTES);
    }

    @Override
    public boolean flush()
    {
        Disk now = disk;
        if (now == null) {
            return false;
        }
        long began = epoch.current();
        Map<SchemaTableName, TreeMap<String, StoredValue>> all;
        synchronized (this) {
            all = waiting;
            waiting = new HashMap<>();
            waitingFacts = 0;
        }
        List<BlobKey> nowReplaced = new ArrayList<>();
        long end = now.blobs().writtenBytes() + MOST_FLUSHED_BYTES;
        boolean more = false;
        for (Map.Entry<SchemaTableName, TreeMap<String, StoredValue>> ofTable : all.entrySet()) {
            SortedMap<String, StoredValue> left = more ? ofTable.getValue() : write(now, ofTable, end, nowReplaced, began);
            more |= !left.isEmpty();
            boolean unused = epoch.store(began, () -> again(ofTable.getKey(), left));
        }
        writeRoot(now, nowReplaced);
        return more;
    }

    private SortedMap<String, StoredValue> write(Disk now, Map.Entry<SchemaTableName, ? extends SortedMap<String, StoredValue>> facts, long end,
            List<BlobKey> nowReplaced, long began)
    {
        SchemaTableName table = facts.getKey();
        StoredTable before = tables.get(table);
        StoredTable stored = before == null ? new StoredTable(now.blobs()) : before;
        SortedMap<String, StoredValue> left = stored.write(facts.getValue(), (place, value) -> true, end, nowReplaced);
        boolean unused = epoch.store(began, () -> tables.put(table, stored));
        nowReplaced.addAll(forgetMoreThanTheMost());
        if (tables.get(table) != stored) {
            // invalidated while it was written
            nowReplaced.addAll(stored.blobs());
        }
        return left;
    }

    /* Returns the blobs of the tables that it forgets. */
    private List<BlobKey> forgetMoreThanTheMost()
    {
        List<BlobKey> forgotten = new ArrayList<>();
        synchronized (tables) {
            Iterator<StoredTable> oldest = tables.values().iterator();
            while (tables.size() > mostTables) {
                forgotten.addAll(oldest.next().blobs());
                oldest.remove();
            }
        }
        return forgotten;
    }

    private synchronized void again(SchemaTableName table, SortedMap<String, StoredValue> left)
    {
        if (!left.isEmpty()) {
            TreeMap<String, StoredValue> later = waiting.computeIfAbsent(table, any -> new TreeMap<>());
            left.forEach(later::putIfAbsent);
            waitingFacts += left.size();
        }
    }

    private synchronized void writeRoot(Disk now, List<BlobKey> nowReplaced)
    {
        byte[] bytes = encode();
        if (Arrays.equals(bytes, writtenRoot)) {
            replaced.addAll(nowReplaced);
            return;
        }
        if (bytes.length > now.mostRootBytes()) {
            replaced.addAll(nowReplaced);
            log.log("The statistics of the files of " + tables.size() + " tables are not stored: their names take " + bytes.length
                    + " bytes, and at most "
                    + now.mostRootBytes() + " can be stored");
            return;
        }
        now.root().write(bytes);
        writtenRoot = bytes;
        now.blobs().drop(replaced);
        replaced = nowReplaced;
    }

    private byte[] encode()
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeInt(FORMAT);
        out.write(budget.state().array());
        Map<SchemaTableName, BlobKey> indexes = new TreeMap<>(
                Comparator.comparing(SchemaTableName::getSchemaName).thenComparing(SchemaTableName::getTableName));
        tables.forEach((table, stored) -> stored.index().ifPresent(index -> indexes.put(table, index)));
        out.writeInt(indexes.size());
        indexes.forEach((table, index) -> {
            PackedText.write(table.getSchemaName(), out);
            PackedText.write(table.getTableName(), out);
            out.writeLong(index.hashHigh());
            out.writeLong(index.hashLow());
        });
        return out.toByteArray();
    }

    private record Root(ByteBuffer budget, Map<SchemaTableName, BlobKey> indexes)
    {}

    private static Root decode(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int format = in.getInt();
        if (format != FORMAT) {
            throw new IllegalArgumentException("format " + format + " instead of " + FORMAT);
        }
        ByteBuffer spent = in.slice(in.position(), ReadBudget.STATE_BYTES);
        in.position(in.position() + ReadBudget.STATE_BYTES);
        Map<SchemaTableName, BlobKey> indexes = new HashMap<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            SchemaTableName table = new SchemaTableName(PackedText.read(in), PackedText.read(in));
            indexes.put(table, new BlobKey(in.getLong(), in.getLong()));
        }
        return new Root(spent, indexes);
    }
}
