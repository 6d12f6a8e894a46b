// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.RuntimeMetric;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.SchemaTableName;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;
import io.eyrie.presto.fragment.FileProofs.FactsKey;
import io.eyrie.presto.ledger.Account;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Reads the footers of files in the background, at a bounded rate and within the budget of a day. Thread-safe. */
final class FooterReads
{
    /*
     * Queue     each file once, in the order in which queries asked for them; beyond MOST_QUEUED, a file waits for the next query
     * Rate      THREADS threads, each of which rests for REST_MILLIS after a file: at most 100 files a second
     * Failures  a file that could not be read, or that Presto's reader refused, is not read again for RETRY
     */
    static final int MOST_QUEUED = 4_000;
    private static final int MOST_FAILED = 10_000;
    private static final int THREADS = 8;
    private static final long REST_MILLIS = 80;
    private static final Duration RETRY = Duration.ofMinutes(10);
    private static final LimitedLog log = new LimitedLog(FooterReads.class, Level.INFO);

    private final LearnedFacts facts;
    private final ReadBudget budget;
    private final ScheduledExecutorService threads;
    private final Cache<BlobKey, Boolean> failed;
    private final LongAdder files = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    @GuardedBy("this")
    private final Map<BlobKey, FooterRead> queue = new LinkedHashMap<>();
    @GuardedBy("this")
    private int running;
    @GuardedBy("this")
    private long reading;

    /**
     * A footer to be read.
     *
     * @param account records the cost
     * @param reader reads the facts, and counts its requests in the given statistics. Throws if the file cannot be read, or if Presto's reader refuses it
     */
    record FooterRead(SchemaTableName table, FactsKey file, Account account, Function<RuntimeStats, FileFacts> reader)
    {}

    /** What becomes of a file whose facts are not known. */
    enum ReadDecision
    {
        QUEUED,
        FAILED_BEFORE,
        OVER_BUDGET,
        QUEUE_FULL,
    }

    FooterReads(LearnedFacts facts, ReadBudget budget, Threads threads, Ticker ticker)
    {
        this.facts = requireNonNull(facts, "facts is null");
        this.budget = requireNonNull(budget, "budget is null");
        this.threads = threads.scheduler("eyrie-file-statistics", THREADS);
        failed = Caffeine.newBuilder().executor(Runnable::run).ticker(ticker).maximumSize(MOST_FAILED).expireAfterWrite(RETRY).build();
    }

    /** Queues a file, if it may be read. Does not wait. */
    ReadDecision offer(FooterRead read)
    {
        if (failed.getIfPresent(read.file().facts()) != null) {
            return ReadDecision.FAILED_BEFORE;
        }
        if (!budget.isLeft()) {
            return ReadDecision.OVER_BUDGET;
        }
        synchronized (this) {
            if (queue.size() >= MOST_QUEUED) {
                return ReadDecision.QUEUE_FULL;
            }
            queue.putIfAbsent(read.file().facts(), read);
            if (running < THREADS && running < queue.size()) {
                running++;
                next(0);
            }
            return ReadDecision.QUEUED;
        }
    }

    private void next(long delayMillis)
    {
        var unused = threads.schedule(this::readNext, delayMillis, TimeUnit.MILLISECONDS);
    }

    private void readNext()
    {
        FooterRead read = take();
        if (read == null) {
            return;
        }
        try {
            read(read);
        }
        finally {
            done();
            next(REST_MILLIS);
        }
    }

    private synchronized void done()
    {
        reading--;
    }

    /* Returns null, and ends this thread's work, if there is nothing to read. */
    private synchronized @Nullable FooterRead take()
    {
        Iterator<FooterRead> reads = queue.values().iterator();
        if (!reads.hasNext()) {
            running--;
            return null;
        }
        FooterRead read = reads.next();
        reads.remove();
        reading++;
        return read;
    }

    private void read(FooterRead read)
    {
        if (facts.isKnown(read.file()) || !budget.begin()) {
            return;
        }
        RuntimeStats stats = new RuntimeStats();
        long began = System.nanoTime();
        long epoch = facts.epoch();
        try {
            facts.learned(read.table(), read.file(), read.reader().apply(stats), epoch);
            files.increment();
        }
        catch (RuntimeException e) {
            failed.put(read.file().facts(), true);
            failures.increment();
            log.log("The footer of a file of " + read.table() + " could not be used. Workers read the file as before", e);
        }
        finally {
            spent(read.account(), sum(stats, "eyrieDataRemoteReads"), sum(stats, "eyrieDataRemoteReadBytes"), System.nanoTime() - began);
        }
    }

    private void spent(Account account, long moreRequests, long moreBytes, long nanos)
    {
        budget.spend(moreRequests - 1, moreBytes);
        requests.add(moreRequests);
        bytes.add(moreBytes);
        for (long i = 1; i < moreRequests; i++) {
            account.load(0, 0);
        }
        account.load(moreBytes, nanos);
    }

    private static long sum(RuntimeStats stats, String name)
    {
        RuntimeMetric metric = stats.getMetric(name);
        return metric == null ? 0 : metric.getSum();
    }

    void close()
    {
        threads.shutdownNow();
    }

    long files()
    {
        return files.sum();
    }

    long failures()
    {
        return failures.sum();
    }

    long requests()
    {
        return requests.sum();
    }

    long bytes()
    {
        return bytes.sum();
    }

    /* Includes the files that are being read. */
    synchronized long queued()
    {
        return queue.size() + reading;
    }
}
