// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.slice.DynamicSliceOutput;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes a digest of rows that does not depend on their order: two inputs with equal digests have the same rows equally often. Thread-safe. */
public final class RowsDigest
{
    /*
     * The number of rows, and the sum of their SHA-256 hashes modulo 2^256. A row is encoded as its values, each with a flag for NULL and, if its length
     * varies, with its length. NaNs and zeros of different bits are different values: that costs a hit at most.
     */
    private static final int WORDS = 4;

    private final int[] channels;
    @GuardedBy("this")
    private final long[] sum = new long[WORDS];
    @GuardedBy("this")
    private long rows;

    /** @param channels the channels to read, in the order in which they are encoded */
    public RowsDigest(int[] channels)
    {
        this.channels = channels.clone();
    }

    private static MessageDigest sha256()
    {
        try {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Adds the rows of a page. Several threads hash their pages at the same time. */
    public void add(Page page)
    {
        Block[] blocks = new Block[channels.length];
        for (int i = 0; i < channels.length; i++) {
            blocks[i] = page.getBlock(channels[i]).getLoadedBlock();
        }
        MessageDigest hash = sha256();
        DynamicSliceOutput row = new DynamicSliceOutput(256);
        long[] words = new long[WORDS];
        long[] added = new long[WORDS];
        for (int position = 0; position < page.getPositionCount(); position++) {
            row.reset();
            for (Block block : blocks) {
                block.writePositionTo(position, row);
            }
            hash.update(row.getUnderlyingSlice().byteArray(), 0, row.size());
            ByteBuffer.wrap(hash.digest()).asLongBuffer().get(words);
            add(added, words);
        }
        synchronized (this) {
            add(sum, added);
            rows += page.getPositionCount();
        }
    }

    private static void add(long[] sum, long[] addend)
    {
        long carry = 0;
        for (int word = WORDS - 1; word >= 0; word--) {
            long value = addend[word];
            long added = sum[word] + value;
            long carried = added + carry;
            carry = (Long.compareUnsigned(added, value) < 0 || Long.compareUnsigned(carried, added) < 0) ? 1 : 0;
            sum[word] = carried;
        }
    }

    /** Returns the digest of the rows added so far. */
    public synchronized byte[] toBytes()
    {
        ByteBuffer out = ByteBuffer.allocate((1 + WORDS) * Long.BYTES).putLong(rows);
        for (long word : sum) {
            out.putLong(word);
        }
        return out.array();
    }
}
