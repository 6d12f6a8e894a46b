// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.common.io.Closer;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.presto.handle.EyrieSplit;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/** The build sides that one split, or the build of another build side, is reading now. Used by one thread at a time. */
final class DimensionReads
        implements Closeable
{
    private final DimensionOpener opener;
    private final List<BuildRows> reading = new ArrayList<>();

    /** Opens splits of dimensions. */
    @FunctionalInterface
    interface DimensionOpener
    {
        /** Receives each page of a dimension, from the thread that reads it. */
        default void read(int input, Page page)
        {}

        /**
         * Opens a split.
         *
         * @param input the number of the dimension among the inputs of the joins
         * @param shared whether the result of the dimension's leaf is recorded, and whether the reader may wait for another one that records it
         */
        ConnectorPageSource open(int input, EyrieSplit split, boolean shared);
    }

    DimensionReads(DimensionOpener opener)
    {
        this.opener = requireNonNull(opener, "opener is null");
    }

    /**
     * Starts to read the rows of a build side.
     *
     * @param part which groups are computed, if the rows are groups
     * @param shared as for {@link DimensionOpener#open}. A build side that is read repeatedly, or together with another one, must not wait for readers:
     *         it might wait for itself
     */
    BuildRows read(JoinProgram.RowsProgram side, GroupPart part, boolean shared)
    {
        reading.removeIf(BuildRows::isClosed);
        BuildRows rows = new BuildRows(side, opener, part, shared);
        reading.add(rows);
        return rows;
    }

    /** Returns what the next page waits for. */
    CompletableFuture<?> blocked()
    {
        return reading.stream()
                .<CompletableFuture<?>>map(BuildRows::blocked)
                .filter(blocked -> !blocked.isDone())
                .findFirst()
                .orElse(ConnectorPageSource.NOT_BLOCKED);
    }

    long retainedBytes()
    {
        return reading.stream().mapToLong(BuildRows::retainedBytes).sum();
    }

    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            reading.forEach(closer::register);
            reading.clear();
        }
    }
}
