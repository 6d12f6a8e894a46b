// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.cache.blob.BlobKey;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

import static java.util.Objects.requireNonNull;

/**
 * The stored values of a table, as one reader sees it, by key. Any of them may be lost at any time. Thread-safe; one thread at a time writes. No lock is held
 * during I/O.
 */
public final class StoredTable
{
    /*
     * Chunks  each a blob with the values whose keys lie between its first key and that of the next chunk. A chunk never changes: a write stores another one in its
     *         place, or several if it became too long
     * Index   the first key and the blob of each chunk, itself a blob; read at the first use
     */
    static final int MOST_CHUNK_BYTES = 128 << 10;
    private static final String LEAST_KEY = "";

    private final StoredBlobs blobs;
    private volatile @Nullable BlobKey index;
    private volatile @Nullable NavigableMap<String, BlobKey> chunks;

    /** Creates a table without values. */
    public StoredTable(StoredBlobs blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.chunks = Collections.emptyNavigableMap();
    }

    /** @param index see {@link #index()} */
    public StoredTable(StoredBlobs blobs, BlobKey index)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.index = requireNonNull(index, "index is null");
    }

    /** Returns the blob by which another process finds the values; empty if there are none. */
    public Optional<BlobKey> index()
    {
        return Optional.ofNullable(index);
    }

    /** Returns all values that are stored together with some of these keys. Reads from the disk. */
    public SortedMap<String, StoredValue> near(Collection<String> keys)
    {
        TreeMap<String, StoredValue> found = new TreeMap<>();
        NavigableMap<String, BlobKey> all = chunks();
        keys.stream().map(all::floorEntry).filter(chunk -> chunk != null).map(Map.Entry::getValue).distinct().forEach(
                chunk -> blobs.get(chunk, StoredChunk::decode).ifPresent(found::putAll));
        return found;
    }

    /**
     * Stores values in the order of their keys, until all blobs of the store together exceed some bytes.
     *
     * @param current whether a value that is already stored is still valid; others are dropped if they are in the way
     * @param end the most {@link StoredBlobs#writtenBytes}; at least one chunk is written
     * @param replaced receives the blobs that nothing refers to any more
     * @return the values that were not stored
     */
    public SortedMap<String, StoredValue> write(SortedMap<String, StoredValue> values, BiPredicate<String, StoredValue> current, long end,
            Collection<BlobKey> replaced)
    {
        TreeMap<String, BlobKey> written = new TreeMap<>(chunks());
        SortedMap<String, StoredValue> left = values;
        boolean more = true;
        while (more) {
            String first = Optional.ofNullable(written.floorKey(left.firstKey())).orElse(LEAST_KEY);
            String next = written.higherKey(first);
            SortedMap<String, StoredValue> ofChunk = next == null ? left : left.headMap(next);
            TreeMap<String, StoredValue> merged = new TreeMap<>();
            BlobKey before = written.remove(first);
            if (before != null) {
                blobs.get(before, StoredChunk::decode).ifPresent(merged::putAll);
                merged.entrySet().removeIf(value -> !current.test(value.getKey(), value.getValue()));
                replaced.add(before);
            }
            merged.putAll(ofChunk);
            store(first, merged, written);
            left = next == null ? Collections.emptySortedMap() : left.tailMap(next);
            more = !left.isEmpty() && blobs.writtenBytes() < end;
        }
        index().ifPresent(replaced::add);
        index = blobs.put(encode(written));
        chunks = Collections.unmodifiableNavigableMap(written);
        return left;
    }

    private void store(String first, SortedMap<String, StoredValue> values, Map<String, BlobKey> written)
    {
        List<TreeMap<String, StoredValue>> parts = new ArrayList<>();
        long bytes = Long.MAX_VALUE;
        for (Map.Entry<String, StoredValue> value : values.entrySet()) {
            long more = value.getValue().bytes() + 2L * value.getKey().length();
            if (bytes > MOST_CHUNK_BYTES - more) {
                parts.add(new TreeMap<>());
                bytes = 0;
            }
            bytes += more;
            parts.get(parts.size() - 1).put(value.getKey(), value.getValue());
        }
        for (int i = 0; i < parts.size(); i++) {
            written.put(i == 0 ? first : parts.get(i).firstKey(), blobs.put(StoredChunk.encode(parts.get(i))));
        }
    }

    /** Returns the known blobs of this table. */
    public Collection<BlobKey> blobs()
    {
        List<BlobKey> all = new ArrayList<>();
        index().ifPresent(all::add);
        NavigableMap<String, BlobKey> known = chunks;
        if (known != null) {
            all.addAll(known.values());
        }
        return all;
    }

    private NavigableMap<String, BlobKey> chunks()
    {
        NavigableMap<String, BlobKey> known = chunks;
        if (known == null) {
            known = index().flatMap(key -> blobs.get(key, StoredTable::decode)).orElse(Collections.emptyNavigableMap());
            chunks = known;
        }
        return known;
    }

    private static byte[] encode(Map<String, BlobKey> chunks)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeInt(chunks.size());
        chunks.forEach((first, chunk) -> {
            PackedText.write(first, out);
            out.writeLong(chunk.hashHigh());
            out.writeLong(chunk.hashLow());
        });
        return out.toByteArray();
    }

    private static NavigableMap<String, BlobKey> decode(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        TreeMap<String, BlobKey> chunks = new TreeMap<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            chunks.put(PackedText.read(in), new BlobKey(in.getLong(), in.getLong()));
        }
        return Collections.unmodifiableNavigableMap(chunks);
    }
}
