package io.eyrie.cache.page;

/** What a reader may do with the cache. */
public enum CacheMode
{
    /** Hits are served, misses are fetched and written. */
    READ_WRITE,
    /** Hits are served, misses are read from the remote store, exactly the bytes asked for, and not written. */
    READ_ONLY,
    /** Everything is read from the remote store, and nothing is written; the listener hears what would have been served, as misses by {@link MissCause#DRY_RUN}. */
    DRY_RUN,
    /** Everything is read from the remote store; nothing is looked up or counted. */
    BYPASS;

    /** Whether what is there is served. */
    public boolean serves()
    {
        return this == READ_WRITE || this == READ_ONLY;
    }
}
