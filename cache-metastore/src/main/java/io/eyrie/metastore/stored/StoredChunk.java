// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import static java.util.Objects.requireNonNull;

/** The bytes of values that are stored together, by key. */
final class StoredChunk
{
    /*
     * Bytes  number of shared parts; each: length, bytes. Number of values; each: key, version, time, number of its shared part, length, bytes
     */
    private StoredChunk()
    {}

    static byte[] encode(SortedMap<String, StoredValue> values)
    {
        Map<ByteBuffer, Integer> shared = new LinkedHashMap<>();
        values.values().forEach(value -> shared.putIfAbsent(value.shared(), shared.size()));
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeInt(shared.size());
        shared.keySet().forEach(part -> write(part, out));
        out.writeInt(values.size());
        values.forEach((key, value) -> {
            PackedText.write(key, out);
            out.writeLong(value.version());
            out.writeLong(value.millis());
            out.writeInt(requireNonNull(shared.get(value.shared())));
            write(value.own(), out);
        });
        return out.toByteArray();
    }

    /** Throws any unchecked exception if the bytes are not those of a chunk. */
    static SortedMap<String, StoredValue> decode(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        List<ByteBuffer> shared = new ArrayList<>();
        int parts = in.getInt();
        for (int i = 0; i < parts; i++) {
            shared.add(read(in));
        }
        TreeMap<String, StoredValue> values = new TreeMap<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            String key = PackedText.read(in);
            values.put(key, new StoredValue(in.getLong(), in.getLong(), shared.get(in.getInt()), read(in)));
        }
        return values;
    }

    private static void write(ByteBuffer part, ByteArrayDataOutput out)
    {
        out.writeInt(part.remaining());
        out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
    }

    private static ByteBuffer read(ByteBuffer in)
    {
        int length = in.getInt();
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        return part;
    }
}
