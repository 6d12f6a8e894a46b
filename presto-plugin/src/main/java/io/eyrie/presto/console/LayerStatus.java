// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.presto.ledger.CacheLayer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a layer on this node, and its counters since the process began. A value that is not known is null.
 *
 * @param failures of disks, of stored data, and of loads
 * @param entries pages on disks, otherwise entries in memory
 * @param capacityBytes the maximum of {@code currentBytes}; on disks, of all data that is stored there
 * @param savedBytes bytes of files that hits made unnecessary to read
 */
record LayerStatus(
        CacheLayer layer,
        long failures,
        @Nullable Long entries,
        @Nullable Long currentBytes,
        @Nullable Long capacityBytes,
        @Nullable Long evictions,
        @Nullable Long writtenBytes,
        @Nullable Long savedBytes)
{
    LayerStatus(CacheLayer layer, long failures)
    {
        this(layer, failures, null, null, null, null, null, null);
    }

    LayerStatus holding(long newEntries, long newBytes)
    {
        return new LayerStatus(layer, failures, newEntries, newBytes, capacityBytes, evictions, writtenBytes, savedBytes);
    }

    LayerStatus within(long newCapacityBytes)
    {
        return new LayerStatus(layer, failures, entries, currentBytes, newCapacityBytes, evictions, writtenBytes, savedBytes);
    }

    LayerStatus evicted(long newEvictions)
    {
        return new LayerStatus(layer, failures, entries, currentBytes, capacityBytes, newEvictions, writtenBytes, savedBytes);
    }

    LayerStatus wrote(long newBytes)
    {
        return new LayerStatus(layer, failures, entries, currentBytes, capacityBytes, evictions, newBytes, savedBytes);
    }

    LayerStatus saved(long newBytes)
    {
        return new LayerStatus(layer, failures, entries, currentBytes, capacityBytes, evictions, writtenBytes, newBytes);
    }
}
