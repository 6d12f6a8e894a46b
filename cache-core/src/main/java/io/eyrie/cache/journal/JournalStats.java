package io.eyrie.cache.journal;

/**
 * Counters of a journal since it was opened.
 *
 * @param recordAppends records accepted
 * @param recordAppendsFull records refused because the buffer was full
 * @param recordAppendsFailed records refused because the disk failed, or accepted and lost by it
 * @param diskWriteBytes bytes written, of logs and snapshots
 * @param writeFailures writes, forces, renames and the like that the disk failed
 * @param snapshots snapshots completed
 * @param currentLogBytes bytes of the logs that a restart would replay
 * @param currentSnapshotBytes bytes of the snapshot that it would replay before
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
