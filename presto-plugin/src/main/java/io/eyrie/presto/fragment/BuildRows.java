// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.google.common.collect.AbstractIterator;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import io.eyrie.presto.fragment.JoinProgram.RowsProgram;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of a build side from its dimension. It returns {@link LeafRun#NONE_YET} after each page of the dimension that has no output, and while
 * the next one is not available. If the rows are groups that need much memory, it reads the dimension several times, and returns a part of the groups
 * after each. Closes itself at its end. Used by one thread at a time.
 */
final class BuildRows
        extends AbstractIterator<Page>
        implements Closeable
{
    private final RowsProgram side;
    private final DimensionOpener opener;
    private final boolean shared;
    private final Deque<GroupPart> parts = new ArrayDeque<>();
    private GroupPart part;
    private DimensionReads reads;
    private DimensionPages pages;
    private LeafRun run;
    private Iterator<Page> output = Collections.emptyIterator();
    private boolean finished;
    private boolean closed;

    /**
     * @param part which groups are computed, if the rows are groups
     * @param shared as for {@link DimensionOpener#open}. If true, the groups are computed at once: the caller bounds {@link #groupBytes}
     */
    BuildRows(RowsProgram side, DimensionOpener opener, GroupPart part, boolean shared)
    {
        this.side = requireNonNull(side, "side is null");
        this.opener = requireNonNull(opener, "opener is null");
        this.part = requireNonNull(part, "part is null");
        this.shared = shared;
        this.reads = new DimensionReads(opener);
        this.pages = side.pages(opener, shared);
        this.run = side.run(reads, part);
    }

    @Override
    protected @Nullable Page computeNext()
    {
        if (output.hasNext()) {
            return output.next();
        }
        if (finished && parts.isEmpty()) {
            close();
            return endOfData();
        }
        if (finished) {
            start(parts.remove());
        }
        else if (isTooLarge()) {
            // groups are only returned at the end: none of this part were
            List<GroupPart> halves = part.halves();
            parts.add(halves.get(1));
            start(halves.get(0));
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

    private boolean isTooLarge()
    {
        return !shared && groupBytes() > side.maxGroupBytes() && !part.halves().isEmpty();
    }

    private void start(GroupPart next)
    {
        closeReads();
        part = next;
        reads = new DimensionReads(opener);
        pages = side.pages(opener, shared);
        run = side.run(reads, part);
        finished = false;
    }

    /** Lets another thread begin to read the dimension. */
    void readAhead()
    {
        pages.readAhead();
    }

    /** Returns what the next page waits for. */
    CompletableFuture<?> blocked()
    {
        CompletableFuture<?> page = pages.blocked();
        return page.isDone() ? reads.blocked() : page;
    }

    boolean isClosed()
    {
        return closed;
    }

    /** Returns the memory of the groups; 0 if the rows are not groups. */
    long groupBytes()
    {
        return side.hasGroups() && !closed ? run.retainedBytes() : 0;
    }

    long retainedBytes()
    {
        return closed ? 0 : pages.retainedBytes() + run.retainedBytes() + reads.retainedBytes();
    }

    private void closeReads()
    {
        try {
            reads.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            pages.close();
        }
    }

    @Override
    public void close()
    {
        closed = true;
        closeReads();
    }
}
