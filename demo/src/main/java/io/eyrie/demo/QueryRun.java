// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * One measured run of a query, or a summary of several runs of one mode.
 *
 * @param query the query's name, {@code q1}
 * @param seconds from sending the statement to its last row, at the client
 * @param s3Requests requests of any kind that reached the S3 server during the run
 * @param s3Lists those of them that list objects
 * @param s3DataBytes bytes of objects' content that the server sent
 * @param rowsChecksum of the answer, regardless of the rows' order
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record QueryRun(String query, RunMode run, double seconds, long s3Requests, long s3Lists, long s3DataBytes, String rowsChecksum)
{
    public QueryRun
    {
        requireNonNull(query, "query is null");
        requireNonNull(run, "run is null");
        requireNonNull(rowsChecksum, "rowsChecksum is null");
    }

    /**
     * Summarizes an odd number of runs of one query and mode: the median of the seconds, and the largest of all other values. Their answers must be the
     * same.
     */
    static QueryRun summary(List<QueryRun> runs)
    {
        QueryRun first = runs.get(0);
        return new QueryRun(
                first.query,
                first.run,
                runs.stream().map(QueryRun::seconds).sorted().toList().get(runs.size() / 2),
                runs.stream().mapToLong(QueryRun::s3Requests).max().orElseThrow(),
                runs.stream().mapToLong(QueryRun::s3Lists).max().orElseThrow(),
                runs.stream().mapToLong(QueryRun::s3DataBytes).max().orElseThrow(),
                first.rowsChecksum);
    }
}
