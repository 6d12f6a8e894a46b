// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.airlift.units.Duration;
import io.eyrie.testing.client.QueryStatistics;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Describes where a query spent its time, by the engine's statistics. */
final class QueryProfile
{
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int OPERATORS = 4;
    private static final List<String> WORK = List.of("addInputWall", "getOutputWall", "finishWall");

    private QueryProfile()
    {}

    /** Returns one line: the phases, and the operators that worked longest, each summed over its drivers. */
    static String of(QueryStatistics statistics)
    {
        JsonNode query = statistics.queryInfo().path("queryStats");
        Map<String, Double> operators = new HashMap<>();
        for (JsonNode operator : query.path("operatorSummaries")) {
            operators.merge(
                    operator.path("operatorType").asText().replace("Operator", ""),
                    WORK.stream().mapToDouble(work -> millis(operator, work)).sum(),
                    Double::sum);
        }
        String longest = operators.entrySet()
                .stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(OPERATORS)
                .map(operator -> String.format(Locale.ROOT, "%s %.0f", operator.getKey(), operator.getValue()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%.0f ms; planning %.0f, waiting for splits %.0f, %d splits, results hit %d, missed %d; processor %.0f; operators: %s",
                millis(query, "elapsedTime"),
                millis(query, "totalPlanningTime"),
                statistics.metric("getSplitsTimeNanos").sum() / NANOS_PER_MILLI,
                query.path("completedSplits").asLong(),
                statistics.metric("eyrieFragmentHits").sum() + statistics.metric("fragmentResultCacheHitCount").sum(),
                statistics.metric("eyrieFragmentMisses").sum() + statistics.metric("fragmentResultCacheMissCount").sum(),
                millis(query, "totalCpuTime"),
                longest);
    }

    private static double millis(JsonNode node, String name)
    {
        JsonNode duration = node.path(name);
        return duration.isTextual() ? Duration.valueOf(duration.asText()).getValue(MILLISECONDS) : 0;
    }
}
