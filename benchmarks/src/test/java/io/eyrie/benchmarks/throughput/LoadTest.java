// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.throughput.Load.Answered;
import io.eyrie.benchmarks.throughput.Mix.Kind;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoadTest
{
    private static final QueryResult ANSWER = new QueryResult("id", List.of(), List.of(), -1, Duration.ZERO);

    private static List<Mix> clients(int count)
    {
        return IntStream.range(0, count).mapToObj(Mix::new).toList();
    }

    @Test
    void figuresAreThoseOfTheQueriesThatSucceeded()
    {
        Load load = new Load(2, IntStream.rangeClosed(1, 102).mapToObj(i -> new Answered(
                i == 102 ? Kind.AD_HOC : Kind.DASHBOARD, i, i == 102 ? 0.5 : 1, i == 101)).toList());
        assertThat(load.perSecond()).as("the last one in part").isEqualTo(100.5 / 2);
        assertThat(load.failed()).isEqualTo(1);
        assertThat(load.quantile(0.5, List.of(Kind.DASHBOARD))).isEqualTo(51);
        assertThat(load.quantile(0.99, List.of(Kind.DASHBOARD))).isEqualTo(100);
        assertThat(load.quantile(0.5, List.of(Kind.AD_HOC))).isEqualTo(102);
        assertThat(load.quantile(0.5, List.of(Kind.DRILL_DOWN))).as("none ended").isNaN();
    }

    @Test
    void clientsAskAtATimeAndFailuresAreCounted()
    {
        int clients = 4;
        CyclicBarrier all = new CyclicBarrier(clients);
        Set<Thread> met = ConcurrentHashMap.newKeySet();
        AtomicLong asked = new AtomicLong();
        // time passes with the questions
        Load load = Load.run(clients(clients), Duration.ofNanos(1000), asked::get, question -> {
            if (met.add(Thread.currentThread())) {
                LoadTest.await(all);
            }
            asked.incrementAndGet();
            if (question.kind() == Kind.AD_HOC) {
                throw new QueryFailedException(question.sql(), new SQLException("no"));
            }
            return ANSWER;
        }, (question, answer) -> assertThat(question.kind()).isNotEqualTo(Kind.AD_HOC));
        assertThat(met).hasSize(clients);
        assertThat(load.queries()).hasSizeBetween(1000, 1000 + clients);
        assertThat(load.failed()).isPositive();
        assertThat(load.queries()).filteredOn(answer -> answer.kind() == Kind.AD_HOC).hasSize((int) load.failed()).allMatch(Answered::failed);
    }

    @Test
    void queryThatEndsLateCountsInPart()
    {
        AtomicLong nanos = new AtomicLong();
        Load load = Load.run(clients(1), Duration.ofNanos(100), nanos::get, question -> {
            nanos.addAndGet(80);
            return ANSWER;
        }, (question, answer) -> {});
        assertThat(load.queries()).extracting(Answered::within).containsExactly(1.0, 0.25);
    }

    @Test
    void wrongAnswerEndsTheRun()
    {
        AtomicLong nanos = new AtomicLong();
        assertThatThrownBy(() -> Load.run(clients(2), Duration.ofNanos(10), nanos::incrementAndGet, question -> ANSWER, (question, answer) -> {
            throw new AssertionError("wrong");
        })).hasMessage("wrong");
    }

    private static void await(CyclicBarrier barrier)
    {
        try {
            barrier.await(1, TimeUnit.MINUTES);
        }
        catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
