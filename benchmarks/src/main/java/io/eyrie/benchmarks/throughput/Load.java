// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.throughput.Mix.Kind;
import io.eyrie.benchmarks.throughput.Mix.Question;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The measurements of several clients, each of which ran one query after another for {@code seconds}.
 *
 * @param queries includes those that ended afterwards
 */
record Load(double seconds, List<Answered> queries)
{
    private static final double NANOS_PER_SECOND = 1e9;

    Load
    {
        queries = List.copyOf(queries);
    }

    /**
     * A query that ended.
     *
     * @param seconds its duration, from the client's view
     * @param within the part of its duration within the measured time; less than 1 for the last query of a client
     */
    record Answered(Kind kind, double seconds, double within, boolean failed)
    {}

    private record Received(Question question, Answered answered, @Nullable QueryResult answer)
    {}

    /**
     * Runs the clients' queries until the time is over and the last of them has ended.
     *
     * @param nanoTime a clock like {@link System#nanoTime}
     * @param ask runs a query; called by many threads
     * @param check receives each question with its answer, after the last query
     */
    static Load run(List<Mix> clients, Duration duration, LongSupplier nanoTime, Function<Question, QueryResult> ask,
            BiConsumer<Question, QueryResult> check)
    {
        Queue<Received> received = new ConcurrentLinkedQueue<>();
        Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
        long end = nanoTime.getAsLong() + duration.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (Mix client : clients) {
            Thread thread = new Thread(() -> {
                for (long asked = nanoTime.getAsLong(); asked < end && defects.isEmpty(); asked = nanoTime.getAsLong()) {
                    received.add(ask(client.next(), asked, end, nanoTime, ask));
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
        for (Received one : received) {
            if (one.answer != null) {
                check.accept(one.question, one.answer);
            }
        }
        return new Load(duration.toNanos() / NANOS_PER_SECOND, received.stream().map(Received::answered).toList());
    }

    private static Received ask(Question question, long asked, long end, LongSupplier nanoTime, Function<Question, QueryResult> ask)
    {
        QueryResult answer = null;
        try {
            answer = ask.apply(question);
        }
        catch (QueryFailedException e) {
            // counted
        }
        long now = nanoTime.getAsLong();
        double within = now <= end ? 1 : (double) (end - asked) / (now - asked);
        return new Received(question, new Answered(question.kind(), (now - asked) / NANOS_PER_SECOND, within, answer == null), answer);
    }

    /** Returns the queries per second. A query that ended after the time counts in part, so that slow and fast queries count alike. */
    double perSecond()
    {
        return succeeded().mapToDouble(Answered::within).sum() / seconds;
    }

    double failed()
    {
        return queries.stream().filter(Answered::failed).count();
    }

    /** Returns a quantile of the seconds of the queries of these kinds. */
    double quantile(double share, List<Kind> kinds)
    {
        double[] sorted = succeeded().filter(answer -> kinds.contains(answer.kind())).mapToDouble(Answered::seconds).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    private Stream<Answered> succeeded()
    {
        return queries.stream().filter(answer -> !answer.failed());
    }
}
