// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import io.eyrie.cache.metric.Metric;

/** Counters of the coordinator's statistics of files since its start. */
public record FileStatisticsStats(
        @Metric("splits whose file's statistics were looked up") long lookups,
        @Metric("lookups whose statistics were known") long hits,
        @Metric("splits that were dropped because the statistics of their file exclude it") long droppedSplits,
        @Metric("files whose footers were read") long filesRead,
        @Metric("files that could not be read, or that Presto's reader refuses") long readFailures,
        @Metric("requests to the store for footers") long readRequests,
        @Metric("bytes read from the store for footers") long readBytes,
        @Metric("files whose footers wait to be read or are being read") long currentQueuedFiles,
        @Metric("statistics of files read from the coordinator's disk") long storedFilesFound,
        @Metric("bytes written to the coordinator's disk") long storedWriteBytes,
        @Metric("files with statistics, or known to have none on the disk, in memory") long currentFiles,
        @Metric("estimated memory of the statistics") long currentBytes,
        @Metric("maximum of currentBytes") long capacityBytes)
{}
