// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.block.LongArrayBlock;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.cache.file.Scope;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.Abandonment;
import io.eyrie.fragment.result.Cost;
import io.eyrie.fragment.result.ResultLookup;
import io.eyrie.fragment.result.ResultRecorder;
import io.eyrie.fragment.result.StoredResult;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

class LeafPageSourceTest
{
    private static final int[] BOTH = {0, 1};

    private final RuntimeStats stats = new RuntimeStats();
    private final Ledger ledger = new Ledger("eyrie");
    private final TestingRecorder recording = new TestingRecorder();
    private final TestingStoredResult stored = new TestingStoredResult();
    private int left;
    private int opened;

    @Test
    void resultIsServedWithoutOpeningTheSplit()
            throws IOException
    {
        LeafPageSource source = source(Optional.of(new ResultLookup.Hit(stored)), BOTH);
        assertThat(rows(source)).containsExactly("7 8");
        assertThat(opened).isZero();
        assertThat(source.getCompletedPositions()).isEqualTo(1000);
        assertThat(source.getCompletedBytes()).isEqualTo(50_000);
        assertThat(stored.closed).isFalse();
        source.close();
        assertThat(stored.closed).isTrue();
        assertThat(metric("eyrieFragmentHits")).isEqualTo(1);
    }

    @Test
    void memoryIsToldBeforeAResultIsReadAndPagesAreDecodedOneByOne()
            throws IOException
    {
        stored.inMemory = false;
        stored.pages = 3;
        LeafPageSource source = source(Optional.of(new ResultLookup.Hit(stored)), BOTH);
        assertThat(source.getSystemMemoryUsage()).isEqualTo(10);
        assertThat(source.getNextPage()).isNull();
        assertThat(source.isFinished()).isFalse();
        assertThat(stored.decoded).isZero();
        for (int page = 1; page <= 3; page++) {
            assertThat(source.isFinished()).isFalse();
            assertThat(source.getNextPage()).isNotNull();
            assertThat(stored.decoded).isEqualTo(page);
            assertThat(source.getSystemMemoryUsage()).isEqualTo(10);
        }
        assertThat(source.isFinished()).isTrue();
        source.close();
        assertThat(source.getSystemMemoryUsage()).isZero();
    }

    @Test
    void resultThatIsGoneIsComputedAndNotRecorded()
            throws IOException
    {
        stored.lost = true;
        LeafPageSource source = source(Optional.of(new ResultLookup.Hit(stored)), BOTH);
        assertThat(rows(source)).containsExactly("1 2", "3 4", "0 0");
        source.close();
        assertThat(stored.closed).isTrue();
        assertThat(metric("eyrieFragmentMisses")).isEqualTo(1);
        assertThat(stats.getMetrics()).doesNotContainKey("eyrieFragmentHits");
    }

    @Test
    void resultThereIsNoMemoryForIsComputed()
    {
        assertThat(rows(source(Optional.of(new ResultLookup.Busy()), BOTH))).containsExactly("1 2", "3 4", "0 0");
    }

    @Test
    void closedBeforeItsEndGivesMemoryBack()
            throws IOException
    {
        source(Optional.of(new ResultLookup.Hit(stored)), BOTH).close();
        assertThat(stored.closed).isTrue();
        source(Optional.of(new ResultLookup.Wait(new CompletableFuture<>(), Optional::empty, Optional::empty, () -> left++)), BOTH).close();
        assertThat(left).isEqualTo(1);
    }

