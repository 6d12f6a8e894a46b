// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.IntArrayBlock;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.presto.fragment.DimensionPages.ReadAhead;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Other threads read pages ahead, within a bound. Each page comes once, in the order of the splits, and each split is closed. */
class DimensionPagesTest
{
    private static final List<EyrieSplit> SPLITS = IntStream.range(0, 20)
            .mapToObj(i -> EyrieSplit.of(HiveSplits.soft("file-" + i), Optional.empty(), 0))
            .toList();

    private static final int KIBIBYTES = 1 << 20;
    private static final int[] SMALL = new int[25_000];
    private static final int[] LARGE = new int[1 << 20];

    private final Semaphore kibibytes = new Semaphore(KIBIBYTES);
    private final List<Integer> opened = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Page> observed = Collections.synchronizedList(new ArrayList<>());
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
        assertThat(opened).as("splits that are read ahead").isEqualTo(IntStream.range(0, 8).boxed().toList());
        assertThat(observed).as("pages, by the threads that read them").hasSize(16);
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
        assertThat(observed).hasSize(40);
        assertThat(opened).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(closed).isEqualTo(IntStream.range(0, 20).boxed().toList());
    }

    /* Its pages have a column that can be fetched until the next page is read. */
    private static ConnectorPageSource openLazily(int pages, AtomicInteger fetched)
    {
        AtomicInteger read = new AtomicInteger();
        return new FixedPageSource(Collections.nCopies(pages, new Page(1))) {
            @Override
            public Page getNextPage()
            {
                // the pages of the superclass are fetched to count their bytes
                int rows = super.getNextPage().getPositionCount();
                int number = read.incrementAndGet();
                return new Page(new LazyBlock(rows, block -> {
                    assertThat(read).as("pages read when the column is fetched").hasValue(number);
                    fetched.incrementAndGet();
                    block.setBlock(new IntArrayBlock(rows, Optional.empty(), new int[rows]));
                }));
            }
        };
    }

    @Test
    void columnsAreFetchedByTheThreadsThatReadAhead()
    {
        AtomicInteger fetched = new AtomicInteger();
        DimensionPages pages = pages(Runnable::run, split -> openLazily(1, fetched));
        assertThat(pages.isFinished()).isFalse();
        assertThat(fetched).hasValue(8);
    }

    @Test
    void columnsAreFetchedBeforeAnotherThreadReadsOn()
    {
        List<Runnable> waiting = new ArrayList<>();
        AtomicInteger fetched = new AtomicInteger();
        DimensionPages pages = pages(waiting::add, split -> openLazily(3, fetched));
        Page own = requireNonNull(pages.next());
        waiting.forEach(Runnable::run);
        assertThat(own.getBlock(0).getLoadedBlock().getPositionCount()).isEqualTo(1);
        assertThat(rest(pages)).hasSize(3 * 20 - 1);
        assertThat(fetched).hasValue(3 * 20);
    }

    @Test
    void withoutThreadsEachSplitIsReadInItsTurn()
    {
        Executor none = task -> {
            throw new RejectedExecutionException("no thread");
        };
        for (DimensionPages pages : List.of(pages(task -> {}, this::open), pages(none, this::open), new DimensionPages(SPLITS, Optional.empty(),
                this::open,
                observed::add))) {
            opened.clear();
            assertThat(rest(pages)).isEqualTo(twice(0, 20));
            assertThat(opened).isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
    }

    @Test
    void theNextPageWaitsForTheThreadThatReadsAhead()
            throws InterruptedException
    {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            DimensionPages pages = pages(thread, this::openSlowly);
            assertThat(pages.isFinished()).isFalse();
            opening.await();
            CompletableFuture<?> blocked = pages.blocked();
            assertThat(blocked).isNotDone();
            assertThat(pages.next()).isNull();
            assertThat(pages.isFinished()).isFalse();
            go.countDown();
            blocked.join();
            assertThat(rest(pages)).isEqualTo(twice(0, 20));
        }
        finally {
            thread.shutdownNow();
        }
    }

    @Test
    void eachPageComesOnceInItsOrderFromSeveralThreads()
    {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 200; round++) {
                DimensionPages pages = pages(threads, DimensionPagesTest::openMany);
                assertThat(rest(pages)).isEqualTo(IntStream.range(0, 20).boxed().flatMap(number -> IntStream.range(0, 50).boxed()).toList());
                assertThat(observed).hasSize(20 * 50);
                observed.clear();
                pages.close();
                assertThat(kibibytes.availablePermits()).isEqualTo(KIBIBYTES);
            }
        }
        finally {
            threads.shutdownNow();
        }
    }

    /* Pages of 100 kB with 0 to 49 rows. */
    private static ConnectorPageSource openMany(EyrieSplit split)
    {
        return new FixedPageSource(IntStream.range(0, 50).mapToObj(rows -> page(rows, SMALL)).toList());
    }

    private static Page page(int rows, int[] values)
    {
        return new Page(rows, new IntArrayBlock(rows, Optional.empty(), values));
    }

    @Test
    void whatIsReadAheadHasABound()
    {
        // of 4 MB
        DimensionPages pages = pages(Runnable::run, split -> new FixedPageSource(IntStream.range(0, 9).mapToObj(rows -> page(rows, LARGE)).toList()) {
            @Override
            public long getSystemMemoryUsage()
            {
                return 0;
            }
        });
        assertThat(pages.isFinished()).isFalse();
        int perSplit = 8 << 20;
        assertThat(pages.retainedBytes()).as("of 8 splits").isBetween(8L * perSplit, 8L * (perSplit + 5_000_000));
        assertThat(KIBIBYTES - kibibytes.availablePermits()).isBetween(8 * perSplit / 1024, 8 * (perSplit / 1024 + 5_000));
        for (int page = 0; page < 9; page++) {
            assertThat(pages.next()).isNotNull();
            assertThat(pages.retainedBytes()).isLessThan(8L * (perSplit + 5_000_000));
        }
        pages.close();
        assertThat(pages.retainedBytes()).isZero();
        assertThat(kibibytes.availablePermits()).isEqualTo(KIBIBYTES);
    }

    @Test
    void withoutMemoryOnePageOfEachSplitIsReadAhead()
    {
        kibibytes.drainPermits();
        List<Page> read = new ArrayList<>();
        DimensionPages pages = pages(Runnable::run, split -> new FixedPageSource(list(open(split))) {
            @Override
            public Page getNextPage()
            {
                Page page = super.getNextPage();
                read.add(page);
                return page;
            }
        });
        assertThat(pages.isFinished()).isFalse();
        assertThat(read).hasSize(8);
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
        assertThat(kibibytes.availablePermits()).isZero();
    }

    @Test
    void aFailureComesAfterThePagesBeforeIt()
    {
        for (Throwable failure : List.of(new IllegalStateException("a bad file"), new LinkageError("no class"))) {
            DimensionPages pages = pages(Runnable::run, split -> new FixedPageSource(list(open(split))) {
                @Override
                public Page getNextPage()
                {
                    return SPLITS.indexOf(split) == 1 ? fail(failure) : super.getNextPage();
                }
            });
            assertThat(pages.next()).isNotNull();
            assertThat(pages.next()).isNotNull();
            assertThatThrownBy(pages::next).isSameAs(failure);
            assertThatThrownBy(pages::next).as("again").isSameAs(failure);
            pages.close();
            assertThat(kibibytes.availablePermits()).isEqualTo(KIBIBYTES);
        }
    }

    @Test
    void aSourceThatFailsTwiceDoesNotLeaveItsReaderWaiting()
            throws Exception
    {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            DimensionPages pages = pages(thread, split -> new FixedPageSource(list(openSlowly(split))) {
                private boolean failed;

                @Override
                public Page getNextPage()
                {
                    failed = true;
                    throw new IllegalStateException("a bad file");
                }

                @Override
                public boolean isFinished()
                {
                    return failed ? fail(new IllegalStateException("failed before")) == null : super.isFinished();
                }
            });
            assertThat(pages.isFinished()).isFalse();
            opening.await();
            CompletableFuture<?> blocked = pages.blocked();
            assertThat(blocked).isNotDone();
            go.countDown();
            blocked.get(30, TimeUnit.SECONDS);
            assertThatThrownBy(pages::next).hasMessage("a bad file");
        }
        finally {
            thread.shutdownNow();
        }
    }

    private static Page fail(Throwable failure)
    {
        throwIfUnchecked(failure);
        throw new AssertionError(failure);
    }

    @Test
    void aSplitThatCannotBeOpenedFails()
    {
        DimensionPages pages = pages(Runnable::run, split -> {
            throw new IllegalStateException("no file");
        });
        assertThat(pages.isFinished()).isFalse();
        assertThatThrownBy(pages::next).hasMessage("no file");
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
        DimensionPages pages = pages(waiting::add, split -> SPLITS.indexOf(split) == 1 ? openSlowly(split) : open(split));
        assertThat(pages.isFinished()).isFalse();
        waiting.remove(0).run();
        CompletableFuture<Void> other = CompletableFuture.runAsync(waiting.remove(0));
        opening.await();
        pages.close();
        assertThat(closed).containsExactly(0);
        go.countDown();
        other.join();
        waiting.forEach(Runnable::run);
        assertThat(opened).as("none after the end").containsExactly(0, 1);
        assertThat(closed).containsExactly(0, 1);
        assertThat(pages.retainedBytes()).isZero();
    }

    private DimensionPages pages(Executor ahead, Function<EyrieSplit, ConnectorPageSource> opener)
    {
        return new DimensionPages(SPLITS, Optional.of(new ReadAhead(ahead, kibibytes)), opener, observed::add);
    }
}
