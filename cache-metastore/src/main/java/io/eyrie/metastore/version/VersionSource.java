package io.eyrie.metastore.version;

import com.facebook.presto.hive.metastore.MetastoreContext;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the versions that a metastore has of its tables and partitions, as it has them now. Versions are compared by equality; equal ones stand for equal answers about
 * the table or partition, its statistics included as far as the metastore keeps them with it. Thread-safe; does not throw: what cannot be told is left out.
 */
public interface VersionSource
{
    /** The version of a table; empty if there is none such, or none that can be told. */
    Optional<Object> ofTable(MetastoreContext context, String database, String table);

    /** Whether it tells partitions' versions: otherwise they have to be loaded to be compared. */
    boolean tellsPartitions();

    /** The versions of those partitions of which one can be told, by name. */
    Map<String, Object> ofPartitions(MetastoreContext context, String database, String table, Collection<String> names);
}
