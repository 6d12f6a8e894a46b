// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.google.common.collect.Iterators;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * Runs in a row: each takes the pages of the previous one. A page passes through all runs before the next one is made, so that a row with many matches
 * needs no memory. A page without output becomes {@link #NONE_YET}, so that the caller gets its thread back after each page. The runs before the last are
 * made with the first page; without a page, they have no output.
 */
final class PipelineRun
        implements LeafRun
{
    private final Supplier<List<LeafRun>> before;
    private final LeafRun last;
    private @Nullable List<LeafRun> runs;

    PipelineRun(Supplier<List<LeafRun>> before, LeafRun last)
    {
        this.before = requireNonNull(before, "before is null");
        this.last = requireNonNull(last, "last is null");
    }

    /** Makes all runs, because one of them has output without a page. */
    void start()
    {
        if (runs == null) {
            runs = new ArrayList<>(before.get());
            runs.add(last);
        }
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        start();
        return through(0, Iterators.singletonIterator(page));
    }

    @Override
    public Iterator<Page> finish()
    {
        List<LeafRun> started = runs;
        if (started == null) {
            return last.finish();
        }
        // a run is finished after all pages of the previous ones passed through it
        Iterator<Integer> places = IntStream.range(0, started.size()).iterator();
        return Iterators.concat(Iterators.transform(places, place -> through(place + 1, started.get(place).finish())));
    }

    private Iterator<Page> through(int from, Iterator<Page> pages)
    {
        Iterator<Page> output = pages;
        List<LeafRun> started = requireNonNull(runs);
        for (LeafRun run : started.subList(from, started.size())) {
            output = Iterators.concat(Iterators.transform(output, page -> through(run, page)));
        }
        return output;
    }

    private static Iterator<Page> through(LeafRun run, Page page)
    {
        Iterator<Page> output = page == NONE_YET ? Iterators.singletonIterator(page) : run.add(page);
        return output.hasNext() ? output : Iterators.singletonIterator(NONE_YET);
    }

    @Override
    public long retainedBytes()
    {
        return runs == null ? last.retainedBytes() : runs.stream().mapToLong(LeafRun::retainedBytes).sum();
    }
}
