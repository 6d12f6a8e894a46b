// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.S3Object;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the guarantees about file versions on any S3 server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VersionPromises
{
    static final String SCHEMA = "cached";
    static final String ROWS = "SELECT l_orderkey, l_quantity, l_comment FROM tpch.tiny.lineitem";
    static final String SUM = "SELECT count(*), sum(l_quantity), max(l_comment) FROM ";

    // without dates, which DWRF does not support
    private static final String COLUMNS = "l_orderkey bigint, l_quantity double, l_comment varchar";

    private @Nullable Lake lake;

    abstract Lake startLake();

    final Lake lake()
    {
        return requireNonNull(lake, "not started");
    }

    @BeforeAll
    final void start()
    {
        lake = startLake();
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
    }

    @Test
    void warmReadAsksS3ForNoData()
    {
        assertWarm("warm", fill("warm", "format = 'ORC'"));
    }

    @Test
    void fileOverwrittenInPlaceIsSeenByTheNextQuery()
    {
        lake().createTable(SCHEMA, "overwritten", "x varchar", "format = 'TEXTFILE'");
        PrestoClient client = lake().client(SCHEMA);
        String key = SCHEMA + "/overwritten/file";
        // the same length, most of them within one second
        for (String word : List.of("first", "secon", "third", "forth")) {
            lake().s3().client().put(Lake.BUCKET, key, word.getBytes(UTF_8));
            assertThat(client.execute("SELECT x FROM overwritten").onlyValue()).isEqualTo(word);
            assertThat(client.execute("SELECT x FROM overwritten").onlyValue()).isEqualTo(word);
        }
    }

    /* Parquet's second request reads columns. */
    @ParameterizedTest
    @CsvSource({"ORC, 1", "PARQUET, 1", "PARQUET, 2", "TEXTFILE, 1"})
    void fileOverwrittenWhileTheQueryRunsIsAnErrorThatSaysSo(String format, int request)
    {
        String table = "race_" + format.toLowerCase(Locale.ROOT) + request;
        QueryResult rows = fill(table, "format = '" + format + "'");
        S3Object object = lake().s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").get(0);
        byte[] content = lake().s3().client().get(Lake.BUCKET, object.key());
        byte[] other = content.clone();
        other[other.length / 2]++;
        AtomicInteger requests = new AtomicInteger();
        lake().link().injectFaults(asked -> {
            if (asked.kind() == RequestKind.GET_DATA && requests.incrementAndGet() == request) {
                lake().s3().client().put(Lake.BUCKET, object.key(), other);
            }
            return Optional.empty();
        });
        try {
            assertThatThrownBy(() -> lake().client(SCHEMA).execute(SUM + table))
                    .isInstanceOf(QueryFailedException.class)
                    .hasMessageContaining("was overwritten after the query listed it")
                    .hasMessageContaining(object.key());
        }
        finally {
            lake().link().clearFaults();
        }
        assertThat(requests).hasValueGreaterThanOrEqualTo(request);
        lake().s3().client().put(Lake.BUCKET, object.key(), content);
        assertThat(lake().client(SCHEMA).execute(SUM + table).rows()).isEqualTo(rows.rows());
    }

    @Test
    void remoteFailureReachesTheQueryAndIsNotRemembered()
    {
        QueryResult expected = fill("failing", "format = 'ORC'");
        String key = lake().s3().client().list(Lake.BUCKET, SCHEMA + "/failing/").get(0).key();
        byte[] content = lake().s3().client().get(Lake.BUCKET, key);
        AtomicBoolean deleted = new AtomicBoolean();
        lake().link().injectFaults(request -> {
            if (request.kind() == RequestKind.GET_DATA && deleted.compareAndSet(false, true)) {
                lake().s3().client().delete(Lake.BUCKET, key);
            }
            return Optional.empty();
        });
        try {
            assertThatThrownBy(() -> lake().client(SCHEMA).execute(SUM + "failing")).hasMessageContaining("File does not exist");
        }
        finally {
            lake().link().clearFaults();
        }
        lake().s3().client().put(Lake.BUCKET, key, content);
        assertThat(lake().client(SCHEMA).execute(SUM + "failing").rows()).isEqualTo(expected.rows());
    }

    final void create(String table, String properties)
    {
        lake().createTable(SCHEMA, table, COLUMNS, properties);
    }

    /** Fills a table like lineitem with these rows, and returns the expected answer of {@link #SUM}. */
    final QueryResult fill(String table, String properties)
    {
        create(table, properties);
        lake().client(SCHEMA).execute("INSERT INTO " + table + " " + ROWS);
        return lake().presto().client("tpch", "tiny").execute(SUM + "lineitem");
    }

    /** Runs the query once to fill the cache, whatever its state; the next run must read no data from S3 and have the same answer. */
    final void assertWarm(String table, QueryResult expected)
    {
        PrestoClient client = lake().client(SCHEMA);
        assertThat(client.execute(SUM + table).rows()).isEqualTo(expected.rows());
        LinkCounts before = lake().quietCounts();
        QueryResult warm = client.execute(SUM + table);
        assertThat(warm.rows()).isEqualTo(expected.rows());
        assertThat(lake().quietCounts().minus(before).dataBytes()).as("data bytes of the warm run").isZero();
        assertThat(client.statistics(warm).metric("eyrieDataRemoteReadBytes").sum()).isZero();
        assertThat(client.statistics(warm).metric("eyrieDataCacheReadBytes").sum()).isPositive();
    }
}
