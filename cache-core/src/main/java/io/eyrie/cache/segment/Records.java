// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The journal records of one {@link PageTable}, written into one buffer, which the next record overwrites. Format: docs/formats/segment-v4.md. Used
 * by one thread at a time.
 */
final class Records
{
    static final byte PAGE = 1;
    static final byte FREE = 2;
    static final byte SEGMENT = 3;
    static final byte SEGMENT_GONE = 4;
    static final byte SCOPE = 5;
    static final byte SCOPE_GONE = 6;
    static final byte FILE_GONE = 7;
    static final byte QUOTA = 8;

    /** Codes of storage classes. */
    static final int FOOTER = 0;
    static final int DATA = 1;
    static final int RESULT = 2;
    static final int STORAGE_CLASSES = 3;

    /** The format of records and segments. */
    static final int VERSION = 4;

    /** The length of the record of a page. */
    static final int PAGE_BYTES = 35;

    private static final int MAX_BYTES = 16 << 10;
    private static final int MAX_NAME_BYTES = 3 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);

    static int code(StorageClass storageClass)
    {
        return switch (storageClass) {
            case FOOTER -> FOOTER;
            case RESULT -> RESULT;
            case DATA -> DATA;
        };
    }

    static StorageClass storageClass(int code)
    {
        return switch (code) {
            case FOOTER -> StorageClass.FOOTER;
            case RESULT -> StorageClass.RESULT;
            case DATA -> StorageClass.DATA;
            default -> throw new IllegalArgumentException("no storage class: " + code);
        };
    }

    /** A page with all its granules; replaces the previous page of its slot. */
    ByteBuffer page(PageIndex index, int entry, int policyState)
    {
        return buffer.clear()
                .put(PAGE)
                .putInt(index.location(entry))
                .putLong(index.fingerprint(entry))
                .putLong(index.granules(entry))
                .putInt(index.scope(entry))
                .putInt(index.stamp(entry))
                .putInt(index.lengthBytes(entry))
                .put((byte) index.storageClass(entry))
                .put((byte) policyState)
                .flip();
    }

    /** A slot that no longer holds a page. */
    ByteBuffer free(int location, long fingerprint)
    {
        return buffer.clear().put(FREE).putInt(location).putLong(fingerprint).flip();
    }

    /** A segment; replaces the previous segment with its number. */
    ByteBuffer segment(Segment segment)
    {
        byte[] key = segment.cipher() == null ? new byte[0] : segment.cipher().wrappedKey();
        return buffer.clear()
                .put(SEGMENT)
                .putInt(segment.id())
                .putLong(segment.generation())
                .putInt(segment.slotBytes())
                .putInt(segment.slots())
                .putInt(key.length)
                .put(key)
                .flip();
    }

    ByteBuffer segmentGone(int id)
    {
        return buffer.clear().put(SEGMENT_GONE).putInt(id).flip();
    }

    /** The scope that a number stands for from now on. */
    ByteBuffer scope(int id, Scope scope)
    {
        buffer.clear().put(SCOPE).putInt(id);
        put(scope);
        return buffer.flip();
    }

    ByteBuffer scopeGone(int id)
    {
        return buffer.clear().put(SCOPE_GONE).putInt(id).flip();
    }

    /** Pages of a file that are not younger than a stamp are invalid. */
    ByteBuffer fileGone(int fileTag, int stamp)
    {
        return buffer.clear().put(FILE_GONE).putInt(fileTag).putInt(stamp).flip();
    }

    /** A quota as of a version of all quotas; a negative number of bytes removes it. */
    ByteBuffer quota(long version, Scope scope, long bytes)
    {
        buffer.clear().put(QUOTA).putLong(version).putLong(bytes);
        put(scope);
        return buffer.flip();
    }

    private void put(Scope scope)
    {
        for (String name : List.of(scope.catalog(), scope.schema(), scope.table(), scope.partition())) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            // a name that is too long is left out, so after a restart it is unknown
            int length = bytes.length <= MAX_NAME_BYTES ? bytes.length : 0;
            buffer.putShort((short) length).put(bytes, 0, length);
        }
    }

    /** Reads a scope that {@link #put} wrote. */
    static Scope getScope(ByteBuffer record)
    {
        return new Scope(getName(record), getName(record), getName(record), getName(record));
    }

    private static String getName(ByteBuffer record)
    {
        byte[] bytes = new byte[record.getShort()];
        record.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
