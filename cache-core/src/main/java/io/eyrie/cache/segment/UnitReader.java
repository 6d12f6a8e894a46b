// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.ReadOutcome;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Reads granules of one directory, without a lock, and verifies them. Thread-safe. */
final class UnitReader
{
    /*
     * A slot may be given to another page between the lookup in the index and the end of the read from the disk. The frame's checksum detects this.
     * The index's version distinguishes it from damage.
     */
    private static final int ATTEMPTS = 3;
    private static final LimitedLog corruptionLog = new LimitedLog(UnitReader.class, Level.WARNING);

    private final Layout layout;
    private final Scratch.Pool scratches;
    private final DiskGuard guard;
    private final Consumer<DeviceOutcome> failed;
    private final SequencePoint point;

    /** @param failed receives each failure of the disk */
    UnitReader(Layout layout, Scratch.Pool scratches, DiskGuard guard, Consumer<DeviceOutcome> failed, SequencePoint point)
    {
        this.layout = layout;
        this.scratches = scratches;
        this.guard = guard;
        this.failed = failed;
        this.point = point;
    }

    /** The present granules of a unit, as bits. */
    long granules(PageTable table, Unit unit)
    {
        PageIndex index = table.index();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int version = index.version(unit.fingerprint());
            int entry = index.find(unit.fingerprint());
            if (entry == PageIndex.NONE) {
                return 0;
            }
            long granules = index.granules(entry);
            boolean dead = table.isDead(unit.fingerprint(), index.scope(entry), index.stamp(entry));
            if (index.isUnchanged(unit.fingerprint(), version)) {
                return dead ? 0 : granules;
            }
        }
        return 0;
    }

    /** Reads a range of a unit, which fills the target. */
    ReadOutcome read(PageTable table, Unit unit, int offset, ByteBuffer target)
    {
        PageIndex index = table.index();
        int start = target.position();
        int first = offset / layout.granuleBytes();
        int last = (offset + target.remaining() - 1) / layout.granuleBytes();
        long wanted = -1L >>> (Long.SIZE - 1 - (last - first)) << first;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int version = index.version(unit.fingerprint());
            int entry = index.find(unit.fingerprint());
            if (entry == PageIndex.NONE) {
                return ReadOutcome.MISS;
            }
            long granules = index.granules(entry);
            int length = index.lengthBytes(entry);
            int location = index.location(entry);
            boolean dead = table.isDead(unit.fingerprint(), index.scope(entry), index.stamp(entry));
            Segment segment = table.segment(Segment.segmentOf(location));
            if (!index.isUnchanged(unit.fingerprint(), version) || segment == null) {
                continue;
            }
            if (dead || (granules & wanted) != wanted || offset + target.remaining() > length) {
                return ReadOutcome.MISS;
            }
            point.reached("read.found");
            ReadOutcome prepared = guard.prepare(segment, Segment.slotOf(location), unit.fingerprint(), length, wanted);
            if (prepared != ReadOutcome.HIT) {
                return prepared;
            }
            DeviceOutcome outcome = readFrames(segment, unit, Segment.slotOf(location), length, offset, target);
            if (outcome == DeviceOutcome.OK) {
                table.hit(entry);
                return ReadOutcome.HIT;
            }
            target.position(start);
            point.reached("read.failed");
            if (index.isUnchanged(unit.fingerprint(), version)) {
                return failed(table, unit, version, outcome, segment);
            }
        }
        return ReadOutcome.MISS;
    }

    private ReadOutcome failed(PageTable table, Unit unit, int version, DeviceOutcome outcome, Segment segment)
    {
        if (outcome == DeviceOutcome.CLOSED) {
            return ReadOutcome.DECLINED;
        }
        // also on a failing disk: otherwise one bad sector would take the directory out of service at every read
        table.dropIfUnchanged(unit.fingerprint(), version);
        if (outcome == DeviceOutcome.END_OF_FILE) {
            corruptionLog.log("Dropping a page: " + segment + " should contain " + unit + ", but the bytes there do not verify");
            return ReadOutcome.CORRUPT;
        }
        failed.accept(outcome);
        return ReadOutcome.DEVICE_ERROR;
    }

    /** Reads and verifies frames; {@code END_OF_FILE} also stands for frames that do not verify. */
    private DeviceOutcome readFrames(Segment segment, Unit unit, int slot, int length, int offset, ByteBuffer target)
    {
        Scratch scratch = scratches.take();
        try {
            int end = offset + target.remaining();
            int sector = offset / layout.sectorBytes();
            while (sector * layout.sectorBytes() < end) {
                int last = Math.min(sector + scratches.bufferFrames() - 1, (end - 1) / layout.sectorBytes());
                int bytes = (last - sector) * layout.frameBytes() + layout.sectorLength(length, last) + layout.trailerBytes();
                DeviceOutcome outcome = segment.read(slot, sector * layout.frameBytes(), scratch.frames().limit(bytes));
                if (outcome != DeviceOutcome.OK) {
                    return outcome;
                }
                for (int frame = 0; sector <= last; frame++, sector++) {
                    int sectorLength = layout.sectorLength(length, sector);
                    int sectorStart = sector * layout.sectorBytes();
                    scratch.select(frame * layout.frameBytes(), sectorLength + layout.trailerBytes());
                    int from = Math.max(offset - sectorStart, 0);
                    int to = Math.min(end - sectorStart, sectorLength);
                    if (!Frames.decode(scratch, segment, unit, sector, from, to, target)) {
                        return DeviceOutcome.END_OF_FILE;
                    }
                }
            }
            return DeviceOutcome.OK;
        }
        finally {
            scratches.give(scratch);
        }
    }
}
