// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.presto.ledger.CacheLayer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a layer, or of a part of it, on this node, and its counters since the process began. A value that is not known is null.
 *
 * @param part {@code ""} for a layer as a whole
 * @param failures of disks, of stored data, and of loads
 * @param entries pages on disks, otherwise entries in memory
 * @param capacityBytes the maximum of {@code currentBytes}; on disks, of all data that is stored there
 */
record LayerStatus(
        CacheLayer layer,
        String part,
        long lookups,
        long hits,
        long misses,
        long failures,
        @Nullable Long entries,
        @Nullable Long currentBytes,
        @Nullable Long capacityBytes,
        @Nullable Long evictions,
        @Nullable Long writtenBytes)
{
    LayerStatus(CacheLayer layer, String part, long lookups, long hits, long misses, long failures)
    {
        this(layer, part, lookups, hits, misses, failures, null, null, null, null, null);
    }

    LayerStatus holding(long newEntries, long newBytes)
    {
        return new LayerStatus(layer, part, lookups, hits, misses, failures, newEntries, newBytes, capacityBytes, evictions, writtenBytes);
    }

    LayerStatus within(long newCapacityBytes)
    {
        return new LayerStatus(layer, part, lookups, hits, misses, failures, entries, currentBytes, newCapacityBytes, evictions, writtenBytes);
    }

    LayerStatus evicted(long newEvictions)
    {
        return new LayerStatus(layer, part, lookups, hits, misses, failures, entries, currentBytes, capacityBytes, newEvictions, writtenBytes);
    }

    LayerStatus wrote(long newBytes)
    {
        return new LayerStatus(layer, part, lookups, hits, misses, failures, entries, currentBytes, capacityBytes, evictions, newBytes);
    }
}
