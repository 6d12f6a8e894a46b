// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.google.common.collect.AbstractIterator;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of a build side from its dimension. It returns {@link LeafRun#NONE_YET} after each page of the dimension that has no output, and while
 * the next one is not available. Closes itself at its end. Used by one thread at a time.
 */
final class BuildRows
        extends AbstractIterator<Page>
        implements Closeable
{
    private final DimensionPages pages;
    private final LeafRun run;
    private Iterator<Page> output = Collections.emptyIterator();
    private boolean finished;
    private boolean closed;

    BuildRows(DimensionPages pages, LeafRun run)
    {
        this.pages = requireNonNull(pages, "pages is null");
        this.run = requireNonNull(run, "run is null");
    }

    @Override
    protected @Nullable Page computeNext()
    {
        if (output.hasNext()) {
            return output.next();
        }
        if (finished) {
            close();
            return endOfData();
        }
        if (!pages.blocked().isDone()) {
            return LeafRun.NONE_YET;
        }
        if (pages.isFinished()) {
            finished = true;
            output = run.finish();
        }
        else {
            Page page = pages.next();
            output = page == null ? Collections.emptyIterator() : run.add(page);
        }
        return output.hasNext() ? output.next() : LeafRun.NONE_YET;
    }

    /** Returns what the next page waits for. */
    CompletableFuture<?> blocked()
    {
        return pages.blocked();
    }

    boolean isClosed()
    {
        return closed;
    }

    long retainedBytes()
    {
        return closed ? 0 : pages.retainedBytes() + run.retainedBytes();
    }

    @Override
    public void close()
    {
        closed = true;
        pages.close();
    }
}
