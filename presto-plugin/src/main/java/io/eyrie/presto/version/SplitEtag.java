package io.eyrie.presto.version;

import com.facebook.presto.hive.HiveFileContext.ExtraHiveFileInfo;

import java.util.Arrays;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An entity tag as a split carries it to the worker: in the file information that Hive's splits leave to the lister. */
public final class SplitEtag
{
    private static final byte[] MAGIC = {'e', 'y', 'r', 'i', 'e', 1};

    private SplitEtag()
    {}

    static byte[] encode(String etag)
    {
        byte[] tag = etag.getBytes(UTF_8);
        byte[] encoded = Arrays.copyOf(MAGIC, MAGIC.length + tag.length);
        System.arraycopy(tag, 0, encoded, MAGIC.length, tag.length);
        return encoded;
    }

    /** The tag in a split's extra file information; empty if there is none or if it is another lister's. */
    public static Optional<String> decode(Optional<byte[]> extraFileInfo)
    {
        return extraFileInfo
                .filter(bytes -> bytes.length > MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length))
                .map(bytes -> new String(bytes, MAGIC.length, bytes.length - MAGIC.length, UTF_8));
    }

    /** The same from a file context. */
    public static Optional<String> of(Optional<ExtraHiveFileInfo<?>> extraFileInfo)
    {
        return decode(extraFileInfo.map(ExtraHiveFileInfo::getExtraFileInfo)
                .filter(byte[].class::isInstance)
                .map(byte[].class::cast));
    }
}
