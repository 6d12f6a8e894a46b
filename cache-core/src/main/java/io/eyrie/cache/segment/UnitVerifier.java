// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;

import java.nio.ByteBuffer;

/**
 * Verifies the granules of stored units as a read does, with the key that the slot's header names instead of a reader's. Used by one thread.
 */
public final class UnitVerifier
{
    private final Layout layout;
    private final Scratch scratch;
    private final ByteBuffer sector;

    /**
     * The result of a verification.
     *
     * @param outcome {@code OK}, or the failure of the read
     * @param identified whether the slot's header names this unit; if not, no granule counts as verified
     * @param bad the granules that did not verify
     */
    public record Result(DeviceOutcome outcome, boolean identified, long bad)
    {
        public boolean isGood()
        {
            return bad == 0;
        }
    }

    public UnitVerifier(Layout layout)
    {
        this.layout = layout;
        // room for all frames of a unit; whole sectors need no buffer in between
        scratch = new Scratch.Pool(layout, false, layout.unitBytes()).take();
        sector = ByteBuffer.allocateDirect(layout.sectorBytes());
    }

    /** Reads and verifies all granules that the journal records. */
    public Result verify(StoredUnit stored)
    {
        Segment segment = stored.home();
        int slot = stored.slot();
        long granules = stored.granules();
        ByteBuffer header = scratch.frames().limit(SlotHeader.bytes(segment.cipher() != null));
        DeviceOutcome outcome = segment.readHeader(slot, header);
        if (outcome != DeviceOutcome.OK) {
            return new Result(outcome, false, granules);
        }
        Unit unit = SlotHeader.decode(layout, segment, slot, header.flip());
        if (unit == null || unit.fingerprint() != stored.fingerprint()) {
            return new Result(outcome, false, granules);
        }
        int lengthBytes = stored.lengthBytes();
        int first = Long.numberOfTrailingZeros(granules) * layout.sectorsPerGranule();
        int last = endSector(Long.SIZE - 1 - Long.numberOfLeadingZeros(granules), lengthBytes) - 1;
        int bytes = (last - first) * layout.frameBytes() + layout.sectorLength(lengthBytes, last) + layout.trailerBytes();
        outcome = segment.read(slot, first * layout.frameBytes(), scratch.frames().limit(bytes));
        if (outcome != DeviceOutcome.OK) {
            return new Result(outcome, true, granules);
        }
        long bad = 0;
        for (long left = granules; left != 0; left &= left - 1) {
            bad |= verify(segment, unit, Long.numberOfTrailingZeros(left), first, lengthBytes) ? 0 : Long.lowestOneBit(left);
        }
        return new Result(outcome, true, bad);
    }

    private boolean verify(Segment segment, Unit unit, int granule, int first, int lengthBytes)
    {
        for (int number = granule * layout.sectorsPerGranule(); number < endSector(granule, lengthBytes); number++) {
            int length = layout.sectorLength(lengthBytes, number);
            scratch.select((number - first) * layout.frameBytes(), length + layout.trailerBytes());
            if (!Frames.decode(scratch, segment, unit, number, 0, length, sector.clear())) {
                return false;
            }
        }
        return true;
    }

    private int endSector(int granule, int lengthBytes)
    {
        return Math.min((granule + 1) * layout.sectorsPerGranule(), layout.sectors(lengthBytes));
    }
}
