// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import io.eyrie.cache.metric.Metric;

/** A snapshot of the counters of the metadata on the coordinator's disk. */
public record StoredStats(
        @Metric(value = "times that this process continued with the metadata that an earlier one had stored", name = "storedResumptions") long resumptions,
        @Metric(value = "cached metadata read from the coordinator's disk", name = "storedEntriesRead") long entriesRead,
        @Metric(value = "cached metadata written to the coordinator's disk", name = "storedEntriesWritten") long entriesWritten,
        @Metric(value = "bytes of metadata written to the coordinator's disk", name = "storedWriteBytes") long writeBytes,
        @Metric(value = "cached metadata not written to the coordinator's disk: of a type that has no bytes, beyond a bound, or no longer cached", name = "storedEntriesRefused") long entriesRefused,
        @Metric(value = "metadata not found on the coordinator's disk: evicted, damaged, or never written because the disk was full or slow", name = "storedLosses") long losses,
        @Metric(value = "metadata dropped from the coordinator's disk because another release wrote it", name = "storedUndecodables") long undecodables)
{
    /** The counters without a disk. */
    public static final StoredStats NONE = new StoredStats(0, 0, 0, 0, 0, 0, 0);
}
