// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.store.PageTags;

import static java.util.Objects.requireNonNull;

/**
 * A page on a disk or, if a page has more than 64 granules, a unit of it.
 *
 * @param segment the number of the segment that contains it
 * @param lengthBytes the length of the page
 * @param cachedBytes the number of its bytes that are cached
 * @param slotBytes the disk space that it takes
 */
public record StoredPage(PageTags tags, int segment, int lengthBytes, int cachedBytes, int slotBytes)
{
    public StoredPage
    {
        requireNonNull(tags, "tags is null");
    }
}
