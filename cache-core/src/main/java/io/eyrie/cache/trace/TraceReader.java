// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads a trace from its beginning to its end. Its memory does not grow with the trace. Not thread-safe. */
public final class TraceReader
        implements AutoCloseable
{
    private final DataInputStream in;
    /** The key of page 0 of each file. */
    private final List<PageKey> files = new ArrayList<>();
    private final List<PageTags> tags = new ArrayList<>();
    private long lastMillis;
    private long lost;

    /** Reads a trace that may be encrypted with one of the keys. Closes {@code in}, also if the constructor fails. */
    public TraceReader(InputStream in, KeyRing keys)
            throws IOException
    {
        this(in, Optional.of(keys));
    }

    /** Reads a trace that is not encrypted. Closes {@code in}, also if the constructor fails. */
    public TraceReader(InputStream in)
            throws IOException
    {
        this(in, Optional.empty());
    }

    /** Reads a trace that may be encrypted with one of the keys, if there are any. Closes {@code in}, also if the constructor fails. */
    public TraceReader(InputStream in, Optional<KeyRing> keys)
            throws IOException
    {
        try {
            this.in = new DataInputStream(new BufferedInputStream(new GZIPInputStream(opened(in, keys))));
            long magic = this.in.readLong();
            if (magic != TraceFormat.MAGIC) {
                throw new IOException("This is not a trace that this version can read: it begins with " + Long.toHexString(magic)
                        + ", not " + Long.toHexString(TraceFormat.MAGIC));
            }
        }
        catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static InputStream opened(InputStream in, Optional<KeyRing> keys)
            throws IOException
    {
        PushbackInputStream peeked = new PushbackInputStream(in, Long.BYTES);
        byte[] magic = peeked.readNBytes(Long.BYTES);
        if (magic.length < Long.BYTES || ByteBuffer.wrap(magic).getLong() != TraceFormat.SEALED_MAGIC) {
            peeked.unread(magic);
            return peeked;
        }
        return new SealedInput(in, keys.orElseThrow(() -> new IOException("The trace is encrypted, but no key was given")));
    }

    /**
     * Returns the next lookup; null at the end.
     *
     * @throws EOFException if the trace was not ended; everything up to here is valid
     */
    public @Nullable TraceRecord next()
            throws IOException
    {
        while (true) {
            int kind = in.readUnsignedByte();
            switch (kind) {
                case TraceFormat.LOOKUP -> {
                    return lookup();
                }
                case TraceFormat.FILE -> add(files, new PageKey(in.readLong(), in.readLong(), 0));
                case TraceFormat.TAGS -> add(tags, new PageTags(new Scope(name(), name(), name(), name()), one(TraceFormat.CLASSES)));
                case TraceFormat.LOST -> lost += number(0, Long.MAX_VALUE - lost);
                case TraceFormat.FORGET -> {
                    files.clear();
                    tags.clear();
                }
                case TraceFormat.END -> {
                    // also verifies the checksum
                    if (in.read() >= 0) {
                        throw new IOException("The trace is damaged: data follows its end");
                    }
                    return null;
                }
                default -> throw new IOException("The trace is damaged: unknown kind of entry: " + kind);
            }
        }
    }

    /** The number of lookups lost before the last one read. */
    public long lost()
    {
        return lost;
    }

    @Override
    public void close()
            throws IOException
    {
        in.close();
    }

    private TraceRecord lookup()
            throws IOException
    {
        lastMillis += TraceFormat.unzigzag(TraceFormat.readNumber(in));
        PageKey file = files.get((int) number(0, files.size() - 1));
        PageTags pageTags = tags.get((int) number(0, tags.size() - 1));
        return new TraceRecord(
                lastMillis,
                file.page(number(0, Long.MAX_VALUE)),
                pageTags,
                (int) number(1, Integer.MAX_VALUE),
                (int) number(0, Integer.MAX_VALUE),
                (int) number(0, Integer.MAX_VALUE),
                one(TraceFormat.OUTCOMES));
    }

    private String name()
            throws IOException
    {
        byte[] bytes = in.readNBytes((int) number(0, TraceFormat.LONGEST_NAME_BYTES));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private <T> T one(List<T> values)
            throws IOException
    {
        return values.get((int) number(0, values.size() - 1));
    }

    private long number(long least, long most)
            throws IOException
    {
        long number = TraceFormat.readNumber(in);
        if (number < least || number > most) {
            throw new IOException("The trace is damaged: " + number + " is not between " + least + " and " + most);
        }
        return number;
    }

    private static <T> void add(List<T> list, T value)
            throws IOException
    {
        if (list.size() == TraceFormat.MOST_NUMBERS) {
            throw new IOException("The trace is damaged: more than " + TraceFormat.MOST_NUMBERS + " numbers are in use");
        }
        list.add(value);
    }
}
