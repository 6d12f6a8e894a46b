// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.presto.PrestoClusterBuilder;
import io.eyrie.testing.presto.PrestoStartException;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that Eyrie supports the features of Presto's Hive connector: a catalog {@code hive} on a real Hive Metastore with its tables in S3, and a
 * catalog {@code files} on the file metastore and local files, in one process, both with every property of the RaptorX guide.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiveConnectorIT
{
    private static final String CLUSTER = "hive-connector";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private S3Server s3;
    private PrestoCluster presto;
    private PrestoClient hive;
    private PrestoClient files;

    @BeforeAll
    void start()
            throws IOException
    {
        Checkout checkout = Checkout.find();
        s3 = open(EmbeddedS3Server.inMemory());
        s3.client().createBucket("lake");
        Path metastoreLib = checkout.root().resolve("testing/hive-metastore/target/lib");
        Map<String, String> withLog = new HashMap<>(HiveMetastoreServer.s3(s3));
        withLog.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        HiveMetastoreServer metastore = open(HiveMetastoreServer.start(metastoreLib, Path.of("target/metastore.log"), withLog));
        Map<String, String> onMetastore = Map.of(
                "hive.metastore.uri", metastore.uri().toString(),
                // for a busy machine
                "hive.metastore-timeout", "2m",
                "hive.s3.endpoint", s3.endpoint().toString(),
                "hive.s3.path-style-access", "true",
                "hive.s3.ssl.enabled", "false",
                "hive.s3.aws-access-key", s3.accessKey(),
                "hive.s3.aws-secret-key", s3.secretKey());
        Map<String, String> cachingAll = catalog(onMetastore);
        cachingAll.put("hive.metastore-cache-scope", "ALL");
        Map<String, String> onFiles = Map.of(
                "hive.metastore", "file",
                "hive.metastore.catalog.dir", "file:${node.directory}/metastore");
        Map<String, String> cachingAllFiles = catalog(onFiles);
        cachingAllFiles.put("hive.metastore-cache-scope", "ALL");
        presto = open(PrestoCluster.builder(checkout.engineLib())
                .name(CLUSTER)
                .workers(0)
                .coordinatorWorks(true)
                .plugin("tpch", checkout.tpchPlugin())
                .plugin("eyrie", checkout.eyriePlugin())
                .catalog("tpch", Map.of("connector.name", "tpch"))
                .catalog("hive", catalog(onMetastore))
                .catalog("other", cachingAll)
                .catalog("files", catalog(onFiles))
                .catalog("otherfiles", cachingAllFiles)
                .catalog("uncached", Map.of(
                        "connector.name", "eyrie",
                        "hive.metastore", "file",
                        "hive.metastore.catalog.dir", "file:${node.directory}/metastore",
                        "hive.non-managed-table-writes-enabled", "true"))
                .start());
        hive = presto.client("hive", "features");
        files = presto.client("files", "features");
        hive.execute("CREATE SCHEMA features WITH (location = 's3a://lake/features/')");
        files.execute("CREATE SCHEMA features");
    }

    @AfterAll
    void stop()
            throws Exception
    {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private <T extends AutoCloseable> T open(T resource)
    {
        opened.push(resource);
        return resource;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "DWRF", "PARQUET", "RCBINARY", "RCTEXT", "TEXTFILE", "JSON", "SEQUENCEFILE", "AVRO"})
    void createTableAsAndInsertInEveryFormat(String format)
    {
        String table = "orders_" + format.toLowerCase(Locale.ROOT);
        String orders = "SELECT orderkey, orderstatus, totalprice, CAST(orderdate AS varchar) AS orderdate FROM tpch.tiny.orders";
        hive.execute("CREATE TABLE " + table + " WITH (format = '" + format + "') AS " + orders + " WHERE orderkey % 2 = 0");
        hive.execute("INSERT INTO " + table + " " + orders + " WHERE orderkey % 2 = 1");

        Rows.assertSameRows(hive.execute("SELECT * FROM " + table).rows(), hive.execute(orders).rows());
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "uncached"})
    void locationAtAlluxioIsRefusedWithTheJarsToAdd(String catalog)
    {
        assertThatThrownBy(() -> presto.client(catalog, "features").execute(
                "CREATE TABLE at_alluxio (x bigint) WITH (external_location = 'alluxio://master:19998/at_alluxio')"))
                .isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("alluxio://master:19998/at_alluxio")
                .hasMessageContaining("alluxio-core-client-hdfs-313.jar");
    }

    /* Hudi writes such tables into a metastore; CREATE TABLE has no syntax for them. */
    @Test
    void hudiTableIsRefusedWithTheJarToAdd()
            throws IOException
    {
        files.execute("CREATE TABLE hudi (x bigint) WITH (format = 'PARQUET')");
        Path metadata = presto.coordinatorDirectory().resolve("metastore/features/hudi/.prestoSchema");
        String parquet = "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat";
        assertThat(metadata).content().contains(parquet);
        Files.writeString(metadata, Files.readString(metadata).replace(parquet, "org.apache.hudi.hadoop.HoodieParquetInputFormat"));
        Files.deleteIfExists(metadata.resolveSibling("..prestoSchema.crc"));
        assertThatThrownBy(() -> files.execute("SELECT * FROM hudi"))
                .isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("replace eyrie-hudi-absent-*.jar in Eyrie's folder by hudi-presto-bundle-0.14.0.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hive", "files"})
    void insertIntoOneAvroTableLeavesTheReadersOfAnotherAsTheyWere(String catalog)
    {
        PrestoClient client = presto.client(catalog, "features");
        client.execute("CREATE TABLE av2 (a bigint, b varchar) WITH (format = 'AVRO')");
        client.execute("CREATE TABLE av5 WITH (format = 'AVRO') AS SELECT n AS id, n % 3 AS x, n * 2 AS y, CAST(n AS varchar) AS z, n > 2 AS w"
                + " FROM UNNEST(sequence(1, 5)) AS t(n)");
        List<List<Object>> expected = List.of(List.of(1L, 1L), List.of(2L, 2L), List.of(3L, 0L), List.of(4L, 1L), List.of(5L, 2L));
        for (int i = 0; i < 5; i++) {
            client.execute("INSERT INTO av2 VALUES (1, 'one')");
            // another SQL text, so that no fragment result matches
            Rows.assertSameRows(client.execute("SELECT id, x FROM av5 WHERE id > " + -i).rows(), expected);
            Rows.assertSameRows(client.withSession(catalog + ".cache_enabled", "false").execute("SELECT id, x FROM av5").rows(), expected);
        }
    }

    @Test
    void filesThatPrestoRefusesAreRefused()
            throws IOException
    {
        s3.client().put("lake", "foreign/twins/file", Files.readAllBytes(Path.of("src/test/resources/foreign/corpus/pyarrow/twins.parquet")));
        hive.execute("CREATE TABLE twins (a bigint, b varchar) WITH (format = 'PARQUET', external_location = 's3a://lake/foreign/twins')");
        PrestoClient stock = hive.withSession("hive.cache_enabled", "false").withSession("hive.fragment_result_cache_enabled", "false");
        for (String names : List.of("true", "false")) {
            for (String predicate : List.of("a = 2", "a > 5", "a < 5", "a = 100", "b = 'x'", "b = 'nothing'")) {
                String sql = "SELECT count(*), sum(a), max(b) FROM twins WHERE " + predicate;
                for (int i = 0; i < 2; i++) {
                    assertThat(outcome(hive.withSession("hive.parquet_use_column_names", names), sql)).as(sql)
                            .isEqualTo(outcome(stock.withSession("hive.parquet_use_column_names", names), sql));
                }
            }
        }
    }

    /* Presto's readers check the footer and the types of all columns before they compare statistics with the predicate. */
    @ParameterizedTest
    @ValueSource(strings = {"PARQUET", "ORC", "DWRF"})
    void filesThatPrestoRefusesAreRefusedAlsoIfNoRowOfThemMatches(String format)
    {
        String suffix = "_" + format.toLowerCase(Locale.ROOT);
        hive.execute("CREATE TABLE readable" + suffix + " WITH (format = '" + format + "') AS SELECT n AS a, 'text' AS b,"
                + " TIMESTAMP '2001-01-01 00:00:00' + n * INTERVAL '1' DAY AS t FROM UNNEST(sequence(1, 10)) AS s(n)");
        hive.execute("CREATE TABLE mismatched" + suffix + " (a bigint, b bigint, t timestamp) WITH (format = '" + format
                + "', external_location = 's3a://lake/features/readable" + suffix + "')");
        s3.client().put("lake", "foreign/damaged" + suffix + "/file", "not a file of this format".getBytes(StandardCharsets.US_ASCII));
        hive.execute("CREATE TABLE damaged" + suffix + " (a bigint, b varchar, t timestamp) WITH (format = '" + format
                + "', external_location = 's3a://lake/foreign/damaged" + suffix + "')");
        PrestoClient stock = hive.withSession("hive.cache_enabled", "false").withSession("hive.fragment_result_cache_enabled", "false");
        double pruned = 0;
        for (String predicate : List.of("a > 100", "a < 1", "a > 0", "a = 5", "t > now() - INTERVAL '3' DAY",
                "t < TIMESTAMP '1999-01-01 00:00:00'")) {
            for (String table : List.of("readable", "mismatched", "damaged")) {
                String sql = "SELECT count(*), max(b) FROM " + table + suffix + " WHERE " + predicate;
                String expected = outcome(stock, sql);
                assertThat(expected.startsWith("[[")).as(sql + ": " + expected).isEqualTo(table.equals("readable"));
                for (int i = 0; i < 2; i++) {
                    assertThat(outcome(hive, sql)).as(sql).isEqualTo(expected);
                }
            }
            pruned += hive.statistics(hive.execute("SELECT count(*), max(b) FROM readable" + suffix + " WHERE " + predicate)).metric(
                    "eyrieFragmentPruned").sum();
        }
        assertThat(pruned).as("splits without a matching row").isPositive();
    }

    @Test
    void predicateOnAnOrcFileWithoutStatisticsIsKept()
            throws IOException
    {
        s3.client().put("lake", "foreign/unstated/file", Files.readAllBytes(Path.of(
                "src/test/resources/foreign/corpus/public/TestOrcFile.testSargSkipPickupGroupWithoutIndexJava.orc")));
        hive.execute("CREATE TABLE unstated (x integer, y varchar) WITH (format = 'ORC', external_location = 's3a://lake/foreign/unstated')");
        for (String run : List.of("cold", "warm")) {
            assertThat(hive.execute("SELECT count(*) FROM unstated WHERE x IS DISTINCT FROM 1022").onlyValue()).as(run).isEqualTo(9999L);
        }
    }

    /* Returns the query's rows or its error. */
    private static String outcome(PrestoClient client, String sql)
    {
        try {
            return client.execute(sql).rows().toString();
        }
        catch (QueryFailedException e) {
            return String.valueOf(e.getMessage()).replaceFirst("\\(#\\w+\\)", "");
        }
    }

    @Test
    void resultsOfFilesOutliveAnInsertThatTheMetastoreCounts()
    {
        hive.execute("CREATE TABLE counted (x bigint) WITH (format = 'ORC')");
        hive.execute("INSERT INTO counted VALUES 1");
        hive.execute("INSERT INTO counted VALUES 2");
        String sum = "SELECT sum(x), count(*) FROM counted WHERE x > 0";
        hive.execute(sum);
        assertThat(hive.statistics(hive.execute(sum)).metric("eyrieFragmentHits").sum()).isEqualTo(2);
        hive.execute("INSERT INTO counted VALUES 4");
        QueryResult after = hive.execute(sum);
        assertThat(after.rows()).hasToString("[[7, 3]]");
        assertThat(hive.statistics(after).metric("eyrieFragmentHits").sum()).isEqualTo(2);
        assertThat(hive.statistics(after).metric("eyrieFragmentMisses").sum()).isEqualTo(1);
    }

    @Test
    void csvHoldsTexts()
    {
        hive.execute(
                "CREATE TABLE nation_csv WITH (format = 'CSV') AS SELECT CAST(name AS varchar) name, CAST(comment AS varchar) comment FROM tpch.tiny.nation");

        Rows.assertSameRows(hive.execute("SELECT * FROM nation_csv").rows(), hive.execute("SELECT name, comment FROM tpch.tiny.nation").rows());
        assertThatThrownBy(() -> hive.execute("CREATE TABLE numbers_csv WITH (format = 'CSV') AS SELECT 1 a"))
                .isInstanceOf(QueryFailedException.class).hasMessageContaining("CSV");
    }

    @Test
    void tablesChangeTheirShapeAndName()
    {
        hive.execute("CREATE TABLE shape (a bigint, b varchar) WITH (format = 'ORC')");
        hive.execute("INSERT INTO shape VALUES (1, 'x')");
        hive.execute("ALTER TABLE shape ADD COLUMN c double");
        hive.execute("INSERT INTO shape VALUES (2, 'y', 2.5)");
        hive.execute("ALTER TABLE shape RENAME TO reshaped");

        assertThat(hive.execute("SELECT a, c FROM reshaped ORDER BY a").rows()).extracting(Object::toString).containsExactly("[1, null]", "[2, 2.5]");
        assertThat(text(hive, "SHOW CREATE TABLE reshaped")).contains("\"c\" double", "format = 'ORC'");
        assertThat(hive.execute("SHOW TABLES").strings(0)).contains("reshaped").doesNotContain("shape");

        hive.execute("ALTER TABLE reshaped RENAME COLUMN b TO d");
        hive.execute("ALTER TABLE reshaped DROP COLUMN c");
        assertThat(hive.execute("SHOW COLUMNS FROM reshaped").strings(0)).containsExactly("a", "d");
        hive.execute("DROP TABLE reshaped");
        assertThat(hive.execute("SHOW TABLES").strings(0)).doesNotContain("reshaped");
        assertThat(s3.client().list("lake", "features/shape/")).isEmpty();
    }

    @Test
    void schemasComeAndGo()
    {
        hive.execute("CREATE SCHEMA passing WITH (location = 's3a://lake/passing/')");
        hive.execute("CREATE TABLE passing.t AS SELECT 1 a");
        hive.execute("DROP TABLE passing.t");
        hive.execute("DROP SCHEMA passing");

        assertThat(hive.execute("SHOW SCHEMAS").strings(0)).contains("features").doesNotContain("passing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void partitionsAreWrittenListedPrunedAndDeleted(String format)
    {
        for (String catalog : List.of("hive", "files")) {
            PrestoClient client = presto.client(catalog, "features");
            String table = "by_status_" + format.toLowerCase(Locale.ROOT);
            client.execute("CREATE TABLE " + table + " WITH (format = '" + format + "', partitioned_by = ARRAY['orderstatus']) AS "
                    + "SELECT orderkey, totalprice, orderstatus FROM tpch.tiny.orders");

            assertThat(client.execute("SELECT orderstatus FROM \"" + table + "$partitions\"").strings(0)).containsExactlyInAnyOrder("F", "O", "P");
            assertThat(client.execute("SELECT count(*) FROM " + table + " WHERE orderstatus = 'F'").onlyValue())
                    .isEqualTo(client.execute("SELECT count(*) FROM tpch.tiny.orders WHERE orderstatus = 'F'").onlyValue());

            client.execute("DELETE FROM " + table + " WHERE orderstatus = 'P'");
            assertThat(client.execute("SELECT DISTINCT orderstatus FROM " + table).strings(0)).containsExactlyInAnyOrder("F", "O");
            Object rows = client.execute("SELECT count(*) FROM " + table).onlyValue();
            for (String few : List.of("orderkey = 1", "orderstatus = 'F' AND orderkey = 1", "orderstatus = 'F' AND totalprice > 1e5",
                    "orderkey % 2 = 0")) {
                assertThatThrownBy(() -> client.execute("DELETE FROM " + table + " WHERE " + few))
                        .isInstanceOf(QueryFailedException.class).hasMessageContaining("partitions are deleted entirely");
            }
            assertThat(client.execute("SELECT count(*) FROM " + table).onlyValue()).isEqualTo(rows);

            String some = "SHOW STATS FOR (SELECT * FROM " + table + " WHERE orderstatus = 'F')";
            assertThat(client.execute(some).rows())
                    .isEqualTo(client.withSession(catalog + ".fragment_result_cache_enabled", "false").execute(some).rows());

            PrestoClient overwriting = client.withSession(catalog + ".insert_existing_partitions_behavior", "OVERWRITE");
            overwriting.execute("INSERT INTO " + table + " VALUES (7, 7.5, 'F')");
            assertThat(client.execute("SELECT orderkey FROM " + table + " WHERE orderstatus = 'F'").rows()).hasSize(1);
        }
    }

    @Test
    void bucketedAndSortedTables()
    {
        hive.execute("CREATE TABLE buckets WITH (format = 'ORC', bucketed_by = ARRAY['custkey'], bucket_count = 4, sorted_by = ARRAY['custkey']) AS "
                + "SELECT orderkey, custkey FROM tpch.tiny.orders");

        assertThat(hive.execute("SELECT count(DISTINCT \"$bucket\") FROM buckets").onlyValue()).isEqualTo(4L);
        assertThat(hive.execute("SELECT count(*) FROM buckets a JOIN buckets b ON a.custkey = b.custkey AND a.orderkey = b.orderkey").onlyValue())
                .isEqualTo(15000L);
    }

    /* Hive's own plan optimizers look for Hive's own metadata. */
    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void filtersFieldsAndAggregationsThatAreLeftToTheReaders(String format)
    {
        String table = "left_" + format.toLowerCase(Locale.ROOT);
        hive.execute("CREATE TABLE " + table + " WITH (format = '" + format + "') AS SELECT n AS a, CAST(n AS varchar) AS b,"
                + " CAST(ROW(n, 'y' || CAST(n AS varchar)) AS ROW(x bigint, y varchar)) AS r FROM UNNEST(sequence(1, 1000)) AS t(n)");
        for (String sql : List.of(
                "SELECT count(*), sum(a), max(b) FROM " + table + " WHERE a BETWEEN 10 AND 500 AND b > '2' AND a % 3 = 0",
                "SELECT sum(r.x), max(r.y) FROM " + table + " WHERE r.x > 700",
                "SELECT min(a), max(a), count(*) FROM " + table)) {
            QueryResult expected = hive.execute(sql);
            for (String left : List.of("pushdown_filter_enabled", "parquet_dereference_pushdown_enabled", "partial_aggregation_pushdown_enabled")) {
                PrestoClient leaving = hive.withSession("hive." + left, "true");
                for (int i = 0; i < 2; i++) {
                    Rows.assertSameRows(leaving.execute(sql), expected);
                }
            }
        }
    }

    @Test
    void analyzeGivesStatistics()
    {
        hive.withSession("hive.collect_column_statistics_on_write", "false").execute(
                "CREATE TABLE analyzed WITH (format = 'ORC', partitioned_by = ARRAY['regionkey']) AS SELECT nationkey, name, regionkey FROM tpch.tiny.nation");
        assertThat(statistics("analyzed", "nationkey")).isEqualTo("[nationkey, null, null, null, null, null, null, null]");

        assertThat(hive.execute("ANALYZE analyzed WITH (partitions = ARRAY[ARRAY['1']])").updateCount()).isEqualTo(5);
        assertThat(hive.execute("ANALYZE analyzed").updateCount()).isEqualTo(25);

        assertThat(statistics("analyzed", "nationkey")).isEqualTo("[nationkey, null, 5.0, 0.0, null, 0, 24, null]");
    }

    @Test
    void views()
    {
        hive.execute(
                "CREATE VIEW asia AS SELECT n.name FROM tpch.tiny.nation n JOIN tpch.tiny.region r ON n.regionkey = r.regionkey WHERE r.name = 'ASIA'");

        assertThat(hive.execute("SELECT count(*) FROM asia").onlyValue()).isEqualTo(5L);
        assertThat(text(hive, "SHOW CREATE VIEW asia")).contains("tpch.tiny.nation");
        hive.execute("DROP VIEW asia");
        assertThatThrownBy(() -> hive.execute("SELECT * FROM asia")).isInstanceOf(QueryFailedException.class).hasMessageContaining("does not exist");
    }

    @Test
    void materializedViews()
    {
        hive.execute(
                "CREATE TABLE mv_base WITH (format = 'ORC', partitioned_by = ARRAY['orderstatus']) AS SELECT orderkey, orderstatus FROM tpch.tiny.orders");
        hive.execute("CREATE MATERIALIZED VIEW mv WITH (partitioned_by = ARRAY['orderstatus']) AS SELECT orderkey, orderstatus FROM mv_base");

        assertThat(hive.execute("REFRESH MATERIALIZED VIEW mv WHERE orderstatus = 'F'").updateCount()).isEqualTo(7304);
        assertThat(hive.execute("SELECT count(*) FROM mv").onlyValue()).isEqualTo(15000L);
        assertThat(text(hive, "SHOW CREATE MATERIALIZED VIEW mv")).contains("CREATE MATERIALIZED VIEW hive.features.mv", "orderstatus");
        hive.execute("DROP MATERIALIZED VIEW mv");
        assertThat(hive.execute("SHOW TABLES").strings(0)).doesNotContain("mv");
    }

    @Test
    void procedures()
    {
        hive.execute("CREATE TABLE proc (a bigint, ds varchar) WITH (format = 'ORC', partitioned_by = ARRAY['ds'])");
        hive.execute("CALL system.create_empty_partition('features', 'proc', ARRAY['ds'], ARRAY['d1'])");
        assertThat(hive.execute("SELECT ds FROM \"proc$partitions\"").strings(0)).containsExactly("d1");

        hive.execute("INSERT INTO proc VALUES (1, 'd2')");
        List<byte[]> data = s3.client().list("lake", "features/proc/ds=d2/").stream().map(object -> s3.client().get("lake", object.key())).toList();
        s3.client().put("lake", "features/proc/ds=d3/copied", data.get(0));
        hive.execute("CALL system.sync_partition_metadata('features', 'proc', 'ADD')");
        assertThat(hive.execute("SELECT ds FROM proc").strings(0)).containsExactlyInAnyOrder("d2", "d3");

        hive.execute("CALL system.invalidate_directory_list_cache()");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "'features', 'renewed'",
            "'FEATURES', 'renewed', ARRAY['p'], ARRAY['one']",
            "'features'",
            ""})
    void metadataIsReadAgainAfterInvalidateMetastoreCache(String arguments)
    {
        hive.execute("CREATE TABLE IF NOT EXISTS renewed WITH (format = 'ORC', partitioned_by = ARRAY['p']) AS SELECT 1 a, 'one' p");
        String query = "SELECT a, p FROM renewed";
        hive.execute(query);
        assertThat(metastoreMisses(query)).isZero();
        hive.execute("CALL system.invalidate_metastore_cache(" + arguments + ")");
        assertThat(metastoreMisses(query)).isPositive();
        assertThat(metastoreMisses(query)).isZero();
    }

    private long metastoreMisses(String query)
    {
        QueryResult result = hive.execute(query);
        assertThat(result.rows()).containsExactly(List.of(1, "one"));
        return hive.statistics(result).metric("eyrieMetastoreMisses").sum();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "table_name => 'renewed' | schema_name is missing",
            "schema_name => '' | A name is ''",
            "schema_name => 'features', table_name => 'renewed', partition_columns => ARRAY['p'] | do not name a partition",
            "schema_name => 'features', partition_columns => ARRAY['p'], partition_values => ARRAY['one'] | do not name a partition"})
    void wrongCallOfInvalidateMetastoreCacheDropsNothing(String arguments, String complaint)
    {
        assertThatThrownBy(() -> hive.execute("CALL system.invalidate_metastore_cache(" + arguments + ")")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void externalTextWithItsOwnDelimiter(@TempDir Path directory)
            throws IOException
    {
        Files.writeString(directory.resolve("pagecounts"), "en\u0001Main_Page\u000142\nde\u0001Hauptseite\u00017\n");
        files.execute("CREATE TABLE pagecounts (code varchar, title varchar, count bigint) WITH (format = 'TEXTFILE', external_location = '"
                + directory.toUri() + "')");

        assertThat(files.execute("SELECT sum(count) FROM pagecounts").onlyValue()).isEqualTo(49L);
        files.execute("DROP TABLE pagecounts");
        assertThat(directory.resolve("pagecounts")).exists();
    }

    @Test
    void hiddenColumns()
    {
        hive.execute("CREATE TABLE hidden WITH (format = 'ORC') AS SELECT 1 a");

        assertThat(hive.execute("SELECT \"$path\" FROM hidden").strings(0)).singleElement().asString().startsWith("s3a://lake/features/hidden/");
        assertThat((Long) hive.execute("SELECT \"$file_size\" FROM hidden").onlyValue()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
            "hive.cache_enabled, true",
            "files.cache_enabled, true",
            "hive.node_selection_strategy, SOFT_AFFINITY",
            "files.node_selection_strategy, SOFT_AFFINITY",
            "hive.partition_stats_based_optimization_enabled, false",
            "hive.orc_optimized_writer_enabled, true"})
    void sessionProperties(String property, String value)
    {
        assertThat(hive.execute("SHOW SESSION LIKE '" + property + "'").rows()).singleElement().satisfies(row -> assertThat(row.get(1)).isEqualTo(
                value));
    }

    @Test
    void renamingOfFilesByTheCoordinatorIsRefusedAndDoesNotHang()
    {
        hive.execute("CREATE TABLE unrenamed (a bigint) WITH (format = 'ORC')");

        assertThatThrownBy(() -> hive.withSession("hive.file_renaming_enabled", "true").execute("INSERT INTO unrenamed VALUES 1"))
                .isInstanceOf(QueryFailedException.class).hasMessageContaining("file_renaming_enabled is true, but must be false");
    }

    @Test
    void nextQueryOfAnotherCatalogSeesEachChangeOfTheMetastore()
    {
        QueryStatistics warm = nextQuerySeesEachChange(hive, presto.client("other", "features"));
        assertThat(warm.metric("eyrieMetastoreLookups").sum()).isPositive();
        assertThat(warm.metric("eyrieMetastoreMisses").sum()).isZero();
    }

    @Test
    void nextQueryOfAnotherCatalogSeesEachChangeOfTheFileMetastore()
    {
        QueryStatistics warm = nextQuerySeesEachChange(files, presto.client("otherfiles", "features"));
        assertThat(warm.metric("eyrieMetastoreLookups").sum()).isGreaterThan(warm.metric("eyrieMetastoreMisses").sum());
    }

    /* Returns the statistics of a warm query. */
    private static QueryStatistics nextQuerySeesEachChange(PrestoClient hive, PrestoClient other)
    {
        hive.execute("CREATE TABLE watched (a bigint, p varchar) WITH (format = 'ORC', partitioned_by = ARRAY['p'])");
        hive.execute("INSERT INTO watched VALUES (1, 'one'), (2, 'two')");
        String query = "SELECT count(*), sum(a) FROM watched";
        assertThat(other.execute(query).rows()).containsExactly(List.of(2L, 3L));
        QueryResult warm = other.execute(query);
        assertThat(warm.rows()).containsExactly(List.of(2L, 3L));
        QueryStatistics statistics = other.statistics(warm);

        hive.execute("INSERT INTO watched VALUES (3, 'three')");
        assertThat(other.execute(query).rows()).containsExactly(List.of(3L, 6L));
        hive.execute("INSERT INTO watched VALUES (4, 'one')");
        assertThat(other.execute(query).rows()).containsExactly(List.of(4L, 10L));
        hive.execute("DELETE FROM watched WHERE p = 'two'");
        assertThat(other.execute(query).rows()).containsExactly(List.of(3L, 8L));
        hive.execute("ALTER TABLE watched ADD COLUMN b bigint");
        assertThat(other.execute("SELECT count(*), count(b) FROM watched").rows()).containsExactly(List.of(3L, 0L));
        hive.execute("ALTER TABLE watched RENAME TO seen");
        assertThatThrownBy(() -> other.execute(query)).isInstanceOf(QueryFailedException.class).hasMessageContaining("does not exist");
        assertThat(other.execute("SELECT count(*) FROM seen").rows()).containsExactly(List.of(3L));
        other.execute("INSERT INTO seen VALUES (5, 50, 'five')");
        assertThat(hive.execute("SELECT sum(a) FROM seen").rows()).containsExactly(List.of(13L));
        assertThat(other.execute("SELECT sum(a) FROM seen").rows()).containsExactly(List.of(13L));
        hive.execute("DROP TABLE seen");
        assertThat(other.execute("SHOW TABLES LIKE 'seen'").rows()).isEmpty();
        return statistics;
    }

    @Test
    void eachLayerThatIsLackingSaysSoOnce()
            throws IOException
    {
        for (String catalog : List.of("hive", "files")) {
            assertThat(log()).filteredOn(line -> line.contains("Catalog " + catalog + ": without effect: The metastore's statistics")).hasSize(1)
                    .anyMatch(line -> line.contains("hive.partition-statistics-based-optimization-enabled"));
            assertThat(log()).noneMatch(line -> line.contains("Catalog " + catalog + ":") && line.contains("without effect: Eyrie does not"));
            assertThat(log()).filteredOn(line -> line.contains("Catalog " + catalog + ": cache.type=ALLUXIO names Eyrie's own engine")).hasSize(1);
        }
        assertThat(log()).noneMatch(line -> line.contains("it is untested whether"));
    }

    @Test
    void misconfiguredCatalogStopsTheServerAndSaysWhy()
    {
        Checkout checkout = Checkout.find();
        PrestoClusterBuilder misconfigured = PrestoCluster.builder(checkout.engineLib())
                .name(CLUSTER + "-misconfigured")
                .workers(0)
                .coordinatorWorks(true)
                .plugin("eyrie", checkout.eyriePlugin())
                .catalog("hive", Map.of(
                        "connector.name", "eyrie",
                        "hive.metastore", "file",
                        "hive.metastore.catalog.dir", "file:${node.directory}/metastore",
                        "cache.enabled", "true",
                        "cache.base-directory", "${node.directory}/no-such-directory"));

        assertThatThrownBy(() -> misconfigured.start().close()).isInstanceOf(PrestoStartException.class)
                .hasMessageContaining("Catalog hive: cache.base-directory is ")
                .hasMessageContaining("/coordinator/no-such-directory")
                .hasMessageContaining("To fix: ");
    }

    private String statistics(String table, String column)
    {
        return hive.execute("SHOW STATS FOR " + table).rows().stream().filter(row -> column.equals(row.get(0))).map(Object::toString).findFirst()
                .orElseThrow();
    }

    private static List<String> log()
            throws IOException
    {
        return Files.readAllLines(Path.of("target/presto-logs", CLUSTER, "coordinator.log"), StandardCharsets.ISO_8859_1);
    }

    private static String text(PrestoClient client, String sql)
    {
        return String.join("\n", client.execute(sql).strings(0));
    }

    /* Returns every line of the guide unchanged, except the directory of the pages, which must exist. */
    private static Map<String, String> catalog(Map<String, String> more)
            throws IOException
    {
        Properties guide = new Properties();
        try (InputStream in = Files.newInputStream(Checkout.find().root().resolve(
                "presto-plugin/src/test/resources/raptorx-user-guide.properties"))) {
            guide.load(in);
        }
        Map<String, String> properties = new HashMap<>(more);
        guide.stringPropertyNames().forEach(name -> properties.put(name, guide.getProperty(name)));
        properties.put("cache.base-directory", "file://${node.directory}/data");
        properties.put("connector.name", "eyrie");
        properties.put("hive.allow-drop-table", "true");
        properties.put("hive.allow-rename-table", "true");
        properties.put("hive.allow-add-column", "true");
        properties.put("hive.allow-drop-column", "true");
        properties.put("hive.allow-rename-column", "true");
        properties.put("hive.non-managed-table-writes-enabled", "true");
        properties.put("hive.invalidate-metastore-cache-procedure-enabled", "true");
        return properties;
    }
}
