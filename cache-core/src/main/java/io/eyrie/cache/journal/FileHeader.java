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
 * What stands at the beginning of a log or a snapshot.
 *
 * @param ownerVersion of {@link JournalConfig}
 * @param pageSizeBytes of {@link JournalConfig}
 * @param journalHigh first half of the journal's identity; files of different ones never belong together
 * @param journalLow second half
 * @param number in the file's name
 * @param firstSequence of a log: that of its first record; of a snapshot: that of the first record that it need not hold
 * @param wrappedKey of the file's cipher; empty where it is not encrypted
 * @param frames of a snapshot: how many it has
 * @param records of a snapshot: how many it has
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

        /** What stands for it in files. */
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

    /** The kind and number that a file's name tells. */
    record Name(Kind kind, long number)
    {
        /** Null for a name that is none of ours, or that of a file in the making. */
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

    /** What the first bytes of a file are. */
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

    /** The header's bytes; zeros, which are no header, if the file is shorter. */
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

    /** Looks at versions first, because another format may have its checksum elsewhere. */
    static State state(byte[] header, Name name, JournalConfig config)
    {
        State whole = state(header, name);
        if (whole != State.GOOD) {
            return whole;
        }
        ByteBuffer buffer = ByteBuffer.wrap(header);
        return buffer.getInt(16) == config.ownerVersion() && buffer.getInt(20) == config.pageSizeBytes() ? State.GOOD : State.INCOMPATIBLE;
    }

    /** The same whatever the owner's version and page size are. */
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

    /** Of bytes that are {@link State#GOOD}. */
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
