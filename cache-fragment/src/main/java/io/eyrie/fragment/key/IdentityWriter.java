// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import io.airlift.slice.DynamicSliceOutput;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes values so that different sequences of values yield different bytes: a length or count precedes each variable-length value. Used by one
 * thread.
 */
public final class IdentityWriter
{
    private final DynamicSliceOutput out = new DynamicSliceOutput(256);

    public IdentityWriter number(long value)
    {
        out.writeLong(value);
        return this;
    }

    public IdentityWriter bytes(byte[] value)
    {
        out.writeInt(value.length);
        out.writeBytes(value);
        return this;
    }

    public IdentityWriter text(String value)
    {
        return bytes(value.getBytes(UTF_8));
    }

    public IdentityWriter optional(Optional<String> value)
    {
        out.writeByte(value.isPresent() ? 1 : 0);
        value.ifPresent(this::text);
        return this;
    }

    public IdentityWriter texts(Collection<String> values)
    {
        out.writeInt(values.size());
        values.forEach(this::text);
        return this;
    }

    /** Writes a complete file version. */
    public IdentityWriter file(FileVersion version)
    {
        return text(version.store().endpoint())
                .text(version.store().principal())
                .text(version.path())
                .number(version.lengthBytes())
                .number(version.modifiedMillis())
                .optional(version.etag());
    }

    /** Writes a map, independent of its order. */
    public IdentityWriter map(Map<String, String> values)
    {
        out.writeInt(values.size());
        new TreeMap<>(values).forEach((name, value) -> text(name).text(value));
        return this;
    }

    /** Writes values in their order. */
    IdentityWriter sequence(List<byte[]> values)
    {
        out.writeInt(values.size());
        values.forEach(this::bytes);
        return this;
    }

    /** Writes distinct values, independent of their order. */
    IdentityWriter set(Collection<byte[]> values)
    {
        List<byte[]> sorted = values.stream().sorted(Arrays::compareUnsigned).toList();
        List<byte[]> once = IntStream.range(0, sorted.size())
                .filter(index -> index == 0 || !Arrays.equals(sorted.get(index - 1), sorted.get(index)))
                .mapToObj(sorted::get)
                .toList();
        return sequence(once);
    }

    /** Returns a hash that stands for the written values in a parent. */
    public byte[] toHash()
    {
        BlobKey hash = BlobKey.of(ByteBuffer.wrap(out.getUnderlyingSlice().byteArray(), 0, out.size()));
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(hash.hashHigh()).putLong(hash.hashLow()).array();
    }

    public byte[] toBytes()
    {
        return out.slice().getBytes();
    }
}
