// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.page.ReadListener;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsAggregator;
import org.apache.hadoop.fs.statistics.IOStatisticsContext;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

import java.io.IOException;

/**
 * Hadoop's counters of one stream. Bytes returned to readers are also added to the file system's {@link FileSystem.Statistics}, on the reader's
 * thread: Spark shows them as a task's input. Thread-safe.
 */
final class StreamCounters
        implements ReadListener
{
    /** Bytes served from the cache, without a request to the store. */
    static final String CACHE_READ_BYTES = "eyrie_cache_read_bytes";
    /** Ranges requested from the store. */
    static final String REMOTE_READS = "eyrie_remote_reads";
    /** Bytes requested from the store, in whole pages. */
    static final String REMOTE_READ_BYTES = "eyrie_remote_read_bytes";

    private final FileSystem.Statistics fileSystem;
    private final IOStatisticsAggregator opener = IOStatisticsContext.getCurrentIOStatisticsContext().getAggregator();
    private final IOStatisticsStore store = IOStatisticsBinding.iostatisticsStore()
            .withCounters(
                    StreamStatisticNames.STREAM_READ_BYTES,
                    StreamStatisticNames.STREAM_READ_EXCEPTIONS,
                    StreamStatisticNames.STREAM_READ_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_SEEK_BACKWARD_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_SEEK_FORWARD_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_UNBUFFERED,
                    StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES,
                    StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES,
                    CACHE_READ_BYTES,
                    REMOTE_READS,
                    REMOTE_READ_BYTES)
            .build();

    interface Read
    {
        int read()
                throws IOException;
    }

    StreamCounters(FileSystem.Statistics fileSystem)
    {
        this.fileSystem = fileSystem;
    }

    IOStatistics statistics()
    {
        return store;
    }

    int reading(Read read)
            throws IOException
    {
        store.incrementCounter(StreamStatisticNames.STREAM_READ_OPERATIONS);
        int bytes;
        try {
            bytes = read.read();
        }
        catch (IOException | RuntimeException e) {
            store.incrementCounter(StreamStatisticNames.STREAM_READ_EXCEPTIONS);
            throw e;
        }
        if (bytes > 0) {
            given(bytes);
        }
        fileSystem.incrementReadOps(1);
        return bytes;
    }

    void vectored(int ranges, int combined, long bytes)
    {
        store.incrementCounter(StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS);
        store.incrementCounter(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES, ranges);
        store.incrementCounter(StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES, combined);
        given(bytes);
    }

    private void given(long bytes)
    {
        store.incrementCounter(StreamStatisticNames.STREAM_READ_BYTES, bytes);
        fileSystem.incrementBytesRead(bytes);
    }

    void vectoredReadFailed()
    {
        store.incrementCounter(StreamStatisticNames.STREAM_READ_EXCEPTIONS);
    }

    void seek(long distance)
    {
        if (distance != 0) {
            store.incrementCounter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS);
            store.incrementCounter(distance > 0
                    ? StreamStatisticNames.STREAM_READ_SEEK_FORWARD_OPERATIONS
                    : StreamStatisticNames.STREAM_READ_SEEK_BACKWARD_OPERATIONS);
        }
    }

    void unbuffered()
    {
        store.incrementCounter(StreamStatisticNames.STREAM_READ_UNBUFFERED);
    }

    void closed()
    {
        opener.aggregate(store);
    }

    @Override
    public void onCacheRead(int pages, long bytes, long nanos)
    {
        store.incrementCounter(CACHE_READ_BYTES, bytes);
    }

    @Override
    public void onRemoteRead(long bytes, long nanos)
    {
        store.incrementCounter(REMOTE_READS);
        store.incrementCounter(REMOTE_READ_BYTES, bytes);
    }
}
