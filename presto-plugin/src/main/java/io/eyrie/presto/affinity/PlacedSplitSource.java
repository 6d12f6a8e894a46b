// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.cache.log.LimitedLog;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Places the splits of a scan. It gathers the first splits and places them as one set; it places later splits as they arrive. Failures of the
 * delegate are passed on unchanged. Thread-safe to the extent that the engine needs: one batch at a time, and {@link #close} at any time.
 */
final class PlacedSplitSource
        implements ConnectorSplitSource
{
    /*
     * Gathering   Starts with the first call of getNextBatch. Ends with the enumeration, at the placement's limit, or when the gather time has passed
     *             since the first split arrived, and at once if no split can be placed. The completion of the delegate's batches drives it. A batch that
     *             is in flight when the time is up is placed with the later splits
     * Asking      One batch of the delegate at a time: asked holds it until it is taken
     * Lock        this, for the state; never held while the delegate is called or a future of the engine is completed
     */
    private static final int GATHERED_BATCH = 1_000;

    private static final LimitedLog failures = new LimitedLog(PlacedSplitSource.class, Level.WARNING);

    private final ConnectorSplitSource delegate;
    private final ScanPlacement placement;
    private final Executor alarm;
    private final Consumer<Collection<NodeLoad>> report;
    private final int gatherLimit;
    private final CompletableFuture<@Nullable Void> gathered = new CompletableFuture<>();

    @GuardedBy("this")
    private Phase phase = Phase.NEW;
    @GuardedBy("this")
    private boolean alarmSet;
    @GuardedBy("this")
    private boolean ended;
    @GuardedBy("this")
    private boolean reported;
    @GuardedBy("this")
    private final List<ConnectorSplit> unplaced = new ArrayList<>();
    @GuardedBy("this")
    private final Queue<ConnectorSplit> ready = new ArrayDeque<>();
    @GuardedBy("this")
    private @Nullable CompletableFuture<ConnectorSplitBatch> asked;

    private enum Phase
    {
        NEW,
        GATHERING,
        STREAMING
    }

    /**
     * @param gatherTime how long the first split may wait for more
     * @param report receives the loads of the placed splits, once, when the scan has ended or is closed
     */
    PlacedSplitSource(ConnectorSplitSource delegate, ScanPlacement placement, Duration gatherTime, Consumer<Collection<NodeLoad>> report)
    {
        this(delegate, placement, CompletableFuture.delayedExecutor(gatherTime.toNanos(), NANOSECONDS), report);
    }

    /** @param alarm runs the given task when the first split has waited for the gather time */
    PlacedSplitSource(ConnectorSplitSource delegate, ScanPlacement placement, Executor alarm, Consumer<Collection<NodeLoad>> report)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.placement = requireNonNull(placement, "placement is null");
        this.alarm = requireNonNull(alarm, "alarm is null");
        this.report = requireNonNull(report, "report is null");
        gatherLimit = placement.gatherLimit();
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        boolean first;
        synchronized (this) {
            first = phase == Phase.NEW;
            if (first) {
                phase = Phase.GATHERING;
            }
        }
        if (first) {
            gather(partition);
        }
        CompletableFuture<ConnectorSplitBatch> answer = new CompletableFuture<>();
        whenDone(gathered, (ignored, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            }
            else {
                answer(answer, partition, maxSize);
            }
        });
        return answer;
    }

    /** Takes batches until gathering ends. If the next batch is not complete yet, continues when it completes. */
    private void gather(ConnectorPartitionHandle partition)
    {
        while (isGathering()) {
            CompletableFuture<ConnectorSplitBatch> batch = ask(partition, GATHERED_BATCH);
            if (!batch.isDone()) {
                whenDone(batch, (ignored, failure) -> gather(partition));
                return;
            }
            boolean enough;
            boolean setAlarm;
            synchronized (this) {
                if (phase != Phase.GATHERING) {
                    return;
                }
                if (!batch.isCompletedExceptionally()) {
                    take(batch);
                }
                boolean waits = unplaced.isEmpty() || unplaced.stream().anyMatch(ScanPlacement::isPlaceable);
                enough = ended || unplaced.size() >= gatherLimit || !waits;
                setAlarm = !enough && !alarmSet && !unplaced.isEmpty();
                alarmSet |= setAlarm;
            }
            if (batch.isCompletedExceptionally()) {
                whenDone(batch, (ignored, failure) -> gathered.completeExceptionally(failure));
                return;
            }
            if (enough) {
                endGathering();
                return;
            }
            if (setAlarm) {
                alarm.execute(this::endGathering);
            }
        }
    }

    private synchronized boolean isGathering()
    {
        return phase == Phase.GATHERING;
    }

    private void endGathering()
    {
        RuntimeException failure = null;
        synchronized (this) {
            if (phase != Phase.GATHERING) {
                return;
            }
            phase = Phase.STREAMING;
            try {
                ready.addAll(placement.placeFirst(unplaced, ended));
            }
            catch (RuntimeException e) {
                failure = e;
            }
            unplaced.clear();
        }
        if (failure == null) {
            gathered.complete(null);
        }
        else {
            gathered.completeExceptionally(failure);
        }
    }

    /** Answers from the ready splits, or from the delegate's next batch if there are none. */
    private void answer(CompletableFuture<ConnectorSplitBatch> answer, ConnectorPartitionHandle partition, int maxSize)
    {
        if (answerFromReady(answer, maxSize)) {
            return;
        }
        CompletableFuture<ConnectorSplitBatch> batch = ask(partition, maxSize);
        whenDone(batch, (ignored, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
                return;
            }
            try {
                synchronized (this) {
                    take(batch);
                }
                if (!answerFromReady(answer, maxSize)) {
                    answer.complete(new ConnectorSplitBatch(List.of(), false));
                }
            }
            catch (RuntimeException e) {
                // without this, the engine would wait forever
                answer.completeExceptionally(e);
            }
        });
    }

    private boolean answerFromReady(CompletableFuture<ConnectorSplitBatch> answer, int maxSize)
    {
        List<ConnectorSplit> splits = new ArrayList<>();
        boolean last;
        synchronized (this) {
            while (splits.size() < maxSize && !ready.isEmpty()) {
                splits.add(ready.remove());
            }
            last = ended && ready.isEmpty();
        }
        if (splits.isEmpty() && !last) {
            return false;
        }
        if (last) {
            report();
        }
        answer.complete(new ConnectorSplitBatch(splits, last));
        return true;
    }

    /* The delegate is asked for one batch at a time, also if gathering ends while gather() is about to ask. */
    private CompletableFuture<ConnectorSplitBatch> ask(ConnectorPartitionHandle partition, int maxSize)
    {
        CompletableFuture<ConnectorSplitBatch> batch = new CompletableFuture<>();
        synchronized (this) {
            if (asked != null) {
                return asked;
            }
            asked = batch;
        }
        try {
            whenDone(delegate.getNextBatch(partition, maxSize), (splits, failure) -> {
                if (failure != null) {
                    batch.completeExceptionally(failure);
                }
                else {
                    batch.complete(splits);
                }
            });
        }
        catch (RuntimeException e) {
            batch.completeExceptionally(e);
        }
        return batch;
    }

    /** Takes the splits of a batch, unless they were taken before. */
    @GuardedBy("this")
    private void take(CompletableFuture<ConnectorSplitBatch> batch)
    {
        if (batch != asked) {
            return;
        }
        asked = null;
        ConnectorSplitBatch taken = batch.join();
        ended = taken.isNoMoreSplits();
        if (phase == Phase.GATHERING) {
            unplaced.addAll(taken.getSplits());
        }
        else {
            taken.getSplits().forEach(split -> ready.add(placement.place(split)));
        }
    }

    @Override
    public boolean isFinished()
    {
        synchronized (this) {
            if (!unplaced.isEmpty() || !ready.isEmpty() || asked != null) {
                return false;
            }
            if (ended) {
                return true;
            }
        }
        return delegate.isFinished();
    }

    @Override
    public void close()
    {
        delegate.close();
        report();
    }

    private void report()
    {
        Collection<NodeLoad> loads;
        synchronized (this) {
            if (reported) {
                return;
            }
            reported = true;
            loads = placement.loads();
        }
        try {
            report.accept(loads);
        }
        catch (RuntimeException e) {
            failures.log("The placement of a scan's splits could not be counted", e);
        }
    }

    /** Like {@link CompletableFuture#whenComplete}, for an action that does not fail and on which no caller waits. */
    static <T extends @Nullable Object> void whenDone(CompletableFuture<T> future, BiConsumer<? super T, ? super @Nullable Throwable> action)
    {
        CompletableFuture<T> unused = future.whenComplete(action);
    }
}
