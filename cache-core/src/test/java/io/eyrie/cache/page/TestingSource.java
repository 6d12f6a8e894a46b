// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-memory remote file that records the requested ranges. Thread-safe. */
public final class TestingSource
        implements RangeSource
{
    /** Runs in a read, after it was recorded and before it is answered. */
    public interface Hook
    {
        void beforeAnswer(long position, int length)
                throws IOException;
    }

    /** A requested range. */
    public record Range(long position, int length)
    {}

    private final byte[] bytes;
    private final List<Range> ranges = new ArrayList<>();
    private final AtomicInteger closes = new AtomicInteger();
    private volatile Hook hook = (position, length) -> {};

    public TestingSource(byte[] bytes)
    {
        this.bytes = bytes;
    }

    /** Returns bytes that differ from seed to seed and rarely repeat. */
    public static byte[] randomBytes(long seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    public TestingSource withHook(Hook newHook)
    {
        hook = newHook;
        return this;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (closes.get() > 0) {
            throw new IOException("source is closed");
        }
        synchronized (ranges) {
            ranges.add(new Range(position, length));
        }
        hook.beforeAnswer(position, length);
        System.arraycopy(bytes, Math.toIntExact(position), buffer, offset, length);
    }

    @Override
    public void close()
    {
        closes.incrementAndGet();
    }

    /** Returns the ranges requested since the last call. */
    public List<Range> takeRanges()
    {
        synchronized (ranges) {
            List<Range> taken = List.copyOf(ranges);
            ranges.clear();
            return taken;
        }
    }

    public int closes()
    {
        return closes.get();
    }
}
