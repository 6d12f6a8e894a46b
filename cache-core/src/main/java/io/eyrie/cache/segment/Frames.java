// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Converts sectors to frames and back. A frame is a sector with a checksum that proves its identity, or a sector sealed by the segment's cipher. */
final class Frames
{
    /*
     * Plain       sector | checksum, 64 bits, big-endian: mix(seed + CRC32C(sector)), where the seed represents key, sector and generation. Another
     *             page's frame passes with a probability of 2^-64, a damaged sector with 2^-32; a burst of up to 32 bits never passes.
     * Sealed      as GranuleCipher defines it: AES-GCM authenticates the same identity
     */
    static final int CHECKSUM_BYTES = Long.BYTES;

    private Frames()
    {}

    /** Appends the frame of a sector, which consists of the remaining bytes of {@code sector}; moves the position of {@code sector} to its end. */
    static void encode(Scratch scratch, Segment segment, Unit unit, int sectorInUnit, ByteBuffer sector, ByteBuffer frames)
    {
        GranuleCipher cipher = segment.cipher();
        if (cipher != null) {
            cipher.seal(unit.key().hashHigh(), unit.key().hashLow(), unit.firstSector() + sectorInUnit, sector, frames);
            return;
        }
        int start = frames.position();
        int length = sector.remaining();
        frames.put(sector);
        long crc = scratch.checksum(frames.duplicate().position(start).limit(start + length));
        frames.order(ByteOrder.BIG_ENDIAN).putLong(checksum(unit, sectorInUnit, segment.generation(), crc));
    }

    /**
     * Verifies the frame that a scratch has selected, and copies bytes of its sector.
     *
     * @param from their start within the sector
     * @param to their end
     * @param target receives them
     * @return whether the frame is valid for this sector; if not, the target's content is undefined
     */
    static boolean decode(Scratch scratch, Segment segment, Unit unit, int sectorInUnit, int from, int to, ByteBuffer target)
    {
        GranuleCipher cipher = segment.cipher();
        if (cipher != null) {
            return open(cipher, scratch, unit, unit.firstSector() + sectorInUnit, from, to, target);
        }
        ByteBuffer frame = scratch.selected();
        int start = frame.position();
        int length = frame.remaining() - CHECKSUM_BYTES;
        long stored = frame.getLong(start + length);
        long crc = scratch.checksum(frame.limit(start + length));
        if (stored != checksum(unit, sectorInUnit, segment.generation(), crc)) {
            return false;
        }
        int position = target.position();
        target.put(position, frame, start + from, to - from).position(position + to - from);
        return true;
    }

    private static boolean open(GranuleCipher cipher, Scratch scratch, Unit unit, long sector, int from, int to, ByteBuffer target)
    {
        ByteBuffer frame = scratch.selected();
        int length = frame.remaining() - GranuleCipher.OVERHEAD_BYTES;
        boolean whole = to - from == length;
        ByteBuffer plain = whole ? target : scratch.sector();
        if (!cipher.open(unit.key().hashHigh(), unit.key().hashLow(), sector, frame, plain)) {
            return false;
        }
        if (!whole) {
            target.put(plain.limit(to).position(from));
        }
        return true;
    }

    private static long checksum(Unit unit, int sectorInUnit, long generation, long crc)
    {
        return Mix.mix(Mix.mix(unit.identity() ^ Mix.mix(generation + sectorInUnit)) + crc);
    }

    /** The number of bytes after the sector in a frame. */
    static int trailerBytes(boolean encrypted)
    {
        return encrypted ? GranuleCipher.OVERHEAD_BYTES : CHECKSUM_BYTES;
    }
}
