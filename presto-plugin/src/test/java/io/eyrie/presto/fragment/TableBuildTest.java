// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.fragment.key.RowsDigest;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import io.eyrie.presto.fragment.JoinProgram.RowsProgram;
import io.eyrie.presto.fragment.JoinProgram.Stage;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Build sides are built in short turns, never wait on a thread, and hold only memory that was reserved. */
class TableBuildTest
{
    private static final int PAGE_ROWS = 10;

    private final BuildMemory memory = new BuildMemory(100_000, 100_000, System::nanoTime);
    private final JoinCounters counters = new JoinCounters();
    private final RuntimeStats stats = new RuntimeStats();
    // other threads open splits ahead
    private final List<Boolean> shared = Collections.synchronizedList(new ArrayList<>());
    private final CountingBuild rows = new CountingBuild();
    private final AtomicInteger open = new AtomicInteger();

    /** Counts rows, each of which takes one byte. */
    private static final class CountingBuild
            implements JoinBuild
    {
        private int count;
        private boolean finished;

        @Override
        public void add(Page page)
        {
            assertThat(page).isNotSameAs(LeafRun.NONE_YET);
            count += page.getPositionCount();
        }

        @Override
        public long retainedBytes()
        {
            return count;
        }

        @Override
        public JoinTable finish()
        {
            finished = true;
            return () -> {
                throw new AssertionError("not probed");
            };
        }
    }

    /** Returns nothing for a page, and some pages at the end, each of which takes some time. */
    private record LateRun(int pages, Duration each)
            implements LeafRun
    {
        @Override
        public Iterator<Page> add(Page page)
        {
            return List.<Page>of().iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return IntStream.range(0, pages).mapToObj(i -> {
                long until = System.nanoTime() + each.toNanos();
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                return new Page(PAGE_ROWS);
            }).iterator();
        }

        @Override
        public long retainedBytes()
        {
            return 0;
        }
    }

    /** Groups with a memory that grows with the pages and shrinks with the part. They become one page at the end. */
    private static final class GroupsRun
            implements LeafRun
    {
        private final GroupPart part;
        private final long pageBytes;
        private int added;

        GroupsRun(GroupPart part, long pageBytes)
        {
            this.part = part;
            this.pageBytes = pageBytes;
        }

        @Override
        public Iterator<Page> add(Page page)
        {
            added++;
            return List.<Page>of().iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.of(new Page(added)).iterator();
        }

        @Override
        public long retainedBytes()
        {
            return added * pageBytes / part.count();
        }
    }

    private static Stage groups(List<GroupPart> parts, long pageBytes)
    {
        return new Stage(Optional.empty(), true, (reads, part) -> {
            parts.add(part);
            return new GroupsRun(part, pageBytes);
        });
    }

