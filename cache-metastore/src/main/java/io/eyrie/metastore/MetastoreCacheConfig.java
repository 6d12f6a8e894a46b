// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.metastore.entry.EntryLimits;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * Settings of a {@link VersionedHiveMetastore}.
 *
 * @param limits bounds on the size and age of entries
 * @param scope which values are cached
 * @param versionsHandedOn whether partition names and partitions carry versions
 * @param impersonation whether each user has a separate view of the metastore
 * @param grace how long cached entries may answer while the metastore's log cannot be read; zero means never
 */
public record MetastoreCacheConfig(EntryLimits limits, CachedKinds scope, boolean versionsHandedOn, boolean impersonation, Duration grace)
{
    public MetastoreCacheConfig
    {
        requireNonNull(limits, "limits is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(grace, "grace is null");
    }

    /** Which values are cached. */
    public enum CachedKinds
    {
        /** All kinds of values. */
        ALL,
        /** Partitions and their statistics. */
        PARTITION,
    }
}
