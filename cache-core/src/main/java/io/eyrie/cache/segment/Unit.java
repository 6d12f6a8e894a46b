// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.store.PageKey;

/**
 * One unit of a page, as defined by {@link Layout}.
 *
 * @param number its number within the file
 * @param firstSector the number, within the file, of its first sector
 * @param fingerprint its key in the index
 * @param identity represents key and unit in checksums
 */
record Unit(PageKey key, long number, long firstSector, long fingerprint, long identity)
{
    static Unit of(Layout layout, PageKey key, int unitInPage)
    {
        long number = layout.number(key, unitInPage);
        long firstSector = number * (layout.unitBytes() / layout.sectorBytes());
        return new Unit(key, number, firstSector, layout.fingerprint(key, unitInPage), layout.identity(key, unitInPage));
    }
}
