// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import io.eyrie.cache.blob.BlobCache;

/** A part of the coordinator's state that is stored in the directory of metadata. Bound as a set. */
public interface StoredBesideMetadata
{
    /** Stores the state in a store from now on, and continues with what an earlier process stored there. Reads from the disk. Called at most once. */
    void storeIn(BlobCache blobs);

    /**
     * Writes what is not stored yet, as far as one call may. Called behind queries, by one thread at a time.
     *
     * @return whether there is more to write
     */
    boolean flush();
}
