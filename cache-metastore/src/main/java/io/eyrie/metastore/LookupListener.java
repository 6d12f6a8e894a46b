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
    record LookupOrigin(String queryId, String database, String table)
    {}

    /** Why the metastore answered a lookup. */
    enum LookupMiss
    {
        /** The value was not cached. It is cached now, if the query may cache it. */
        ABSENT,
        /** Nothing validates cached entries, or entries of this kind are not cached. */
        NOT_VALIDATED,
        /** The predicate has too many values, so names of partitions that it selects are not cached. */
        LONG_PREDICATE,
        /** Entries of the subject are cached for as many users as allowed, so values for others are not. */
        TOO_MANY_USERS,
        /** The subject changed during the load, so the value is not cached. */
        CHANGED,
    }

    LookupListener NONE = new LookupListener() {
        @Override
        public void onLookups(LookupOrigin asker, int lookups)
        {}

        @Override
        public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
        {}
    };

    /** Returns how the query may use the cache. Called before each lookup. */
    default CacheMode mode(String queryId)
    {
        return CacheMode.READ_WRITE;
    }

    /** Called for a lookup of a dry run that the cache could have answered. {@link #onMisses} also counts it as a miss. */
    default void onDryRunHit(LookupOrigin asker)
    {}

    /** Called for the lookups of one call of the cache, before they are answered. */
    void onLookups(LookupOrigin asker, int lookups);

    /** Called for the lookups that one call of the metastore answered, or for which it failed. */
    void onMisses(LookupOrigin asker, int lookups, LookupMiss why);
}
