package io.eyrie.cache.segment;

import io.eyrie.cache.page.PageTags;

import static java.util.Objects.requireNonNull;

/**
 * A page on a disk, or, where a page has more than 64 granules, a part of it.
 *
 * @param segment the number of the segment that it lies in
 * @param lengthBytes the length of the page
 * @param cachedBytes what of it is there
 * @param slotBytes the room that it takes on the disk
 */
public record StoredPage(PageTags tags, int segment, int lengthBytes, int cachedBytes, int slotBytes)
{
    public StoredPage
    {
        requireNonNull(tags, "tags is null");
    }
}
