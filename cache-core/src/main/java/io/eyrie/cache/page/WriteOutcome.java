package io.eyrie.cache.page;

/** What became of a page handed to a {@link PageStore}. */
public enum WriteOutcome
{
    /** The page is in the store. */
    STORED,
    /** The store chose not to keep the page: no room, a disk out of service, the page in motion. */
    DECLINED,
    /** The disk failed. */
    DEVICE_ERROR,
}
