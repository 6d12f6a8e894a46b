// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.metadata.RowGroupIndex;
import io.airlift.slice.Slice;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterStore;

import java.util.List;

import static java.util.Objects.requireNonNull;

/** The caches of stripe metadata. */
public record StripeCaches(FooterCache<CachedStripeFooter> footers, FooterCache<Slice> streams, FooterCache<List<RowGroupIndex>> rowGroupIndexes,
        FooterStore store)
{
    // an object and its reference in a list
    private static final int REFERENCE_BYTES = 24;

    public StripeCaches
    {
        requireNonNull(footers, "footers is null");
        requireNonNull(streams, "streams is null");
        requireNonNull(rowGroupIndexes, "rowGroupIndexes is null");
        requireNonNull(store, "store is null");
    }

    /** Returns the memory that parsed row indexes retain, in bytes. */
    public static long weight(List<RowGroupIndex> indexes)
    {
        return indexes.stream().mapToLong(index -> REFERENCE_BYTES + index.getRetainedSizeInBytes()).sum();
    }
}
