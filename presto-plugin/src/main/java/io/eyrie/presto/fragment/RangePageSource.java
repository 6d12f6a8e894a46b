// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ConnectorPageSource;
import io.eyrie.fragment.statistics.ValueRange;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Reads columns of a split to their end without returning a page, then acts as the page source of the split's leaf. If reading the columns fails, it
 * reports no ranges and opens the leaf anyway. Used by one thread at a time.
 */
final class RangePageSource
        implements ConnectorPageSource
{
    private static final Logger log = Logger.get(RangePageSource.class);

    private final Supplier<ConnectorPageSource> scan;
    private final List<Type> types;
    private final Consumer<List<ValueRange>> found;
    private final Supplier<ConnectorPageSource> opener;
    private final List<ValueRange> ranges;
    private @Nullable ConnectorPageSource source;
    private @Nullable ConnectorPageSource leaf;
    private long scanNanos;
    private boolean closed;

    /**
     * @param scan opens the split for these columns only; called at most once
     * @param types the types of the columns
     * @param found receives the range of each column, if all were read to their end
     * @param opener opens the leaf afterwards; called at most once
     */
    RangePageSource(Supplier<ConnectorPageSource> scan, List<Type> types, Consumer<List<ValueRange>> found, Supplier<ConnectorPageSource> opener)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.types = List.copyOf(types);
        this.found = requireNonNull(found, "found is null");
        this.opener = requireNonNull(opener, "opener is null");
        this.ranges = new ArrayList<>(Collections.nCopies(types.size(), ValueRange.EMPTY));
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        ConnectorPageSource current = current();
        return current == null ? NOT_BLOCKED : current.isBlocked();
    }

    @Override
    public @Nullable Page getNextPage()
    {
        if (leaf != null) {
            return leaf.getNextPage();
        }
        if (!closed && readOn()) {
            leaf = opener.get();
        }
        return null;
    }

    /* Reads one page. Returns whether the scan has ended or failed. */
    private boolean readOn()
    {
        try {
            ConnectorPageSource open = source == null ? scan.get() : source;
            source = open;
            Page page = open.isFinished() ? null : open.getNextPage();
            for (int column = 0; page != null && column < types.size(); column++) {
                ranges.set(column, ranges.get(column).with(types.get(column), page.getBlock(column)));
            }
            if (!open.isFinished()) {
                return false;
            }
            found.accept(List.copyOf(ranges));
        }
        catch (RuntimeException e) {
            // the leaf reads the same data, and fails as it does without ranges
            log.debug(e, "Reading columns for their ranges failed");
        }
        closeScan();
        return true;
    }

    private void closeScan()
    {
        if (source == null) {
            return;
        }
        scanNanos = source.getReadTimeNanos();
        try {
            source.close();
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Closing a scan failed");
        }
        source = null;
    }

    private @Nullable ConnectorPageSource current()
    {
        return leaf == null ? source : leaf;
    }

    @Override
    public boolean isFinished()
    {
        return leaf == null ? closed : leaf.isFinished();
    }

    /* The rows and bytes that the query reports are those of the leaf. */
    @Override
    public long getCompletedBytes()
    {
        return leaf == null ? 0 : leaf.getCompletedBytes();
    }

    @Override
    public long getCompletedPositions()
    {
        return leaf == null ? 0 : leaf.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        ConnectorPageSource current = current();
        return scanNanos + (current == null ? 0 : current.getReadTimeNanos());
    }

    @Override
    public long getSystemMemoryUsage()
    {
        ConnectorPageSource current = current();
        return current == null ? 0 : current.getSystemMemoryUsage();
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return leaf == null ? new RuntimeStats() : leaf.getRuntimeStats();
    }

    @Override
    public void close()
            throws IOException
    {
        closed = true;
        closeScan();
        if (leaf != null) {
            leaf.close();
        }
    }
}
