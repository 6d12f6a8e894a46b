package io.eyrie.metastore;

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

    /** Asked before each lookup: whether the query wants the metastore's own answer, and nothing kept of it. */
    default boolean bypasses(String queryId)
    {
        return false;
    }

    /** Something was looked up. */
    void onLookups(Asker asker, int lookups);

    /**
     * Some of it was asked of the metastore.
     *
     * @param vouchedFor false if nothing vouches for what is kept, or nothing is kept of the kind
     */
    void onMisses(Asker asker, int lookups, boolean vouchedFor);
}
