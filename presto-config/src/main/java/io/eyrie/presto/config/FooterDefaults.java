// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.airlift.units.Duration;

import static java.util.concurrent.TimeUnit.HOURS;

/** The defaults of the footer caches: those of the RaptorX guide, limited to a fraction of the heap. */
public final class FooterDefaults
{
    /** How long each caches an unused entry. */
    public static final Duration TTL = new Duration(6, HOURS);

    private static final long MOST_BYTES = 100L << 20;
    private static final int PART_OF_HEAP = 20;
    private static final int STREAMS_OF_MOST = 3;
    private static final int STREAMS_OF_PART = 2;

    private FooterDefaults()
    {}

    /** Returns the size of every cache except that of streams. */
    public static long bytes(long heapBytes)
    {
        return Math.min(MOST_BYTES, heapBytes / PART_OF_HEAP);
    }

    /** Returns the size of the cache of stripe streams. */
    public static long streamBytes(long heapBytes)
    {
        return Math.min(MOST_BYTES * STREAMS_OF_MOST, heapBytes / PART_OF_HEAP * STREAMS_OF_PART);
    }
}
