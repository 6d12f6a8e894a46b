// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.footer.parquet.ParquetFiles;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.S3Object;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the guarantees of the footer caches to Presto users, on MinIO. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FooterIT
{
    private static final String SCHEMA = "footers";
    private static final String FOOTERS = "io.eyrie:type=FooterCaches,name=" + Lake.CATALOG;
    private static final List<String> FORMATS = List.of("orc", "parquet");

    private final Lake lake = SharedLakes.onMinio();

    @BeforeAll
    void createSchema()
    {
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
    }

    @Test
    void warmQueryAsksS3ForListingsAloneAndSoItDoesAfterARestart()
    {
        PrestoClient client = lake.client(SCHEMA);
        for (String format : FORMATS) {
            lake.createTable(SCHEMA, "lineitem_" + format, lake.columnsOf("tpch.tiny.lineitem"), "format = '" + format + "'");
            client.execute("INSERT INTO lineitem_" + format + " SELECT * FROM tpch.tiny.lineitem");
            QueryResult cold = client.execute(query(format));
            assertThat(client.statistics(cold).metric("eyrieFooterLoads").sum()).as("loads of %s", format).isPositive();
            QueryResult warm = assertListingsAlone(format, cold);
            assertThat(client.statistics(warm).metric("eyrieFooterHits").sum()).as("hits of %s", format).isPositive();
            assertThat(client.statistics(warm).metric("eyrieFooterLoads").sum()).as("loads of warm %s", format).isZero();
        }
        List<QueryResult> answers = FORMATS.stream().map(format -> client.execute(query(format))).toList();
        lake.presto().restart();
        for (int i = 0; i < FORMATS.size(); i++) {
            QueryResult restarted = assertListingsAlone(FORMATS.get(i), answers.get(i));
            assertThat(lake.client(SCHEMA).statistics(restarted).metric("eyrieFooterLoads").sum()).as("parsed anew").isPositive();
        }
    }

    @Test
    void pageIndexesOfParquetAreParsedOnce()
            throws IOException
    {
        String table = "indexed";
        lake.createTable(SCHEMA, table, "id bigint, name varchar", "format = 'PARQUET'");
        // longer than a page
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/" + table + "/file", ParquetFiles.writeIndexed(100_000, 1));
        PrestoClient client = lake.client(SCHEMA).withSession("eyrie.use_column_index_filter", "true");
        String query = "SELECT count(*), count(name), sum(id) FROM indexed WHERE id BETWEEN 12345 AND 12444";
        QueryResult expected = lake.uncachedClient(SCHEMA).execute(query);
        double missesBefore = pageIndexes("Misses");
        assertThat(client.execute(query).rows()).isEqualTo(expected.rows());
        double misses = pageIndexes("Misses");
        double hits = pageIndexes("Hits");
        assertThat(misses).as("indexes of the row groups").isGreaterThan(missesBefore);

        assertThat(client.execute(query).rows()).isEqualTo(expected.rows());
        assertThat(pageIndexes("Misses")).as("warm").isEqualTo(misses);
        assertThat(pageIndexes("Hits") - hits).isEqualTo(misses - missesBefore);

        assertThat(client.withSession("eyrie.parquet_metadata_cache_enabled", "false").execute(query).rows()).isEqualTo(expected.rows());
        assertThat(pageIndexes("Hits") - hits).as("bypassed").isEqualTo(misses - missesBefore);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "dwrf", "parquet"})
    void fileOverwrittenInPlaceIsSeenByTheNextQuery(String format)
    {
        // compressed files of other rows, or with another query's id, would have other lengths
        PrestoClient client = lake.client(SCHEMA)
                .withSession("eyrie.compression_codec", "NONE")
                .withSession("eyrie.orc_compression_codec", "NONE");
        String table = "overwritten_" + format;
        lake.createTable(SCHEMA, table, "x bigint", "format = '" + format + "'");
        lake.createTable(SCHEMA, table + "_2", "x bigint", "format = '" + format + "'");
        client.execute("INSERT INTO " + table + " VALUES 1, 2, 3");
        client.execute("INSERT INTO " + table + "_2 VALUES 4, 5, 6");
        S3Object object = onlyObject(table);
        byte[] first = lake.s3().client().get(Lake.BUCKET, object.key());
        byte[] second = lake.s3().client().get(Lake.BUCKET, onlyObject(table + "_2").key());
        assertThat(second).as("the same length").hasSameSizeAs(first);
        for (int i = 0; i < 3; i++) {
            lake.s3().client().put(Lake.BUCKET, object.key(), i % 2 == 0 ? second : first);
            String expected = i % 2 == 0 ? "15" : "6";
            // the second one from memory
            assertThat(client.execute("SELECT sum(x) FROM " + table).onlyValue()).hasToString(expected);
            assertThat(client.execute("SELECT sum(x) FROM " + table).onlyValue()).hasToString(expected);
        }
    }

    @Test
    void sessionPropertiesBypassTheCaches()
    {
        for (String format : FORMATS) {
            String table = "bypassed_" + format;
            lake.createTable(SCHEMA, table, "x bigint", "format = '" + format + "'");
            lake.client(SCHEMA).execute("INSERT INTO " + table + " VALUES 1, 2, 3");
            PrestoClient client = lake.client(SCHEMA)
                    .withSession("eyrie.orc_file_tail_cache_enabled", "false")
                    .withSession("eyrie.orc_stripe_metadata_cache_enabled", "false")
                    .withSession("eyrie.orc_row_group_index_cache_enabled", "false")
                    .withSession("eyrie.parquet_metadata_cache_enabled", "false");
            for (int i = 0; i < 2; i++) {
                QueryResult result = client.execute("SELECT sum(x) FROM " + table);
                assertThat(result.onlyValue()).hasToString("6");
                assertThat(client.statistics(result).runtimeMetrics().keySet()).noneMatch(name -> name.startsWith("eyrieFooter"));
            }
        }
    }

    private double pageIndexes(String counter)
    {
        return IntStream.range(0, lake.presto().workers())
                .mapToObj(worker -> lake.presto().workerMBeans(worker))
                .mapToDouble(worker -> worker.number(FOOTERS, "ParquetColumnIndex." + counter) + worker.number(FOOTERS, "ParquetOffsetIndex."
                        + counter))
                .sum();
    }

    private QueryResult assertListingsAlone(String format, QueryResult expected)
    {
        LinkCounts before = lake.quietCounts();
        QueryResult warm = lake.client(SCHEMA).execute(query(format));
        LinkCounts asked = lake.quietCounts().minus(before);
        assertThat(warm.rows()).isEqualTo(expected.rows());
        assertThat(asked.requests()).as("requests of warm %s: %s", format, asked).isEqualTo(asked.of(RequestKind.LIST).requests());
        return warm;
    }

    private static String query(String format)
    {
        return "SELECT count(*), sum(l_quantity), min(l_shipdate), max(l_comment) FROM lineitem_" + format + " WHERE l_suppkey > 10";
    }

    private S3Object onlyObject(String table)
    {
        List<S3Object> objects = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").stream().filter(object -> object.size() > 0)
                .toList();
        assertThat(objects).hasSize(1);
        return objects.get(0);
    }
}
