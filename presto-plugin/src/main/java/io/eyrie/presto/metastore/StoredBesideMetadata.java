// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import io.eyrie.cache.blob.BlobCache;

/** A part of the coordinator's state that is stored in the directory of metadata. Bound as a set. */
public interface StoredBesideMetadata
{
    /** Stores the state in a store from now on, and continues with what an earlier process stored there. Reads from the disk. Called at most once. */
    void storeIn(BlobCache blobs);

    /**
     * Writes entries that are not stored yet, up to a bound for each call. One thread at a time calls it, behind queries.
     *
     * @return whether there is more to write
     */
    boolean flush();
}
