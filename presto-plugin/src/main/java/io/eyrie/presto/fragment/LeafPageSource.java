// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.Cost;
import io.eyrie.fragment.result.ResultLookup;
import io.eyrie.fragment.result.ResultRecorder;
import io.eyrie.fragment.result.StoredResult;
import io.eyrie.presto.fragment.FragmentRuntimeStats.LeafMiss;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.WorkKind;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Returns a leaf's pages for one split: stored pages, or pages that it merges from a result of finer groups or computes from the scan, and records. Used by
 * one thread at a time.
 */
final class LeafPageSource
        implements ConnectorPageSource
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Supplier<ConnectorPageSource> scan;
    private final Supplier<LeafRun> runs;
    private final int[] asked;
    private final RuntimeStats stats;
    private final Account account;
    private final Optional<ResultRecorder> beside;
    private Optional<ResultLookup.Wait> waiting = Optional.empty();
    // a miss that is not counted yet
    private Optional<ResultLookup.Miss> absent = Optional.empty();
    private Optional<ResultRecorder> recorder = Optional.empty();
    private Optional<StoredResult> found = Optional.empty();
    private Optional<StoredResult> served = Optional.empty();
    private Optional<ResultLookup.Finer> finer = Optional.empty();
    private @Nullable Iterator<Page> finerPages;
    // the cost of the result that was served or merged
    private Optional<Cost> saved = Optional.empty();
    private @Nullable ConnectorPageSource source;
    private @Nullable LeafRun run;
    private Iterator<Page> pages = Collections.emptyIterator();
    private long cpuNanos;
    private boolean announced;
    private boolean finished;

    /**
     * @param lookup the outcome of the lookup, if the result was looked up
     * @param scan opens the split; called at most once
     * @param beside a recorder of rows that the run passes to it
     * @param asked the indexes of the leaf's columns that the engine requests, in its order; optimizers that run later may drop columns
     */
    LeafPageSource(
            Optional<ResultLookup> lookup,
            Account account,
            Supplier<ConnectorPageSource> scan,
            Supplier<LeafRun> runs,
            Optional<ResultRecorder> beside,
            int[] asked,
            RuntimeStats stats)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.runs = requireNonNull(runs, "runs is null");
        this.beside = requireNonNull(beside, "beside is null");
        this.asked = asked.clone();
        this.stats = requireNonNull(stats, "stats is null");
        this.account = requireNonNull(account, "account is null");
        if (lookup.isPresent() && lookup.get() instanceof ResultLookup.Hit hit) {
            found = Optional.of(hit.result());
        }
        else if (lookup.isPresent() && lookup.get() instanceof ResultLookup.Wait wait) {
            waiting = Optional.of(wait);
        }
        else if (lookup.isPresent() && lookup.get() instanceof ResultLookup.Finer groups) {
            finer = Optional.of(groups);
            recorder = groups.recorder();
        }
        else {
            absent = lookup.filter(ResultLookup.Miss.class::isInstance).map(ResultLookup.Miss.class::cast);
            recorder = absent.map(ResultLookup.Miss::recorder);
        }
    }

    private void serve(StoredResult result)
    {
        Optional<Iterator<Page>> stored = result.pages();
        if (stored.isEmpty()) {
            missed(MissReason.EVICTED);
            return;
        }
        served = Optional.of(result);
        pages = stored.get();
        count(result);
    }

    private void count(StoredResult result)
    {
        saved = Optional.of(result.cost());
        FragmentRuntimeStats.hit(stats, result);
        account.hits(1, result.storedBytes());
        // at least one, because a split without input is not read
        account.requested(WorkKind.GET_REQUESTS, 1);
        account.requested(WorkKind.BYTES, result.cost().inputBytes());
        account.requested(WorkKind.CPU_NANOS, result.cost().cpuNanos());
    }

    private void missed(MissReason reason)
    {
        FragmentRuntimeStats.miss(stats, LeafMiss.ABSENT);
        account.misses(reason, 1, 0);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        if (waiting.isPresent()) {
            return waiting.get().ended();
        }
        return source == null ? NOT_BLOCKED : source.isBlocked();
    }

    @Override
    public @Nullable Page getNextPage()
    {
        if (waiting.isPresent()) {
            if (!waiting.get().ended().isDone()) {
                return null;
            }
            ResultLookup.Wait wait = waiting.get();
            waiting = Optional.empty();
            found = wait.result().get();
            wait.leave().run();
            if (found.isEmpty()) {
                missed(wait.withheld().get().flatMap(MissReason::of).orElse(MissReason.NEVER_SEEN));
            }
        }
        if (found.isPresent()) {
            if (isAnnounced(found.get())) {
                return null;
            }
            StoredResult result = found.get();
            found = Optional.empty();
            serve(result);
        }
        if (served.isPresent()) {
            return pages.hasNext() ? pages.next().extractChannels(asked) : null;
        }
        if (finer.isPresent() && finerPages == null && isAnnounced(finer.get().finer())) {
            return null;
        }
        return finished && !pages.hasNext() ? null : computed();
    }

    /* Lets the engine account for the memory of a result before it is used. */
    private boolean isAnnounced(StoredResult result)
    {
        boolean announces = !announced && !result.isInMemory();
        announced |= announces;
        return announces;
    }

    /* Pages are computed when they are requested, so that each request of the iterator is a part of the cost. */
    private @Nullable Page computed()
    {
        long started = THREADS.getCurrentThreadCpuTime();
        if (!pages.hasNext()) {
            compute();
        }
        Page page = pages.hasNext() ? pages.next() : LeafRun.NONE_YET;
        boolean complete = finished && !pages.hasNext();
        cpuNanos += THREADS.getCurrentThreadCpuTime() - started;
        if (page != LeafRun.NONE_YET) {
            recorder.ifPresent(taken -> taken.add(page));
        }
        if (complete) {
            record();
        }
        return page == LeafRun.NONE_YET ? null : page.extractChannels(asked);
    }

    private void compute()
    {
        if (finer.isPresent()) {
            merge(finer.get());
            return;
        }
        ConnectorPageSource open = source == null ? scan.get() : source;
        source = open;
        LeafRun running = run == null ? runs.get() : run;
        run = running;
        if (open.isFinished()) {
            pages = running.finish();
            finished = true;
            return;
        }
        Page page = open.getNextPage();
        if (page != null) {
            pages = running.add(page);
        }
    }

    /*
     * Adds one page of the finer result, or takes the groups after the last. Nothing was returned before, so whatever fails, such as a sum that overflows only
     * in this order of its parts, the split can still be computed.
     */
    private void merge(ResultLookup.Finer groups)
    {
        try {
            Iterator<Page> input = finerPages == null ? groups.finer().pages().orElse(null) : finerPages;
            if (input == null) {
                computeInstead(groups, MissReason.EVICTED);
                return;
            }
            finerPages = input;
            LeafRun running = run == null ? groups.merge().get() : run;
            run = running;
            if (input.hasNext()) {
                pages = running.add(input.next());
                return;
            }
            pages = running.finish();
        }
        catch (RuntimeException e) {
            groups.finer().unusable();
            computeInstead(groups, MissReason.NEVER_SEEN);
            return;
        }
        finished = true;
        FragmentRuntimeStats.subsumed(stats);
        count(groups.finer());
        groups.finer().close();
        finer = Optional.empty();
        run = null;
    }

    private void computeInstead(ResultLookup.Finer groups, MissReason reason)
    {
        groups.finer().close();
        finer = Optional.empty();
        run = null;
        pages = Collections.emptyIterator();
        missed(reason);
    }

    /* Called when all pages were returned. */
    private void record()
    {
        if (saved.isEmpty()) {
            account.load(getCompletedBytes(), cpuNanos);
        }
        Cost cost = saved.orElseGet(() -> new Cost(getCompletedPositions(), getCompletedBytes(), cpuNanos));
        recorder.ifPresent(taken -> taken.finish(cost));
        beside.ifPresent(taken -> taken.finish(cost));
        recorded();
    }

    /* Counts the miss once its recording has ended, because the reason why nothing was stored also explains the next misses. */
    private void recorded()
    {
        absent.ifPresent(miss -> account.misses(miss.recorder().abandonment().flatMap(MissReason::of).orElseGet(() -> MissReason.of(miss.absence())),
                1, 0));
        absent = Optional.empty();
    }

    @Override
    public boolean isFinished()
    {
        return waiting.isEmpty() && found.isEmpty() && !pages.hasNext() && (finished || served.isPresent());
    }

    /* A split that is served, or merged, reports the input that was read to compute the stored result. */
    @Override
    public long getCompletedBytes()
    {
        return saved.map(Cost::inputBytes).orElseGet(() -> source == null ? 0 : source.getCompletedBytes());
    }

    @Override
    public long getCompletedPositions()
    {
        return saved.map(Cost::inputRows).orElseGet(() -> source == null ? 0 : source.getCompletedPositions());
    }

    @Override
    public long getReadTimeNanos()
    {
        return source == null ? 0 : source.getReadTimeNanos();
    }

    @Override
    public long getSystemMemoryUsage()
    {
        long scanned = source == null ? 0 : source.getSystemMemoryUsage();
        long held = run == null ? 0 : run.retainedBytes();
        return scanned + held + found.or(() -> served).or(() -> finer.map(ResultLookup.Finer::finer)).map(StoredResult::retainedBytes)
                .orElse(0L) + recorder.map(ResultRecorder::retainedBytes)
                        .orElse(0L);
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return source == null ? new RuntimeStats() : source.getRuntimeStats();
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        pages = Collections.emptyIterator();
        waiting.ifPresent(wait -> wait.leave().run());
        waiting = Optional.empty();
        found.or(() -> served).or(() -> finer.map(ResultLookup.Finer::finer)).ifPresent(StoredResult::close);
        found = Optional.empty();
        finer = Optional.empty();
        recorder.ifPresent(ResultRecorder::close);
        beside.ifPresent(ResultRecorder::close);
        recorded();
        if (source != null) {
            source.close();
        }
    }
}
