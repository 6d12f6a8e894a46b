package io.eyrie.metastore;

/** Told what the cache did for queries. Called on their threads; does not throw. */
public interface LookupListener
{
    LookupListener NONE = new LookupListener() {
        @Override
        public void onLookups(String queryId, int lookups)
        {}

        @Override
        public void onMisses(String queryId, int lookups, boolean vouchedFor)
        {}
    };

    /** Asked before each lookup: whether the query wants the metastore's own answer, and nothing kept of it. */
    default boolean bypasses(String queryId)
    {
        return false;
    }

    /** Something was looked up. */
    void onLookups(String queryId, int lookups);

    /**
     * Some of it was asked of the metastore.
     *
     * @param vouchedFor false if nothing vouches for what is kept, or nothing is kept of the kind
     */
    void onMisses(String queryId, int lookups, boolean vouchedFor);
}
