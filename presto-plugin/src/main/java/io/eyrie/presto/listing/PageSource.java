package io.eyrie.presto.listing;

import java.util.Optional;

/** Fetches pages of one prefix on the caller's thread. Does not throw: a page that cannot be had is empty. */
interface PageSource
{
    /**
     * The keys after another.
     *
     * @param after a key under the prefix, which need not exist
     */
    Optional<KeyPage> fetch(String after);
}
