package io.eyrie.metastore;

import io.eyrie.metastore.entry.EntryLimits;

import static java.util.Objects.requireNonNull;

/**
 * Settings of a {@link VersionedHiveMetastore}.
 *
 * @param limits how much is kept, and how long
 * @param scope what is kept
 * @param versionsHandedOn whether partition names and partitions carry versions
 * @param impersonation whether each user has a view of the metastore of their own
 */
public record MetastoreCacheConfig(EntryLimits limits, Scope scope, boolean versionsHandedOn, boolean impersonation)
{
    public MetastoreCacheConfig
    {
        requireNonNull(limits, "limits is null");
        requireNonNull(scope, "scope is null");
    }

    /** What is kept. */
    public enum Scope
    {
        /** Everything that the metastore tells of when it changes. */
        ALL,
        /** Partitions and their statistics. */
        PARTITION,
    }
}
