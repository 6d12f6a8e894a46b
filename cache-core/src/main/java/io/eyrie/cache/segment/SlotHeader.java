// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.store.PageKey;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * Converts the identity of a unit to the header of its slot and back. {@link UnitVerifier} reads headers, because only they contain the keys of stored
 * pages. Readers know the key, and their frames prove it, so they do not read headers.
 */
final class SlotHeader
{
    /*
     * Plain       hash of the file version, 16 bytes | number of the unit in the file, 8 bytes
     * Sealed      the same, as GranuleCipher seals it, for the hash 0 and the granule -1 - slot: no granule of a file has a negative number
     */
    private static final int IDENTITY_BYTES = 3 * Long.BYTES;

    private SlotHeader()
    {}

    static int bytes(boolean encrypted)
    {
        return encrypted ? IDENTITY_BYTES + GranuleCipher.OVERHEAD_BYTES : IDENTITY_BYTES;
    }

    /** Appends the header of a slot that contains this unit. */
    static void encode(Segment segment, int slot, Unit unit, ByteBuffer target)
    {
        GranuleCipher cipher = segment.cipher();
        ByteBuffer identity = cipher == null ? target : ByteBuffer.allocate(IDENTITY_BYTES);
        identity.putLong(unit.key().hashHigh()).putLong(unit.key().hashLow()).putLong(unit.number());
        if (cipher != null) {
            cipher.seal(0, 0, ~slot, identity.flip(), target);
        }
    }

    /** Returns the unit that a header names; null if it is not the header of this slot. */
    static @Nullable Unit decode(Layout layout, Segment segment, int slot, ByteBuffer header)
    {
        GranuleCipher cipher = segment.cipher();
        ByteBuffer identity = header;
        if (cipher != null) {
            identity = ByteBuffer.allocate(IDENTITY_BYTES);
            if (!cipher.open(0, 0, ~slot, header, identity)) {
                return null;
            }
            identity.flip();
        }
        long hashHigh = identity.getLong();
        long hashLow = identity.getLong();
        long number = identity.getLong();
        return number < 0
                ? null
                : Unit.of(layout, new PageKey(hashHigh, hashLow, number / layout.unitsPerPage()), (int) (number % layout.unitsPerPage()));
    }
}
