package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;

/**
 * What opening a journal found.
 *
 * @param snapshotRecords records replayed from a snapshot
 * @param logRecords records replayed from logs
 * @param refusedRecords those of them that the owner refused
 * @param whole whether nothing was lost but what had not been forced: no damage within the files, no incompatible ones
 * @param tornTails logs that ended in a frame that was not whole, as a crash leaves them
 * @param damages frames of snapshots and headers of files that were damaged, and logs that others are missing before
 * @param incompatibleDrops files dropped because they are of another format, owner's version or page size
 * @param keyDrops files dropped because they are encrypted with a key that is not known, or not encrypted while keys are given
 * @param outcome {@code OK}, or how the disk failed: what could be read before was replayed
 */
public record Recovery(
        long snapshotRecords,
        long logRecords,
        long refusedRecords,
        boolean whole,
        int tornTails,
        int damages,
        int incompatibleDrops,
        int keyDrops,
        DeviceOutcome outcome)
{
    /** All records that were replayed. */
    public long records()
    {
        return snapshotRecords + logRecords;
    }
}
