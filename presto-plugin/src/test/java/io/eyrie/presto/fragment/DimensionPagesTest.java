// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.IntArrayBlock;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Splits that are opened ahead are read in their order, once, and closed. */
class DimensionPagesTest
{
    private static final List<EyrieSplit> SPLITS = IntStream.range(0, 20)
            .mapToObj(i -> EyrieSplit.of(HiveSplits.soft("file-" + i), Optional.empty(), 0))
            .toList();

    private final List<Integer> opened = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Page> observed = new ArrayList<>();
    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /* A split has two pages, with as many rows as its number plus one. */
    private ConnectorPageSource open(EyrieSplit split)
    {
        int number = SPLITS.indexOf(split);
        opened.add(number);
        return new FixedPageSource(List.of(new Page(number + 1), new Page(number + 1))) {
            @Override
            public void close()
            {
                closed.add(number);
            }
        };
    }

    private ConnectorPageSource openSlowly(EyrieSplit split)
    {
        opening.countDown();
        try {
            go.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return open(split);
    }

    private static List<Integer> rest(DimensionPages pages)
    {
        List<Integer> rows = new ArrayList<>();
        while (!pages.isFinished()) {
            Page page = pages.next();
            if (page != null) {
                rows.add(page.getPositionCount());
            }
        }
        return rows;
    }

    private static List<Integer> twice(int from, int to)
    {
        return IntStream.range(from, to).boxed().flatMap(number -> List.of(number + 1, number + 1).stream()).toList();
    }

    @Test
    void pagesComeInTheOrderOfTheSplits()
    {
        DimensionPages pages = pages(Runnable::run, this::open);
        assertThat(pages.isFinished()).isFalse();
        assertThat(opened).as("splits that are read ahead of the first").hasSize(7).isEqualTo(IntStream.range(1, 8).boxed().toList());
        assertThat(observed).as("pages before they are taken").isEmpty();
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
        assertThat(observed).hasSize(40);
        assertThat(opened).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(closed).isEqualTo(IntStream.range(0, 20).boxed().toList());
    }

    @Test
    void columnsAreFetchedByTheThreadsThatReadAhead()
    {
        AtomicInteger fetched = new AtomicInteger();
        DimensionPages pages = pages(Runnable::run, split -> new FixedPageSource(List.of(new Page(1))) {
            @Override
            public Page getNextPage()
            {
                // the pages of the superclass are fetched to count their bytes
                int rows = super.getNextPage().getPositionCount();
                return new Page(new LazyBlock(rows, block -> {
                    fetched.incrementAndGet();
                    block.setBlock(new IntArrayBlock(rows, Optional.empty(), new int[rows]));
                }));
            }
        });
        assertThat(pages.isFinished()).isFalse();
        assertThat(fetched).hasValue(7);
    }

    @Test
    void withoutThreadsEachSplitIsReadInItsTurn()
    {
        for (Optional<Executor> ahead : List.<Optional<Executor>>of(Optional.empty(), Optional.of(task -> {}), Optional.of(task -> {
            throw new RejectedExecutionException("no thread");
        }))) {
            opened.clear();
            assertThat(rest(new DimensionPages(SPLITS, ahead, this::open, observed::add))).isEqualTo(twice(0, 20));
            assertThat(opened).isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
    }

    @Test
    void theNextPageWaitsForTheThreadThatReadsAhead()
            throws InterruptedException
    {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            DimensionPages pages = pages(thread, split -> SPLITS.indexOf(split) == 1 ? openSlowly(split) : open(split));
            assertThat(pages.next()).isNotNull();
            assertThat(pages.next()).isNotNull();
            opening.await();
            CompletableFuture<?> blocked = pages.blocked();
            assertThat(blocked).isNotDone();
            assertThat(pages.next()).isNull();
            assertThat(pages.isFinished()).isFalse();
            go.countDown();
            blocked.join();
            assertThat(rest(pages)).isEqualTo(twice(1, 20));
        }
        finally {
            thread.shutdownNow();
        }
    }

    @Test
    void aSplitThatCannotBeOpenedAheadIsOpenedAgain()
    {
        List<String> failures = new ArrayList<>(List.of("interrupted"));
        DimensionPages pages = pages(Runnable::run, split -> {
            if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.remove(0));
            }
            return open(split);
        });
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
    }

    @Test
    void noPageIsLostIfReadingAheadEndsWithAnError()
    {
        DimensionPages pages = pages(Runnable::run, split -> SPLITS.indexOf(split) > 1 || opened.contains(1)
                ? open(split)
                : new FixedPageSource(list(open(split))) {
                    @Override
                    public Page getNextPage()
                    {
                        Page lost = super.getNextPage();
                        throw new LinkageError("after a page of " + lost.getPositionCount() + " rows");
                    }
                });
        pages.isFinished();
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
    }

    private static List<Page> list(ConnectorPageSource source)
    {
        return List.of(source.getNextPage(), source.getNextPage());
    }

    @Test
    void whatWasOpenedAheadIsClosed()
            throws InterruptedException
    {
        List<Runnable> waiting = new ArrayList<>();
        DimensionPages pages = pages(waiting::add, split -> SPLITS.indexOf(split) == 2 ? openSlowly(split) : open(split));
        assertThat(pages.isFinished()).isFalse();
        waiting.remove(0).run();
        CompletableFuture<Void> other = CompletableFuture.runAsync(waiting.remove(0));
        opening.await();
        pages.close();
        assertThat(closed).containsExactly(1);
        go.countDown();
        other.join();
        waiting.forEach(Runnable::run);
        assertThat(opened).as("none after the end").containsExactly(1, 2);
        assertThat(closed).containsExactly(1, 2);
        assertThat(pages.retainedBytes()).isZero();
    }

    private DimensionPages pages(Executor ahead, Function<EyrieSplit, ConnectorPageSource> opener)
    {
        return new DimensionPages(SPLITS, Optional.of(ahead), opener, observed::add);
    }
}
