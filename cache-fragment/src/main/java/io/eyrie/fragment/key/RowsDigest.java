// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import io.airlift.slice.DynamicSliceOutput;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes a digest of rows that does not depend on their order: two inputs with equal digests have the same rows equally often. Used by one thread at a
 * time.
 */
public final class RowsDigest
{
    /*
     * The number of rows, and the sum of their SHA-256 hashes modulo 2^256. A row is encoded as its values, each with a flag for NULL and, if its length
     * varies, with its length. NaNs and zeros of different bits are different values: that costs a hit at most.
     */
    private static final int WORDS = 4;

    private final int[] channels;
    private final MessageDigest hash;
    private final DynamicSliceOutput row = new DynamicSliceOutput(256);
    private final long[] sum = new long[WORDS];
    private long rows;

    /** @param channels the channels to read, in the order in which they are encoded */
    public RowsDigest(int[] channels)
    {
        this.channels = channels.clone();
        try {
            this.hash = MessageDigest.getInstance("SHA-256");
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Adds the rows of a page. */
    public void add(Page page)
    {
        Block[] blocks = new Block[channels.length];
        for (int i = 0; i < channels.length; i++) {
            blocks[i] = page.getBlock(channels[i]).getLoadedBlock();
        }
        for (int position = 0; position < page.getPositionCount(); position++) {
            row.reset();
            for (Block block : blocks) {
                block.writePositionTo(position, row);
            }
            hash.update(row.getUnderlyingSlice().byteArray(), 0, row.size());
            add(ByteBuffer.wrap(hash.digest()));
        }
        rows += page.getPositionCount();
    }

    private void add(ByteBuffer addend)
    {
        long carry = 0;
        for (int word = WORDS - 1; word >= 0; word--) {
            long value = addend.getLong(word * Long.BYTES);
            long added = sum[word] + value;
            long carried = added + carry;
            carry = (Long.compareUnsigned(added, value) < 0 || Long.compareUnsigned(carried, added) < 0) ? 1 : 0;
            sum[word] = carried;
        }
    }

    /** Returns the digest of the rows added so far. */
    public byte[] toBytes()
    {
        ByteBuffer out = ByteBuffer.allocate((1 + WORDS) * Long.BYTES).putLong(rows);
        for (long word : sum) {
            out.putLong(word);
        }
        return out.array();
    }
}
