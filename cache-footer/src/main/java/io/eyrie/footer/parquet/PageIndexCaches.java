// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterStore;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;

import java.nio.ByteBuffer;

import static java.util.Objects.requireNonNull;

/** The process's caches of Parquet page indexes, and the store of their bytes. Thread-safe. */
public record PageIndexCaches(FooterCache<ColumnIndex> columnIndexes, FooterCache<OffsetIndex> offsetIndexes, FooterStore store)
{
    /* Estimates; the test compares them with measured indexes. */
    private static final int COLUMN_INDEX_BYTES = 300;
    // two bounds, a null count, and the flag of a page that has only nulls
    private static final int COLUMN_INDEX_PAGE_BYTES = 29;
    private static final int BOUND_OBJECT_BYTES = 72;
    private static final int OFFSET_INDEX_BYTES = 100;
    // a position, a length, and a row
    private static final int OFFSET_INDEX_PAGE_BYTES = 20;

    public PageIndexCaches
    {
        requireNonNull(columnIndexes, "columnIndexes is null");
        requireNonNull(offsetIndexes, "offsetIndexes is null");
        requireNonNull(store, "store is null");
    }

    /** Returns the estimated memory that an index retains, in bytes. */
    public static long weight(ColumnIndex index)
    {
        long bounds = index.getMinValues().stream().mapToLong(PageIndexCaches::weight).sum()
                + index.getMaxValues().stream().mapToLong(PageIndexCaches::weight).sum();
        return COLUMN_INDEX_BYTES + (long) COLUMN_INDEX_PAGE_BYTES * index.getNullPages().size() + bounds;
    }

    /** Returns the estimated memory that an index retains, in bytes. */
    public static long weight(OffsetIndex index)
    {
        return OFFSET_INDEX_BYTES + (long) OFFSET_INDEX_PAGE_BYTES * index.getPageCount();
    }

    private static long weight(ByteBuffer bound)
    {
        // numbers are not held as objects
        return bound.remaining() <= Long.BYTES ? 0 : BOUND_OBJECT_BYTES + bound.remaining();
    }
}
