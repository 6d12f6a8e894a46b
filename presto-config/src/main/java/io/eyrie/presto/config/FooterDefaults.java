package io.eyrie.presto.config;

import io.airlift.units.Duration;

import static java.util.concurrent.TimeUnit.HOURS;

/** What the caches of footers have where the catalog says nothing: what the RaptorX guide gives them, within what the heap allows. */
public final class FooterDefaults
{
    /** How long each keeps what nobody uses. */
    public static final Duration TTL = new Duration(6, HOURS);

    private static final long MOST_BYTES = 100L << 20;
    private static final int PART_OF_HEAP = 20;
    private static final int STREAMS_OF_MOST = 3;
    private static final int STREAMS_OF_PART = 2;

    private FooterDefaults()
    {}

    /** The size of every cache but that of streams. */
    public static long bytes(long heapBytes)
    {
        return Math.min(MOST_BYTES, heapBytes / PART_OF_HEAP);
    }

    /** The size of the cache of streams of stripes. */
    public static long streamBytes(long heapBytes)
    {
        return Math.min(MOST_BYTES * STREAMS_OF_MOST, heapBytes / PART_OF_HEAP * STREAMS_OF_PART);
    }
}
