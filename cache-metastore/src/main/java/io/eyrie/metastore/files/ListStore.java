// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import io.eyrie.cache.blob.BlobKey;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Stores file lists on the coordinator's disk, so that another process can use them under the same versions. Thread-safe. */
public interface ListStore
{
    /** Stores nothing. */
    ListStore NONE = new ListStore() {
        @Override
        public Optional<StoredList> find(ListOwner owner, BlobKey identity)
        {
            return Optional.empty();
        }

        @Override
        public void offer(ListOwner owner, BlobKey identity, Supplier<Optional<byte[]>> list)
        {
            // not stored
        }

        @Override
        public void forget(String database, String table, boolean forGood)
        {
            // nothing is stored
        }
    };

    /**
     * The partition or table that a list belongs to.
     *
     * @param values the partition's values; empty for the table
     * @param version as {@link TableVersions} returned it
     */
    record ListOwner(String database, String table, List<String> values, Object version)
    {}

    /**
     * A stored list.
     *
     * @param ageMillis its age, at least
     */
    record StoredList(ByteBuffer list, long ageMillis)
    {}

    /** Returns a stored list, if its version is still current. Reads from the disk. */
    Optional<StoredList> find(ListOwner owner, BlobKey identity);

    /**
     * Stores a list behind queries, unless its version changes before.
     *
     * @param list encodes it; empty if it is not to be stored, or no longer cached. Does not hold the list itself
     */
    void offer(ListOwner owner, BlobKey identity, Supplier<Optional<byte[]>> list);

    /**
     * Drops the stored lists of a table, of a database if {@code table} is empty, or all if both are empty.
     *
     * @param forGood whether a crash within seconds must not undo it; waits for a disk then
     */
    void forget(String database, String table, boolean forGood);
}
