// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.throughput.Mix.Kind;
import io.eyrie.benchmarks.throughput.Mix.Question;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * What a number of clients saw, each of which ran one query after the other.
 *
 * @param answers of the queries that ended within {@code seconds}
 * @param late queries that ended afterwards
 */
record Load(double seconds, List<Answered> answers, int late)
{
    private static final double NANOS_PER_SECOND = 1e9;

    Load
    {
        answers = List.copyOf(answers);
    }

    /** A query that ended; its seconds are from the client's view. */
    record Answered(Kind kind, double seconds, boolean failed)
    {}

    /**
     * Runs the clients' queries until the time is over and the last of them has ended.
     *
     * @param ask runs a query; called by many threads
     * @param answered receives each question with its answer
     */
    static Load run(List<Mix> clients, Duration duration, Function<Question, QueryResult> ask, BiConsumer<Question, QueryResult> answered)
    {
        Queue<Answered> answers = new ConcurrentLinkedQueue<>();
        AtomicInteger late = new AtomicInteger();
        Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (Mix client : clients) {
            Thread thread = new Thread(() -> {
                while (System.nanoTime() < end && defects.isEmpty()) {
                    Question question = client.next();
                    long asked = System.nanoTime();
                    boolean failed = false;
                    try {
                        answered.accept(question, ask.apply(question));
                    }
                    catch (QueryFailedException e) {
                        failed = true;
                    }
                    long now = System.nanoTime();
                    if (now > end) {
                        late.incrementAndGet();
                    }
                    else {
                        answers.add(new Answered(question.kind(), (now - asked) / NANOS_PER_SECOND, failed));
                    }
                }
            }, "client-" + threads.size());
            thread.setUncaughtExceptionHandler((any, defect) -> defects.add(defect));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
        if (!defects.isEmpty()) {
            throw new IllegalStateException("A client failed", requireNonNull(defects.peek(), "none"));
        }
        return new Load(duration.toNanos() / NANOS_PER_SECOND, new ArrayList<>(answers), late.get());
    }

    double perSecond()
    {
        return succeeded().count() / seconds;
    }

    int queries()
    {
        return answers.size() + late;
    }

    double failed()
    {
        return answers.stream().filter(Answered::failed).count();
    }

    /** Returns a quantile of the seconds of the queries of these kinds; the whole time if none ended. */
    double quantile(double share, List<Kind> kinds)
    {
        double[] sorted = succeeded().filter(answer -> kinds.contains(answer.kind())).mapToDouble(Answered::seconds).sorted().toArray();
        return sorted.length == 0 ? seconds : sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    private Stream<Answered> succeeded()
    {
        return answers.stream().filter(answer -> !answer.failed());
    }
}
