package io.eyrie.metastore;

import io.eyrie.metastore.entry.EntryLimits;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * Settings of a {@link VersionedHiveMetastore}.
 *
 * @param limits how much is kept, and how long
 * @param scope what is kept
 * @param versionsHandedOn whether partition names and partitions carry versions
 * @param impersonation whether each user has a view of the metastore of their own
 * @param grace for how long what is kept answers while the metastore's log cannot be read; zero: not at all
 */
public record MetastoreCacheConfig(EntryLimits limits, Scope scope, boolean versionsHandedOn, boolean impersonation, Duration grace)
{
    public MetastoreCacheConfig
    {
        requireNonNull(limits, "limits is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(grace, "grace is null");
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