    @Test
    void groupsBeyondTheMemoryOfASplitComeInParts()
    {
        List<EyrieSplit> splits = List.of(EyrieSplit.of(HiveSplits.soft("a"), Optional.empty(), 0));
        List<GroupPart> parts = new ArrayList<>();
        // ten pages of 8 MB: four parts of 20 MB are too large for two stages, eight parts are not
        RowsProgram side = new RowsProgram(1, splits, List.of(groups(parts, 8 << 20)));
        BuildRows streamed = new DimensionReads(opener(() -> pages(10))).read(side, GroupPart.ALL, false);
        List<Page> output = new ArrayList<>();
        streamed.forEachRemaining(page -> {
            assertThat(streamed.groupBytes()).isLessThanOrEqualTo(32L << 20);
            if (page != LeafRun.NONE_YET) {
                output.add(page);
            }
        });
        assertThat(output).extracting(Page::getPositionCount).containsExactlyElementsOf(Collections.nCopies(8, 10));
        assertThat(parts.stream().filter(part -> part.count() == 8).map(GroupPart::index)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertOpen(false);
    }

    @Test
    void groupsCountAsTheMemoryOfABuildUntilTheyAreItsRows()
    {
        List<GroupPart> parts = new ArrayList<>();
        TableBuild build = build(List.of(groups(parts, 10)));
        while (!build.isDone()) {
            build.advance(opener(() -> pages(3)), stats);
        }
        assertThat(build.table()).isPresent();
        assertThat(parts).containsExactly(GroupPart.ALL);
        assertThat(rows.count).isEqualTo(6);
        assertThat(memory.reservedBytes()).isEqualTo(6);
        assertThat(build.retainedBytes()).isEqualTo(6);
        TableBuild large = build(List.of(groups(parts, 1L << 40)));
        while (!large.isDone()) {
            large.advance(opener(() -> pages(3)), stats);
        }
        assertThat(large.table()).as("groups beyond the memory").isEmpty();
        assertThat(memory.reservedBytes()).isEqualTo(6);
        assertOpen(false);
    }

    /** Counts how many are open, and waits before its first page. */
    private final class WaitingPageSource
            extends FixedPageSource
    {
        private final CompletableFuture<Void> ready;

        WaitingPageSource(CompletableFuture<Void> ready, List<Page> pages)
        {
            super(pages);
            this.ready = ready;
            open.incrementAndGet();
        }

        @Override
        public CompletableFuture<?> isBlocked()
        {
            return ready;
        }

        @Override
        public @Nullable Page getNextPage()
        {
            assertThat(ready).as("asked for a page before there is one").isDone();
            return super.getNextPage();
        }

        @Override
        public long getSystemMemoryUsage()
        {
            return 777;
        }

        @Override
        public void close()
        {
            open.decrementAndGet();
        }
    }

    private void assertOpen(boolean some)
    {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (open.get() > 0 != some && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(open.get() > 0).as("whether sources are open").isEqualTo(some);
    }

    private TableBuild build(List<Stage> stages)
    {
        List<EyrieSplit> splits = Stream.of("a", "b").map(path -> EyrieSplit.of(HiveSplits.soft(path), Optional.empty(), 0)).toList();
        return new TableBuild(new RowsProgram(1, splits, stages), () -> rows, () -> Optional.of(new RowsDigest(new int[0])), memory, counters);
    }

    private DimensionOpener opener(Supplier<ConnectorPageSource> source)
    {
        return (input, split, reused) -> {
            shared.add(reused);
            return source.get();
        };
    }

    private ConnectorPageSource pages(int count)
    {
        return new WaitingPageSource(CompletableFuture.completedFuture(null), IntStream.range(0, count).mapToObj(i -> new Page(PAGE_ROWS)).toList());
    }

    @Test
    void allSplitsAreReadAndTheirMemoryIsReserved()
    {
        TableBuild build = build(List.of());
        while (!build.isDone()) {
            build.advance(opener(() -> pages(3)), stats);
        }
        assertThat(build.table()).isPresent();
        assertThat(rows.count).isEqualTo(2 * 3 * PAGE_ROWS);
        assertThat(build.retainedBytes()).isEqualTo(rows.count);
        assertThat(memory.reservedBytes()).isEqualTo(rows.count);
        RowsDigest digest = new RowsDigest(new int[0]);
        digest.add(new Page(2 * 3 * PAGE_ROWS));
        assertThat(build.content().orElseThrow()).isEqualTo(digest.toBytes());
        assertOpen(false);
        assertThat(shared).containsExactly(true, true);
    }

    @Test
    void outputThatARunHasAtItsEndComesInTurns()
    {
        LateRun late = new LateRun(40, Duration.ofMillis(5));
        TableBuild build = build(List.of(new Stage(Optional.empty(), false, (reads, part) -> late)));
        int turns = 0;
        while (!build.isDone()) {
            build.advance(opener(() -> pages(1)), stats);
            turns++;
        }
        // forty pages of five milliseconds, in turns of ten
        assertThat(turns).isGreaterThanOrEqualTo(10);
        assertThat(rows.count).isEqualTo(40 * PAGE_ROWS);
    }

    @Test
    void aThreadDoesNotWaitForPages()
    {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        TableBuild build = build(List.of());
        DimensionOpener opener = opener(() -> new WaitingPageSource(ready, List.of(new Page(PAGE_ROWS))));
        CompletableFuture<?> blocked = build.advance(opener, stats).orElseThrow();
        while (blocked.isDone() || build.retainedBytes() == 0) {
            // a turn that ended before it came to the pages, or before the thread that reads ahead did
            blocked = build.advance(opener, stats).orElseThrow();
        }
        assertThat(build.retainedBytes()).as("the memory of one or both page sources").isIn(777L, 2 * 777L);
        ready.complete(null);
        while (!build.isDone()) {
            build.advance(opener, stats);
        }
        assertThat(rows.count).isEqualTo(2 * PAGE_ROWS);
    }

    @Test
    void beyondTheMemoryTheBuildEndsWithoutATable()
    {
        TableBuild build = build(List.of());
        while (!build.isDone()) {
            build.advance(opener(() -> pages(100_000)), stats);
        }
        assertThat(build.table()).isEmpty();
        assertThat(rows.finished).isFalse();
        assertThat(build.content()).as("of a part of the rows").isEmpty();
        assertThat(memory.reservedBytes()).isZero();
        assertOpen(false);
        assertThat(stats.getMetric("eyrieFragmentJoinsStreamed").getSum()).isEqualTo(1);
        assertThat(counters.streamedBuilds()).isEqualTo(1);
    }

    @Test
    void anInterruptedBuildHoldsNothing()
    {
        CompletableFuture<Void> never = new CompletableFuture<>();
        TableBuild build = build(List.of());
        while (memory.reservedBytes() == 0) {
            build.advance((input, split, reused) -> split.getFileSplit().getPath().equals("a") ? pages(3) : new WaitingPageSource(never, List.of()),
                    stats);
        }
        assertOpen(true);
        build.interrupt();
        assertThat(memory.reservedBytes()).isZero();
        assertThat(build.retainedBytes()).isZero();
        assertOpen(false);
    }

    @Test
    void aFailureEndsTheBuildForAllSplits()
    {
        TableBuild build = build(List.of());
        DimensionOpener failing = opener(() -> {
            throw new IllegalStateException("the store is down");
        });
        assertThatThrownBy(() -> {
            while (!build.isDone()) {
                build.advance(failing, stats);
            }
        }).hasMessage("the store is down");
        // a split that continues would lack the rows of the first page
        assertThatThrownBy(() -> build.advance(opener(() -> pages(1)), stats)).hasMessage("the store is down");
        assertThat(build.isDone()).isFalse();
    }

    @Test
    void streamsCloseAtTheirEndOrWithTheirReader()
            throws IOException
    {
        List<EyrieSplit> splits = List.of(EyrieSplit.of(HiveSplits.soft("a"), Optional.empty(), 0));
        DimensionReads reads = new DimensionReads(opener(() -> pages(1)));
        RowsProgram side = new RowsProgram(1, splits, List.of());
        for (int batch = 0; batch < 3; batch++) {
            BuildRows streamed = reads.read(side, GroupPart.ALL, false);
            streamed.forEachRemaining(page -> {});
            assertThat(reads.retainedBytes()).isZero();
            assertOpen(false);
        }
        assertThat(shared).containsExactly(false, false, false);
        BuildRows unfinished = reads.read(side, GroupPart.ALL, false);
        assertThat(unfinished.next()).isNotNull();
        assertThat(reads.retainedBytes()).isEqualTo(777);
        reads.close();
        assertOpen(false);
        assertThat(reads.retainedBytes()).isZero();
    }
}
