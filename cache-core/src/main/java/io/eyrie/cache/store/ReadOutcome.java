// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/**
 * The answer of a {@link PageStore} to a read. Everything except {@code HIT} is read from the remote store: after {@code MISS} and
 * {@code CORRUPT} in whole granules that are written to the store, after the others exactly the requested bytes.
 */
public enum ReadOutcome
{
    HIT,
    /** The store does not have the page. */
    MISS,
    /** The store neither serves nor stores the page now, because its disk is out of service. */
    DECLINED,
    /** The store is overloaded. */
    BUSY,
    /** The store had other bytes in the place of the page; it has dropped them. */
    CORRUPT,
    /** The disk failed. */
    DEVICE_ERROR,
}
