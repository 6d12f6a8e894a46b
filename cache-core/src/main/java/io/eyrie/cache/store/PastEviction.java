// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/** Whether a page that a store does not have was evicted from it to make room. */
public enum PastEviction
{
    /** Not as far as the store remembers. */
    NONE,
    /** At least as many pages were evicted since as the store has. */
    EARLIER,
    /** Fewer pages were evicted since than the store has: an LRU store of twice the capacity would still have this one. */
    LATELY
}
