// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.benchmarks.Medians;
import org.jspecify.annotations.Nullable;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * One measured run of a query, or a summary of several runs of one mode.
 *
 * @param query the query's name, {@code q1}
 * @param seconds from sending the statement to its last row, at the client
 * @param s3Requests requests of any kind that reached the S3 server during the run
 * @param s3DataBytes bytes of objects' content that the server sent
 * @param hitRatio cache bytes / (cache bytes + remote bytes), by the query's own statistics; 0 without cache, null if the query read nothing
 * @param rowsChecksum of the answer, regardless of the rows' order
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record QueryRun(String query, RunMode run, double seconds, long s3Requests, long s3DataBytes, @Nullable Double hitRatio, String rowsChecksum)
{
    public QueryRun
    {
        requireNonNull(query, "query is null");
        requireNonNull(run, "run is null");
        requireNonNull(rowsChecksum, "rowsChecksum is null");
    }

    /**
     * Summarizes several runs of one query and mode: the median of the seconds, and the least favorable of all other values. Their answers must be
     * the same.
     */
    static QueryRun summary(List<QueryRun> runs)
    {
        QueryRun first = runs.get(0);
        return new QueryRun(
                first.query,
                first.run,
                Medians.median(runs.stream().map(QueryRun::seconds).toList()),
                runs.stream().mapToLong(QueryRun::s3Requests).max().orElseThrow(),
                runs.stream().mapToLong(QueryRun::s3DataBytes).max().orElseThrow(),
                leastHitRatio(runs),
                first.rowsChecksum);
    }

    private static @Nullable Double leastHitRatio(List<QueryRun> runs)
    {
        Double least = 1.0;
        for (QueryRun run : runs) {
            if (run.hitRatio == null) {
                return null;
            }
            least = Math.min(least, run.hitRatio);
        }
        return least;
    }
}
