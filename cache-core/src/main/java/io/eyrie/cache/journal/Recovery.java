// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;

/**
 * The result of recovery, which runs when a journal is opened.
 *
 * @param snapshotRecords records replayed from a snapshot
 * @param logRecords records replayed from logs
 * @param refusedRecords replayed records that the owner refused
 * @param whole whether nothing was lost except unforced data: no damage within the files, none incompatible, none dropped because of keys
 * @param tornTails logs that end in an incomplete frame or have only a damaged header, as after a crash
 * @param damages damaged frames of snapshots, damaged headers, files of another journal, and gaps before logs
 * @param incompatibleDrops files dropped because they have another format, owner's version or page size
 * @param keyDrops files dropped because they are encrypted with an unknown key, or not encrypted although there are keys
 * @param outcome {@code OK}, or the disk's failure; records read before the failure were replayed
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
    /** Returns the number of replayed records. */
    public long records()
    {
        return snapshotRecords + logRecords;
    }
}
