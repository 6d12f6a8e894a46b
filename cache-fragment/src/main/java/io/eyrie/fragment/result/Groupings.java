// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.fragment.key.Grouping;
import io.eyrie.fragment.key.IdentityWriter;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The groupings of leaves that were looked up lately, by table: what finer results may exist. A hint, because the key of a result names its groups. They are
 * in memory and in the store that also holds the results. Bounded. Thread-safe.
 */
public final class Groupings
{
    private static final int MAGIC = 0x45594731; // EYG1
    private static final int MOST_OF_A_TABLE = 64;
    private static final int SLOTS = 16;
    private static final int MOST_HASHES = 64;
    private static final long MAX_BYTES = 4 << 20;
    // a hash in a set
    private static final int HASH_BYTES = 64;

    private final BlobCache blobs;
    private final Cache<Scope, List<Grouping>> tables = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .<Scope, List<Grouping>>weigher((table, groupings) -> HASH_BYTES * (2 + groupings.stream().mapToInt(Grouping::size).sum()))
            .build();

    private final LoadEpoch loads = new LoadEpoch();

    /** @param blobs the store of the groupings; not closed here */
    public Groupings(BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Returns the groupings of a table, the latest first. */
    public List<Grouping> of(Scope table)
    {
        List<Grouping> known = tables.getIfPresent(table);
        if (known != null) {
            return known;
        }
        // a slow disk delays only callers that need its answer, so no lock is held
        long began = loads.current();
        List<Grouping> stored = IntStream.range(0, SLOTS).mapToObj(slot -> blobs.get(key(table, slot)).flatMap(Groupings::read))
                .flatMap(Optional::stream)
                .toList();
        boolean unused = loads.store(began, () -> tables.asMap().putIfAbsent(table, stored));
        return stored;
    }

    /** Remembers a grouping, unless it has very many parts. */
    public void add(Scope table, Grouping grouping)
    {
        long began = loads.current();
        List<Grouping> known = of(table);
        if (grouping.size() > MOST_HASHES || (!known.isEmpty() && known.get(0).equals(grouping))) {
            return;
        }
        boolean unused = loads.store(began, () -> tables.asMap().compute(table, (any, others) -> Stream.concat(
                Stream.of(grouping), (others == null ? known : others).stream().filter(other -> !other.equals(grouping)))
                .limit(MOST_OF_A_TABLE)
                .toList()));
        if (!known.contains(grouping)) {
            store(table, grouping);
        }
    }

    /* Each grouping has one of a few places, where a later one takes its place. */
    private void store(Scope table, Grouping grouping)
    {
        DynamicSliceOutput out = new DynamicSliceOutput(1024);
        out.writeInt(MAGIC);
        grouping.write(out);
        ByteBuffer bytes = ByteBuffer.wrap(out.slice().getBytes());
        BlobKey place = key(table, Math.floorMod(BlobKey.of(bytes).hashLow(), SLOTS));
        blobs.replace(place, new PageTags(table, StorageClass.RESULT), bytes, blobs.epoch());
    }

    private static BlobKey key(Scope table, int slot)
    {
        return BlobKey.of(ByteBuffer.wrap(new IdentityWriter().text("grouping").text(table.catalog()).text(table.schema()).text(table.table()).number(
                slot).toBytes()));
    }

    private static Optional<Grouping> read(byte[] bytes)
    {
        try {
            SliceInput in = Slices.wrappedBuffer(bytes).getInput();
            return in.readInt() == MAGIC ? Optional.of(Grouping.read(in)) : Optional.empty();
        }
        catch (RuntimeException e) {
            // written by another release
            return Optional.empty();
        }
    }

    /** Clears the copies in memory, after part of the store was invalidated: a grouping that is known is not stored again. */
    public void forgetMemory()
    {
        loads.invalidate(tables::invalidateAll);
    }

    /** Returns the number of tables whose groupings are in memory. */
    long currentTables()
    {
        tables.cleanUp();
        return tables.estimatedSize();
    }
}
