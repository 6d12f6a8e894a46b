// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.cache.page.CacheMode;

/** Receives the cache's activity for each query. Called on the queries' threads. Implementations do not throw. */
public interface LookupListener
{
    /**
     * The query that performs a lookup, and the subject of the lookup.
     *
     * @param database empty if the lookup concerns several databases, or roles
     * @param table empty if the lookup concerns a database
     */
    record Asker(String queryId, String database, String table)
    {}

    LookupListener NONE = new LookupListener() {
        @Override
        public void onLookups(Asker asker, int lookups)
        {}

        @Override
        public void onMisses(Asker asker, int lookups, boolean vouchedFor)
        {}
    };

    /** Returns how the query may use the cache. Called before each lookup. */
    default CacheMode mode(String queryId)
    {
        return CacheMode.READ_WRITE;
    }

    /** Called for a lookup of a dry run that the cache could have answered. {@link #onMisses} also counts it as a miss. */
    default void onDryRunHit(Asker asker)
    {}

    /** Called for lookups, before they are answered. */
    void onLookups(Asker asker, int lookups);

    /**
     * Called for lookups that the metastore answers.
     *
     * @param vouchedFor false if nothing validates cached entries, or entries of this kind are not cached
     */
    void onMisses(Asker asker, int lookups, boolean vouchedFor);
}
