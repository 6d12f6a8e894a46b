// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The key of a leaf's result for a split.
 *
 * @param rows identifies the rows or groups and their order: results with equal {@code rows} differ only in their columns
 * @param outputs the requested columns, in the requested order; a column may occur twice
 */
public record FragmentKey(BlobKey rows, List<OutputId> outputs)
{
    private static final byte ROWS = 1;
    private static final byte RESULT = 2;
    private static final byte KNOWN = 3;
    private static final byte RANGE = 4;
    private static final byte OPENING = 5;
    private static final byte FACTS = 6;

    public FragmentKey
    {
        outputs = List.copyOf(outputs);
    }

    /** Returns the key of a leaf over a split. */
    public static FragmentKey of(CanonicalLeaf leaf, SplitKey split)
    {
        return new FragmentKey(hash(ROWS, new IdentityWriter().bytes(leaf.rows()).bytes(split.identity()).toBytes()), leaf.outputs());
    }

    /** Returns the key of the range of values in one column of a split; {@code column} writes the column's identity. */
    public static BlobKey range(SplitKey split, Consumer<IdentityWriter> column)
    {
        return hash(RANGE, split, column);
    }

    /** Returns the key of the opening of a split for some columns; {@code columns} writes the identities of the columns. */
    public static BlobKey opening(SplitKey split, Consumer<IdentityWriter> columns)
    {
        return hash(OPENING, split, columns);
    }

    /** Returns the key of what the footer of a file proves, given the identity of everything else that it depends on. */
    public static BlobKey facts(FileVersion version, BlobKey other)
    {
        return hash(FACTS, new IdentityWriter().file(version).number(other.hashHigh()).number(other.hashLow()).toBytes());
    }

    /** Returns the requested columns without repetition, in the order in which they are stored. */
    public List<OutputId> storedOutputs()
    {
        return List.copyOf(new TreeSet<>(outputs));
    }

    /** Returns the key of the stored result with these columns, in stored order. */
    public BlobKey result(List<OutputId> stored)
    {
        return hash(RESULT, encoded(stored));
    }

    /** Returns the key of the list of column sets for which results exist. */
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

    private static BlobKey hash(byte kind, SplitKey split, Consumer<IdentityWriter> columns)
    {
        IdentityWriter writer = new IdentityWriter().bytes(split.identity());
        columns.accept(writer);
        return hash(kind, writer.toBytes());
    }

    /* The prefix separates these keys from those of the store's other users. */
    private static BlobKey hash(byte kind, byte[] identity)
    {
        return BlobKey.of(ByteBuffer.wrap(new IdentityWriter().text("fragment").number(kind).bytes(identity).toBytes()));
    }
}
