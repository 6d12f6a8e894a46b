// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorPageSource;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Reads all splits of a dimension, one after the other. Used by one thread at a time. */
final class DimensionPages
        implements Closeable
{
    private final Iterator<EyrieSplit> splits;
    private final Function<EyrieSplit, ConnectorPageSource> opener;
    private final Consumer<Page> observer;
    private @Nullable ConnectorPageSource source;

    /** @param observer receives each page before it is returned */
    DimensionPages(List<EyrieSplit> splits, Function<EyrieSplit, ConnectorPageSource> opener, Consumer<Page> observer)
    {
        this.observer = requireNonNull(observer, "observer is null");
        this.splits = splits.iterator();
        this.opener = requireNonNull(opener, "opener is null");
    }

    /** Returns what the next page waits for. */
    CompletableFuture<?> blocked()
    {
        return source == null ? ConnectorPageSource.NOT_BLOCKED : source.isBlocked();
    }

    boolean isFinished()
    {
        if (source != null && source.isFinished()) {
            close();
        }
        return source == null && !splits.hasNext();
    }

    /** Returns the next page, or null if there is none yet. */
    @Nullable
    Page next()
    {
        if (isFinished()) {
            return null;
        }
        if (source == null) {
            source = opener.apply(splits.next());
        }
        Page page = source.isFinished() || !source.isBlocked().isDone() ? null : source.getNextPage();
        if (page != null) {
            observer.accept(page);
        }
        return page;
    }

    long retainedBytes()
    {
        return source == null ? 0 : source.getSystemMemoryUsage();
    }

    @Override
    public void close()
    {
        ConnectorPageSource open = source;
        source = null;
        if (open != null) {
            try {
                open.close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
