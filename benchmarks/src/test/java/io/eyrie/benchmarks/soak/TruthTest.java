// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.soak.Question.Kind;
import io.eyrie.benchmarks.soak.Truth.Change;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class TruthTest
{
    private final Truth truth = new Truth();

    @Test
    void fileIsOldOrNewFromBeforeItsChangeToAfterIt()
    {
        Change first = truth.begin("d", "f", Optional.of(new Content(1)), 10);
        assertThat(answers(5, 9)).containsExactly("0");
        assertThat(answers(5, 11)).containsExactlyInAnyOrder("0", "300");
        truth.ended(first, 20);
        assertThat(answers(15, 18)).containsExactlyInAnyOrder("0", "300");
        assertThat(answers(21, 30)).containsExactly("300");

        Change second = truth.begin("d", "f", Optional.of(new Content(3)), 40);
        assertThat(answers(21, 39)).containsExactly("300");
        assertThat(answers(50, 60)).containsExactlyInAnyOrder("300", "60000");
        truth.ended(second, 70);
        assertThat(answers(71, 80)).containsExactly("60000");
        assertThat(truth.files("d")).containsOnlyKeys("f");

        truth.ended(truth.begin("d", "f", Optional.empty(), 90), 91);
        assertThat(answers(92, 100)).containsExactly("0");
        assertThat(truth.files("d")).isEmpty();
        assertThat(answers(5, 100)).containsExactlyInAnyOrder("0", "300", "60000");
    }

    @Test
    void filesChangeEachForItself()
    {
        truth.begin("d", "f", Optional.of(new Content(1)), 10);
        truth.begin("d", "g", Optional.of(new Content(2)), 10);
        truth.ended(truth.begin("e", "h", Optional.of(new Content(3)), 10), 11);
        assertThat(answers(12, 13)).containsExactlyInAnyOrder("60000", "60300", "60300", "60600");
        assertThat(truth.states(Optional.of("e"), 12, 13)).hasSize(1);
    }

    @Test
    void answersAreThoseOfTheRows()
    {
        Change change = truth.begin("d", "f", Optional.of(new Content(1)), 10);
        truth.ended(change, 11);
        Truth.State state = truth.states(Optional.empty(), 12, 13).get(0);
        assertThat(new Question(Kind.TOTAL, "t", Optional.empty(), 298, Integer.MAX_VALUE).answer(state)).containsExactly("2 20200597 1");
        assertThat(new Question(Kind.TOTAL, "t", Optional.empty(), 300, 400).answer(state)).containsExactly("0 0 -1");
        assertThat(new Question(Kind.CONTENTS, "t", Optional.empty(), 0, 2).answer(state)).containsExactly("d 1 2 20200001");
        assertThat(new Question(Kind.ROWS, "t", Optional.empty(), 0, 2).answer(state)).containsExactly("10100000 10100000", "10100001 10100001");
        assertThat(new Question(Kind.JOIN, "t", Optional.empty(), 0, 2).answer(state)).containsExactly("2 20200003");
    }

    @Test
    void textFilesOfAsManyRowsAreEquallyLong()
    {
        assertThat(new Content(0).text()).hasSameSizeAs(new Content(1).text()).isNotEqualTo(new Content(1).text());
        assertThat(new Content(3).text()).hasSameSizeAs(new Content(7).text()).hasSizeGreaterThan(1 << 20);
    }

    private List<String> answers(long from, long until)
    {
        return truth.states(Optional.empty(), from, until).stream()
                .map(state -> new Question(Kind.TOTAL, "t", Optional.empty(), 0, Integer.MAX_VALUE).answer(state).get(0).replaceAll(" .*", ""))
                .toList();
    }
}
