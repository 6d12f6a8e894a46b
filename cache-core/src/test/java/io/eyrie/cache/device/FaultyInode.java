// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The target of a name on a {@link FaultyDevice}: a directory, or the bytes of a file, now and as last forced. Guarded by the device. */
final class FaultyInode
{
    private static final int SECTOR_BYTES = 512;
    private static final int BLOCK_BYTES = 4 << 10;

    private final boolean directory;
    private final Bytes current = new Bytes();
    private final Bytes forced = new Bytes();
    private final List<Change> unforced = new ArrayList<>();

    private FaultyInode(boolean directory)
    {
        this.directory = directory;
    }

    static FaultyInode directory()
    {
        return new FaultyInode(true);
    }

    static FaultyInode of(byte[] content)
    {
        FaultyInode inode = new FaultyInode(false);
        inode.current.write(0, content);
        inode.forced.write(0, content);
        return inode;
    }

    /** A write or, without bytes, a truncation. */
    @SuppressWarnings("ArrayRecordComponent") // changes are not compared
    private record Change(long position, byte @Nullable [] bytes)
    {
        void apply(Bytes to)
        {
            if (bytes == null) {
                to.truncate(position);
            }
            else {
                to.write(position, bytes);
            }
        }
    }

    /** Returns a file that has this content; if its length is the same, it has holes where this one has them. */
    FaultyInode withContent(byte[] content)
    {
        return content.length == current.length ? of(content, current.blocks) : of(content);
    }

    private static FaultyInode of(byte[] content, BitSet blocks)
    {
        FaultyInode inode = of(content);
        for (Bytes bytes : List.of(inode.current, inode.forced)) {
            bytes.blocks.clear();
            bytes.blocks.or(blocks);
        }
        return inode;
    }

    boolean isDirectory()
    {
        return directory;
    }

    long lengthBytes()
    {
        return current.length;
    }

    /** The space of its blocks that were written; holes take none. */
    long usedBytes()
    {
        return (long) current.blocks.cardinality() * BLOCK_BYTES;
    }

    /** The space that a write would take in addition. */
    long growthBytes(long position, int length)
    {
        BitSet written = new BitSet();
        written.set((int) (position / BLOCK_BYTES), (int) ((position + length + BLOCK_BYTES - 1) / BLOCK_BYTES));
        written.andNot(current.blocks);
        return (long) written.cardinality() * BLOCK_BYTES;
    }

    byte[] content()
    {
        return Arrays.copyOf(current.bytes, current.length);
    }

    boolean read(long position, ByteBuffer target)
    {
        if (position + target.remaining() > current.length) {
            return false;
        }
        target.put(current.bytes, Math.toIntExact(position), target.remaining());
        return true;
    }

    void write(long position, byte[] bytes)
    {
        change(new Change(position, bytes));
    }

    void truncate(long length)
    {
        change(new Change(length, null));
    }

    private void change(Change change)
    {
        change.apply(current);
        unforced.add(change);
    }

    void force()
    {
        unforced.forEach(change -> change.apply(forced));
        unforced.clear();
    }

    /** Returns the inode as it is after a power loss. */
    FaultyInode crash(Random random, double survival)
    {
        if (directory) {
            return this;
        }
        FaultyInode survivor = of(Arrays.copyOf(forced.bytes, forced.length), forced.blocks);
        List<Change> changes = new ArrayList<>(unforced);
        if (survival < 1) {
            Collections.shuffle(changes, random);
        }
        for (Change change : changes) {
            if (random.nextDouble() < survival) {
                change.apply(survivor.current);
            }
            else if (change.bytes != null && survival > 0 && random.nextBoolean()) {
                tear(change.position, change.bytes, survivor.current, random);
            }
        }
        return survivor.withContent(survivor.content());
    }

    /** Writes a random subset of the sectors. */
    private static void tear(long position, byte[] bytes, Bytes to, Random random)
    {
        for (int offset = 0; offset < bytes.length; offset += SECTOR_BYTES) {
            if (random.nextBoolean()) {
                to.write(position + offset, Arrays.copyOfRange(bytes, offset, Math.min(bytes.length, offset + SECTOR_BYTES)));
            }
        }
    }

    private static final class Bytes
    {
        private byte[] bytes = new byte[0];
        private int length;
        private final BitSet blocks = new BitSet();

        void write(long position, byte[] source)
        {
            int start = Math.toIntExact(position);
            int end = start + source.length;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
            }
            System.arraycopy(source, 0, bytes, start, source.length);
            length = Math.max(length, end);
            blocks.set(start / BLOCK_BYTES, (end + BLOCK_BYTES - 1) / BLOCK_BYTES);
        }

        void truncate(long newLength)
        {
            int end = Math.toIntExact(newLength);
            if (end < length) {
                Arrays.fill(bytes, end, length, (byte) 0);
                length = end;
                blocks.clear((end + BLOCK_BYTES - 1) / BLOCK_BYTES, blocks.size());
            }
        }
    }
}
