// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The header of a log or a snapshot.
 *
 * @param ownerVersion of {@link JournalConfig}
 * @param pageSizeBytes of {@link JournalConfig}
 * @param journalHigh first half of the journal's identity; files with different identities never belong together
 * @param journalLow second half
 * @param number the number in the file's name
 * @param firstSequence in a log, the sequence number of its first record; in a snapshot, that of the first record that it need not contain
 * @param wrappedKey key of the file's cipher; empty if the file is not encrypted
 * @param frames number of frames in a snapshot
 * @param records number of records in a snapshot
 */
@SuppressWarnings("ArrayRecordComponent") // headers are not compared
record FileHeader(
        Kind kind,
        int ownerVersion,
        int pageSizeBytes,
        long journalHigh,
        long journalLow,
        long number,
        long firstSequence,
        byte[] wrappedKey,
        long frames,
        long records)
{
    static final int BYTES = 256;

    private static final long MAGIC = 0x455952494A524E4CL; // EYRIJRNL
    private static final int FORMAT_VERSION = 1;
    private static final int CHECKSUM_OFFSET = BYTES - Integer.BYTES;
    private static final int VERSIONS_END = 24;

    enum Kind
    {
        LOG(1),
        SNAPSHOT(2);

        private static final Pattern NAME = Pattern.compile("(log|snapshot)-([0-9a-f]{16})");

        private final int code;

        Kind(int code)
        {
            this.code = code;
        }

        /** The code of this kind in files. */
        int code()
        {
            return code;
        }

        String fileName(long number)
        {
            String digits = Long.toHexString(number);
            return name().toLowerCase(Locale.ROOT) + "-" + "0".repeat(2 * Long.BYTES - digits.length()) + digits;
        }
    }

    /** The kind and number in a file's name. */
    record Name(Kind kind, long number)
    {
        /** Returns null if the name is not of the journal, or is that of an unfinished file. */
        static @Nullable Name parse(String fileName)
        {
            Matcher matcher = Kind.NAME.matcher(fileName);
            if (!matcher.matches()) {
                return null;
            }
            long number = Long.parseUnsignedLong(matcher.group(2), 16);
            return number > 0 && number < Long.MAX_VALUE ? new Name(matcher.group(1).equals("log") ? Kind.LOG : Kind.SNAPSHOT, number) : null;
        }
    }

    /** The state of a header. */
    enum State
    {
        GOOD,
        DAMAGED,
        INCOMPATIBLE,
    }

    FileHeader withWrappedKey(byte[] newWrappedKey)
    {
        return new FileHeader(
                kind, ownerVersion, pageSizeBytes, journalHigh, journalLow, number, firstSequence, newWrappedKey, frames, records);
    }

    FileHeader withCounts(long newFrames, long newRecords)
    {
        return new FileHeader(
                kind, ownerVersion, pageSizeBytes, journalHigh, journalLow, number, firstSequence, wrappedKey, newFrames, newRecords);
    }

    void write(ByteBuffer target)
    {
        ByteBuffer header = ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putInt(FORMAT_VERSION)
                .putInt(kind.code())
                .putInt(ownerVersion)
                .putInt(pageSizeBytes)
                .putLong(journalHigh)
                .putLong(journalLow)
                .putLong(number)
                .putLong(firstSequence)
                .putLong(frames)
                .putLong(records)
                .putInt(wrappedKey.length)
                .put(wrappedKey);
        header.putInt(CHECKSUM_OFFSET, checksum(header.array()));
        target.put(header.rewind());
    }

    /** Reads the bytes of a header. If the file is shorter, returns zeros, which are not a valid header. */
    static byte[] bytes(Device device, Path path)
            throws DeviceException
    {
        ByteBuffer header = ByteBuffer.allocate(BYTES);
        try (DeviceFile file = device.open(path, OpenMode.READ)) {
            if (file.lengthBytes() >= BYTES) {
                FrameReader.readWithin(file, 0, header);
            }
        }
        return header.array();
    }

    /** Checks a header, including the owner's version and page size. */
    static State state(byte[] header, Name name, JournalConfig config)
    {
        State whole = state(header, name);
        if (whole != State.GOOD) {
            return whole;
        }
        ByteBuffer buffer = ByteBuffer.wrap(header);
        return buffer.getInt(16) == config.ownerVersion() && buffer.getInt(20) == config.pageSizeBytes() ? State.GOOD : State.INCOMPATIBLE;
    }

    /**
     * Checks a header, whatever the owner's version and page size are. The format version comes first, because another format may have its checksum
     * elsewhere.
     */
    static State state(byte[] header, Name name)
    {
        ByteBuffer buffer = ByteBuffer.wrap(header);
        if (buffer.getLong(0) != MAGIC) {
            return State.DAMAGED;
        }
        if (buffer.getInt(8) != FORMAT_VERSION) {
            return State.INCOMPATIBLE;
        }
        return buffer.getInt(CHECKSUM_OFFSET) == checksum(header)
                && buffer.getInt(12) == name.kind().code()
                && buffer.getLong(40) == name.number() ? State.GOOD : State.DAMAGED;
    }

    /** Parses a header whose state is {@link State#GOOD}. */
    static FileHeader read(byte[] header)
    {
        ByteBuffer buffer = ByteBuffer.wrap(header).position(VERSIONS_END);
        long journalHigh = buffer.getLong();
        long journalLow = buffer.getLong();
        long number = buffer.getLong();
        long firstSequence = buffer.getLong();
        long frames = buffer.getLong();
        long records = buffer.getLong();
        byte[] wrappedKey = new byte[buffer.getInt() == 0 ? 0 : KeyRing.WRAPPED_KEY_BYTES];
        buffer.get(wrappedKey);
        return new FileHeader(
                buffer.getInt(12) == Kind.LOG.code() ? Kind.LOG : Kind.SNAPSHOT,
                buffer.getInt(16),
                buffer.getInt(20),
                journalHigh,
                journalLow,
                number,
                firstSequence,
                wrappedKey,
                frames,
                records);
    }

    private static int checksum(byte[] header)
    {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, CHECKSUM_OFFSET);
        return (int) crc.getValue();
    }
}
