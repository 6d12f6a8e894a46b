// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.store.PageKey;

/**
 * Divides pages into units of at most 64 granules and granules into sectors, and defines the slots that hold their frames.
 *
 * @param pageSizeBytes a power of two
 * @param granuleBytes unit of publication; a power of two, at most the page size
 * @param sectorBytes unit of verification; a power of two, at most the granule size
 * @param trailerBytes number of bytes after the sector in a frame
 */
public record Layout(int pageSizeBytes, int granuleBytes, int sectorBytes, int trailerBytes)
{
    /*
     * Unit        has an entry in the index: a page or, if it has more than 64 granules, 64 adjacent ones. Units of a file are numbered from its
     *             beginning.
     * Frame       a sector, followed by its trailer
     * Slot        frames of a unit, rounded up: unit lengths to 1/8 of the next lower power of two, slots to blocks
     */
    static final int BLOCK_BYTES = 4 << 10;
    private static final int SECTORS_PER_GRANULE = 8;
    private static final int LEAST_STEP_BYTES = 512;
    private static final int STEPS_PER_OCTAVE = 8;

    /** Returns the layout for a page and granule size. Sealed granules are not divided into sectors, because sealing costs too much per frame. */
    static Layout of(int pageSizeBytes, int granuleBytes, boolean encrypted)
    {
        return new Layout(
                pageSizeBytes,
                granuleBytes,
                encrypted ? granuleBytes : granuleBytes / SECTORS_PER_GRANULE,
                Frames.trailerBytes(encrypted));
    }

    int unitBytes()
    {
        return (int) Math.min(pageSizeBytes, (long) Long.SIZE * granuleBytes);
    }

    int unitsPerPage()
    {
        return pageSizeBytes / unitBytes();
    }

    int frameBytes()
    {
        return sectorBytes + trailerBytes;
    }

    int sectorsPerGranule()
    {
        return granuleBytes / sectorBytes;
    }

    /** The space that a whole granule takes. */
    int granuleFramesBytes()
    {
        return sectorsPerGranule() * frameBytes();
    }

    /** The number of granules in a unit of this length. */
    public int granules(int unitLengthBytes)
    {
        return (unitLengthBytes + granuleBytes - 1) / granuleBytes;
    }

    /** The number of sectors in a unit of this length. */
    int sectors(int unitLengthBytes)
    {
        return (unitLengthBytes + sectorBytes - 1) / sectorBytes;
    }

    /** The length of one sector in a unit of this length. */
    int sectorLength(int unitLengthBytes, int sector)
    {
        return Math.min(sectorBytes, unitLengthBytes - sector * sectorBytes);
    }

    /** The disk space that a unit of this length takes. */
    int slotBytes(int unitLengthBytes)
    {
        int step = Math.max(LEAST_STEP_BYTES, Integer.highestOneBit(Math.max(1, unitLengthBytes - 1)) / STEPS_PER_OCTAVE);
        int rounded = Math.min(unitBytes(), roundUp(unitLengthBytes, step));
        return roundUp(rounded + sectors(rounded) * trailerBytes, BLOCK_BYTES);
    }

    static int roundUp(int bytes, int unit)
    {
        return (bytes + unit - 1) / unit * unit;
    }

    /** The key of a unit in the index: 32 bits of its file version's hash, and 32 bits that differ for all units of a file. */
    long fingerprint(PageKey key, int unitInPage)
    {
        return (key.hashHigh() & 0xFFFF_FFFF_0000_0000L) | ((key.hashLow() + number(key, unitInPage)) & 0xFFFF_FFFFL);
    }

    /** The number of a unit in its file. */
    long number(PageKey key, int unitInPage)
    {
        return key.pageNumber() * unitsPerPage() + unitInPage;
    }

    /** The fingerprint of the unit of the same file that is this many units later. */
    static long sibling(long fingerprint, int units)
    {
        return (fingerprint & 0xFFFF_FFFF_0000_0000L) | ((fingerprint + units) & 0xFFFF_FFFFL);
    }

    /** The part of a fingerprint that depends only on the file version. */
    static int fileTag(long fingerprint)
    {
        return (int) (fingerprint >>> Integer.SIZE);
    }

    /** The full identity of file version and unit, for checksums. */
    long identity(PageKey key, int unitInPage)
    {
        return Mix.mix(key.hashHigh() ^ Mix.mix(key.hashLow() ^ Mix.mix(number(key, unitInPage))));
    }
}
