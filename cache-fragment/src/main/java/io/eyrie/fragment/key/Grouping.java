// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.eyrie.cache.blob.BlobKey;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The groups and aggregates of a leaf, in hashes: enough to find its results and to tell whether they answer another leaf.
 *
 * @param joins identifies the rows of joins that the leaf is over, if it is not over a table
 * @param partitionColumns the partition columns that the leaf reads, whose values are part of the key of a split
 */
public record Grouping(
        Optional<BlobKey> joins,
        Set<BlobKey> conjuncts,
        Set<BlobKey> keys,
        Set<OutputId> aggregates,
        Set<String> partitionColumns)
{
    public Grouping
    {
        conjuncts = Set.copyOf(conjuncts);
        keys = Set.copyOf(keys);
        aggregates = Set.copyOf(aggregates);
        partitionColumns = Set.copyOf(partitionColumns);
    }

    static BlobKey key(byte[] hash)
    {
        ByteBuffer bytes = ByteBuffer.wrap(hash);
        return new BlobKey(bytes.getLong(), bytes.getLong());
    }

    static byte[] hash(BlobKey key)
    {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(key.hashHigh()).putLong(key.hashLow()).array();
    }

    private static List<byte[]> hashes(Collection<BlobKey> keys)
    {
        return keys.stream().map(Grouping::hash).toList();
    }

    /** Returns the canonical form of leaves of this grouping with these columns. */
    public CanonicalLeaf form(List<OutputId> outputs)
    {
        return new CanonicalLeaf(CanonicalLeaf.rows(joins.map(Grouping::hash), hashes(conjuncts), Optional.of(hashes(keys))), outputs);
    }

    /** Writes the grouping in the form that {@link #read} reads; equal groupings have equal bytes. */
    public void write(SliceOutput out)
    {
        write(joins.stream().toList(), out);
        write(conjuncts, out);
        write(keys, out);
        write(aggregates.stream().map(output -> new BlobKey(output.high(), output.low())).toList(), out);
        out.writeInt(partitionColumns.size());
        partitionColumns.stream().sorted().forEach(column -> {
            byte[] name = column.getBytes(UTF_8);
            out.writeInt(name.length);
            out.writeBytes(name);
        });
    }

    private static void write(Collection<BlobKey> hashes, SliceOutput out)
    {
        out.writeInt(hashes.size());
        hashes.stream().sorted(Comparator.comparingLong(BlobKey::hashHigh).thenComparingLong(BlobKey::hashLow)).forEach(hash -> {
            out.writeLong(hash.hashHigh());
            out.writeLong(hash.hashLow());
        });
    }

    /**
     * Reads a grouping.
     *
     * @throws RuntimeException if the bytes are not those of a grouping
     */
    public static Grouping read(SliceInput in)
    {
        Optional<BlobKey> joins = hashes(in).stream().findFirst();
        Set<BlobKey> conjuncts = hashes(in);
        Set<BlobKey> keys = hashes(in);
        Set<OutputId> aggregates = hashes(in).stream().map(hash -> new OutputId(hash.hashHigh(), hash.hashLow())).collect(Collectors.toSet());
        Set<String> columns = IntStream.range(0, in.readInt()).mapToObj(i -> in.readSlice(in.readInt()).toStringUtf8()).collect(Collectors.toSet());
        return new Grouping(joins, conjuncts, keys, aggregates, columns);
    }

    private static Set<BlobKey> hashes(SliceInput in)
    {
        return IntStream.range(0, in.readInt()).mapToObj(i -> new BlobKey(in.readLong(), in.readLong())).collect(Collectors.toSet());
    }

    /** Returns the number of hashes and names. */
    public int size()
    {
        return 1 + conjuncts.size() + keys.size() + aggregates.size() + partitionColumns.size();
    }
}
