package io.eyrie.cache.segment;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;

/** What a thread needs to read or write frames: a direct buffer and a checksum. Used by one thread at a time. */
final class Scratch
{
    /** For reads: so little that it is still in the processor's cache when it is verified and copied. */
    static final int READ_BYTES = 256 << 10;
    /** For writes: so much that the operating system takes it in large pieces, which are read faster than small ones as long as it keeps them. */
    static final int WRITE_BYTES = 1 << 20;

    private final ByteBuffer frames;
    private final ByteBuffer selected;
    private final ByteBuffer sector;
    private final CRC32C crc = new CRC32C();

    private Scratch(int framesBytes, int sectorBytes)
    {
        frames = ByteBuffer.allocateDirect(framesBytes);
        selected = frames.duplicate();
        sector = ByteBuffer.allocateDirect(sectorBytes);
    }

    /** Room for {@link Pool#chunkFrames()} frames. */
    ByteBuffer frames()
    {
        return frames.clear();
    }

    /** Makes a part of the frames, which is one frame, the selected one. */
    void select(int start, int bytes)
    {
        selected.limit(start + bytes).position(start);
    }

    /** The selected frame, all that remains; whose position and limit anyone may move. */
    ByteBuffer selected()
    {
        return selected;
    }

    /** Room for a sector. */
    ByteBuffer sector()
    {
        return sector.clear();
    }

    /** The checksum of what remains in a buffer, whose position moves to its limit. */
    long checksum(ByteBuffer bytes)
    {
        crc.reset();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Lends scratches. Keeps a bounded number of them; further ones live for one use. Thread-safe, without locks. */
    static final class Pool
    {
        private static final int KEPT = 64;

        private final AtomicReferenceArray<Scratch> kept = new AtomicReferenceArray<>(KEPT);
        private final int chunkFrames;
        private final int framesBytes;
        private final int sectorBytes;

        /** @param bytes about as many at a time, but whole granules */
        Pool(Layout layout, boolean encrypted, int bytes)
        {
            chunkFrames = Math.max(layout.sectorsPerGranule(), Math.min(bytes, layout.unitBytes()) / layout.sectorBytes());
            framesBytes = chunkFrames * layout.frameBytes();
            sectorBytes = encrypted ? layout.sectorBytes() : 0;
        }

        /** How many frames are read or written at a time. */
        int chunkFrames()
        {
            return chunkFrames;
        }

        Scratch take()
        {
            int start = (int) Thread.currentThread().getId();
            for (int i = 0; i < KEPT; i++) {
                int place = start + i & KEPT - 1;
                Scratch scratch = kept.getPlain(place) == null ? null : kept.getAndSet(place, null);
                if (scratch != null) {
                    return scratch;
                }
            }
            return new Scratch(framesBytes, sectorBytes);
        }

        void give(Scratch scratch)
        {
            int start = (int) Thread.currentThread().getId();
            for (int i = 0; i < KEPT; i++) {
                int place = start + i & KEPT - 1;
                if (kept.getPlain(place) == null && kept.compareAndSet(place, null, scratch)) {
                    return;
                }
            }
        }
    }
}
