// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSplit;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;

/**
 * Reads the pages of several splits, one split after the other. Each split is opened after the previous one was read and closed. Used by one thread
 * at a time.
 */
public final class PackedPageSource
        implements ConnectorPageSource
{
    private final Function<ConnectorSplit, ConnectorPageSource> opener;
    private final RuntimeStats stats;
    private Iterator<HiveSplit> left;
    private @Nullable ConnectorPageSource current;
    private long closedBytes;
    private long closedPositions;
    private long closedReadNanos;

    /**
     * Opens a split that may carry others.
     *
     * @param stats the statistics of the operator that reads
     * @param opener called for each piece, on the engine's threads, after the previous piece was read
     */
    public static ConnectorPageSource of(ConnectorSplit split, RuntimeStats stats, Function<ConnectorSplit, ConnectorPageSource> opener)
    {
        List<HiveSplit> pieces = EyrieSplit.pieces(split);
        if (pieces.size() == 1) {
            return opener.apply(split);
        }
        stats.addMetricValue("eyriePackedSplits", NONE, pieces.size());
        return new PackedPageSource(pieces, opener, stats);
    }

    /**
     * @param splits at least one; the first is opened immediately, so that an unreadable split fails as it does without packing
     * @param stats the statistics of the operator that reads
     */
    private PackedPageSource(List<HiveSplit> splits, Function<ConnectorSplit, ConnectorPageSource> opener, RuntimeStats stats)
    {
        this.opener = requireNonNull(opener, "opener is null");
        this.stats = requireNonNull(stats, "stats is null");
        left = splits.iterator();
        current = opener.apply(left.next());
    }

    @Override
    public @Nullable Page getNextPage()
    {
        if (current == null) {
            return null;
        }
        if (!current.isFinished()) {
            return current.getNextPage();
        }
        try {
            closeCurrent();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (left.hasNext()) {
            current = opener.apply(left.next());
        }
        return null;
    }

    private void closeCurrent()
            throws IOException
    {
        ConnectorPageSource closing = requireNonNull(current, "no page source is open");
        current = null;
        closedBytes += closing.getCompletedBytes();
        closedPositions += closing.getCompletedPositions();
        closedReadNanos += closing.getReadTimeNanos();
        RuntimeStats its = closing.getRuntimeStats();
        if (its != stats) {
            stats.mergeWith(its);
        }
        closing.close();
    }

    @Override
    public boolean isFinished()
    {
        return !left.hasNext() && (current == null || current.isFinished());
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return current == null ? NOT_BLOCKED : current.isBlocked();
    }

    @Override
    public long getCompletedBytes()
    {
        return closedBytes + (current == null ? 0 : current.getCompletedBytes());
    }

    @Override
    public long getCompletedPositions()
    {
        return closedPositions + (current == null ? 0 : current.getCompletedPositions());
    }

    @Override
    public long getReadTimeNanos()
    {
        return closedReadNanos + (current == null ? 0 : current.getReadTimeNanos());
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return current == null ? 0 : current.getSystemMemoryUsage();
    }

    /* The operator's own statistics. The engine adds the difference from the values that it saw last, which is then correct across pieces. */
    @Override
    public RuntimeStats getRuntimeStats()
    {
        return stats;
    }

    @Override
    public void close()
            throws IOException
    {
        left = Collections.emptyIterator();
        if (current != null) {
            closeCurrent();
        }
    }
}
