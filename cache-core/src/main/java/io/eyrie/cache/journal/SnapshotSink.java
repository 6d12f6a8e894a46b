// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** Packs the records of a snapshot into frames. Used by one thread. */
final class SnapshotSink
        implements RecordSink
{
    private final FrameWriter writer;
    private final ByteBuffer records;
    private final BooleanSupplier meanwhile;
    private int count;
    private boolean wanted = true;
    private DeviceOutcome outcome = DeviceOutcome.OK;

    /** @param meanwhile called after each frame but the last; false ends the snapshot */
    SnapshotSink(FrameWriter writer, ByteBuffer records, BooleanSupplier meanwhile)
    {
        this.writer = writer;
        this.records = records;
        this.meanwhile = meanwhile;
    }

    @Override
    public boolean write(ByteBuffer record)
    {
        FileJournal.checkLength(record);
        if (records.remaining() < Frame.LENGTH_BYTES + record.remaining()) {
            writeFrame();
            wanted = wanted && meanwhile.getAsBoolean();
        }
        if (!wanted) {
            return false;
        }
        records.putShort((short) record.remaining()).put(record);
        count++;
        return true;
    }

    /** Writes the last frame; returns false if the snapshot is incomplete. */
    boolean finish()
    {
        if (wanted && count > 0) {
            writeFrame();
        }
        return wanted;
    }

    DeviceOutcome outcome()
    {
        return outcome;
    }

    private void writeFrame()
    {
        if (wanted) {
            outcome = writer.writePadded(records.flip(), count);
            wanted = outcome == DeviceOutcome.OK;
        }
        records.clear();
        count = 0;
    }
}
