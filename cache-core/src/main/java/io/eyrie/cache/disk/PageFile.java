package io.eyrie.cache.disk;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The format of a file that holds one page, version 1: how it is named, laid out and verified.
 */
final class PageFile
{
    /*
     * File      | header, whole blocks | page |      docs/formats/page-file-v1.md
     * Header    magic, version, lengths, key, granule checksums, scope, zeros, checksum of all that
     * Granule   its checksum is seeded with the key and the granule's number, so that it proves identity and integrity
     */
    static final int FORMAT_VERSION = 1;
    static final int GRANULE_BYTES = 64 << 10;
    static final int BLOCK_BYTES = 4 << 10;

    private static final long MAGIC = 0x4559524945504147L; // EYRIEPAG
    private static final int FIXED_BYTES = 60;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final int MAX_NAME_BYTES = 8 << 10;
    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final int HASH_DIGITS = 32;

    private PageFile()
    {}

    /** The name of a page's file: its hash and its number, in hexadecimal digits. */
    static String name(PageKey key)
    {
        return hex(key.hashHigh()) + hex(key.hashLow()) + "-" + Long.toHexString(key.pageNumber());
    }

    /** The key that a file's name tells; null if it is none of ours. */
    static @Nullable PageKey parseName(String name)
    {
        if (name.length() < HASH_DIGITS + 2 || name.charAt(HASH_DIGITS) != '-') {
            return null;
        }
        try {
            PageKey key = new PageKey(
                    Long.parseUnsignedLong(name, 0, HASH_DIGITS / 2, 16),
                    Long.parseUnsignedLong(name, HASH_DIGITS / 2, HASH_DIGITS, 16),
                    Long.parseLong(name, HASH_DIGITS + 1, name.length(), 16));
            return name(key).equals(name) ? key : null;
        }
        catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Disk space that a file takes. */
    static long blockBytes(long fileBytes)
    {
        return (fileBytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    }

    /** Builds the header of a page. */
    static ByteBuffer header(PageKey key, Scope scope, ByteBuffer page, int pageSizeBytes)
    {
        ByteBuffer encodedScope = encode(scope);
        int granules = granules(page.remaining());
        int headerBytes = (int) blockBytes(FIXED_BYTES + granules * CHECKSUM_BYTES + encodedScope.remaining() + CHECKSUM_BYTES);
        ByteBuffer header = ByteBuffer.allocate(headerBytes)
                .putLong(MAGIC)
                .putInt(FORMAT_VERSION)
                .putInt(headerBytes)
                .putLong(key.hashHigh())
                .putLong(key.hashLow())
                .putLong(key.pageNumber())
                .putInt(page.remaining())
                .putInt(pageSizeBytes)
                .putInt(GRANULE_BYTES)
                .putInt(granules)
                .putInt(encodedScope.remaining());
        for (int granule = 0; granule < granules; granule++) {
            int offset = granule * GRANULE_BYTES;
            ByteBuffer bytes = page.slice(page.position() + offset, Math.min(GRANULE_BYTES, page.remaining() - offset));
            header.putInt(checksum(key, granule, bytes));
        }
        header.put(encodedScope);
        header.putInt(headerBytes - CHECKSUM_BYTES, checksum(header.array(), headerBytes - CHECKSUM_BYTES));
        return header.rewind();
    }

    /**
     * Reads a range of a page and verifies every granule that it touches.
     *
     * @throws CorruptPageException if the file is not that page, or damaged where it was read
     */
    static void read(Volume volume, Path file, PageKey key, int pageSizeBytes, int offsetInPage, ByteBuffer target)
            throws IOException
    {
        try (Volume.Reader reader = volume.openForRead(file)) {
            ByteBuffer header = readHeader(reader, file, key, pageSizeBytes);
            int headerBytes = header.getInt(12);
            int pageBytes = header.getInt(40);
            int end = offsetInPage + target.remaining();
            check(end <= pageBytes, file, 40, "the page's length", "at least " + end, pageBytes);
            byte[] scratch = new byte[0];
            for (int granule = offsetInPage / GRANULE_BYTES; granule * GRANULE_BYTES < end; granule++) {
                int start = granule * GRANULE_BYTES;
                int length = Math.min(GRANULE_BYTES, pageBytes - start);
                int from = Math.max(start, offsetInPage);
                int wanted = Math.min(start + length, end) - from;
                boolean whole = wanted == length && target.hasArray();
                if (!whole && scratch.length < length) {
                    scratch = new byte[length];
                }
                byte[] bytes = whole ? target.array() : scratch;
                int offset = whole ? target.arrayOffset() + target.position() : 0;
                long position = (long) headerBytes + start;
                reader.readFully(position, bytes, offset, length);
                int expected = header.getInt(FIXED_BYTES + granule * CHECKSUM_BYTES);
                int actual = checksum(key, granule, ByteBuffer.wrap(bytes, offset, length));
                check(expected == actual, file, position, "the granule's checksum", hex(expected), hex(actual));
                if (whole) {
                    target.position(target.position() + length);
                }
                else {
                    target.put(scratch, from - start, wanted);
                }
            }
        }
        catch (EOFException e) {
            CorruptPageException corrupt = new CorruptPageException(file, 0, "the file", "whole", "truncated");
            corrupt.initCause(e);
            throw corrupt;
        }
    }

    private static ByteBuffer readHeader(Volume.Reader reader, Path file, PageKey key, int pageSizeBytes)
            throws IOException
    {
        byte[] bytes = new byte[BLOCK_BYTES];
        reader.readFully(0, bytes, 0, BLOCK_BYTES);
        ByteBuffer header = ByteBuffer.wrap(bytes);
        check(header.getLong(0) == MAGIC, file, 0, "the magic", hex(MAGIC), hex(header.getLong(0)));
        check(header.getInt(8) == FORMAT_VERSION, file, 8, "the format version", FORMAT_VERSION, header.getInt(8));
        int headerBytes = header.getInt(12);
        check(headerBytes >= BLOCK_BYTES && headerBytes <= MAX_HEADER_BYTES && headerBytes % BLOCK_BYTES == 0,
                file, 12, "the header's length", "whole blocks, at most " + MAX_HEADER_BYTES, headerBytes);
        if (headerBytes > BLOCK_BYTES) {
            bytes = new byte[headerBytes];
            reader.readFully(0, bytes, 0, headerBytes);
            header = ByteBuffer.wrap(bytes);
        }
        int expected = header.getInt(headerBytes - CHECKSUM_BYTES);
        int actual = checksum(bytes, headerBytes - CHECKSUM_BYTES);
        check(expected == actual, file, 0, "the header's checksum", hex(expected), hex(actual));
        check(header.getLong(16) == key.hashHigh(), file, 16, "the hash's first half", hex(key.hashHigh()), hex(header.getLong(16)));
        check(header.getLong(24) == key.hashLow(), file, 24, "the hash's second half", hex(key.hashLow()), hex(header.getLong(24)));
        check(header.getLong(32) == key.pageNumber(), file, 32, "the page number", key.pageNumber(), header.getLong(32));
        int pageBytes = header.getInt(40);
        check(header.getInt(44) == pageSizeBytes, file, 44, "the page size", pageSizeBytes, header.getInt(44));
        check(header.getInt(48) == GRANULE_BYTES, file, 48, "the granule size", GRANULE_BYTES, header.getInt(48));
        check(header.getInt(52) == granules(pageBytes), file, 52, "the number of granules", granules(pageBytes), header.getInt(52));
        return header;
    }

    private static void check(boolean good, Path file, long offset, String what, Object expected, Object actual)
            throws CorruptPageException
    {
        if (!good) {
            throw new CorruptPageException(file, offset, what, expected, actual);
        }
    }

    private static ByteBuffer encode(Scope scope)
    {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        for (String name : List.of(scope.catalog(), scope.schema(), scope.table(), scope.partition())) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            // a name that is too long for the header is left out; it is no part of the page's identity
            int length = bytes.length <= MAX_NAME_BYTES ? bytes.length : 0;
            encoded.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(0, length).array());
            encoded.write(bytes, 0, length);
        }
        return ByteBuffer.wrap(encoded.toByteArray());
    }

    private static int granules(int pageBytes)
    {
        return (int) (((long) pageBytes + GRANULE_BYTES - 1) / GRANULE_BYTES);
    }

    private static int checksum(PageKey key, int granule, ByteBuffer bytes)
    {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(28)
                .putLong(key.hashHigh())
                .putLong(key.hashLow())
                .putLong(key.pageNumber())
                .putInt(granule)
                .flip());
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static int checksum(byte[] bytes, int length)
    {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static String hex(int value)
    {
        return Integer.toHexString(value);
    }

    private static String hex(long value)
    {
        String digits = Long.toHexString(value);
        return "0".repeat(Long.BYTES * 2 - digits.length()) + digits;
    }
}
