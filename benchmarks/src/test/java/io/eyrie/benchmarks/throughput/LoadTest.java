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
        Load load = new Load(2, IntStream.rangeClosed(1, 102).mapToObj(i -> new Answered(i == 102 ? Kind.AD_HOC : Kind.DASHBOARD, i, i == 101))
                .toList(), 3);
        assertThat(load.perSecond()).isEqualTo(101 / 2.0);
        assertThat(load.failed()).isEqualTo(1);
        assertThat(load.queries()).isEqualTo(105);
        assertThat(load.quantile(0.5, List.of(Kind.DASHBOARD))).isEqualTo(51);
        assertThat(load.quantile(0.99, List.of(Kind.DASHBOARD))).isEqualTo(100);
        assertThat(load.quantile(0.5, List.of(Kind.AD_HOC))).isEqualTo(102);
        assertThat(load.quantile(0.5, List.of(Kind.DRILL_DOWN))).as("none ended").isEqualTo(2);
    }

    @Test
    void clientsAskAtATimeAndFailuresAreCounted()
    {
        int clients = 4;
        CyclicBarrier all = new CyclicBarrier(clients);
        Set<Thread> met = ConcurrentHashMap.newKeySet();
        Load load = Load.run(clients(clients), Duration.ofMillis(300), question -> {
            if (met.add(Thread.currentThread())) {
                LoadTest.await(all);
            }
            if (question.kind() == Kind.AD_HOC) {
                throw new QueryFailedException(question.sql(), new SQLException("no"));
            }
            return ANSWER;
        }, (question, answer) -> assertThat(question.kind()).isNotEqualTo(Kind.AD_HOC));
        assertThat(met).hasSize(clients);
        assertThat(load.failed()).isPositive();
        assertThat(load.answers()).filteredOn(answer -> answer.kind() == Kind.AD_HOC).hasSize((int) load.failed()).allMatch(Answered::failed);
    }

    @Test
    void wrongAnswerEndsTheLoad()
    {
        assertThatThrownBy(() -> Load.run(clients(2), Duration.ofMinutes(10), question -> ANSWER, (question, answer) -> {
            throw new AssertionError("wrong");
        })).hasRootCauseMessage("wrong");
    }

    private static void await(CyclicBarrier barrier)
    {
        try {
            barrier.await();
        }
        catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
