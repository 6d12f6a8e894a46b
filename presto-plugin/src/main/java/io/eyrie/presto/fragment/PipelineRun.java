// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Runs in a row, each over the pages of the previous one. A page is passed on before the next is made, so that rows with many matches need no memory. The
 * runs before the last are made with the first page: without one, they have nothing to return.
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

    @Override
    public Iterator<Page> add(Page page)
    {
        if (runs == null) {
            runs = new ArrayList<>(before.get());
            runs.add(last);
        }
        return through(0, List.of(page).iterator());
    }

    @Override
    public Iterator<Page> finish()
    {
        List<LeafRun> started = runs;
        if (started == null) {
            return last.finish();
        }
        // a run is finished when all pages of the previous ones were passed on
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < started.size(); i++) {
            places.add(i);
        }
        return new FlatIterator<>(places.iterator(), place -> through(place + 1, started.get(place).finish()));
    }

    private Iterator<Page> through(int from, Iterator<Page> pages)
    {
        Iterator<Page> output = pages;
        List<LeafRun> started = requireNonNull(runs);
        for (LeafRun run : started.subList(from, started.size())) {
            output = new FlatIterator<>(output, run::add);
        }
        return output;
    }

    @Override
    public long retainedBytes()
    {
        return runs == null ? last.retainedBytes() : runs.stream().mapToLong(LeafRun::retainedBytes).sum();
    }

    /** The pages of one iterator for each element of another, one after the other. */
    static final class FlatIterator<T>
            implements Iterator<Page>
    {
        private final Iterator<T> elements;
        private final Function<T, Iterator<Page>> pages;
        private Iterator<Page> current = Collections.emptyIterator();

        FlatIterator(Iterator<T> elements, Function<T, Iterator<Page>> pages)
        {
            this.elements = elements;
            this.pages = pages;
        }

        @Override
        public boolean hasNext()
        {
            while (!current.hasNext() && elements.hasNext()) {
                current = pages.apply(elements.next());
            }
            return current.hasNext();
        }

        @Override
        public Page next()
        {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return current.next();
        }
    }
}
