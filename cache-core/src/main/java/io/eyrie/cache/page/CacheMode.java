// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

/** How a reader uses the cache. */
public enum CacheMode
{
    /** Serves hits; fetches and writes misses. */
    READ_WRITE,
    /** Serves hits; reads misses from the remote store, and does not write them. */
    READ_ONLY,
    /** Reads everything from the remote store and writes nothing; the listener receives would-be hits as misses with cause {@link MissCause#DRY_RUN}. */
    DRY_RUN,
    /** Reads everything from the remote store, without lookups or counts. */
    BYPASS;

    /** Whether hits are served. */
    public boolean serves()
    {
        return this == READ_WRITE || this == READ_ONLY;
    }
}
