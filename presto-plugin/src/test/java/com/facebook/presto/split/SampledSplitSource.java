// SPDX-License-Identifier: Apache-2.0
package com.facebook.presto.split;

import com.facebook.presto.spi.ConnectorSplitSource;

import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;

/** Has the name of the engine's class, which Eyrie recognizes among the callers of a split source. */
public final class SampledSplitSource
{
    private SampledSplitSource()
    {}

    /** Requests the next batch, like the engine when it samples a scan. */
    public static void getNextBatch(ConnectorSplitSource source)
    {
        source.getNextBatch(NOT_PARTITIONED, 1000).join();
    }
}
