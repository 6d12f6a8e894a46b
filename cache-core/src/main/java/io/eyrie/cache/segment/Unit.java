package io.eyrie.cache.segment;

import io.eyrie.cache.page.PageKey;

/**
 * One unit of a page, as {@link Layout} cuts it.
 *
 * @param firstSector the number, within the file, of its first sector
 * @param fingerprint its name in the index
 * @param identity stands for key and unit in checksums
 */
record Unit(PageKey key, long firstSector, long fingerprint, long identity)
{
    static Unit of(Layout layout, PageKey key, int unitInPage)
    {
        long first = (key.pageNumber() * layout.unitsPerPage() + unitInPage) * (layout.unitBytes() / layout.sectorBytes());
        return new Unit(key, first, layout.fingerprint(key, unitInPage), layout.identity(key, unitInPage));
    }
}
