// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.throughput.Mix.Kind;
import io.eyrie.benchmarks.throughput.Mix.Question;
import org.junit.jupiter.api.Test;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class MixTest
{
    private static final int QUERIES = 10_000;

    private static List<Question> questions(long seed)
    {
        return Stream.generate(new Mix(seed)::next).limit(QUERIES).toList();
    }

    private static List<String> distinct(Kind kind)
    {
        return questions(1).stream().filter(question -> question.kind() == kind).map(Question::sql).distinct().toList();
    }

    @Test
    void seedDecidesAllQueries()
    {
        assertThat(questions(1)).isEqualTo(questions(1)).isNotEqualTo(questions(2));
    }

    @Test
    void kindsHaveTheirShares()
    {
        Map<Kind, Long> counts = questions(1).stream().collect(Collectors.groupingBy(Question::kind, Collectors.counting()));
        assertThat(counts.get(Kind.DASHBOARD)).isBetween(QUERIES * 58L / 100, QUERIES * 62L / 100);
        assertThat(counts.get(Kind.DRILL_DOWN)).isBetween(QUERIES * 23L / 100, QUERIES * 27L / 100);
        assertThat(counts.get(Kind.AD_HOC)).isBetween(QUERIES * 13L / 100, QUERIES * 17L / 100);
    }

    @Test
    void datesOfDashboardsMoveByADay()
    {
        Pattern date = Pattern.compile("l_shipdate >= DATE '([^']+)'");
        List<LocalDate> days = distinct(Kind.DASHBOARD).stream()
                .filter(sql -> sql.contains("l_discount BETWEEN"))
                .flatMap(sql -> date.matcher(sql).results().map(match -> LocalDate.parse(match.group(1))))
                .toList();
        assertThat(days.subList(0, 20)).isSorted();
        assertThat(days.get(0)).isBetween(LocalDate.of(1994, 1, 1), LocalDate.of(1994, 1, 10));
    }

    @Test
    void stepsOfADrillDownAskForLessAndLess()
    {
        Mix mix = new Mix(1);
        List<String> steps = Stream.generate(mix::drillDown).map(Question::sql).limit(4).toList();
        List<List<String>> keys = steps.stream().map(sql -> List.of(sql.substring(sql.indexOf("GROUP BY ") + 9).split(", ", -1))).toList();
        assertThat(keys.get(0)).hasSize(3);
        assertThat(keys.get(1)).isEqualTo(keys.get(0).subList(0, 2)).isEqualTo(keys.get(2));
        assertThat(steps.get(2)).contains(" AND " + keys.get(0).get(2) + " = ");
        assertThat(keys.get(3)).isEqualTo(keys.get(0).subList(0, 1));
    }

    @Test
    void adHocQueriesAreNeverRepeated()
    {
        assertThat(distinct(Kind.AD_HOC)).hasSize((int) questions(1).stream().filter(question -> question.kind() == Kind.AD_HOC).count());
    }
}
