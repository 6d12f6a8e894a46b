// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.facebook.presto.hive.HiveFileContext.ExtraHiveFileInfo;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes a file's entity tag in its split, in the extra file information that Hive's splits leave to the lister. Also encodes whether the file is from a
 * cached list.
 */
public final class SplitEtag
{
    private static final byte[] LISTED = {'e', 'y', 'r', 'i', 'e', 1};
    private static final byte[] KEPT = {'e', 'y', 'r', 'i', 'e', 2};

    private SplitEtag()
    {}

    static byte[] encode(String etag)
    {
        return encode(LISTED, etag.getBytes(UTF_8));
    }

    /** Returns the file information, marked as from a cached list; that of another lister stays as it is. */
    public static Optional<byte[]> ofKeptList(Optional<byte[]> extraFileInfo)
    {
        return extraFileInfo.isEmpty() || decode(extraFileInfo).isPresent()
                ? Optional.of(encode(KEPT, decode(extraFileInfo).orElse("").getBytes(UTF_8)))
                : extraFileInfo;
    }

    /** Returns whether the file is from a cached list. */
    public static boolean isOfKeptList(Optional<byte[]> extraFileInfo)
    {
        return extraFileInfo.filter(bytes -> startsWith(bytes, KEPT)).isPresent();
    }

    /** Returns the tag in a split's extra file information; empty if there is none or if it is another lister's. */
    public static Optional<String> decode(Optional<byte[]> extraFileInfo)
    {
        return extraFileInfo
                .filter(bytes -> bytes.length > LISTED.length && (startsWith(bytes, LISTED) || startsWith(bytes, KEPT)))
                .map(bytes -> new String(bytes, LISTED.length, bytes.length - LISTED.length, UTF_8));
    }

    /** Returns the tag in the extra file information of a file context. */
    public static Optional<String> of(Optional<ExtraHiveFileInfo<?>> extraFileInfo)
    {
        return decode(extraFileInfo.map(ExtraHiveFileInfo::getExtraFileInfo)
                .filter(byte[].class::isInstance)
                .map(byte[].class::cast));
    }

    private static byte[] encode(byte[] kind, byte[] tag)
    {
        return ByteBuffer.allocate(kind.length + tag.length).put(kind).put(tag).array();
    }

    private static boolean startsWith(byte[] bytes, byte[] kind)
    {
        return bytes.length >= kind.length && Arrays.equals(bytes, 0, kind.length, kind, 0, kind.length);
    }
}
