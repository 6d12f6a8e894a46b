package io.eyrie.testing.client;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * The engine's own account of a finished query, as its web page has it.
 *
 * @param queryInfo the whole JSON of {@code /v1/query/<id>}
 * @param runtimeMetrics the query's runtime statistics by name, connectors' own included
 */
public record QueryStatistics(JsonNode queryInfo, Map<String, Metric> runtimeMetrics)
{
    /** What the engine puts before the names of a stage's metrics. */
    private static final Pattern STAGE = Pattern.compile("^S\\d+-");

    public QueryStatistics
    {
        requireNonNull(queryInfo, "queryInfo is null");
        runtimeMetrics = Map.copyOf(runtimeMetrics);
    }

    /** A runtime metric: what was added to it, and how many times. */
    public record Metric(long sum, long count)
    {}

    static QueryStatistics from(JsonNode queryInfo)
    {
        Map<String, Metric> metrics = new TreeMap<>();
        queryInfo.path("queryStats").path("runtimeStats").fields().forEachRemaining(entry -> metrics.put(
                entry.getKey(),
                new Metric(entry.getValue().path("sum").asLong(), entry.getValue().path("count").asLong())));
        return new QueryStatistics(queryInfo, metrics);
    }

    /** The metric of that name, all stages of the query together; zero, zero where the query has none. */
    public Metric metric(String name)
    {
        long sum = 0;
        long count = 0;
        for (Map.Entry<String, Metric> metric : runtimeMetrics.entrySet()) {
            if (STAGE.matcher(metric.getKey()).replaceFirst("").equals(name)) {
                sum += metric.getValue().sum();
                count += metric.getValue().count();
            }
        }
        return new Metric(sum, count);
    }
}
