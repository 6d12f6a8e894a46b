// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.FrameCipher;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Encodes, verifies and decodes the frames of one file. Used by one thread. */
final class Frame
{
    /*
     * Frame    | checksum | length of the payload | frame's number | number of records | first record's sequence number | payload |
     * Payload  records, each | length, 2 bytes | bytes |; encrypted as a whole if there are keys
     * Checksum CRC32C of the journal's identity, the file's kind and number, and the rest of the frame after the checksum
     */
    static final int MAX_BYTES = 64 << 10;
    static final int HEADER_BYTES = 24;
    static final int LENGTH_BYTES = Short.BYTES;
    /** Maximum number of bytes of records in a frame, including their lengths. */
    static final int MAX_RECORDS_BYTES = MAX_BYTES - HEADER_BYTES - FrameCipher.OVERHEAD_BYTES;

    private final @Nullable FrameCipher cipher;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer seed = ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES);
    // decrypted records; allocated for the first ones
    private @Nullable ByteBuffer plain;

    Frame(FileHeader file, @Nullable FrameCipher cipher)
    {
        this.cipher = cipher;
        seed.putLong(file.journalHigh()).putLong(file.journalLow()).putInt(file.kind().code()).putLong(file.number());
    }

    /**
     * Writes a frame.
     *
     * @param records its remaining bytes, at most {@link #MAX_RECORDS_BYTES}
     * @param number the frame's number in its file, from 0
     * @param target has room for {@link #MAX_BYTES}
     */
    void encode(ByteBuffer records, int recordCount, int number, long firstSequence, ByteBuffer target)
    {
        int start = target.position();
        int payloadBytes = records.remaining() + (cipher == null ? 0 : FrameCipher.OVERHEAD_BYTES);
        target.putInt(0).putInt(payloadBytes).putInt(number).putInt(recordCount).putLong(firstSequence);
        if (cipher == null) {
            target.put(records);
        }
        else {
            cipher.seal(records, target);
        }
        target.putInt(start, checksum(target, start));
    }

    private int checksum(ByteBuffer buffer, int start)
    {
        int payloadBytes = buffer.getInt(start + Integer.BYTES);
        crc.reset();
        crc.update(seed.duplicate().flip());
        crc.update(buffer.duplicate().limit(start + HEADER_BYTES + payloadBytes).position(start + Integer.BYTES));
        return (int) crc.getValue();
    }

    /** Returns the length of a whole frame, given its first {@link #HEADER_BYTES}; 0 if they are not valid. */
    static int frameBytes(ByteBuffer buffer)
    {
        int payloadBytes = buffer.getInt(buffer.position() + Integer.BYTES);
        return payloadBytes > 0 && payloadBytes <= MAX_BYTES - HEADER_BYTES ? HEADER_BYTES + payloadBytes : 0;
    }

    /**
     * Verifies a frame.
     *
     * @param buffer contains the frame, and possibly more
     * @return its records, valid until the next call; null if the frame is incomplete, or is not this frame of this file
     */
    @Nullable
    ByteBuffer decode(ByteBuffer buffer, int number, long firstSequence)
    {
        int start = buffer.position();
        int recordCount = buffer.getInt(start + 12);
        if (buffer.getInt(start) != checksum(buffer, start)
                || buffer.getInt(start + 8) != number
                || buffer.getLong(start + 16) != firstSequence) {
            return null;
        }
        ByteBuffer payload = buffer.duplicate().limit(start + frameBytes(buffer)).position(start + HEADER_BYTES);
        ByteBuffer records = cipher == null ? payload : decrypt(cipher, number, payload);
        return records != null && count(records) == recordCount ? records : null;
    }

    private @Nullable ByteBuffer decrypt(FrameCipher by, int number, ByteBuffer payload)
    {
        ByteBuffer records = plain;
        if (records == null) {
            records = ByteBuffer.allocateDirect(MAX_BYTES);
            plain = records;
        }
        return by.open(number, payload, records.clear()) ? records.flip() : null;
    }

    /** Returns the number of records in a payload; -1 if it does not consist of whole records. */
    static int count(ByteBuffer records)
    {
        int count = 0;
        int position = records.position();
        while (records.limit() - position > LENGTH_BYTES) {
            int length = records.getShort(position);
            if (length <= 0) {
                return -1;
            }
            position += LENGTH_BYTES + length;
            count++;
        }
        return position == records.limit() ? count : -1;
    }
}
