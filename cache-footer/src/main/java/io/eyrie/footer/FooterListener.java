package io.eyrie.footer;

/** Told what the caches did for one query. Called on the query's threads; does not throw. */
public interface FooterListener
{
    FooterListener NONE = new FooterListener() {
        @Override
        public void onHits(FooterKind kind, int count)
        {}

        @Override
        public void onLoad(FooterKind kind, long nanos)
        {}
    };

    /** Entries were there. */
    void onHits(FooterKind kind, int count);

    /** An entry was there, and the query only wanted to know; its load follows. */
    default void onDryRunHit(FooterKind kind)
    {}

    /** Something that was not there was loaded, or failed to load. */
    void onLoad(FooterKind kind, long nanos);
}
