// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.airlift.units.Duration;

import static java.util.concurrent.TimeUnit.HOURS;

/** The defaults of the footer caches: those of the RaptorX guide, or more on a large heap, and less on a small one. */
public final class FooterDefaults
{
    /** How long each caches an unused entry. */
    public static final Duration TTL = new Duration(6, HOURS);

    private static final long GUIDE_BYTES = 100L << 20;
    private static final int PART_OF_LARGE_HEAP = 200;
    private static final int PART_OF_SMALL_HEAP = 20;
    private static final int STREAMS_OF_MOST = 3;
    private static final int STREAMS_OF_PART = 2;

    private FooterDefaults()
    {}

    /** Returns the size of every cache except that of streams. */
    public static long bytes(long heapBytes)
    {
        return Math.min(mostBytes(heapBytes), heapBytes / PART_OF_SMALL_HEAP);
    }

    /** Returns the size of the cache of stripe streams. */
    public static long streamBytes(long heapBytes)
    {
        return Math.min(mostBytes(heapBytes) * STREAMS_OF_MOST, heapBytes / PART_OF_SMALL_HEAP * STREAMS_OF_PART);
    }

    private static long mostBytes(long heapBytes)
    {
        return Math.max(GUIDE_BYTES, heapBytes / PART_OF_LARGE_HEAP);
    }
}
