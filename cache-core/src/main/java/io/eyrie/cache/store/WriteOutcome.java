// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/** The outcome of writing granules to a {@link PageStore}. */
public enum WriteOutcome
{
    /** The granules are in the store. */
    STORED,
    /**
     * The store did not accept them: no room, a quota, a device out of service, a stored page of another length, or a concurrent write or drop of
     * the page.
     */
    DECLINED,
    /** Their file or scope has been invalidated since they began to load. */
    STALE,
    /** Too many bytes were waiting to be written. */
    BUSY,
    /** The disk failed. */
    DEVICE_ERROR,
}
