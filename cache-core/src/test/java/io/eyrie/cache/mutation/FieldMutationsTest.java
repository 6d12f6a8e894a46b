// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.mutation;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FieldMutationsTest
{
    private static final Subject SUBJECT = new Subject(1, "a", Optional.of(new Part(true, 7L)), List.of(1, 2), Map.of("k", "v"), Set.of("s"));

    private record Part(boolean flag, long number)
    {}

    private record Subject(int number, String text, Optional<Part> part, List<Integer> list, Map<String, String> map, Set<String> set)
    {}

    @Test
    void subjectAsItsOwnKey()
    {
        new FieldMutations().assertEachTells(SUBJECT, subject -> subject);
    }

    @Test
    void fieldThatTheKeyLacks()
    {
        assertThatThrownBy(() -> new FieldMutations().assertEachTells(SUBJECT, subject -> List.of(subject.number(), subject.text(), subject.part()
                .map(Part::flag),
                subject.list(), subject.map(), subject.set())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(".part.number")
                .hasMessageNotContaining(".part.flag");
    }

    @Test
    void keyThatTakesPartOfANumber()
    {
        assertThatThrownBy(() -> new FieldMutations().assertEachTells(new Part(true, 7), part -> List.of(part.flag(), (int) part.number())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(".number");
    }

    @Test
    void excuseForAFieldThatIsNotThere()
    {
        assertThatThrownBy(() -> new FieldMutations().excusing("Subject.gone", "it was").assertEachTells(SUBJECT, subject -> subject))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Subject.gone");
    }

    @Test
    void valueThatCannotBeChanged()
    {
        assertThatThrownBy(() -> new FieldMutations().assertEachTells(new Subject(1, "a", Optional.empty(), List.of(1), Map.of("k", "v"), Set.of(
                "s")), subject -> subject))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(".part is empty");
    }
}
