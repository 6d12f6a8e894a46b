package io.eyrie.fragment.key;

import io.eyrie.cache.blob.BlobKey;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What a leaf gives for a split.
 *
 * @param rows which rows or groups, in which order: results with equal {@code rows} differ in their columns alone
 * @param outputs the columns that are asked for, in the order in which they are; one may be asked for twice
 */
public record FragmentKey(BlobKey rows, List<OutputId> outputs)
{
    private static final byte ROWS = 1;
    private static final byte RESULT = 2;
    private static final byte KNOWN = 3;
    private static final byte RANGE = 4;

    public FragmentKey
    {
        outputs = List.copyOf(outputs);
    }

    /** The key of a leaf over a split. */
    public static FragmentKey of(CanonicalLeaf leaf, SplitKey split)
    {
        return new FragmentKey(hash(ROWS, new IdentityWriter().bytes(leaf.rows()).bytes(split.identity()).toBytes()), leaf.outputs());
    }

    /** Where it is kept which values a column, told by what is written, holds in a split. */
    public static BlobKey range(SplitKey split, Consumer<IdentityWriter> column)
    {
        IdentityWriter writer = new IdentityWriter().bytes(split.identity());
        column.accept(writer);
        return hash(RANGE, writer.toBytes());
    }

    /** The columns asked for, each once, in the order in which they are stored. */
    public List<OutputId> storedOutputs()
    {
        return List.copyOf(new TreeSet<>(outputs));
    }

    /** Where a result with these columns, in stored order, is kept. */
    public BlobKey result(List<OutputId> stored)
    {
        return hash(RESULT, encoded(stored));
    }

    /** Where it is kept which columns there are results with. */
    public BlobKey known()
    {
        return hash(KNOWN, encoded(List.of()));
    }

    private byte[] encoded(List<OutputId> stored)
    {
        ByteBuffer identity = ByteBuffer.allocate((stored.size() + 1) * OutputId.BYTES);
        identity.putLong(rows.hashHigh()).putLong(rows.hashLow());
        stored.forEach(output -> identity.putLong(output.high()).putLong(output.low()));
        return identity.array();
    }

    /* Other tenants of the store begin their identities otherwise. */
    private static BlobKey hash(byte kind, byte[] identity)
    {
        return BlobKey.of(ByteBuffer.wrap(new IdentityWriter().text("fragment").number(kind).bytes(identity).toBytes()));
    }
}
