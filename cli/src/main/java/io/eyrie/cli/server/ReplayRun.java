// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * One run of a query, whose rows are dropped, with Eyrie's runtime statistics.
 *
 * @param overBudget whether the query was canceled because it had loaded more bytes than allowed
 * @param failure the query's error
 * @param statistics the sums of Eyrie's runtime statistics by name, over all stages; empty if the coordinator no longer has them
 */
record ReplayRun(boolean overBudget, Optional<FailedStatementException> failure, Map<String, Long> statistics)
{
    private static final Pattern NAME = Pattern.compile("^(?:S\\d+-)?(eyrie.+)$");
    private static final String MISSES = "eyrieFragmentMisses";
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PAUSE_MILLIS = 100;
    private static final int MOST_PAUSES = 100;

    ReplayRun
    {
        statistics = Map.copyOf(statistics);
    }

    /**
     * Runs a query to its end.
     *
     * @param mostBytes cancels the query soon after it has loaded more bytes from the store
     */
    static ReplayRun of(PrestoServer server, String sql, OptionalLong mostBytes)
            throws IOException
    {
        Watch watch = new Watch(server, mostBytes);
        Optional<FailedStatementException> failure = Optional.empty();
        try {
            server.pages(sql, watch::next);
        }
        catch (FailedStatementException e) {
            failure = Optional.of(e);
        }
        return new ReplayRun(watch.over, failure, watch.end());
    }

    long loadedBytes()
    {
        return statistics.getOrDefault("eyrieDataRemoteReadBytes", 0L);
    }

    /** Returns the number of splits that were served from results. */
    long hits()
    {
        return statistics.getOrDefault("eyrieFragmentHits", 0L);
    }

    /** Returns the number of splits that were computed, although a result of them could be cached. */
    long misses()
    {
        return statistics.getOrDefault(MISSES, 0L);
    }

    /** Returns whether the next run may find more results: of splits that this run computed, or of joins that it planned for the first time. */
    boolean mayImprove()
    {
        return statistics.getOrDefault(MISSES + "Absent", 0L) + statistics.getOrDefault("eyrieFragmentJoinsRefusedSeenOnce", 0L) > 0;
    }

    /** Watches a query while it runs. For one thread. */
    private static final class Watch
    {
        private final PrestoServer server;
        private final OptionalLong mostBytes;
        private String queryId = "";
        private long nextCheck = System.nanoTime();
        private boolean over;

        private Watch(PrestoServer server, OptionalLong mostBytes)
        {
            this.server = server;
            this.mostBytes = mostBytes;
        }

        /* Returns whether the query may continue. */
        private boolean next(JsonNode page)
                throws IOException
        {
            queryId = page.path("id").asText(queryId);
            if (mostBytes.isPresent() && System.nanoTime() - nextCheck >= 0) {
                over = server.queryInfo(queryId).map(Watch::statistics).orElse(Map.of()).getOrDefault("eyrieDataRemoteReadBytes", 0L) > mostBytes
                        .getAsLong();
                nextCheck = System.nanoTime() + CHECK_NANOS;
            }
            return !over;
        }

        /* Waits for the last statistics, which workers report after the last row. */
        private Map<String, Long> end()
                throws IOException
        {
            Optional<JsonNode> info = server.queryInfo(queryId);
            for (int pauses = 0; info.isPresent() && !info.get().path("finalQueryInfo").asBoolean() && pauses < MOST_PAUSES; pauses++) {
                try {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
                info = server.queryInfo(queryId);
            }
            return info.map(Watch::statistics).orElse(Map.of());
        }

        private static Map<String, Long> statistics(JsonNode info)
        {
            Map<String, Long> sums = new TreeMap<>();
            info.path("queryStats").path("runtimeStats").fields().forEachRemaining(metric -> {
                var name = NAME.matcher(metric.getKey());
                if (name.matches()) {
                    sums.merge(name.group(1), metric.getValue().path("sum").asLong(), Long::sum);
                }
            });
            return sums;
        }
    }
}
