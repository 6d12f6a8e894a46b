package io.eyrie.cache.page;

/** What became of granules on their way to a {@link PageStore}. */
public enum WriteOutcome
{
    /** The granules are in the store. */
    STORED,
    /** The store chose not to keep them: no room, a quota, a device out of service, the page in motion. */
    DECLINED,
    /** Their file or scope has been invalidated since their load began. */
    STALE,
    /** Too much was waiting to be written. */
    BUSY,
    /** The disk failed. */
    DEVICE_ERROR,
}
