// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.MinioServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import static io.eyrie.integration.SharedLakes.FRAGMENTS;
import static io.eyrie.integration.SharedLakes.LISTER;
import static io.eyrie.integration.SharedLakes.LISTER_SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two catalogs on one cache directory, whose users have different rights in S3: one reads the files of a table, the other may only list them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoCredentialsIT
{
    private static final String SCHEMA = "guarded";
    private static final String LISTS = """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetBucketLocation"],
            "Resource": ["arn:aws:s3:::*"]}]}""";
    private static final String READS = """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetBucketLocation", "s3:GetObject"],
            "Resource": ["arn:aws:s3:::*"]}]}""";
    /** The query that the statistics of the footer decide. */
    private static final int EXCLUDED = 2;
    private static final String DROPPED = "eyrieFragmentDropped";
    private static final String HITS = "eyrieFragmentHits";
    private static final String FROM_CACHE = "eyrieDataCacheReadBytes";

    private final Lake lake = SharedLakes.onMinio();
    private final MinioServer minio = (MinioServer) lake.s3();

    @BeforeAll
    void start()
    {
        minio.addUser(LISTER, LISTER_SECRET, LISTS);
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
    }

    @Test
    void catalogWithoutRightsGetsNothingThatTheOtherCached()
    {
        for (String format : List.of("ORC", "PARQUET", "TEXTFILE")) {
            String table = "t_" + format.toLowerCase(Locale.ROOT);
            lake.createTable(SCHEMA, table, "v bigint, s varchar", "format = '" + format + "'");
            PrestoClient owner = lake.presto().client(FRAGMENTS, SCHEMA);
            owner.execute("INSERT INTO " + table + " SELECT v, cast(v AS varchar) FROM UNNEST(sequence(1, 1000)) AS t(v)");
            List<String> queries = List.of(
                    "SELECT count(*), sum(v), max(s) FROM " + table + " WHERE v > 10",
                    "SELECT v, s FROM " + table + " WHERE v % 100 = 0",
                    // the statistics of the footer exclude it, which both catalogs could read from the cache
                    "SELECT count(*), max(s) FROM " + table + " WHERE v > 5000");
            List<QueryResult> expected = queries.stream().map(owner::execute).toList();
            for (int i = 0; i < queries.size(); i++) {
                Rows.assertSameRows(owner.execute(queries.get(i)), expected.get(i));
                Rows.assertSameRows(withoutResults(owner, FRAGMENTS).execute(queries.get(i)), expected.get(i));
            }
            assertThat(metric(owner, HITS, queries.get(0))).as("results of %s are cached", format).isPositive();
            assertThat(metric(withoutResults(owner, FRAGMENTS), FROM_CACHE, queries.get(0))).as("pages of %s are cached", format).isPositive();
            if (!format.equals("TEXTFILE")) {
                awaitDropped(owner, queries.get(EXCLUDED));
            }

            minio.setPolicy(LISTER, LISTS);
            PrestoClient lister = lake.presto().client(LISTER, SCHEMA);
            for (String query : queries) {
                for (PrestoClient client : List.of(lister, withoutResults(lister, LISTER))) {
                    assertThatThrownBy(() -> client.execute(query))
                            .as(format + ": " + query)
                            .isInstanceOf(QueryFailedException.class)
                            .hasMessageContaining(Lake.location(SCHEMA, table))
                            // the reader of Parquet leaves out the store's message
                            .hasMessageMatching("(?s).*(Access Denied|Error reading from).*");
                }
            }

            minio.setPolicy(LISTER, READS);
            assertThat(metric(lister, DROPPED, queries.get(EXCLUDED))).as("splits of %s that the statistics of the other catalog exclude", format)
                    .isZero();
            assertThat(metric(lister, HITS, queries.get(0))).as("results of %s that the other catalog computed", format).isZero();
            for (int i = 0; i < queries.size(); i++) {
                Rows.assertSameRows(lister.execute(queries.get(i)), expected.get(i));
            }
            assertThat(metric(lister, HITS, queries.get(0))).as("its own results of %s", format).isPositive();
        }
    }

    /* The coordinator reads the footers in the background. */
    private static void awaitDropped(PrestoClient client, String query)
    {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (metric(client, DROPPED, query) == 0) {
            assertThat(System.nanoTime()).as("a minute has passed").isLessThan(end);
        }
    }

    private static PrestoClient withoutResults(PrestoClient client, String catalog)
    {
        return client.withSession(catalog + ".fragment_result_cache_enabled", "false");
    }

    private static long metric(PrestoClient client, String name, String query)
    {
        return client.statistics(client.execute(query)).metric(name).sum();
    }
}
