// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

/** Receives the cache events of one query. Called on the query's threads; does not throw. */
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

    /** Entries were found. */
    void onHits(FooterKind kind, int count);

    /** A dry run found an entry; its load follows. */
    default void onDryRunHit(FooterKind kind)
    {}

    /** A missing entry was loaded, or failed to load. */
    void onLoad(FooterKind kind, long nanos);
}
