// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.RuntimeUnit;
import com.facebook.presto.spi.SchemaTableName;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.thread.CallersThreads;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.fragment.FileProofs.FactsKey;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.statistics.FooterReads.FooterRead;
import io.eyrie.presto.statistics.FooterReads.ReadDecision;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class FooterReadsTest
{
    private static final SchemaTableName TABLE = new SchemaTableName("web", "clicks");

    private final Queue<Runnable> steps = new ArrayDeque<>();
    private final List<Long> delays = new ArrayList<>();
    private final List<Long> opened = new ArrayList<>();
    private final Ledger ledger = new Ledger("hive");
    private long nanos;
    private long dayMillis;

    private final ReadBudget budget = new ReadBudget(new FileStatisticsConfig().setDailyRequests(20), () -> dayMillis);
    private final LearnedFacts facts = new LearnedFacts(10 << 20, 10, budget);
    private final FooterReads reads = new FooterReads(facts, budget, new SteppedThreads(), () -> nanos);

    /* Threads that run when the test says so. */
    private final class SteppedThreads
            extends CallersThreads
    {
        @Override
        public ScheduledThreadPoolExecutor scheduler(String name, int threads)
        {
            return new ScheduledThreadPoolExecutor(1) {
                @Override
                public ScheduledFuture<?> schedule(Runnable step, long delay, TimeUnit unit)
                {
                    steps.add(step);
                    delays.add(unit.toMillis(delay));
                    return super.schedule(() -> {}, 0, TimeUnit.NANOSECONDS);
                }
            };
        }
    }

    private FooterRead read(long number, Function<RuntimeStats, FileFacts> reader)
    {
        return new FooterRead(TABLE, key(number), ledger.account("q", ledger.scope("web", "clicks", ""), CacheLayer.FILE_STATISTICS), stats -> {
            opened.add(number);
            stats.addMetricValue("eyrieDataRemoteReads", RuntimeUnit.NONE, 1);
            stats.addMetricValue("eyrieDataRemoteReads", RuntimeUnit.NONE, 1);
            stats.addMetricValue("eyrieDataRemoteReadBytes", RuntimeUnit.BYTE, 65_536);
            return reader.apply(stats);
        });
    }

    private static FactsKey key(long number)
    {
        return new FactsKey(new BlobKey(number, number), "file " + number);
    }

    private FooterRead read(long number)
    {
        return read(number, stats -> FileFacts.of(List.of()));
    }

    private void runAll()
    {
        while (!steps.isEmpty()) {
            steps.remove().run();
        }
    }

    @Test
    void eachFileIsReadOnceAndPaidFor()
    {
        for (int round = 0; round < 3; round++) {
            for (long file = 0; file < 9; file++) {
                assertThat(reads.offer(read(file))).isEqualTo(ReadDecision.QUEUED);
            }
        }
        assertThat(steps).as("threads").hasSize(8);
        runAll();
        assertThat(opened).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(facts.isKnown(key(8))).isTrue();
        assertThat(List.of(reads.files(), reads.requests(), reads.bytes(), reads.queued())).containsExactly(9L, 18L, 9 * 65_536L, 0L);
        assertThat(ledger.layer(CacheLayer.FILE_STATISTICS).loads()).isEqualTo(18);
        assertThat(ledger.layer(CacheLayer.FILE_STATISTICS).loadBytes()).isEqualTo(9 * 65_536);
        assertThat(Collections.frequency(delays, 0L)).as("the first files").isEqualTo(8);
        assertThat(delays).as("all others").filteredOn(delay -> delay != 0).allMatch(delay -> delay == 80).hasSize(9);
        reads.offer(read(20));
        runAll();
        assertThat(opened).as("after a rest").endsWith(20L);
    }

    @Test
    void budgetOfADayIsSpentAndRenewed()
    {
        for (long file = 0; file < 30; file++) {
            reads.offer(read(file));
        }
        runAll();
        assertThat(opened).as("files of two requests each").hasSize(10);
        assertThat(reads.offer(read(50))).isEqualTo(ReadDecision.OVER_BUDGET);
        dayMillis += Duration.ofDays(1).toMillis();
        assertThat(reads.offer(read(50))).isEqualTo(ReadDecision.QUEUED);
        runAll();
        assertThat(opened).hasSize(11).endsWith(50L);
    }

    @Test
    void failedFileIsPaidForAndTriedAgainLater()
    {
        FooterRead broken = read(1, stats -> {
            throw new IllegalStateException("not a footer");
        });
        reads.offer(broken);
        reads.offer(read(2));
        runAll();
        assertThat(facts.isKnown(key(1))).isFalse();
        assertThat(facts.isKnown(key(2))).isTrue();
        assertThat(List.of(reads.files(), reads.failures(), reads.requests())).containsExactly(1L, 1L, 4L);
        assertThat(reads.offer(broken)).isEqualTo(ReadDecision.FAILED_BEFORE);
        nanos += Duration.ofMinutes(11).toNanos();
        assertThat(reads.offer(broken)).isEqualTo(ReadDecision.QUEUED);
    }

    @Test
    void fileThatIsBeingReadIsQueued()
    {
        List<Long> queued = new ArrayList<>();
        reads.offer(read(1, stats -> {
            queued.add(reads.queued());
            throw new IllegalStateException("not a footer");
        }));
        runAll();
        queued.add(reads.queued());
        assertThat(queued).containsExactly(1L, 0L);
    }

    @Test
    void filesThatAreReadAtATimeStayWithinTheBudget()
    {
        for (long file = 0; file < 9; file++) {
            reads.offer(read(file));
        }
        runAll();
        for (long file = 10; file < 15; file++) {
            reads.offer(read(file, stats -> {
                requireNonNull(steps.poll()).run();
                return FileFacts.of(List.of());
            }));
        }
        requireNonNull(steps.poll()).run();
        assertThat(opened).as("18 of 20 requests were spent").hasSize(11).endsWith(10L, 11L);
    }

    @Test
    void queueIsBounded()
    {
        for (long file = 0; file < FooterReads.MOST_QUEUED; file++) {
            assertThat(reads.offer(read(file))).isEqualTo(ReadDecision.QUEUED);
        }
        assertThat(reads.offer(read(1_000_000))).isEqualTo(ReadDecision.QUEUE_FULL);
        requireNonNull(steps.poll()).run();
        assertThat(reads.offer(read(1_000_000))).isEqualTo(ReadDecision.QUEUED);
    }
}
