// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.version;

import com.facebook.presto.hive.metastore.MetastoreContext;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the current versions of a metastore's tables and partitions. Versions are compared by equality; equal ones mean equal values of the table or partition,
 * including the statistics that the metastore stores with it. Thread-safe. Does not throw: versions that cannot be read are left out.
 */
public interface VersionSource
{
    /** Returns the version of a table, or an empty optional if the table does not exist or its version cannot be read. */
    Optional<Object> ofTable(MetastoreContext context, String database, String table);

    /** Whether partitions have versions; if not, they must be loaded to be compared. */
    boolean tellsPartitions();

    /** Whether versions have bytes by which another process recognizes them. */
    default boolean hasBytes()
    {
        return false;
    }

    /** Returns the bytes of a version that this source returned; empty if it has none. Equal versions have equal bytes. */
    default Optional<byte[]> encode(Object version)
    {
        return Optional.empty();
    }

    /** Returns the version of these bytes. Throws any unchecked exception if they are not those of a version. */
    default Object decode(ByteBuffer bytes)
    {
        throw new UnsupportedOperationException("these versions have no bytes");
    }

    /** Returns the versions of partitions by name, without those that cannot be read. */
    Map<String, Object> ofPartitions(MetastoreContext context, String database, String table, Collection<String> names);
}
