// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

/**
 * Counters of a journal since it was opened.
 *
 * @param recordAppends records accepted
 * @param recordAppendsFull records refused because the buffer was full
 * @param recordAppendsFailed records refused because the disk failed, or accepted and then lost because it failed
 * @param diskWriteBytes bytes written, of logs and snapshots
 * @param writeFailures writes, forces, renames and similar operations that failed
 * @param snapshots snapshots completed
 * @param currentLogBytes bytes of the logs that a restart would replay
 * @param currentSnapshotBytes bytes of the snapshot that a restart would replay before the logs
 */
public record JournalStats(
        long recordAppends,
        long recordAppendsFull,
        long recordAppendsFailed,
        long diskWriteBytes,
        long writeFailures,
        long snapshots,
        long currentLogBytes,
        long currentSnapshotBytes)
{}
