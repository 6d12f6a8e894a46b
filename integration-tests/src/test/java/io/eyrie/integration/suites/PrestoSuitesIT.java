// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.suites;

import io.eyrie.integration.BesideStock;
import io.eyrie.integration.Clients;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import io.eyrie.testing.suites.RecordedStatement;
import io.eyrie.testing.suites.SuiteRecorder;
import io.eyrie.testing.suites.SuiteRecorder.Line;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import static io.eyrie.integration.BesideStock.STOCK;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every statement of Presto's own test suites must have the answer of Presto's own Hive connector on the same metastore and files, including errors:
 * cold and after a restart, in the long form also warm. Every layer of Eyrie is enabled.
 *
 * <p>The short form runs a few methods of each suite, each on ORC or Parquet. {@code -Deyrie.methods} selects other methods as {@code suite#method}, or
 * {@code suite} for all of its methods, separated by commas; {@code -Deyrie.recording} names a recording of an earlier run in {@code target}; {@code -Deyrie.minutes} ends a run early.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrestoSuitesIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final List<String> SELECTION = List.of(
            "AbstractTestAggregations#testCountWithCoalescePredicate",
            "AbstractTestDistributedQueries#testInsert",
            "AbstractTestDistributedQueries#testAddColumn",
            "AbstractTestEngineOnlyQueries#testTimestampLiterals",
            "AbstractTestIntegrationSmokeTest#testRangePredicate",
            "AbstractTestJoinQueries#testSemiJoinNullHandling",
            "AbstractTestJoinQueries#testLeftFilteredJoin",
            "AbstractTestJoinQueries#testSemiJoin",
            "AbstractTestJoinQueries#testSemiJoinAggregationNullHandling",
            "AbstractTestJoinQueries#testJoinAggregations",
            "AbstractTestJoinQueries#testNonEqualityLeftJoin",
            "AbstractTestNanQueries#testDoubleBetween",
            "AbstractTestOrderByQueries#testOrderByWithNulls",
            "AbstractTestQueries#testPredicatePushdown",
            "AbstractTestRepartitionQueries#testBoolean",
            "AbstractTestTopNQueries#testUngroupedTopN",
            "AbstractTestWindowQueries#testWindowPartitioning");
    private static final List<String> SUITES = Stream.of("Aggregations", "DistributedQueries", "EngineOnlyQueries", "IntegrationSmokeTest",
            "JoinQueries", "NanQueries", "OrderByQueries",
            "Queries", "RepartitionQueries", "TopNQueries", "WindowQueries").map("AbstractTest"::concat).toList();
    private static final List<String> FORMATS = List.of("ORC", "PARQUET");
    private static final List<String> ROUNDS = STRESS ? List.of("cold", "warm", "restarted") : List.of("cold", "restarted");
    private static final int CLIENTS = 3;
    private static final int METHODS_TO_RESTART = 60;
    private static final int ENOUGH_DIFFERENCES = 20;
    private static final int FEWEST_EXECUTIONS = 300;
    private static final int FEWEST_JOINED = STRESS ? 80 : 5;

    private final SuiteCounts counts = new SuiteCounts();
    private final Clients clients = new Clients(CLIENTS);
    private final long started = System.nanoTime();
    private List<Line> recording = List.of();
    private S3Server s3;
    private HiveMetastoreServer metastore;
    private Lake lake;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        String earlier = System.getProperty("eyrie.recording");
        String methods = System.getProperty("eyrie.methods");
        List<String> selection = methods != null ? List.of(methods.split(",")) : STRESS ? List.of() : SELECTION;
        if (earlier != null) {
            recording = SuiteRecorder.read(Path.of(earlier)).stream().filter(line -> selection.isEmpty() || selection.contains(line.statement()
                    .test()) || selection.contains(line.statement().suite())).toList();
            startLake(checkout);
            return;
        }
        try (SuiteRecorder recorder = SuiteRecorder.start(checkout, Path.of("target/presto-suites.json"), selection)) {
            startLake(checkout);
            recording = recorder.await(Duration.ofMinutes(STRESS ? 120 : 10));
        }
        print("recorded");
    }

    private void startLake(Checkout checkout)
    {
        s3 = EmbeddedS3Server.inMemory();
        metastore = BesideStock.metastore(checkout, s3, Path.of("target/presto-suites-metastore.log"));
        // the metastore's database rejects statistics of some doubles, and Presto retries for 20 seconds to write them
        Map<String, String> noStatistics = Map.of("hive.collect-column-statistics-on-write", "false");
        lake = BesideStock.lake(checkout, "presto-suites", s3, metastore, noStatistics)
                // the suites use the default column names
                .plainCatalog("tpch", Map.of("connector.name", "tpch"))
                .property("hive.file-status-cache-tables", "*")
                .property("fragment-result-cache.joined.admission", "always")
                .property("fragment-result-cache.joined.listing-time", "60s")
                .property("cache.file-statistics", "on")
                .property("hive.file-status-cache-expire-time", "24h")
                .property("cache.open-partition-age", "1s")
                .start();
        print("started");
        FORMATS.forEach(this::createTables);
        print("tables made");
    }

    private void createTables(String format)
    {
        String shared = schema(format);
        PrestoClient client = lake.presto().client(STOCK, shared);
        client.execute("CREATE SCHEMA " + shared + " WITH (location = 's3a://lake/" + shared + "')");
        TpchQueries.TABLES.forEach(table -> client.execute("CREATE TABLE " + table + " WITH (format = '" + format + "') AS SELECT * FROM tpch.tiny."
                + table));
    }

    private void setUp(RecordedStatement statement, String format)
    {
        lake.presto().client(STOCK, schema(format)).withSession(STOCK + ".hive_storage_format", format).execute(statement.in(
                STOCK, schema(format))
                .sql());
    }

    /* Creates tables over the shared files again, next to which a method creates its own. */
    private void createTablesBesideWrites(String shared, String catalog, String round)
    {
        String own = SuiteMethod.schemaOfWrites(catalog, shared, round);
        PrestoClient client = lake.presto().client(STOCK, own);
        client.execute("CREATE SCHEMA " + own + " WITH (location = 's3a://lake/" + own + "')");
        for (String table : TpchQueries.TABLES) {
            client.execute("CREATE TABLE " + table + " (" + lake.columnsOf(STOCK + "." + shared + "." + table)
                    + ") WITH (external_location = 's3a://lake/" + shared + "/" + table
                    + "', format = '" + (shared.equals(schema("ORC")) ? "ORC" : "PARQUET") + "')");
        }
    }

    private static String schema(String format)
    {
        return "suites_" + format.toLowerCase(Locale.ROOT);
    }

    @AfterAll
    void stop()
    {
        clients.close();
        lake.close();
        metastore.close();
    }

    @Test
    void answersAreThoseOfPresto()
    {
        Map<String, List<RecordedStatement>> byTest = new LinkedHashMap<>();
        List<String> ended = new ArrayList<>();
        for (Line line : recording) {
            if (line.statement().isSetUp()) {
                FORMATS.forEach(format -> setUp(line.statement(), format));
            }
            else if (line.endedBy().isEmpty()) {
                byTest.computeIfAbsent(line.statement().test(), key -> new ArrayList<>()).add(line.statement());
            }
            else {
                ended.add(line.statement().test() + " " + line.endedBy());
            }
        }
        List<SuiteMethod> methods = methods(byTest.values());
        long minutes = Long.getLong("eyrie.minutes", Long.MAX_VALUE);
        int done = 0;
        while (done < methods.size() && counts.differences.size() < ENOUGH_DIFFERENCES && Duration.ofNanos(System.nanoTime() - started)
                .toMinutes() < minutes) {
            List<SuiteMethod> block = methods.subList(done, Math.min(done + METHODS_TO_RESTART, methods.size()));
            for (String round : ROUNDS) {
                if (round.equals("restarted")) {
                    lake.presto().restart();
                }
                // methods that write may use the same names
                List<Runnable> tasks = new ArrayList<>(List.of(() -> block.stream().filter(SuiteMethod::writes).forEach(method -> method.run(
                        round))));
                block.stream().filter(method -> !method.writes()).forEach(method -> tasks.add(() -> method.run(round)));
                clients.each(tasks, Runnable::run);
            }
            done += block.size();
            print(done + " of " + methods.size() + " methods, " + counts.executions + " executions, " + counts.differences.size() + " differences");
        }
        print(SUITES.size() + " suites, " + byTest.size() + " methods, " + (recording.size() - ended.size()) + " statements; " + ended.size()
                + " methods ended early\n" + counts + "\nended early:\n  "
                + String.join("\n  ", ended));

        assertThat(counts.differences).as("differences").isEmpty();
        if (System.getProperty("eyrie.methods") == null) {
            assertThat(SUITES).as("suites with answers").allMatch(suite -> counts.answered(suite) > 0);
            assertThat(STRESS ? SELECTION : byTest.keySet()).as("methods recorded").containsAll(SELECTION);
            assertThat(counts.joined("AbstractTestJoinQueries")).as("statements of the suite of joins with joined scans").isGreaterThanOrEqualTo(
                    FEWEST_JOINED);
            assertThat(counts.executions.sum()).as("executions").isGreaterThanOrEqualTo(FEWEST_EXECUTIONS);
            assertThat(counts.equalErrors.sum()).as("errors in both catalogs, which prove little").isLessThan(counts.equalAnswers.sum() / 4);
        }
    }

    /* Returns each method on the tables of one format, or of each format in the long form, and creates the schemas of those that write. */
    private List<SuiteMethod> methods(Collection<List<RecordedStatement>> tests)
    {
        List<SuiteMethod> methods = new ArrayList<>();
        int next = 0;
        for (List<RecordedStatement> statements : tests) {
            for (int i = 0; i < (STRESS ? FORMATS.size() : 1); i++) {
                methods.add(new SuiteMethod(lake, counts, schema(FORMATS.get(next++ % FORMATS.size())), statements));
            }
        }
        List<Runnable> schemas = new ArrayList<>();
        for (String shared : methods.stream().filter(SuiteMethod::writes).map(SuiteMethod::schema).distinct().toList()) {
            for (String catalog : List.of(STOCK, Lake.CATALOG)) {
                ROUNDS.forEach(round -> schemas.add(() -> createTablesBesideWrites(shared, catalog, round)));
            }
        }
        clients.each(schemas, Runnable::run);
        return methods;
    }

    private void print(String what)
    {
        System.out.println("PrestoSuitesIT: " + Duration.ofNanos(System.nanoTime() - started).toSeconds() + " s, " + what);
    }
}
