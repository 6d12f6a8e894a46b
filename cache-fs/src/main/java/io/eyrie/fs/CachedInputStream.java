// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.page.CachedFile;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import static java.util.Objects.requireNonNull;

/**
 * A cached file as a Hadoop stream. Seeks cost nothing and may target any position from 0 on, even beyond the end, as S3A's may. Positioned and
 * vectored reads do not move the position and run concurrently. Closes the file.
 */
final class CachedInputStream
        extends FSInputStream
        implements ByteBufferReadable, ByteBufferPositionedReadable, CanUnbuffer, CanSetReadahead, CanSetDropBehind, StreamCapabilities,
        IOStatisticsSource
{
    // at most the amount that the page store verifies for a small read anyway
    static final int BUFFER_BYTES = 64 << 10;
    // a gap that is cheaper to read than to skip with another request
    static final int MIN_SEEK_BYTES = 64 << 10;
    static final int MAX_MERGED_BYTES = 4 << 20;

    private final CachedFile file;
    private final StreamCounters counters;
    private final long lengthBytes;
    // the following fields are guarded by this
    private long position;
    private byte @Nullable [] buffer;
    private long bufferStart;
    private int bufferLength;
    private volatile boolean closed;

    CachedInputStream(CachedFile file, StreamCounters counters)
    {
        this.file = requireNonNull(file, "file is null");
        this.counters = requireNonNull(counters, "counters is null");
        lengthBytes = file.version().lengthBytes();
    }

    @Override
    public synchronized int read()
            throws IOException
    {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, target.length);
        checkOpen();
        if (length == 0) {
            return 0;
        }
        if (position >= lengthBytes) {
            return -1;
        }
        int read = counters.reading(() -> length >= BUFFER_BYTES && !isBuffered()
                ? file.read(position, target, offset, length)
                : readBuffered(target, offset, length));
        position += Math.max(0, read);
        return read;
    }

    private int readBuffered(byte[] target, int offset, int length)
            throws IOException
    {
        byte[] bytes = buffer == null ? new byte[BUFFER_BYTES] : buffer;
        if (!isBuffered()) {
            bufferLength = 0;
            bufferLength = file.read(position, bytes, 0, bytes.length);
            bufferStart = position;
            buffer = bytes;
        }
        int start = (int) (position - bufferStart);
        int read = Math.min(length, bufferLength - start);
        System.arraycopy(bytes, start, target, offset, read);
        return read;
    }

    private boolean isBuffered()
    {
        return position >= bufferStart && position < bufferStart + bufferLength;
    }

    @Override
    public synchronized int read(ByteBuffer target)
            throws IOException
    {
        checkOpen();
        int read = counters.reading(() -> file.read(position, target));
        position += Math.max(0, read);
        return read;
    }

    @Override
    public int read(long from, byte[] target, int offset, int length)
            throws IOException
    {
        checkOpen();
        validatePositionedReadArgs(from, target, offset, length);
        return counters.reading(() -> file.read(from, target, offset, length));
    }

    @Override
    public void readFully(long from, byte[] target, int offset, int length)
            throws IOException
    {
        checkOpen();
        validatePositionedReadArgs(from, target, offset, length);
        checkFits(from, length);
        counters.reading(() -> file.read(from, target, offset, length));
    }

    @Override
    public int read(long from, ByteBuffer target)
            throws IOException
    {
        checkOpen();
        checkNotNegative(from);
        return counters.reading(() -> file.read(from, target));
    }

    @Override
    public void readFully(long from, ByteBuffer target)
            throws IOException
    {
        checkOpen();
        checkNotNegative(from);
        checkFits(from, target.remaining());
        counters.reading(() -> file.read(from, target));
    }

    @Override
    public int minSeekForVectorReads()
    {
        return MIN_SEEK_BYTES;
    }

    @Override
    public int maxReadSizeForVectorReads()
    {
        return MAX_MERGED_BYTES;
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
            throws IOException
    {
        readVectored(ranges, allocate, ignored -> {});
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release)
            throws IOException
    {
        checkOpen();
        VectoredRead.start(file, ranges, requireNonNull(allocate, "allocate is null"), requireNonNull(release, "release is null"), counters);
    }

    @Override
    public synchronized void seek(long target)
            throws IOException
    {
        checkOpen();
        if (target < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + " " + target);
        }
        counters.seek(target - position);
        position = target;
    }

    @Override
    public synchronized long skip(long bytes)
            throws IOException
    {
        checkOpen();
        long skipped = Math.max(0, Math.min(bytes, lengthBytes - position));
        position += skipped;
        return skipped;
    }

    @Override
    public synchronized long getPos()
    {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target)
    {
        return false;
    }

    @Override
    public synchronized int available()
            throws IOException
    {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, lengthBytes - position));
    }

    @Override
    public synchronized void unbuffer()
    {
        // connections are not held between reads, so there is nothing else to release
        buffer = null;
        bufferLength = 0;
        counters.unbuffered();
    }

    /** Only validates the argument: the cache reads ahead on its own. */
    @Override
    public void setReadahead(@Nullable Long readahead)
    {
        if (readahead != null && readahead < 0) {
            throw new IllegalArgumentException("Negative readahead size: " + readahead);
        }
    }

    /** No effect: remote bytes do not occupy the operating system's cache. */
    @Override
    public void setDropBehind(@Nullable Boolean dropCache)
    {}

    @Override
    public boolean hasCapability(String capability)
    {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READBYTEBUFFER, StreamCapabilities.PREADBYTEBUFFER, StreamCapabilities.VECTOREDIO, StreamCapabilities.UNBUFFER,
                    StreamCapabilities.READAHEAD, StreamCapabilities.DROPBEHIND, StreamCapabilities.IOSTATISTICS,
                    StreamCapabilities.IOSTATISTICS_CONTEXT -> true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics()
    {
        return counters.statistics();
    }

    @Override
    public synchronized void close()
    {
        if (!closed) {
            closed = true;
            buffer = null;
            bufferLength = 0;
            file.close();
            counters.closed();
        }
    }

    @Override
    public String toString()
    {
        return "CachedInputStream{" + file.version() + "}";
    }

    private void checkOpen()
            throws IOException
    {
        if (closed) {
            throw new PathIOException(file.version().path(), FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    private static void checkNotNegative(long from)
            throws EOFException
    {
        if (from < 0) {
            throw new EOFException("position is negative: " + from);
        }
    }

    private void checkFits(long from, int length)
            throws EOFException
    {
        if (length > Math.max(0, lengthBytes - from)) {
            throw new EOFException("Range " + from + "+" + length + " goes past the end of " + file.version().path() + " at " + lengthBytes);
        }
    }
}
