// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BenchResultTest
{
    private static final Question QUESTION = new Question("q1", "warm-time", "s", "no-cache");

    @Test
    void ratioSaysHowManyTimesLessOursIs()
    {
        BenchResult result = BenchResult.lessIsBetter(QUESTION, List.of(1.0, 2.0, 4.0), List.of(4.0, 8.0, 8.0), null);

        assertThat(result).isEqualTo(new BenchResult("q1", "warm-time", "s", 2, "no-cache", 8, 4, List.of(2.0, 4.0), null, null));
    }

    @Test
    void barThatIsReachedAndOneThatIsNot()
    {
        assertThat(BenchResult.lessIsBetter(QUESTION, List.of(1.0), List.of(3.0), 3.0).holds()).isTrue();
        assertThat(BenchResult.lessIsBetter(QUESTION, List.of(1.0), List.of(3.0), 3.1).holds()).isFalse();
    }

    @Test
    void nothingOnBothSides()
    {
        BenchResult failed = BenchResult.lessIsBetter(QUESTION, List.of(0.0), List.of(0.0), 1.0);
        assertThat(failed.ratio()).isEqualTo(1);
        assertThat(failed.holds()).isTrue();
        assertThat(BenchResult.lessIsBetter(QUESTION, List.of(2.0), List.of(0.0), 1.0).holds()).isFalse();
    }

    @Test
    void repeatsThatAreNotPaired()
    {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchResult.lessIsBetter(QUESTION, List.of(1.0), List.of(1.0, 2.0), null))
                .withMessage("1 repeats of ours, 2 of no-cache");
    }
}
