package io.eyrie.cache.segment;

import io.eyrie.cache.page.PageKey;

/**
 * One unit of a page, as {@link Layout} cuts it.
 *
 * @param firstGranule the number, within the file, of its first granule
 * @param fingerprint its name in the index
 * @param identity stands for key and unit in checksums
 */
record Unit(PageKey key, long firstGranule, long fingerprint, long identity)
{
    static Unit of(Layout layout, PageKey key, int unitInPage)
    {
        long first = (key.pageNumber() * layout.unitsPerPage() + unitInPage) * (layout.unitBytes() / layout.granuleBytes());
        return new Unit(key, first, layout.fingerprint(key, unitInPage), layout.identity(key, unitInPage));
    }
}
