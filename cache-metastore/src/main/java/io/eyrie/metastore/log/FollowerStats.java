// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import io.eyrie.cache.metric.Metric;

/** A snapshot of the counters of a {@link LogFollower}. */
public record FollowerStats(
        @Metric(value = "attempts to read the current event number of the notification log", name = "logReadings") long readings,
        @Metric(value = "queries that shared another query's reading of the log", name = "logSharedReadings") long sharedReadings,
        @Metric(value = "events of the log applied", name = "logEvents") long events,
        @Metric(value = "events that were too long to be parsed, so that all cached metadata of their table was dropped", name = "logLongEvents") long longEvents,
        @Metric(value = "times that all cached metadata was dropped and the log followed from its end, including the first time", name = "logRestarts") long restarts,
        @Metric(value = "failed readings of the log", name = "logFailures") long failures,
        @Metric(value = "failed readings of the log after which cached metadata still answered, within cache.metastore.grace", name = "logGraceReadings") long graceReadings,
        @Metric(value = "queries that did not wait any longer for the notification log and read metadata from the metastore, or used cached metadata within cache.metastore.grace", name = "logOverdueReadings") long overdueReadings)
{
    /** The counters of a metastore without a log. */
    public static final FollowerStats NONE = new FollowerStats(0, 0, 0, 0, 0, 0, 0, 0);
}
