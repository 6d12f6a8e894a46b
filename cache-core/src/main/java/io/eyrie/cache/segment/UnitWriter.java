// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.segment.PageTable.Reservation;
import io.eyrie.cache.segment.PageTable.WriteStart;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.WriteOutcome;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Writes granules of one directory and publishes them. Thread-safe. */
final class UnitWriter
{
    private final Layout layout;
    private final Scratch.Pool scratches;
    private final DiskGuard guard;
    private final Consumer<DeviceOutcome> failed;
    private final SequencePoint point;

    /** @param failed receives each failure of the disk */
    UnitWriter(Layout layout, Scratch.Pool scratches, DiskGuard guard, Consumer<DeviceOutcome> failed, SequencePoint point)
    {
        this.layout = layout;
        this.scratches = scratches;
        this.guard = guard;
        this.failed = failed;
        this.point = point;
    }

    /**
     * Writes whole granules of a unit, unless they are already there.
     *
     * @param granules their bytes, which remain unchanged
     * @param stale whether they must no longer be published
     */
    WriteOutcome write(PageTable table, Unit unit, PageTags tags, int lengthBytes, int firstGranule, ByteBuffer granules, BooleanSupplier stale)
    {
        int count = layout.granules(granules.remaining());
        long wanted = -1L >>> (Long.SIZE - count) << firstGranule;
        WriteStart begun = table.begin(unit, tags, lengthBytes, wanted, stale);
        Reservation reservation = begun.reservation();
        if (reservation == null) {
            return begun.outcome();
        }
        DeviceOutcome written = DeviceOutcome.IO_ERROR;
        WriteOutcome outcome;
        try {
            point.reached("write.begun");
            written = write(reservation, unit, firstGranule, granules);
            point.reached("write.written");
        }
        finally {
            outcome = table.end(reservation, written, stale);
        }
        if (outcome == WriteOutcome.STORED) {
            guard.written(unit.fingerprint(), reservation.granules());
        }
        if (outcome == WriteOutcome.DEVICE_ERROR) {
            failed.accept(written);
        }
        return outcome == WriteOutcome.STORED && reservation.granules() != wanted ? present(table, unit, wanted) : outcome;
    }

    /** Whether all granules are there: others may have written some, or may not have finished. */
    private static WriteOutcome present(PageTable table, Unit unit, long wanted)
    {
        int entry = table.index().find(unit.fingerprint());
        return entry != PageIndex.NONE && (table.index().granules(entry) & wanted) == wanted ? WriteOutcome.STORED : WriteOutcome.DECLINED;
    }

    private DeviceOutcome write(Reservation reservation, Unit unit, int firstGranule, ByteBuffer granules)
    {
        Segment segment = reservation.pin().segment();
        int bufferGranules = scratches.bufferFrames() / layout.sectorsPerGranule();
        Scratch scratch = scratches.take();
        try {
            if (reservation.first()) {
                ByteBuffer header = scratch.frames();
                SlotHeader.encode(segment, reservation.pin().slot(), unit, header);
                header.flip();
                DeviceOutcome outcome = guard.watchWrite(() -> segment.writeHeader(reservation.pin().slot(), header));
                if (outcome != DeviceOutcome.OK) {
                    return outcome;
                }
            }
            long left = reservation.granules();
            while (left != 0) {
                int granule = Long.numberOfTrailingZeros(left);
                int count = Math.min(bufferGranules, Long.numberOfTrailingZeros(~(left >>> granule)));
                ByteBuffer frames = scratch.frames();
                int end = Math.min((granule + count - firstGranule) * layout.granuleBytes(), granules.remaining());
                for (int start = (granule - firstGranule) * layout.granuleBytes(); start < end; start += layout.sectorBytes()) {
                    int length = Math.min(layout.sectorBytes(), end - start);
                    int sector = firstGranule * layout.sectorsPerGranule() + start / layout.sectorBytes();
                    Frames.encode(scratch, segment, unit, sector, granules.slice(granules.position() + start, length), frames);
                }
                left &= ~(-1L >>> (Long.SIZE - count) << granule);
                int position = granule * layout.granuleFramesBytes();
                frames.flip();
                DeviceOutcome outcome = guard.watchWrite(() -> segment.write(reservation.pin().slot(), position, frames));
                if (outcome != DeviceOutcome.OK) {
                    return outcome;
                }
            }
            return DeviceOutcome.OK;
        }
        finally {
            scratches.give(scratch);
        }
    }
}
