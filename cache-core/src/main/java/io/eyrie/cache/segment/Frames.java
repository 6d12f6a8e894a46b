package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Turns granules into frames and back: a granule with the checksum that proves which it is, or sealed by the segment's cipher. */
final class Frames
{
    /*
     * Plain       granule | checksum, 64 bits, big-endian: mix(seed + CRC32C(granule)), where the seed stands for key, granule and generation.
     *             Another page's frame passes with a chance of 2^-64, a damaged granule of 2^-32; a burst of up to 32 bits never.
     * Sealed      as GranuleCipher has it: AES-GCM authenticates the same identity
     */
    static final int CHECKSUM_BYTES = Long.BYTES;

    private Frames()
    {}

    /** Appends the frame of a granule, which is all that remains in {@code granule}; leaves that at its end. */
    static void encode(Scratch scratch, Segment segment, Unit unit, int granuleInUnit, ByteBuffer granule, ByteBuffer frames)
    {
        GranuleCipher cipher = segment.cipher();
        if (cipher != null) {
            cipher.seal(unit.key().hashHigh(), unit.key().hashLow(), unit.firstGranule() + granuleInUnit, granule, frames);
            return;
        }
        int start = frames.position();
        int length = granule.remaining();
        frames.put(granule);
        long crc = scratch.checksum(frames.duplicate().position(start).limit(start + length));
        frames.order(ByteOrder.BIG_ENDIAN).putLong(checksum(unit, granuleInUnit, segment.generation(), crc));
    }

    /**
     * Verifies a frame and copies a part of its granule.
     *
     * @param frame the frame, all that remains; direct
     * @param from the part's begin within the granule
     * @param target takes the part, as many bytes as remain in it
     * @return whether it is the granule; where it is not, the target's content is undefined
     */
    static boolean decode(Scratch scratch, Segment segment, Unit unit, int granuleInUnit, ByteBuffer frame, int from, ByteBuffer target)
    {
        GranuleCipher cipher = segment.cipher();
        if (cipher != null) {
            return open(cipher, scratch, unit, unit.firstGranule() + granuleInUnit, frame, from, target);
        }
        int start = frame.position();
        int length = frame.remaining() - CHECKSUM_BYTES;
        long stored = frame.order(ByteOrder.BIG_ENDIAN).getLong(start + length);
        frame.limit(start + length);
        long crc = scratch.checksum(frame);
        if (stored != checksum(unit, granuleInUnit, segment.generation(), crc)) {
            return false;
        }
        target.put(frame.limit(start + from + target.remaining()).position(start + from));
        return true;
    }

    private static boolean open(
            GranuleCipher cipher,
            Scratch scratch,
            Unit unit,
            long granule,
            ByteBuffer frame,
            int from,
            ByteBuffer target)
    {
        int length = frame.remaining() - GranuleCipher.OVERHEAD_BYTES;
        boolean whole = target.remaining() == length;
        ByteBuffer plain = whole ? target : scratch.granule().limit(length);
        if (!cipher.open(unit.key().hashHigh(), unit.key().hashLow(), granule, frame, plain)) {
            return false;
        }
        if (!whole) {
            plain.flip();
            target.put(plain.limit(from + target.remaining()).position(from));
        }
        return true;
    }

    private static long checksum(Unit unit, int granuleInUnit, long generation, long crc)
    {
        return Mix.mix(Mix.mix(unit.identity() ^ Mix.mix(generation + granuleInUnit)) + crc);
    }

    /** What a frame has behind its granule. */
    static int trailerBytes(boolean encrypted)
    {
        return encrypted ? GranuleCipher.OVERHEAD_BYTES : CHECKSUM_BYTES;
    }

}
