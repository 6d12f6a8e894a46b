// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import com.google.common.io.ByteArrayDataOutput;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Texts in few bytes. Any sequence of characters is read as it was written, also one that is no valid Unicode. */
public final class PackedText
{
    /*
     * Text  2 times its length, plus 1 if a character takes two bytes, as a varint, and its characters
     */
    private static final int TWO_BYTES = 1;
    private static final char MOST_ONE_BYTE = 0xff;
    private static final int VARINT_BITS = 7;
    private static final int MORE = 1 << VARINT_BITS;

    private PackedText()
    {}

    public static void write(String text, ByteArrayDataOutput out)
    {
        boolean wide = text.chars().anyMatch(character -> character > MOST_ONE_BYTE);
        int header = 2 * text.length() + (wide ? TWO_BYTES : 0);
        while (header >= MORE) {
            out.writeByte(header | MORE);
            header >>>= VARINT_BITS;
        }
        out.writeByte(header);
        if (wide) {
            out.writeChars(text);
        }
        else {
            out.write(text.getBytes(ISO_8859_1));
        }
    }

    /** Reads a text from a buffer that an array backs. */
    public static String read(ByteBuffer in)
    {
        int header = 0;
        int shift = 0;
        byte part = in.get();
        while (part < 0) {
            header |= (part & (MORE - 1)) << shift;
            shift += VARINT_BITS;
            part = in.get();
        }
        header |= part << shift;
        boolean wide = (header & TWO_BYTES) != 0;
        int bytes = header / 2 * (wide ? Character.BYTES : 1);
        int start = in.position();
        in.position(start + bytes);
        if (!wide) {
            return new String(in.array(), in.arrayOffset() + start, bytes, ISO_8859_1);
        }
        return ByteBuffer.wrap(in.array(), in.arrayOffset() + start, bytes).asCharBuffer().toString();
    }

    public static void write(List<String> texts, ByteArrayDataOutput out)
    {
        out.writeInt(texts.size());
        texts.forEach(text -> write(text, out));
    }

    public static List<String> readList(ByteBuffer in)
    {
        int size = in.getInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            texts.add(read(in));
        }
        return List.copyOf(texts);
    }

    public static void write(Map<String, String> texts, ByteArrayDataOutput out)
    {
        out.writeInt(texts.size());
        texts.forEach((key, value) -> {
            write(key, out);
            write(value, out);
        });
    }

    /** Reads a map in the order in which it was written. */
    public static Map<String, String> readMap(ByteBuffer in)
    {
        int size = in.getInt();
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            String key = read(in);
            texts.put(key, read(in));
        }
        return texts;
    }

    public static void write(Optional<String> text, ByteArrayDataOutput out)
    {
        out.writeBoolean(text.isPresent());
        text.ifPresent(present -> write(present, out));
    }

    public static Optional<String> readOptional(ByteBuffer in)
    {
        return in.get() == 0 ? Optional.empty() : Optional.of(read(in));
    }
}
