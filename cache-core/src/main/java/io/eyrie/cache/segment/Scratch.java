// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;

/** A direct buffer and a checksum, which a thread needs to read or write frames. Used by one thread at a time. */
final class Scratch
{
    /** For reads: small enough to be still in the processor's cache when it is verified and copied. */
    static final int READ_BYTES = 256 << 10;
    /** For writes: large enough that the operating system caches it in large blocks, which it reads faster than small ones as long as it caches them. */
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

    /** Returns the buffer for {@link Pool#bufferFrames()} frames, cleared. */
    ByteBuffer frames()
    {
        return frames.clear();
    }

    /** Selects one of the frames. */
    void select(int start, int bytes)
    {
        selected.limit(start + bytes).position(start);
    }

    /** The remaining bytes are the selected frame; callers may move its position and limit. */
    ByteBuffer selected()
    {
        return selected;
    }

    /** Returns the buffer for a sector, cleared. */
    ByteBuffer sector()
    {
        return sector.clear();
    }

    /** Returns the checksum of a buffer's remaining bytes; moves its position to its limit. */
    long checksum(ByteBuffer bytes)
    {
        crc.reset();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Lends scratches. Retains a bounded number of them; further ones are used once. Thread-safe, without locks. */
    static final class Pool
    {
        private static final int KEPT = 64;

        private final AtomicReferenceArray<Scratch> kept = new AtomicReferenceArray<>(KEPT);
        private final int bufferFrames;
        private final int framesBytes;
        private final int sectorBytes;

        /** @param bytes approximate number of bytes at a time, rounded to whole granules */
        Pool(Layout layout, boolean encrypted, int bytes)
        {
            bufferFrames = Math.max(layout.sectorsPerGranule(), Math.min(bytes, layout.unitBytes()) / layout.sectorBytes());
            framesBytes = bufferFrames * layout.frameBytes();
            sectorBytes = encrypted ? layout.sectorBytes() : 0;
        }

        /** The number of frames that are read or written at a time. */
        int bufferFrames()
        {
            return bufferFrames;
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
