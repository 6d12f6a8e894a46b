// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.crypt.SealedIdentity;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.segment.Layout;
import io.eyrie.cache.segment.StoredUnit;
import io.eyrie.cache.store.PageKey;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** Checks the frames of units whose keys are unknown. Used by one thread. */
final class PageProof
{
    /*
     * Plain     The checksum of each frame yields the identity of a unit for which it would be right. All intact frames of a unit yield the same
     *           identity, a damaged frame yields any other. A single frame proves nothing. If all frames belong to another unit, this goes
     *           undetected.
     * Sealed    For each number that a granule may have in its file, it yields a hash of the file version for which it would be right. The
     *           fingerprint has 64 bits of hash and number, so a pair that matches is the right one. It is remembered for the file's other units, and
     *           opens all granules.
     */
    private static final long LOW = 0xFFFF_FFFFL;
    /** Enough for a file of 2 TiB in pages of 1 MiB. */
    private static final long MOST_UNITS = 1L << 21;
    /** If this many granules yield nothing, the rest of the unit's granules is not tried: the whole unit is damaged. */
    private static final int ASKED_GRANULES = 3;

    private final Layout layout;
    private final ByteBuffer frames;
    private final ByteBuffer plain;
    private final long[] identities;
    private final CRC32C crc = new CRC32C();
    // the first page of each file, by the part of its fingerprints that is common to the file
    private final Map<Integer, List<PageKey>> files = new HashMap<>();

    /**
     * The result of a check.
     *
     * @param outcome {@code OK}, or the failure of the read
     * @param bad the damaged granules
     * @param unchecked whether there was nothing to compare with
     */
    record Found(DeviceOutcome outcome, long bad, boolean unchecked)
    {
        boolean isGood()
        {
            return outcome == DeviceOutcome.OK && bad == 0;
        }
    }

    PageProof(Layout layout)
    {
        this.layout = layout;
        int sectors = layout.unitBytes() / layout.sectorBytes();
        frames = ByteBuffer.allocateDirect(sectors * layout.frameBytes());
        plain = ByteBuffer.allocateDirect(layout.sectorBytes());
        identities = new long[sectors];
    }

    /** Checks the granules of a unit. */
    Found check(StoredUnit unit)
    {
        int lengthBytes = unit.lengthBytes();
        long granules = unit.granules();
        int first = firstSector(Long.numberOfTrailingZeros(granules));
        int end = endSector(Long.SIZE - 1 - Long.numberOfLeadingZeros(granules), lengthBytes);
        int bytes = (end - 1 - first) * layout.frameBytes() + layout.sectorLength(lengthBytes, end - 1) + layout.trailerBytes();
        DeviceOutcome outcome = unit.read(first * layout.frameBytes(), frames.clear().limit(bytes));
        if (outcome != DeviceOutcome.OK) {
            return new Found(outcome, granules, false);
        }
        GranuleCipher cipher = unit.cipher();
        return cipher == null
                ? checkPlain(unit, first, lengthBytes, granules)
                : new Found(outcome, granules & ~opened(cipher, first, unit.fingerprint(), lengthBytes, granules), false);
    }

    private int firstSector(int granule)
    {
        return granule * layout.sectorsPerGranule();
    }

    private int endSector(int granule, int lengthBytes)
    {
        int sectors = (lengthBytes + layout.sectorBytes() - 1) / layout.sectorBytes();
        return Math.min(firstSector(granule + 1), sectors);
    }

    private Found checkPlain(StoredUnit unit, int first, int lengthBytes, long granules)
    {
        int count = 0;
        for (long left = granules; left != 0; left &= left - 1) {
            int granule = Long.numberOfTrailingZeros(left);
            for (int sector = firstSector(granule); sector < endSector(granule, lengthBytes); sector++) {
                identities[count] = identity(unit, first, sector, lengthBytes);
                count++;
            }
        }
        long likely = likely(count);
        long bad = 0;
        int at = 0;
        for (long left = granules; left != 0; left &= left - 1) {
            int granule = Long.numberOfTrailingZeros(left);
            for (int sector = firstSector(granule); sector < endSector(granule, lengthBytes); sector++) {
                bad |= identities[at] == likely ? 0 : Long.lowestOneBit(left);
                at++;
            }
        }
        boolean nothingAgrees = bad != 0 && Arrays.stream(identities, 0, count).filter(identity -> identity == likely).count() == 1;
        return new Found(DeviceOutcome.OK, nothingAgrees ? granules : bad, count == 1);
    }

    private long identity(StoredUnit unit, int first, int sector, int lengthBytes)
    {
        int start = (sector - first) * layout.frameBytes();
        int length = layout.sectorLength(lengthBytes, sector);
        crc.reset();
        crc.update(frames.duplicate().limit(start + length).position(start));
        return unit.identity(frames.getLong(start + length), sector, crc.getValue());
    }

    /** Returns the identity that most frames yield. */
    private long likely(int count)
    {
        boolean agree = Arrays.stream(identities, 1, count).allMatch(identity -> identity == identities[0]);
        if (agree) {
            return identities[0];
        }
        Map<Long, Integer> votes = new HashMap<>();
        Arrays.stream(identities, 0, count).forEach(identity -> votes.merge(identity, 1, Integer::sum));
        return votes.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    }

    /** Returns the granules that are intact. */
    private long opened(GranuleCipher cipher, int first, long fingerprint, int lengthBytes, long granules)
    {
        List<PageKey> known = files.computeIfAbsent(Layout.fileTag(fingerprint), unused -> new ArrayList<>(1));
        for (PageKey file : known) {
            long opened = opened(cipher, file, first, fingerprint, lengthBytes, granules);
            if (opened != 0) {
                return opened;
            }
        }
        int asked = 0;
        for (long left = granules; left != 0 && asked < ASKED_GRANULES; left &= left - 1, asked++) {
            int granule = Long.numberOfTrailingZeros(left);
            SealedIdentity identity = cipher.identity(frame(granule, first, lengthBytes));
            for (long unit = 0; unit < MOST_UNITS; unit++) {
                long number = unit * granulesPerUnit() + granule;
                long hashHigh = identity.hashHigh(number);
                if ((int) (hashHigh >>> Integer.SIZE) == Layout.fileTag(fingerprint)
                        && ((identity.hashLow(number) + unit ^ fingerprint) & LOW) == 0) {
                    PageKey file = new PageKey(hashHigh, identity.hashLow(number), 0);
                    known.add(file);
                    return opened(cipher, file, first, fingerprint, lengthBytes, granules);
                }
            }
        }
        return 0;
    }

    private long opened(GranuleCipher cipher, PageKey file, int first, long fingerprint, int lengthBytes, long granules)
    {
        long unit = fingerprint - file.hashLow() & LOW;
        long opened = 0;
        for (long left = granules; left != 0; left &= left - 1) {
            int granule = Long.numberOfTrailingZeros(left);
            long number = unit * granulesPerUnit() + granule;
            if (cipher.open(file.hashHigh(), file.hashLow(), number, frame(granule, first, lengthBytes), plain.clear())) {
                opened |= Long.lowestOneBit(left);
            }
        }
        return opened;
    }

    private long granulesPerUnit()
    {
        return layout.unitBytes() / layout.granuleBytes();
    }

    /** Returns a frame of an encrypted unit, whose sectors are granules. */
    private ByteBuffer frame(int granule, int first, int lengthBytes)
    {
        int start = (granule - first) * layout.frameBytes();
        return frames.duplicate().limit(start + layout.sectorLength(lengthBytes, granule) + layout.trailerBytes()).position(start);
    }
}
