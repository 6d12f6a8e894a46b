package io.eyrie.metastore;

import io.eyrie.cache.page.CacheMode;

/** Told what the cache did for queries. Called on their threads; does not throw. */
public interface LookupListener
{
    /**
     * Which query asks, and about what.
     *
     * @param database empty if it asks about several, or about roles
     * @param table empty if it asks about a database
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

    /** Asked before each lookup: what the query may do with what is kept. */
    default CacheMode mode(String queryId)
    {
        return CacheMode.READ_WRITE;
    }

    /** A miss that is told of as well was there: the query only wants to know. */
    default void onDryRunHit(Asker asker)
    {}

    /** Something was looked up. */
    void onLookups(Asker asker, int lookups);

    /**
     * Some of it was asked of the metastore.
     *
     * @param vouchedFor false if nothing vouches for what is kept, or nothing is kept of the kind
     */
    void onMisses(Asker asker, int lookups, boolean vouchedFor);
}
