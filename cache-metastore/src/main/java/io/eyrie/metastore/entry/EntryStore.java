// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoredState;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.metastore.stored.PackedText;
import io.eyrie.metastore.stored.StoredBlobs;
import io.eyrie.metastore.stored.StoredTable;
import io.eyrie.metastore.stored.StoredValue;
import io.eyrie.metastore.version.VersionSource;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Stores the entries of tables that the log validates, or that are cached under a version of the metastore's own, so that another process can continue with them. Thread-safe. {@link #load} reads from the disk on the
 * caller's thread; everything else that touches the disk is done behind queries by {@link #flush}.
 */
public final class EntryStore
{
    /*
     * Root      one blob: a position in the log, and of each table its versions and the index of its stored entries. An entry is used only while its version is
     *           one of these (Subject), so a root determines which entries are valid, and the events after its position change the versions as usual
     * Order     the position is read first, then the entries, then the versions: they contain at least the changes up to the position. The root is written last,
     *           and refers only to blobs that were put before it. Blobs never change, so an older root, or one whose blobs are lost, is as good as any. A long
     *           root is therefore written less often than entries
     * Versions  a process continues above all versions of the root that it read; no other entry can be reached from that root
     * No log    if the metastore has versions of its own, an entry contains that version, and answers only a query that found the same one. Nothing else of a root
     *           counts then: each subject has new versions
     * Lists     of files are stored under the version of their partition or table and that of the lists of their table. The root has the number of the crash mark
     *           when its flush began: if that is another one now, all stored lists are dropped
     * Drop      if everything was dropped during a flush, its root is not written: position and entries may be of two metastores
     * Bounds    tables and readers (MOST_TABLES), entries that wait (MOST_WAITING), bytes of one flush (MOST_FLUSHED_BYTES), the capacity of the blob cache.
     *           What waits does not hold its value, which is looked up in memory when it is stored
     */
    static final int MOST_TABLES = 20_000;
    static final int MOST_WAITING = 100_000;
    static final int MOST_WAITING_LISTS = 20_000;
    private static final MetastoreView LISTS = new MetastoreView("", false); // users of the store are part of a list's identity
    private static final long MOST_FLUSHED_BYTES = 24 << 20;
    private static final long MOST_BYTES_AT_ONCE = 1 << 20;
    private static final int ROOT_BYTES_PER_SECOND = 64 << 10;
    private static final LimitedLog log = new LimitedLog(EntryStore.class, Level.WARNING);

    private final Entries entries;
    private final StoredBlobs blobs;
    private final StoredState root;
    private final int mostRootBytes;
    private final LongSupplier millis;
    private final CrashMark mark;
    private final Optional<VersionSource> versions;
    private final Set<Subject> tables = ConcurrentHashMap.newKeySet();
    private final Queue<Subject> endedTables = new ConcurrentLinkedQueue<>();
    private final Set<EntryKey> waiting = ConcurrentHashMap.newKeySet();
    private final Map<ListKey, WaitingList> waitingLists = new ConcurrentHashMap<>();
    private final LongAdder resumptions = new LongAdder();
    private final LongAdder entriesRead = new LongAdder();
    private final LongAdder entriesWritten = new LongAdder();
    private final LongAdder refused = new LongAdder();

    // guarded by this
    private byte[] writtenRoot = new byte[0];
    private long flushMillis;
    private long rootMark;
    private long rootMillis;
    private List<BlobKey> replaced = new ArrayList<>(); // nothing but the root before the latest one refers to them
    private List<BlobKey> nowReplaced = new ArrayList<>(); // nothing but the latest root and the one before refers to them
    private int trees;

    private record ListKey(Subject subject, String text)
    {}

    /**
     * A value that waits to be stored under a key.
     *
     * @param value takes it; empty if it is no longer valid
     * @param again puts it back
     */
    private record WaitingValue(Supplier<Optional<StoredValue>> value, Runnable again)
    {}

