// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.metric.Metric;

/** Counts of reads from the remote store, and of waits for them. */
public record FetchStats(
        @Metric("ranges requested from the remote store") long remoteReads,
        @Metric("bytes requested from the remote store") long remoteReadBytes,
        @Metric("ranges that could not be read from the remote store") long remoteReadFailures,
        @Metric("waits of lookups for another reader's fetch") long coalescedWaits,
        @Metric("waits for another reader's fetch that timed out") long fetchWaitTimeouts,
        @Metric("fetches not started because all threads were busy; the reader read from the remote store itself") long fetchRejections,
        @Metric("fetches not started because too many of their file were running") long fileFetchRejections,
        @Metric("fetches not started because other fetches used the memory for fetches") long fetchMemoryRejections,
        @Metric("fetches that the admission policy refused; the reader read from the remote store itself") long admissionRejections,
        @Metric("memory used by fetches") long currentFetchBytes)
{
    /** Returns the counts of a cache that reads each range for its reader only. */
    public static FetchStats of(long remoteReads, long remoteReadBytes, long remoteReadFailures)
    {
        return new FetchStats(remoteReads, remoteReadBytes, remoteReadFailures, 0, 0, 0, 0, 0, 0, 0);
    }
}
