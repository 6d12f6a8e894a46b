// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * The engine's statistics of a finished query, as its web page shows them.
 *
 * @param queryInfo the whole JSON of {@code /v1/query/<id>}
 * @param runtimeMetrics the query's runtime statistics by name, including those of connectors
 */
public record QueryStatistics(JsonNode queryInfo, Map<String, Metric> runtimeMetrics)
{
    /** The prefix that the engine puts before the names of a stage's metrics. */
    private static final Pattern STAGE = Pattern.compile("^S\\d+-");

    public QueryStatistics
    {
        requireNonNull(queryInfo, "queryInfo is null");
        runtimeMetrics = Map.copyOf(runtimeMetrics);
    }

    /** A runtime metric: the sum of the values added to it, and their number. */
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

    /** Returns the sum of a metric over all stages of the query; its sum and count are 0 if the query has no such metric. */
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
