// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import io.eyrie.fragment.leaf.LeafRun;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs in a row pass on every page, on demand, and end in their order. */
class PipelineRunTest
{
    /** Returns each page several times, and one page of its own at the end. */
    private static class Repeating
            implements LeafRun
    {
        private final int times;
        private final AtomicInteger made;

        Repeating(int times, AtomicInteger made)
        {
            this.times = times;
            this.made = made;
        }

        @Override
        public Iterator<Page> add(Page page)
        {
            return IntStream.range(0, times).mapToObj(i -> {
                made.incrementAndGet();
                return page;
            }).iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.of(new Page(100)).iterator();
        }

        @Override
        public long retainedBytes()
        {
            return 1;
        }
    }

    /** Counts rows, and returns the count at the end. */
    private static final class Counting
            implements LeafRun
    {
        private int rows;

        @Override
        public Iterator<Page> add(Page page)
        {
            rows += page.getPositionCount();
            return Collections.emptyIterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.of(new Page(rows)).iterator();
        }

        @Override
        public long retainedBytes()
        {
            return 2;
        }
    }

    @Test
    void endsOfEarlierRunsPassThroughTheLaterOnes()
    {
        PipelineRun run = new PipelineRun(() -> List.of(new Repeating(2, new AtomicInteger()), new Repeating(3, new AtomicInteger())),
                new Counting());
        assertThat(rows(run.add(new Page(5)))).isEmpty();
        assertThat(run.retainedBytes()).isEqualTo(4);
        // 5 rows six times, the first run's 100 three times, the second's once
        assertThat(rows(run.finish())).containsExactly(30 + 300 + 100);
    }

    @Test
    void withoutAPageOnlyTheLastRunEnds()
    {
        PipelineRun run = new PipelineRun(() -> {
            throw new AssertionError("build sides may not be complete");
        }, new Counting());
        assertThat(rows(run.finish())).containsExactly(0);
    }

    @Test
    void pagesAreMadeWhenTheyAreRequested()
    {
        AtomicInteger made = new AtomicInteger();
        PipelineRun run = new PipelineRun(() -> List.of(new Repeating(1000, made)), new Repeating(1, new AtomicInteger()));
        Iterator<Page> pages = run.add(new Page(5));
        pages.next();
        assertThat(made.get()).isLessThan(5);
    }

    @Test
    void aPageWithoutOutputGivesTheThreadBack()
    {
        AtomicInteger made = new AtomicInteger();
        Counting last = new Counting();
        PipelineRun run = new PipelineRun(() -> List.of(new Repeating(1000, made)), last);
        Iterator<Page> pages = run.add(new Page(5));
        for (int step = 1; step <= 1000; step++) {
            assertThat(pages.next()).isSameAs(LeafRun.NONE_YET);
            assertThat(made.get()).isLessThanOrEqualTo(step + 1);
        }
        assertThat(pages.hasNext()).isFalse();
        assertThat(last.rows).isEqualTo(5000);
    }

    @Test
    void aRunNeverTakesAPageThatIsNone()
    {
        LeafRun waiting = new Repeating(1, new AtomicInteger()) {
            @Override
            public Iterator<Page> add(Page page)
            {
                return List.of(LeafRun.NONE_YET, page).iterator();
            }
        };
        assertThat(rows(new PipelineRun(() -> List.of(waiting, new Repeating(2, new AtomicInteger())), new Repeating(1, new AtomicInteger()))
                .add(new Page(5)))).containsExactly(5, 5);
    }

    private static List<Integer> rows(Iterator<Page> pages)
    {
        List<Integer> rows = new ArrayList<>();
        pages.forEachRemaining(page -> {
            if (page != LeafRun.NONE_YET) {
                rows.add(page.getPositionCount());
            }
        });
        return rows;
    }
}