    private record WaitingList(long version, long listsVersion, long millis, ByteBuffer token, Supplier<Optional<byte[]>> list)
    {}

    /**
     * A list of files that was read from the disk.
     *
     * @param ageMillis its age, at least
     */
    public record FoundList(ByteBuffer list, long ageMillis)
    {}

    /**
     * Creates a store of entries. Reads nothing yet.
     *
     * @param name identifies the root among all other blobs
     * @param millis a clock like {@link System#currentTimeMillis}
     * @param versions the metastore's own versions, which have bytes; empty if a log validates entries
     */
    public EntryStore(Entries entries, BlobCache blobs, String name, LongSupplier millis, CrashMark mark, Optional<VersionSource> versions)
    {
        this.versions = requireNonNull(versions, "versions is null");
        this.mark = requireNonNull(mark, "mark is null");
        this.entries = requireNonNull(entries, "entries is null");
        this.blobs = new StoredBlobs(blobs);
        this.root = new StoredState(name, blobs);
        this.mostRootBytes = blobs.maxBlobBytes() - Long.BYTES;
        this.millis = requireNonNull(millis, "millis is null");
        this.flushMillis = millis.getAsLong();
    }

    /** Begins to store entries. Returns what an earlier process stored, if it can be read. Call this once, before {@link #flush}. Reads from the disk. */
    public synchronized Optional<StoredRoot> begin()
    {
        Optional<StoredRoot> found = root.read().flatMap(bytes -> blobs.decoded(bytes, StoredRoot::decode)).flatMap(decoded -> {
            if (decoded.isEmpty()) {
                blobs.undecodable();
                log.log("The stored metadata has another format than " + StoredRoot.FORMAT
                        + " and is dropped; queries read metadata from the metastore");
            }
            return decoded;
        });
        entries.storeIn(this);
        return found.filter(stored -> stored.position().hasRemaining() == versions.isEmpty());
    }

    /**
     * Continues with what an earlier process stored. With a log, call this only if the log validates its position, and before the events after the position are
     * applied.
     */
    public void restore(StoredRoot stored)
    {
        resumptions.increment();
        long newest = Math.max(entries.newestVersion(), stored.newestVersion()) + 1;
        IdentityHashMap<SubjectState, Map<MetastoreView, BlobKey>> indexes = new IdentityHashMap<>();
        List<SubjectState> states = new ArrayList<>();
        for (int i = 0; i < stored.subjects().size(); i++) {
            SubjectState before = stored.subjects().get(i);
            SubjectState state = versions.isEmpty()
                    ? before
                    : new SubjectState(before.database(), before.table(), newest, newest, before.listsVersion(), before.lossyValues(), Map.of());
            states.add(state);
            indexes.put(state, stored.indexes().get(i));
        }
        entries.restore(newest, states, state -> {
            Map<MetastoreView, StoredTable> tablesOfSubject = new HashMap<>();
            requireNonNull(indexes.get(state)).forEach((reader, index) -> tablesOfSubject.put(reader, new StoredTable(blobs, index)));
            return tablesOfSubject;
        }, tables::add);
        if (stored.mark() != mark.current()) {
            entries.forgetLists("", "");
        }
    }

    /** Notes that the log validates an entry that is not stored yet. */
    void kept(EntryKey key)
    {
        if (key.subject().table().isEmpty() || waiting.size() >= MOST_WAITING) {
            refused.increment();
            return;
        }
        waiting.add(key);
    }

    /** Drops the stored entries of a subject that has ended. */
    void ended(Subject subject)
    {
        if (tables.remove(subject)) {
            endedTables.add(subject);
        }
    }

