// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import java.util.Optional;

/** Fetches pages of one prefix on the caller's thread. Does not throw: if a page cannot be fetched, the result is empty. */
interface PageSource
{
    /**
     * Returns the keys after another key.
     *
     * @param after a key under the prefix, which need not exist
     */
    Optional<KeyPage> fetch(String after);
}
