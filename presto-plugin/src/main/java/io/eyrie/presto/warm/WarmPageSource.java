// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import io.eyrie.presto.ledger.MissReason;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_CURSOR_ERROR;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Loads a split, then returns one row about it. Loads the bytes first, one chunk each time that the engine requests a page, then the footers that a reader of
 * the table requests. For one thread.
 */
final class WarmPageSource
        implements ConnectorPageSource
{
    private static final long PAUSE_MILLIS = 50;

    private final List<ColumnHandle> columns;
    private final Optional<SplitBytes> data;
    private final SplitRows rows;
    private final WarmedBytes bytes;
    private final Supplier<WarmedSplit> told;
    private CompletableFuture<?> blocked = NOT_BLOCKED;
    private boolean settled;
    private boolean finished;

    /** @param told returns the outcome for the split; called when all is loaded, or if a read fails */
    WarmPageSource(List<ColumnHandle> columns, Optional<SplitBytes> data, SplitRows rows, WarmedBytes bytes, Supplier<WarmedSplit> told)
    {
        this.columns = List.copyOf(columns);
        this.data = requireNonNull(data, "data is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.bytes = requireNonNull(bytes, "bytes is null");
        this.told = requireNonNull(told, "told is null");
    }

    @Override
    @SuppressWarnings("try") // the resource is the thread's class loader
    public @Nullable Page getNextPage()
    {
        // this opens files, which the engine expects only when it creates a page source
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(WarmPageSource.class.getClassLoader())) {
            return next();
        }
    }

    private @Nullable Page next()
    {
        try {
            if (data.isPresent() && !data.get().isFinished() && !bytes.refused()) {
                boolean kept = data.get().next();
                bytes.readAgain(!kept);
                blocked = kept ? NOT_BLOCKED : pause();
                if (bytes.found() + bytes.loaded() == 0) {
                    // the read bypassed the cache
                    bytes.refuse(MissReason.NO_VERSION);
                }
                return null;
            }
        }
        catch (IOException e) {
            throw new PrestoException(HIVE_CURSOR_ERROR, "Cannot warm " + told.get().path() + ": " + e.getMessage(), e);
        }
        if (data.isPresent() && !settled && !bytes.refused()) {
            if (data.get().isSettling()) {
                blocked = pause();
                return null;
            }
            settled = true;
            data.get().lack().ifPresent(bytes::refuse);
        }
        // the raw bytes are counted already; the reader reads the same
        bytes.readAgain(data.isPresent());
        if (rows.next()) {
            return null;
        }
        finished = true;
        WarmedSplit split = told.get();
        Function<ColumnHandle, Block> own = column -> {
            BlockBuilder out = WarmColumn.of(column).orElseThrow().type().createBlockBuilder(null, 1);
            WarmColumn.of(column).orElseThrow().write(split, out);
            return out.build();
        };
        return new Page(1, columns.stream().map(column -> rows.value(column).orElseGet(() -> own.apply(column))).toArray(Block[]::new));
    }

    private static CompletableFuture<?> pause()
    {
        return new CompletableFuture<>().completeOnTimeout(null, PAUSE_MILLIS, MILLISECONDS);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return blocked;
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return bytes.found() + bytes.loaded();
    }

    @Override
    public long getCompletedPositions()
    {
        return finished ? 1 : 0;
    }

    @Override
    public long getReadTimeNanos()
    {
        return 0;
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return data.map(SplitBytes::bufferBytes).orElse(0);
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        try {
            if (data.isPresent()) {
                data.get().close();
            }
        }
        finally {
            rows.close();
        }
    }
}