    /**
     * Reads stored entries into memory: those of these keys, which have the same subject and reader, and those that are stored together with them. Returns whether
     * there were any.
     */
    boolean load(Collection<EntryKey> keys)
    {
        EntryKey any = keys.iterator().next();
        Optional<StoredTable> table = any.subject().stored(any.reader());
        if (table.isEmpty()) {
            return false;
        }
        Map<String, EntryKey> wanted = new HashMap<>();
        keys.forEach(key -> StoredKey.text(key).ifPresent(text -> wanted.put(text, key)));
        IdentityHashMap<ByteBuffer, Optional<PackedPartition.Template>> templates = new IdentityHashMap<>();
        long read = 0;
        for (Map.Entry<String, StoredValue> found : table.get().near(wanted.keySet()).entrySet()) {
            StoredKey storedKey = StoredKey.parse(found.getKey());
            EntryKey key = wanted.get(found.getKey());
            if (key == null) {
                key = storedKey.ofPartition(any.subject(), any.reader()).orElse(null);
            }
            if (key != null && load(key, storedKey, found.getValue(), templates)) {
                read++;
            }
        }
        entriesRead.add(read);
        return read > 0;
    }

    private boolean load(EntryKey key, StoredKey storedKey, StoredValue value,
            IdentityHashMap<ByteBuffer, Optional<PackedPartition.Template>> templates)
    {
        Duration remaining = entries.age(key).minusMillis(ageMillis(value));
        if (remaining.isNegative() || remaining.isZero() || entries.isInMemory(key) || !isCurrent(key.subject(), storedKey, value)) {
            return false;
        }
        record DecodedEntry(Optional<Object> metastoresVersion, Object packed)
        {}
        Optional<DecodedEntry> decoded = blobs.decoded(EntryCodec.bytes(value.own()), bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            Optional<Object> metastoresVersion = versions.map(source -> source.decode(token(in)));
            return new DecodedEntry(metastoresVersion, key.kind() == EntryKind.PARTITION
                    ? partition(key, value.shared(), in, templates)
                    : EntryCodec.read(key.kind(), in));
        });
        return decoded.isPresent() && entries.keepStored(key, storedKey, value, decoded.get().metastoresVersion(), decoded.get().packed(), remaining);
    }

    /* A version of the metastore's own is compared when the entry is used. */
    private boolean isCurrent(Subject subject, StoredKey key, StoredValue value)
    {
        return versions.isPresent() || subject.isCurrent(key, value.version());
    }

    private static ByteBuffer token(ByteBuffer in)
    {
        int length = in.getInt();
        ByteBuffer token = in.slice(in.position(), length);
        in.position(in.position() + length);
        return token;
    }

    /* Returns the bytes of the metastore's own version of a partition or table; none if a log validates entries, empty if the version is not known. */
    private Optional<byte[]> token(Subject subject, List<String> values)
    {
        return versions.isEmpty() ? Optional.of(new byte[0]) : entries.foundVersion(subject, values).flatMap(versions.get()::encode);
    }

    private static PackedPartition partition(EntryKey key, ByteBuffer shared, ByteBuffer in,
            IdentityHashMap<ByteBuffer, Optional<PackedPartition.Template>> templates)
    {
        PackedPartition.Template template = templates.computeIfAbsent(shared, bytes -> Optional.of(PackedPartition.shared(EntryCodec.template(bytes
                .duplicate())))).orElseThrow();
        List<String> values = in.get() == 0 ? key.partitionValues() : PackedText.readList(in);
        byte[] packed = new byte[in.remaining()];
        in.get(packed);
        return PackedPartition.stored(template, values, packed);
    }

    /** Returns a list of files that is stored under this version, if that is still current. Reads from the disk. */
    public Optional<FoundList> findList(Subject subject, List<String> values, long version, BlobKey identity)
    {
        Optional<StoredTable> table = subject.stored(LISTS);
        Optional<String> text = StoredKey.ofList(values, identity);
        if (table.isEmpty() || text.isEmpty()) {
            return Optional.empty();
        }
        StoredValue value = table.get().near(List.of(text.get())).get(text.get());
        boolean ofVersion = value != null && (versions.isPresent() || value.version() == version);
        if (!ofVersion || value == null || !isCurrent(subject, StoredKey.parse(text.get()), value)) {
            return Optional.empty();
        }
        Optional<byte[]> token = token(subject, values);
        Optional<ByteBuffer> list = token.flatMap(now -> blobs.decoded(EntryCodec.bytes(value.own()), bytes -> {
            ByteBuffer own = ByteBuffer.wrap(bytes);
            boolean current = own.getLong() == subject.listsVersion() && token(own).equals(ByteBuffer.wrap(now));
            return current ? Optional.of(own.slice()) : Optional.<ByteBuffer>empty();
        })).flatMap(Function.identity());
        list.ifPresent(found -> entriesRead.increment());
        return list.map(found -> new FoundList(found, ageMillis(value)));
    }

    /**
     * Stores a list of files behind queries, unless its version changes before.
     *
     * @param list encodes it; empty if it is no longer cached
     */
    public void listKept(Subject subject, List<String> values, long version, BlobKey identity, Supplier<Optional<byte[]>> list)
    {
        Optional<String> text = StoredKey.ofList(values, identity);
        Optional<byte[]> token = token(subject, values);
        if (text.isEmpty() || token.isEmpty() || waitingLists.size() >= MOST_WAITING_LISTS) {
            refused.increment();
            return;
        }
        waitingLists.put(new ListKey(subject, text.get()), new WaitingList(version, subject.listsVersion(), millis.getAsLong(), ByteBuffer.wrap(token
                .get()),
                list));
    }

    /**
     * Drops the stored lists of files of a table, of a database if {@code table} is empty, or all if both are empty.
     *
     * @param forGood whether no crash may undo it; waits for a disk then
     */
    public void forgetLists(String database, String table, boolean forGood)
    {
        entries.forgetLists(database, table); // before the mark: a root with the new mark contains this
        if (forGood) {
            mark.renew();
        }
    }

    /* Of a clock that was set back, the age is unknown. */
    private long ageMillis(StoredValue value)
    {
        long age = millis.getAsLong() - value.millis();
        return age < 0 ? Long.MAX_VALUE / 2_000_000 : age;
    }

    /**
     * Stores the entries that are not stored yet, as far as the bytes of one flush reach, and the root. Does not throw because of the state of a disk.
     *
     * @param position returns the position up to which all events were applied; empty if no log validates entries
     * @param last whether the process ends, so that the root is written now
     * @return whether entries are left
     */
    public synchronized boolean flush(Supplier<Optional<ByteBuffer>> position, boolean last)
    {
        long epoch = entries.epoch();
        Optional<ByteBuffer> reached = position.get();
        if (reached.isEmpty()) {
            // without a log, nothing is ever stored
            waiting.removeIf(key -> !entries.isInMemory(key));
            waitingLists.clear();
            return false;
        }
        long markNow = mark.current();
        long begun = millis.getAsLong();
        boolean whole = storeEntries();
        if (whole) {
            flushMillis = begun;
        }
        for (Subject ended = endedTables.poll(); ended != null; ended = endedTables.poll()) {
            ended.stored().values().forEach(table -> nowReplaced.addAll(table.blobs()));
        }
        if (!last && !isRootDue(markNow, begun)) {
            return !whole;
        }
        byte[] bytes = encode(reached.get(), markNow);
        if (entries.epoch() != epoch || Arrays.equals(bytes, writtenRoot)) {
            return !whole;
        }
        if (bytes.length > mostRootBytes) {
            refused.increment();
            // no root refers to them
            blobs.drop(nowReplaced);
            nowReplaced = new ArrayList<>();
            // the next one is not smaller soon
            rootMark = markNow;
            rootMillis = begun;
            log.log("The metadata of " + tables.size() + " tables is not stored: their versions take " + bytes.length + " bytes, and at most "
                    + mostRootBytes + " can be stored");
            return false;
        }
        root.write(bytes);
        writtenRoot = bytes;
        rootMark = markNow;
        rootMillis = begun;
        blobs.drop(replaced);
        replaced = nowReplaced;
        nowReplaced = new ArrayList<>();
        return !whole;
    }

    /* Until then, events after the position of the root before are applied once more. What no event reports, such as an operator's command, renews the mark. */
    private boolean isRootDue(long markNow, long nowMillis)
    {
        long sinceMillis = nowMillis - rootMillis;
        return markNow != rootMark || sinceMillis < 0 || sinceMillis / 1000 >= writtenRoot.length / ROOT_BYTES_PER_SECOND;
    }

    /* Stores what waits, in the order of the keys of each table, so that each chunk is written once. Returns whether that was everything. */
    private boolean storeEntries()
    {
        record Owner(Subject subject, MetastoreView reader)
        {}
        IdentityHashMap<PackedPartition.Template, Optional<ByteBuffer>> templates = new IdentityHashMap<>();
        Map<Owner, TreeMap<String, WaitingValue>> all = new LinkedHashMap<>();
        waiting.forEach(key -> StoredKey.text(key).ifPresentOrElse(
                text -> all.computeIfAbsent(new Owner(key.subject(), key.reader()), any -> new TreeMap<>()).put(text, new WaitingValue(() -> {
                    waiting.remove(key); // first, so that it waits again if another value is cached now
                    return value(key, StoredKey.parse(text), templates);
                }, () -> waiting.add(key))),
                () -> waiting.remove(key)));
        waitingLists.forEach((key, list) -> all.computeIfAbsent(new Owner(key.subject(), LISTS), any -> new TreeMap<>()).put(key.text(),
                new WaitingValue(
                        () -> {
                            waitingLists.remove(key, list);
                            return value(key, list);
                        }, () -> waitingLists.putIfAbsent(key, list))));
        trees = tables.stream().mapToInt(subject -> subject.stored().size()).sum();
        long end = blobs.writtenBytes() + MOST_FLUSHED_BYTES;
        for (Map.Entry<Owner, TreeMap<String, WaitingValue>> owner : all.entrySet()) {
            if (!storeWaiting(owner.getKey().subject(), owner.getKey().reader(), owner.getValue(), end)) {
                return false;
            }
        }
        return true;
    }

    private boolean storeWaiting(Subject subject, MetastoreView reader, SortedMap<String, WaitingValue> all, long end)
    {
        TreeMap<String, StoredValue> values = new TreeMap<>();
        long bytes = 0;
        Iterator<Map.Entry<String, WaitingValue>> texts = all.entrySet().iterator();
        while (texts.hasNext()) {
            Map.Entry<String, WaitingValue> text = texts.next();
            Optional<StoredValue> value = text.getValue().value().get();
            if (value.isPresent()) {
                values.put(text.getKey(), value.get());
                bytes += value.get().own().remaining();
            }
            if (!values.isEmpty() && (bytes > MOST_BYTES_AT_ONCE || !texts.hasNext())) {
                SortedMap<String, StoredValue> left = store(subject, reader, values, end);
                left.keySet().forEach(again -> requireNonNull(all.get(again)).again().run());
                if (!left.isEmpty()) {
                    return false;
                }
                values.clear();
                bytes = 0;
            }
        }
        return true;
    }

    private SortedMap<String, StoredValue> store(Subject subject, MetastoreView reader, SortedMap<String, StoredValue> values, long end)
    {
        Optional<StoredTable> before = subject.stored(reader);
        if (before.isEmpty() && trees >= MOST_TABLES) {
            refused.add(values.size());
            return Collections.emptySortedMap();
        }
        StoredTable table = before.orElseGet(() -> new StoredTable(blobs));
        SortedMap<String, StoredValue> left = table.write(values, (text, value) -> ageMillis(value) < entries.mostAge().toMillis() && isCurrent(
                subject,
                StoredKey.parse(text), value), end, nowReplaced);
        entriesWritten.add(values.size() - left.size());
        if (before.isEmpty()) {
            trees++;
            tables.add(subject);
            if (!subject.setStored(reader, table)) {
                tables.remove(subject);
            }
        }
        return left;
    }

    /* The value and its version belong together: a change drops the value before it changes the version, and both under the subject's lock. */
    private Optional<StoredValue> value(EntryKey key, StoredKey storedKey, IdentityHashMap<PackedPartition.Template, Optional<ByteBuffer>> templates)
    {
        record VersionedValue(CachedValue cached, long version)
        {}
        Optional<VersionedValue> found = key.subject().withVersion(storedKey, version -> (versions.isEmpty()
                ? entries.byTheLog(key)
                : entries.underAnyVersion(key)).map(cached -> new VersionedValue(cached, version)));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> token = versions.isEmpty() ? Optional.of(new byte[0]) : versions.get().encode(found.get().cached().version());
        Object packed = found.get().cached().packed();
        Optional<StoredValue> value = packed instanceof PackedPartition partition
                ? templates.computeIfAbsent(partition.template(), template -> EntryCodec.encode(template).map(ByteBuffer::wrap))
                        .flatMap(shared -> token.map(of -> new StoredValue(found.get().version(), flushMillis, shared, own(of, bytes(partition,
                                key)))))
                : EntryCodec.encode(key.kind(), packed)
                        .flatMap(bytes -> token.map(of -> new StoredValue(found.get().version(), flushMillis, ByteBuffer.allocate(0), own(of,
                                bytes))));
        if (value.isEmpty()) {
            refused.increment();
        }
        return value;
    }

    private Optional<StoredValue> value(ListKey key, WaitingList waitingList)
    {
        Optional<Boolean> current = key.subject().withVersion(StoredKey.parse(key.text()), version -> Optional.of(version == waitingList.version()));
        if (!current.orElse(false)) {
            return Optional.empty();
        }
        Optional<byte[]> list = waitingList.list().get();
        if (list.isEmpty()) {
            refused.increment();
        }
        ByteBuffer token = waitingList.token().duplicate();
        return list.map(bytes -> new StoredValue(waitingList.version(), waitingList.millis(), ByteBuffer.allocate(0), ByteBuffer.allocate(
                Long.BYTES + Integer.BYTES + token.remaining() + bytes.length).putLong(waitingList.listsVersion()).putInt(token.remaining()).put(
                        token).put(
                                bytes).flip()));
    }

    private ByteBuffer own(byte[] token, byte[] bytes)
    {
        return versions.isEmpty()
                ? ByteBuffer.wrap(bytes)
                : ByteBuffer.allocate(Integer.BYTES + token.length + bytes.length).putInt(token.length).put(token).put(bytes).flip();
    }

    private static byte[] bytes(PackedPartition partition, EntryKey key)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        boolean ofKey = partition.values().equals(key.partitionValues());
        out.writeBoolean(!ofKey);
        if (!ofKey) {
            PackedText.write(partition.values(), out);
        }
        out.write(partition.packed());
        return out.toByteArray();
    }

    private byte[] encode(ByteBuffer position, long markNow)
    {
        List<SubjectState> states = new ArrayList<>();
        List<Map<MetastoreView, BlobKey>> indexes = new ArrayList<>();
        for (Subject subject : tables) {
            Map<MetastoreView, BlobKey> ofSubject = new HashMap<>();
            subject.stored().forEach((reader, table) -> table.index().ifPresent(index -> ofSubject.put(reader, index)));
            subject.state().ifPresent(state -> {
                states.add(state);
                indexes.add(ofSubject);
            });
        }
        return new StoredRoot(position, markNow, entries.newestVersion(), states, indexes).encode(); // the newest version is read after the others
    }

    public StoredStats stats()
    {
        return new StoredStats(
                resumptions.sum(),
                entriesRead.sum(),
                entriesWritten.sum(),
                blobs.writtenBytes(),
                refused.sum(),
                blobs.lostBlobs(),
                blobs.undecodableBlobs());
    }
}