    @Test
    void columnsThatAreNotAskedForAreRecordedAndNotGiven()
    {
        LeafPageSource source = source(Optional.of(new ResultLookup.Miss(recording, ResultLookup.Absence.UNKNOWN)), new int[] {1});
        assertThat(rows(source)).containsExactly("2", "4", "0");
        assertThat(recording.rows).containsExactly("1 2", "3 4", "0 0");
        assertThat(recording.finished).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
            "TOO_MANY_ROWS, too_large",
            "TOO_MANY_BYTES, too_large",
            "TOO_MANY_DECODED_BYTES, too_large",
            "TOO_LONG, too_large",
            "IN_FLIGHT, over_memory",
            "LARGE_AND_NEW, seen_once",
            "NOT_WORTH_IT, not_worth_it",
            "CLOSED_EARLY, evicted"})
    void missHasTheReasonWhyNothingWasStored(Abandonment abandonment, String reason)
            throws IOException
    {
        recording.abandonment = Optional.of(abandonment);
        LeafPageSource source = source(Optional.of(new ResultLookup.Miss(recording, ResultLookup.Absence.EVICTED)), BOTH);
        assertThat(source.getNextPage()).isNotNull();
        assertThat(reasons()).as("the recording goes on").isEmpty();
        rows(source);
        source.close();
        assertThat(reasons()).isEqualTo(Map.of(reason, 1L));
    }

    @ParameterizedTest
    @CsvSource({"UNKNOWN, never_seen", "EVICTED, evicted", "NOT_WRITTEN, not_written", "LARGE, seen_once"})
    void missOfAResultThatIsStoredOrNotReadToItsEnd(ResultLookup.Absence absence, String reason)
            throws IOException
    {
        rows(source(Optional.of(new ResultLookup.Miss(recording, absence)), BOTH));
        assertThat(reasons()).isEqualTo(Map.of(reason, 1L));
        source(Optional.of(new ResultLookup.Miss(recording, absence)), BOTH).close();
        assertThat(reasons()).isEqualTo(Map.of(reason, 2L));
    }

    @Test
    void splitThatIsNotReadToItsEndIsNotKept()
            throws IOException
    {
        LeafPageSource source = source(Optional.of(new ResultLookup.Miss(recording, ResultLookup.Absence.UNKNOWN)), BOTH);
        assertThat(source.getNextPage()).isNotNull();
        source.close();
        assertThat(source.isFinished()).isTrue();
        assertThat(recording.finished).isFalse();
        assertThat(recording.closed).isTrue();
    }

    @Test
    void waitForAnotherThatEndsInNothingIsComputed()
    {
        CompletableFuture<Void> other = new CompletableFuture<>();
        LeafPageSource source = source(Optional.of(new ResultLookup.Wait(other, Optional::empty, () -> Optional.of(Abandonment.TOO_LONG),
                () -> left++)),
                BOTH);
        assertThat(source.isBlocked()).isNotDone();
        assertThat(source.getNextPage()).isNull();
        assertThat(source.isFinished()).isFalse();
        other.complete(null);
        assertThat(source.isBlocked()).isDone();
        assertThat(rows(source)).containsExactly("1 2", "3 4", "0 0");
        assertThat(metric("eyrieFragmentMisses")).isEqualTo(1);
        assertThat(reasons()).isEqualTo(Map.of("too_large", 1L));
    }

    @Test
    void waitForAnotherGivesWhatItComputed()
    {
        ResultLookup wait = new ResultLookup.Wait(CompletableFuture.completedFuture(null), () -> Optional.of(stored), Optional::empty, () -> left++);
        LeafPageSource source = source(Optional.of(wait), BOTH);
        assertThat(rows(source)).containsExactly("7 8");
        assertThat(opened).isZero();
        assertThat(left).isEqualTo(1);
    }

    @Test
    void pagesMadeOnRequestCountAsCost()
    {
        long busyNanos = 30_000_000;
        LeafRun lazy = new PassingRun() {
            @Override
            public Iterator<Page> add(Page page)
            {
                Iterator<Page> pages = List.of(page).iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext()
                    {
                        return pages.hasNext();
                    }

                    @Override
                    public Page next()
                    {
                        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                        long until = threads.getCurrentThreadCpuTime() + busyNanos;
                        while (threads.getCurrentThreadCpuTime() < until) {
                            Thread.onSpinWait();
                        }
                        return pages.next();
                    }
                };
            }
        };
        rows(source(Optional.of(new ResultLookup.Miss(recording, ResultLookup.Absence.UNKNOWN)), BOTH, () -> lazy));
        assertThat(recording.cost.orElseThrow().cpuNanos()).as("two pages").isGreaterThanOrEqualTo(2 * busyNanos);
    }

    @Test
    void aRunThatHasNoPageYetReturnsNullAndIsAskedAgain()
    {
        LeafRun waiting = new PassingRun() {
            @Override
            public Iterator<Page> add(Page page)
            {
                return List.of(LeafRun.NONE_YET, page, LeafRun.NONE_YET).iterator();
            }
        };
        LeafPageSource source = source(Optional.of(new ResultLookup.Miss(recording, ResultLookup.Absence.UNKNOWN)), BOTH, () -> waiting);
        assertThat(source.getNextPage()).isNull();
        assertThat(source.isFinished()).isFalse();
        assertThat(rows(source)).containsExactly("1 2", "3 4", "0 0");
        assertThat(recording.rows).containsExactly("1 2", "3 4", "0 0");
    }

    @Test
    void finerGroupsAreMergedWithoutOpeningTheSplit()
            throws IOException
    {
        stored.inMemory = false;
        stored.pages = 3;
        LeafPageSource source = source(finer(new CountingRun()), new int[] {1});
        assertThat(source.getSystemMemoryUsage()).isEqualTo(10);
        assertThat(source.getNextPage()).as("the memory is announced").isNull();
        assertThat(stored.decoded).isZero();
        for (int page = 1; page <= 3; page++) {
            assertThat(source.getNextPage()).isNull();
            assertThat(stored.decoded).isEqualTo(page);
            assertThat(source.isFinished()).isFalse();
        }
        assertThat(rows(source)).containsExactly("9");
        assertThat(recording.rows).containsExactly("3 9");
        assertThat(recording.cost).contains(stored.cost());
        assertThat(stored.closed).isTrue();
        assertThat(opened).isZero();
        assertThat(List.of(source.getCompletedPositions(), source.getCompletedBytes())).containsExactly(1000L, 50_000L);
        assertThat(List.of(metric("eyrieFragmentHits"), metric("eyrieFragmentSubsumed"))).containsExactly(1L, 1L);
        assertThat(stats.getMetrics()).doesNotContainKey("eyrieFragmentMisses");
        assertThat(ledger.layer(CacheLayer.FRAGMENT).hits()).isEqualTo(1);
    }

    @Test
    void finerGroupsOfWhichNoneIsLeftAreAResultWithoutRows()
    {
        LeafPageSource source = source(finer(new CountingRun() {
            @Override
            public Iterator<Page> finish()
            {
                return List.<Page>of().iterator();
            }
        }), BOTH);
        assertThat(rows(source)).isEmpty();
        assertThat(recording.finished).isTrue();
        assertThat(opened).isZero();
    }

    @Test
    void finerResultThatIsGoneIsComputedAndRecorded()
            throws IOException
    {
        stored.lost = true;
        LeafPageSource source = source(finer(new CountingRun()), BOTH);
        assertThat(rows(source)).containsExactly("1 2", "3 4", "0 0");
        assertThat(recording.rows).containsExactly("1 2", "3 4", "0 0");
        assertThat(recording.finished).isTrue();
        source.close();
        assertThat(reasons()).isEqualTo(Map.of("evicted", 1L));
        assertThat(metric("eyrieFragmentMisses")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void finerGroupsThatCannotBeMergedAreComputedAndRecorded(boolean atTheEnd)
            throws IOException
    {
        LeafPageSource source = source(finer(new CountingRun() {
            @Override
            public Iterator<Page> add(Page page)
            {
                if (!atTheEnd) {
                    throw new ArithmeticException("overflow");
                }
                return super.add(page);
            }

            @Override
            public Iterator<Page> finish()
            {
                throw new ArithmeticException("overflow");
            }
        }), BOTH);
        assertThat(rows(source)).containsExactly("1 2", "3 4", "0 0");
        assertThat(recording.rows).containsExactly("1 2", "3 4", "0 0");
        source.close();
        assertThat(stored.unusable).isTrue();
        assertThat(reasons()).isEqualTo(Map.of("never_seen", 1L));
        assertThat(stats.getMetrics()).doesNotContainKeys("eyrieFragmentHits", "eyrieFragmentSubsumed");
    }

    @Test
    void mergingThatIsClosedEarlyLeavesNothing()
            throws IOException
    {
        stored.pages = 2;
        LeafPageSource source = source(finer(new CountingRun()), BOTH);
        assertThat(source.getNextPage()).isNull();
        source.close();
        assertThat(List.of(stored.closed, recording.closed, recording.finished)).containsExactly(true, true, false);
        assertThat(source.getSystemMemoryUsage()).isZero();
    }

    private Optional<ResultLookup> finer(LeafRun merge)
    {
        return Optional.of(new ResultLookup.Finer(stored, () -> merge, Optional.of(recording)));
    }

    /** Returns the number of pages and three times as many. */
    private static class CountingRun
            extends PassingRun
    {
        private int pages;

        @Override
        public Iterator<Page> add(Page page)
        {
            pages++;
            return List.<Page>of().iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.of(page(pages, 3L * pages)).iterator();
        }
    }

    private LeafPageSource source(Optional<ResultLookup> lookup, int[] asked)
    {
        return source(lookup, asked, PassingRun::new);
    }

    private LeafPageSource source(Optional<ResultLookup> lookup, int[] asked, Supplier<LeafRun> runs)
    {
        Supplier<ConnectorPageSource> scan = () -> {
            opened++;
            return new FixedPageSource(List.of(page(1, 2), page(3, 4)));
        };
        return new LeafPageSource(lookup, ledger.account("query", Scope.NONE, CacheLayer.FRAGMENT), scan, runs, Optional.empty(), asked, stats);
    }

    private Map<String, Long> reasons()
    {
        return ledger.layer(CacheLayer.FRAGMENT).reasons();
    }

    private long metric(String name)
    {
        return stats.getMetric(name).getSum();
    }

    private static List<String> rows(ConnectorPageSource source)
    {
        List<String> rows = new ArrayList<>();
        while (!source.isFinished()) {
            Page page = source.getNextPage();
            if (page != null) {
                rows.add(text(page));
            }
        }
        return rows;
    }

    private static String text(Page page)
    {
        List<String> values = new ArrayList<>();
        for (int channel = 0; channel < page.getChannelCount(); channel++) {
            values.add(Long.toString(page.getBlock(channel).getLong(0)));
        }
        return String.join(" ", values);
    }

    private static Page page(long first, long second)
    {
        return new Page(new LongArrayBlock(1, Optional.empty(), new long[] {first}), new LongArrayBlock(1, Optional.empty(), new long[] {second}));
    }

    /** Passes pages through, and ends with one of its own. */
    private static class PassingRun
            implements LeafRun
    {
        @Override
        public Iterator<Page> add(Page page)
        {
            return List.of(page).iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.of(page(0, 0)).iterator();
        }

        @Override
        public long retainedBytes()
        {
            return 0;
        }
    }

    private static final class TestingStoredResult
            implements StoredResult
    {
        private boolean inMemory = true;
        private boolean lost;
        private int pages = 1;
        private int decoded;
        private boolean unusable;
        private boolean closed;

        @Override
        public Cost cost()
        {
            return new Cost(1000, 50_000, 3);
        }

        @Override
        public long storedBytes()
        {
            return 10;
        }

        @Override
        public boolean isInMemory()
        {
            return inMemory;
        }

        @Override
        public Optional<Iterator<Page>> pages()
        {
            if (lost) {
                close();
                return Optional.empty();
            }
            return Optional.of(new Iterator<>() {
                @Override
                public boolean hasNext()
                {
                    return decoded < pages;
                }

                @Override
                public Page next()
                {
                    decoded++;
                    return page(7, 8);
                }
            });
        }

        @Override
        public long retainedBytes()
        {
            return closed ? 0 : 10;
        }

        @Override
        public void unusable()
        {
            unusable = true;
            close();
        }

        @Override
        public void close()
        {
            closed = true;
        }
    }

    private static final class TestingRecorder
            implements ResultRecorder
    {
        private final List<String> rows = new ArrayList<>();
        private Optional<Abandonment> abandonment = Optional.empty();
        private Optional<Cost> cost = Optional.empty();
        private boolean finished;
        private boolean closed;

        @Override
        public Optional<Abandonment> abandonment()
        {
            return abandonment;
        }

        @Override
        public void add(Page page)
        {
            rows.add(text(page));
        }

        @Override
        public void finish(Cost total)
        {
            cost = Optional.of(total);
            finished = true;
        }

        @Override
        public long retainedBytes()
        {
            return 0;
        }

        @Override
        public void close()
        {
            closed = true;
        }
    }
}
