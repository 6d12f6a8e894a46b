package io.eyrie.cache.page;

/**
 * How a {@link PageStore} answered a read. Anything but {@code HIT} is read from the remote store: after {@code MISS} and
 * {@code CORRUPT} as a page that is written to the store, after the others just the bytes that are wanted.
 */
public enum ReadOutcome
{
    HIT,
    /** The store does not have the page. */
    MISS,
    /** The store does not serve the page at the moment, nor keep it: its disk is out of service. */
    DECLINED,
    /** The store has too much to do. */
    BUSY,
    /** What the store had was not the page; it has been dropped. */
    CORRUPT,
    /** The disk failed. */
    DEVICE_ERROR,
}
