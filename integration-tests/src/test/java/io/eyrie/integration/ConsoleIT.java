// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.cache.trace.TraceReader;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.MinioServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests what platform engineers see of the caches in SQL, and how they control them: a coordinator and two workers, on MinIO. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT
{
    private static final String SCHEMA = "console";
    private static final int NODES = 3;
    private static final int FILES = 6;

    private Lake lake;
    private Path traces;
    private PrestoClient client;

    @BeforeAll
    void start(@TempDir Path rules)
            throws IOException
    {
        traces = Files.createDirectory(rules.resolve("traces"));
        Path security = rules.resolve("rules.json");
        Files.writeString(security,
                """
                        {"schemas": [{"owner": true}], "tables": [{"user": "bob", "schema": "cache", "privileges": []}, {"privileges": ["SELECT", "OWNERSHIP"]}],
                         "sessionProperties": [{"user": "alice", "property": "pin_in_cache|unpin_in_cache", "allow": true}, {"allow": false}]}
                        """);
        Path documented = Files.writeString(rules.resolve("documented.json"), documentedRules());
        lake = Lake.builder(Checkout.find())
                .name(SCHEMA)
                .server(MinioServer::start)
                .property("fragment-result-cache.enabled", "true")
                .property("hive.allow-drop-table", "true")
                .property("hive.metastore-cache-ttl", "1h")
                .property("hive.file-status-cache-tables", "*")
                .property("hive.file-status-cache-expire-time", "1h")
                .property("cache.open-partition-age", "1ms")
                .property("cache.admission.daily-write-budget", "10GB")
                .property("cache.trace-directory", traces.toString())
                .property("cache.trace-on-request", "true")
                .property("cache.control-directory", "file:${node.directory}/control")
                .catalog("guarded", uncached("guarded", security))
                .catalog("documented", uncached("documented", documented))
                .catalog("bounded", Map.of(
                        // catalogs that share directories share these settings
                        "cache.admission.daily-write-budget", "10GB",
                        "cache.trace-directory", traces.toString(),
                        "cache.trace-on-request", "true",
                        "fragment-result-cache.enabled", "true",
                        "fragment-result-cache.max-single-pages-size", "200B",
                        "hive.metastore-cache-ttl", "1h",
                        "hive.file-status-cache-tables", "*",
                        "hive.file-status-cache-expire-time", "1h",
                        "hive.file-status-cache.max-retained-size", "100B",
                        "cache.open-partition-age", "1ms"))
                .start();
        client = lake.client(SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA);
        lake.createTable(SCHEMA, "named", "x bigint", "format = 'ORC'");
        lake.createTable(SCHEMA, "dated", "x bigint, ds varchar, hour integer", "format = 'ORC', partitioned_by = ARRAY['ds', 'hour']");
        client.execute("INSERT INTO dated VALUES (1, 'a', 1)");
        client.execute("CREATE VIEW seen AS SELECT * FROM named");
    }

    private static Map<String, String> uncached(String catalog, Path rules)
    {
        return Map.of(
                "hive.security", "file",
                "security.config-file", rules.toString(),
                "cache.control-directory", "file:${node.directory}/" + catalog,
                "hive.metastore-cache-ttl", "1h",
                "hive.invalidate-metastore-cache-procedure-enabled", "true",
                "cache.enabled", "",
                "cache.base-directory", "",
                "cache.max-cache-size", "");
    }

    private static String documentedRules()
            throws IOException
    {
        Matcher rules = Pattern.compile("ConsoleIT runs with these rules -->\n```json\n(.*?)```", Pattern.DOTALL).matcher(
                Files.readString(Checkout.find().root().resolve("docs/console.md")));
        assertThat(rules.find()).isTrue();
        return rules.group(1);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void everyNodeShowsItsLayersAndTheirDisks()
    {
        table("shown");
        client.execute("SELECT * FROM shown");
        assertThat(value("SELECT count(DISTINCT node_id) FROM cache.layers WHERE layer = 'data'")).isEqualTo(NODES);
        assertThat(client.execute("SELECT DISTINCT layer FROM cache.layers ORDER BY 1").strings(0))
                .containsExactly("data", "file_list", "footer", "fragment", "metastore");
        assertThat(value("SELECT sum(entries) FROM cache.layers WHERE layer = 'data'")).isPositive();
        assertThat(value("SELECT sum(lookups) - sum(hits) - sum(misses) FROM cache.layers")).isZero();
        assertThat(value("SELECT count(DISTINCT node_id) FROM cache.disks WHERE health = 'serving' AND usable_bytes > 0 AND day_budget_bytes > 0"))
                .isEqualTo(NODES);
        assertThat(value("SELECT sum(day_written_bytes) FROM cache.disks")).isPositive();
        assertThat(client.execute("SHOW TABLES FROM cache").strings(0))
                .containsExactly(
                        "advice", "configuration", "control", "disks", "files", "footers", "layers", "queries", "reasons", "savings", "summary",
                        "tables");
        assertThat(value("SELECT count(*) FROM cache.layers WHERE misses <> reduce(map_values(misses_by_reason), 0, (a, b) -> a + b, a -> a)"))
                .as("layers whose reasons do not add up to their misses").isZero();
        assertThat(value("SELECT count(*) FROM (SELECT node_id, layer FROM cache.layers GROUP BY 1, 2 HAVING count(*) > 1)")).as("parts beside sums")
                .isZero();
        assertThat(value("SELECT count(DISTINCT kind) FROM cache.footers WHERE lookups >= hits")).isEqualTo(7);
    }

    @Test
    void queryTellsWhatItHitAndWhyItMissed()
    {
        table("asked");
        QueryResult cold = client.execute("SELECT * FROM asked");
        assertThat(reasons(cold, "data")).containsOnlyKeys("never_seen");
        assertThat(value("SELECT sum(loads) FROM cache.queries WHERE layer = 'data' AND query_id = '" + cold.queryId() + "'")).isPositive();
        WrittenPages.await(client, "asked");
        QueryResult warm = client.execute("SELECT * FROM asked");
        assertThat(reasons(warm, "data")).isEmpty();
        assertThat(hits(warm, "data")).isPositive();
        assertThat(hits(warm, "footer")).isPositive();
        assertThat(hits(warm, "metastore")).isPositive();
        assertThat(hits(warm, "file_list")).isPositive();

        String sum = "SELECT sum(x) FROM asked";
        assertThat(reasons(client.execute(sum), "fragment")).containsOnlyKeys("never_seen");
        assertThat(hits(client.execute(sum), "fragment")).isPositive();

        assertThat(value("SELECT sum(current_bytes) FROM cache.tables WHERE table_name = 'asked' AND layer = 'data'")).isPositive();
        for (String layer : List.of("metastore", "file_list")) {
            assertThat(value("SELECT min(hits) + min(current_bytes) FROM cache.tables WHERE table_name = 'asked' AND entries > 0 AND layer = '"
                    + layer + "'"))
                    .as(layer).isPositive();
        }
        assertThat(value("SELECT count(*) FROM cache.tables WHERE table_name = 'asked' AND layer = 'fragment' AND hit_ratio > 0")).isPositive();
        assertThat(value(
                "SELECT count(*) FROM cache.files WHERE table_name = 'asked' AND cached_bytes > 0 AND cached_bytes <= length_bytes AND etag IS NOT NULL"))
                .isPositive();
    }

    @Test
    void summaryJudgesEachLayer()
    {
        table("judged");
        client.execute("SELECT * FROM judged");
        WrittenPages.await(client, "judged");
        client.execute("SELECT * FROM judged");
        assertThat(value("SELECT count(*) FROM cache.summary")).isEqualTo(6 * NODES);
        assertThat(value(
                "SELECT count(*) FROM cache.summary WHERE layer = 'data' AND saved_bytes > 0 AND hit_ratio > 0 AND verdict LIKE '%lookups hit%'"))
                .isPositive();
        assertThat(value("SELECT count(*) FROM cache.summary WHERE layer = 'data' AND hit_ratio IS NULL AND verdict LIKE 'no lookups on this node%'"))
                .as("coordinators read no data").isEqualTo(1);
        PrestoClient guarded = lake.presto().client("guarded", SCHEMA).withUser("alice");
        assertThat(guarded.execute("SELECT DISTINCT verdict FROM cache.summary WHERE layer = 'data'").strings(0)).containsExactly(
                "off: set cache.enabled=true");
        assertThat(value("SELECT count(*) FROM cache.reasons WHERE meaning <> ''")).isGreaterThanOrEqualTo(25)
                .isEqualTo(value("SELECT count(*) FROM cache.reasons"));
    }

    @Test
    void savingsAreWhatTheStoreIsNotAskedFor()
    {
        table("saving");
        PrestoClient data = withMode("BYPASS", List.of("fragment"));
        PrestoClient uncached = data.withSession(Lake.CATALOG + ".cache_enabled", "false");
        String sql = "SELECT count(*), max(y) FROM saving";
        QueryResult expected = uncached.execute(sql);
        LinkCounts before = lake.quietCounts();
        uncached.execute(sql);
        LinkCounts asked = lake.quietCounts().minus(before);
        assertThat(data.execute(sql).rows()).isEqualTo(expected.rows());
        WrittenPages.await(client, "saving");

        List<Long> cold = saved("saving");
        before = lake.quietCounts();
        assertThat(data.execute(sql).rows()).isEqualTo(expected.rows());
        assertThat(lake.quietCounts().minus(before).requests()).isZero();
        List<Long> warm = saved("saving");
        assertThat(warm.get(0) - cold.get(0)).as("GET requests").isBetween((long) FILES, asked.of(RequestKind.GET_DATA).requests());
        assertThat(warm.get(1) - cold.get(1)).as("bytes").isPositive().isLessThanOrEqualTo(asked.dataBytes());
        assertThat(value(
                "SELECT count(*) FROM cache.savings WHERE table_name = 'saving' AND day >= cast(now() AT TIME ZONE 'UTC' AS date) - INTERVAL '1' DAY"
                        + " AND saved_cost > 0"))
                .isPositive();

        String sum = "SELECT sum(x) FROM saving";
        client.execute(sum);
        client.execute(sum);
        assertThat(value("SELECT count(*) FROM cache.savings WHERE table_name = 'saving' AND saved_cpu_millis > 0")).isPositive();
    }

    private List<Long> saved(String table)
    {
        return client.execute("SELECT sum(saved_get_requests), sum(saved_bytes) FROM cache.savings WHERE table_name = '" + table + "'").rows().get(0)
                .stream().map(Long.class::cast).toList();
    }

    @Test
    void adviceFollowsFromTheCounters()
    {
        table("refused");
        client.execute("CALL system.deny_in_cache('" + SCHEMA + "', 'refused')");
        PrestoClient data = withMode("BYPASS", List.of("fragment", "footer"));
        for (int i = 0; i < 15; i++) {
            data.execute("SELECT max(y) FROM refused");
        }
        client.execute("CALL system.forget_cache_rule('" + SCHEMA + "', 'refused')");
        assertThat(client.execute("SELECT DISTINCT advice FROM cache.advice WHERE table_name = 'refused' AND layer = 'data' AND gain_seconds > 0")
                .strings(0))
                .isNotEmpty().allMatch(advice -> advice.matches(
                        "\\d+ % of \\d+ lookups of data for console.refused missed because .*\\(denied_by_rule\\): .*"));
    }

    @Test
    void queriesNameTheirUserAndJoinThePrestosOwnTable()
    {
        table("joined");
        QueryResult query = client.withUser("carol").execute("SELECT * FROM joined");
        assertThat(client.execute("SELECT DISTINCT user FROM cache.queries WHERE query_id = '" + query.queryId() + "'").strings(0)).containsExactly(
                "carol");
        assertThat(client.execute("SELECT substr(query, 1, 200), sum(misses) > 0 FROM cache.queries JOIN system.runtime.queries USING (query_id)"
                + " WHERE query_id = '" + query.queryId() + "' GROUP BY 1").rows()).isEqualTo(List.of(List.of("SELECT * FROM joined", true)));
    }

    @Test
    void commandsShowAQueryAndTheTables()
            throws IOException,
            InterruptedException
    {
        table("commanded");
        QueryResult query = client.withUser("carol").execute("SELECT   max(y)\nFROM commanded");
        client.statistics(query);
        String page = eyrie(0, "query", query.queryId());
        assertThat(page).contains("Query " + query.queryId() + " of carol: FINISHED after ", "  SELECT max(y) FROM commanded", "Where the time went",
                "scheduled")
                .containsPattern("fragment +" + FILES + " +0.0 % ")
                .containsPattern("data +\\d+  never_seen: it was not requested before")
                .contains("Nothing, unless it misses again");
        QueryResult resized = client.execute("CALL system.resize_cache('100000TB')");
        client.execute("CALL system.resize_cache()");
        client.statistics(resized);
        assertThat(eyrie(0, "query", resized.queryId())).contains("Warning: The cache disks of this coordinator have room for ");
        assertThat(eyrie(1, "query", "20200101_000000_00000_aaaaa")).contains("No node knows query 20200101_000000_00000_aaaaa");
        assertThat(eyrie(0, "top", "--count", "2", "--interval", "1", "--rows", "1000")).contains("Catalog " + Lake.CATALOG
                + ", since its nodes started")
                .contains(", the last ").containsPattern("console.commanded +data +[\\d,]+ ").containsPattern("all tables +footer +[\\d,]+ ");
    }

    /* Runs the command as a user does: in a process of its own. */
    private String eyrie(int exitCode, String... arguments)
            throws IOException,
            InterruptedException
    {
        List<String> command = Stream.concat(
                Stream.of(ProcessHandle.current().info().command().orElseThrow(), "-cp", System.getProperty("java.class.path"),
                        "io.eyrie.cli.EyrieCommand"),
                Stream.concat(Stream.of(arguments), Stream.of("--server", lake.presto().coordinatorUri().toString(), "--catalog", Lake.CATALOG)))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of eyrie %s, which prints: %s", List.of(arguments), output).isEqualTo(exitCode);
        return output;
    }

    @Test
    void queryTellsWhichBoundIsExceeded()
    {
        PrestoClient bounded = lake.presto().client("bounded", SCHEMA);
        table("large");
        for (int i = 0; i < 2; i++) {
            QueryResult result = bounded.execute("SELECT x, count(*) FROM large WHERE y <> 'a' GROUP BY x");
            assertThat(result.rows()).hasSize(500);
            assertThat(reasons(bounded, result, "fragment")).as("results of splits").isEqualTo(Map.of("too_large", (long) FILES));
            assertThat(reasons(bounded, result, "file_list")).as("the list of the files").isEqualTo(Map.of("over_memory", 1L));
        }
        lake.createTable(SCHEMA, "chosen", "x bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client.execute("INSERT INTO chosen SELECT x, cast(x AS varchar) FROM UNNEST(sequence(1, 3)) AS t(x)");
        String many = IntStream.range(0, 2_000).mapToObj(value -> "'" + value + "'").collect(Collectors.joining(", "));
        for (int i = 0; i < 2; i++) {
            QueryResult result = bounded.execute("SELECT sum(x) FROM chosen WHERE ds IN (" + many + ")");
            assertThat(result.onlyValue()).hasToString("6");
            assertThat(reasons(bounded, result, "metastore")).as("the names that the values select").containsKey("too_large");
        }
        assertThat(reasons(bounded, bounded.execute("SELECT sum(x) FROM chosen WHERE ds IN ('1', '2')"), "metastore")).doesNotContainKey("too_large");
    }

    @Test
    void fileThatWasOverwrittenIsAnotherVersion()
    {
        table("rewritten");
        client.execute("SELECT * FROM rewritten");
        lake.s3().client().list(Lake.BUCKET, SCHEMA + "/rewritten/").forEach(object -> {
            byte[] same = lake.s3().client().get(Lake.BUCKET, object.key());
            lake.s3().client().put(Lake.BUCKET, object.key(), same);
        });
        client.execute("CALL system.invalidate_directory_list_cache()");
        // the bytes and the ETag are the same, the modification time is not
        assertThat(reasons(client.execute("SELECT * FROM rewritten"), "data")).containsOnlyKeys("other_version");
    }

    @Test
    void whatIsInvalidatedIsLoadedAnewByTheNextQueryOfEveryLayer()
            throws IOException
    {
        table("dropped");
        table("kept");
        String both = "SELECT count(*), sum(a.x) FROM dropped a JOIN kept b ON a.x = b.x WHERE a.y <> 'a' AND b.y <> 'b'";
        // in a joined scan, each worker computes all splits of the smaller table
        PrestoClient plain = client.withSession(Lake.CATALOG + ".fragment_result_cache_joined_admission", "NEVER");
        QueryResult expected = plain.execute(both);
        plain.execute(both);
        WrittenPages.await(client, "dropped");
        WrittenPages.await(client, "kept");
        client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'dropped')");

        QueryResult after = plain.execute(both);
        assertThat(after.rows()).isEqualTo(expected.rows());
        assertThat(reasons(after, "fragment")).as("of dropped alone").hasSize(1);
        assertThat(value("SELECT sum(misses) FROM cache.queries WHERE layer = 'fragment' AND query_id = '" + after.queryId() + "'")).isEqualTo(
                FILES);
        assertThat(hits(after, "fragment")).as("of kept").isPositive();
        assertThat(reasons(after, "data")).isNotEmpty();
        assertThat(reasons(after, "metastore")).isNotEmpty();
        assertThat(reasons(after, "file_list")).containsOnlyKeys("never_seen");
        assertThat(value("SELECT count(DISTINCT value) FROM cache.control WHERE kind = 'epoch'")).as("every node that read").isEqualTo(1);
        assertThat(value("SELECT count(DISTINCT node_id) FROM cache.control WHERE kind = 'invalidation' AND table_name = 'dropped'")).isEqualTo(
                NODES);
    }

    @Test
    void whatOperatorsSayIsInEffectOnTheWorkersAndOutlivesARestart()
    {
        table("denied");
        table("pinned");
        client.execute("CALL system.deny_in_cache('" + SCHEMA + "', 'den*')");
        client.execute("CALL system.pin_in_cache(schema_name => '" + SCHEMA + "', table_name => 'pinned')");
        lake.createTable(SCHEMA, "quoted", "x bigint", "format = 'ORC'");
        client.execute("CALL system.set_cache_quota('" + SCHEMA + "', 'quoted', NULL, '7MB')");
        client.execute("CALL system.resize_cache('300MB')");
        assertDeniedAndResized();
        client.execute("SELECT * FROM pinned");
        WrittenPages.await(client, "pinned");

        lake.presto().restart();
        assertDeniedAndResized();
        assertThat(value("SELECT sum(loaded_bytes) FROM " + warm("pinned"))).as("by workers that have opened no file yet").isZero();
        assertThat(reasons(client.execute("SELECT * FROM pinned"), "data")).as("nothing is invalidated once more").isEmpty();

        client.execute("CALL system.forget_cache_rule('" + SCHEMA + "', 'den*')");
        client.execute("CALL system.unpin_in_cache()");
        client.execute("CALL system.set_cache_quota('" + SCHEMA + "', 'quoted')");
        client.execute("CALL system.resize_cache()");
        assertThat(reasons(client.execute("SELECT * FROM denied"), "data")).containsOnlyKeys("never_seen");
        assertThat(value("SELECT count(*) FROM cache.control WHERE kind NOT IN ('epoch', 'invalidation')")).isZero();
        assertThat(value("SELECT count(*) FROM cache.layers WHERE layer = 'data' AND capacity_bytes <= 300 * 1048576")).isZero();
    }

    private void assertDeniedAndResized()
    {
        client.execute("SELECT * FROM denied");
        QueryResult second = client.execute("SELECT * FROM denied");
        assertThat(reasons(second, "data")).containsOnlyKeys("denied_by_rule");
        for (String kind : List.of("deny", "pin", "quota", "capacity")) {
            assertThat(value("SELECT count(DISTINCT node_id) FROM cache.control WHERE kind = '" + kind + "'")).as(kind).isEqualTo(NODES);
        }
        assertThat(value("SELECT count(DISTINCT node_id) FROM cache.layers WHERE layer = 'data' AND capacity_bytes = 300 * 1048576")).isEqualTo(
                NODES);
        assertThat(client.execute("SELECT DISTINCT value FROM cache.control WHERE kind IN ('quota', 'capacity') ORDER BY 1").strings(0))
                .containsExactly(
                        "300MB", "7MB");
    }

    @Test
    void lookupsAreRecordedForAsLongAsSomebodySays()
            throws IOException
    {
        table("traced");
        client.execute("SELECT * FROM traced");
        assertThat(traces.toFile().list()).isEmpty();
        client.execute("CALL system.record_cache_trace('1h')");
        client.execute("SELECT * FROM traced");
        assertThat(traces.toFile().list()).as("a file a node").hasSize(NODES);
        assertThat(value("SELECT count(DISTINCT node_id) FROM cache.control WHERE kind = 'trace_until'")).isEqualTo(NODES);
        client.execute("CALL system.record_cache_trace()");
        client.execute("SELECT * FROM traced");
        long lookups = 0;
        for (File file : requireNonNull(traces.toFile().listFiles())) {
            try (TraceReader trace = new TraceReader(Files.newInputStream(file.toPath()))) {
                while (trace.next() != null) {
                    lookups++;
                }
            }
        }
        assertThat(lookups).isGreaterThanOrEqualTo(FILES);
        client.execute("SELECT * FROM traced");
        assertThat(traces.toFile().list()).as("nothing more is begun").hasSize(NODES);
    }

    @Test
    void sessionSaysWhatItsQueryDoesWithEachLayer()
    {
        List<String> layers = List.of("data", "footer", "fragment", "file_list");
        table("moded");
        String sql = "SELECT count(*), sum(x) FROM moded WHERE y <> 'a'";
        PrestoClient readOnly = withMode("READ_ONLY", layers);
        PrestoClient dryRun = withMode("dry_run", layers);
        for (int i = 0; i < 2; i++) {
            QueryResult nothingKept = readOnly.execute(sql);
            layers.forEach(layer -> assertThat(reasons(nothingKept, layer)).as(layer).containsOnlyKeys("read_only"));
        }
        QueryResult nothingThere = dryRun.execute(sql);
        layers.forEach(layer -> assertThat(reasons(nothingThere, layer)).as(layer).containsOnlyKeys("never_seen"));

        QueryResult expected = client.execute(sql);
        WrittenPages.await(client, "moded");
        QueryResult wouldHit = dryRun.execute(sql);
        assertThat(wouldHit.rows()).isEqualTo(expected.rows());
        for (String layer : layers) {
            assertThat(reasons(wouldHit, layer)).as(layer).containsOnlyKeys("dry_run");
            assertThat(hits(wouldHit, layer)).as(layer).isZero();
        }
        QueryResult served = readOnly.execute(sql);
        assertThat(served.rows()).isEqualTo(expected.rows());
        assertThat(hits(served, "fragment")).isPositive();
        assertThat(hits(readOnly.execute("SELECT * FROM moded"), "data")).isPositive();

        // other queries created the tables, so the metastore's entries of this one are cached
        QueryResult asked = withMode("DRY_RUN", List.of("metastore")).execute("SELECT * FROM moded");
        assertThat(reasons(asked, "metastore")).containsKey("dry_run");
        assertThat(hits(asked, "metastore")).isZero();
        assertThat(withMode("BYPASS", List.of("data")).execute("SELECT DISTINCT state FROM " + warm("moded")).strings(0)).containsExactly(
                "read_only");
        List<String> all = Stream.concat(layers.stream(), Stream.of("metastore")).toList();
        QueryResult bypassed = withMode("BYPASS", all).execute(sql);
        assertThat(bypassed.rows()).isEqualTo(expected.rows());
        for (String layer : all) {
            assertThat(reasons(bypassed, layer)).as(layer).isEmpty();
            assertThat(hits(bypassed, layer)).as(layer).isZero();
        }
        assertThatThrownBy(() -> withMode("sometimes", List.of("data")).execute(sql)).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("data_cache_mode is 'sometimes': specify READ_WRITE, READ_ONLY, DRY_RUN or BYPASS");
    }

    private PrestoClient withMode(String mode, List<String> layers)
    {
        PrestoClient of = client;
        for (String layer : layers) {
            of = of.withSession(Lake.CATALOG + "." + layer + "_cache_mode", mode);
        }
        return of;
    }

    @Test
    void warmedTableIsServedToTheFirstQuery()
    {
        table("warmed");
        QueryResult warmed = client.execute("SELECT path, found_bytes, loaded_bytes - length, state FROM " + warm("warmed"));
        assertThat(warmed.rows()).hasSize(FILES);
        assertThat(warmed.strings(3)).containsOnly("warm");
        assertThat(warmed.rows()).as("nothing was found, and each byte was loaded once").allMatch(row -> row.subList(1, 3).equals(List.of(0L, 0L)));
        assertThat(client.execute("SELECT DISTINCT node_id FROM " + warm("warmed")).rows()).as("workers that the splits are placed on").hasSize(NODES
                - 1);
        WrittenPages.await(client, "warmed");
        assertThat(client.execute("SELECT found_bytes - length, loaded_bytes FROM " + warm("warmed")).rows()).as("each byte was found once").hasSize(
                FILES).allMatch(row -> row.equals(List.of(0L, 0L)));

        LinkCounts before = lake.quietCounts();
        QueryResult first = client.execute("SELECT count(*), sum(x), max(y) FROM warmed");
        assertThat(first.rows()).hasToString("[[3000, 751500, 99]]");
        assertThat(reasons(first, "data")).isEmpty();
        assertThat(reasons(first, "footer")).isEmpty();
        assertThat(lake.quietCounts().minus(before).requests()).as("requests to S3").isZero();
    }

    @Test
    void filesOfNoVersionAreNotWarmed()
    {
        // in the metastore's own directory, on a local disk
        client.execute("CREATE TABLE nearby AS SELECT x FROM UNNEST(sequence(1, 500)) AS t(x)");
        assertThat(client.execute("SELECT DISTINCT state FROM " + warm("nearby")).strings(0)).containsExactly("no_version");
        assertThat(value("SELECT sum(x) FROM nearby")).isEqualTo(125_250);
    }

    @Test
    void tableIsWarmedForFiltersThatArePushedDown()
    {
        table("pushed");
        PrestoClient pushing = client.withSession(Lake.CATALOG + ".pushdown_filter_enabled", "true");
        assertThat(pushing.execute("SELECT DISTINCT state FROM " + warm("pushed")).strings(0)).containsExactly("warm");
        WrittenPages.await(client, "pushed");
        String sql = "SELECT count(*), sum(x) FROM pushed WHERE x BETWEEN 100 AND 300 AND y > '2'";
        LinkCounts before = lake.quietCounts();
        QueryResult first = pushing.execute(sql);
        assertThat(lake.quietCounts().minus(before).requests()).as("requests to S3").isZero();
        assertThat(first.rows()).isEqualTo(client.execute(sql).rows());
    }

    @Test
    void queriesAreCleanedUpAfter()
            throws IOException
    {
        table("cleaned");
        client.statistics(client.execute("SELECT * FROM cleaned"));
        assertThatThrownBy(() -> client.execute("SELECT 1 / (x - x) FROM cleaned")).isInstanceOf(QueryFailedException.class);
        assertThat(lake.presto().logDirectory().resolve("coordinator.log")).content().contains("QueryMonitor").doesNotContain(
                "Error cleaning up query");
    }

    @Test
    void partitionsAndFootersAndSoManyBytesAreWarmed()
            throws IOException,
            InterruptedException
    {
        lake.createTable(SCHEMA, "parts", "x bigint, ds varchar, hour integer", "format = 'PARQUET', partitioned_by = ARRAY['ds', 'hour']");
        client.execute(
                "INSERT INTO parts SELECT x, ds, h FROM UNNEST(sequence(1, 500)) AS t(x), UNNEST(ARRAY['a', 'b']) AS u(ds), UNNEST(ARRAY[1, 2]) AS v(h)");

        assertThat(client.execute("SELECT DISTINCT ds, hour FROM " + warm("parts", "what => 'footers'") + " WHERE hour = 2 ORDER BY ds").rows())
                .hasToString("[[a, 2], [b, 2]]");
        // the same splits, because all splits together determine the worker of each
        assertThat(reasons(client.execute("SELECT * FROM parts WHERE hour = 2"), "footer")).isEmpty();
        assertThat(reasons(client.execute("SELECT * FROM parts WHERE ds = 'b' AND hour = 1"), "footer")).isNotEmpty();
        client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'parts')");

        QueryResult one = client.execute("SELECT state FROM " + warm("parts") + " WHERE ds = 'b' AND hour = 1 AND loaded_bytes > 0");
        assertThat(one.strings(0)).containsOnly("warm");
        WrittenPages.await(client, "parts", "ds=b/hour=1");
        assertThat(bytes("parts", "ds=a/hour=1")).isZero();
        assertThat(reasons(client.execute("SELECT * FROM parts WHERE ds = 'b' AND hour = 1"), "data")).isEmpty();

        long most = value("SELECT max(length) FROM " + warm("parts", "max_size => '1GB'"));
        QueryResult limited = client.execute("SELECT sum(length) FROM " + warm("parts", "max_size => '" + (2 * most) + "B'"));
        assertThat(((Number) limited.onlyValue()).longValue()).isBetween(1L, 2 * most);
        client.statistics(limited);
        assertThat(eyrie(0, "query", limited.queryId())).contains("Warning: warm_cache ends at max_size: " + limited.onlyValue()
                + " bytes are warmed");
        assertThatThrownBy(() -> client.execute("SELECT * FROM " + warm("parts", "max_size => '10B'"))).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("max_size is 10B, but the first split has ");

        client.execute("CALL system.deny_in_cache('" + SCHEMA + "', 'parts')");
        client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'parts')");
        assertThat(client.execute("SELECT DISTINCT state FROM " + warm("parts")).strings(0)).containsExactly("denied_by_rule");
        client.execute("CALL system.forget_cache_rule('" + SCHEMA + "', 'parts')");
    }

    private static String warm(String table, String... arguments)
    {
        String more = String.join("", Stream.of(arguments).map(argument -> ", " + argument).toList());
        return "TABLE(system.warm_cache(schema_name => '" + SCHEMA + "', table_name => '" + table + "'" + more + "))";
    }

    private long bytes(String table, String partition)
    {
        return value("SELECT coalesce(sum(current_bytes), 0) FROM cache.tables WHERE table_name = '" + table + "' AND layer = 'data'"
                + " AND partition_name = '" + partition + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "schema_name => 'console', table_name => 'nowhere' | does not exist",
            "schema_name => 'console', table_name => 'shown', what => 'rows' | specify 'data'",
            "schema_name => 'console', table_name => 'shown', max_size => 'much' | specify a size such as 500MB",
            "schema_name => 'console', table_name => 'shown', what => 'footers', max_size => '1GB' | omit it"})
    void wrongCallsOfWarmSayWhatIsWrong(String arguments, String complaint)
    {
        assertThatThrownBy(() -> client.execute("SELECT * FROM TABLE(system.warm_cache(" + arguments + "))")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void accessControlOfTheConnectorDecidesWhoMayCallWhat()
    {
        documentedRulesLetOneUserOperate();
        PrestoClient alice = lake.presto().client("guarded", SCHEMA).withUser("alice");
        PrestoClient bob = lake.presto().client("guarded", SCHEMA).withUser("bob");
        alice.execute("CALL system.pin_in_cache('" + SCHEMA + "')");
        alice.execute("CALL system.unpin_in_cache()");
        assertThatThrownBy(() -> alice.execute("CALL system.invalidate_cache()")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("Access Denied").hasMessageContaining("invalidate_cache");
        assertThatThrownBy(() -> alice.execute("SELECT * FROM " + warm("shown"))).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("Access Denied").hasMessageContaining("warm_cache");
        assertThat(alice.execute("SELECT * FROM cache.layers").rows()).isNotEmpty();
        assertThatThrownBy(() -> bob.execute("SELECT * FROM cache.layers")).isInstanceOf(QueryFailedException.class).hasMessageContaining(
                "Access Denied");
        assertThatThrownBy(() -> bob.execute("CALL system.pin_in_cache('" + SCHEMA + "')")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("Access Denied");
    }

    private void documentedRulesLetOneUserOperate()
    {
        PrestoClient ops = lake.presto().client("documented", SCHEMA).withUser("ops");
        PrestoClient other = ops.withUser("other").withSession("documented.cache_enabled", "false");
        assertThat(other.execute("SELECT count(*) FROM named").rows()).containsExactly(List.of(0L));
        for (String call : List.of("invalidate_cache()", "pin_in_cache('" + SCHEMA + "')", "unpin_in_cache()", "deny_in_cache('" + SCHEMA + "', '*')",
                "allow_in_cache('" + SCHEMA + "', '*')", "forget_cache_rule('" + SCHEMA + "', '*')", "set_cache_quota('" + SCHEMA
                        + "', NULL, NULL, '5GB')",
                "resize_cache()", "record_cache_trace()", "invalidate_metastore_cache()")) {
            assertThatThrownBy(() -> other.execute("CALL system." + call)).as(call).isInstanceOf(QueryFailedException.class).hasMessageContaining(
                    "Access Denied");
        }
        ops.execute("CALL system.pin_in_cache('" + SCHEMA + "')");
        ops.execute("CALL system.unpin_in_cache()");
        ops.execute("CALL system.invalidate_metastore_cache()");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "system.invalidate_cache(table_name => 't') | schema_name is missing",
            "system.invalidate_cache('s', NULL, 'ds=1') | table_name is missing",
            "system.invalidate_cache('s', 't', 'ds') | SHOW PARTITIONS",
            "system.deny_in_cache('s.t', 'u') | do not match any table",
            "system.resize_cache('much') | specify a size such as 500MB",
            "system.resize_cache('100000PB') | specify a size such as 500MB",
            "system.resize_cache('1B') | the minimum is 1MB",
            "system.record_cache_trace('2d') | specify up to 1.00d",
            "system.invalidate_cache('') | A name is ''",
            "system.invalidate_cache('consol') | Schema 'consol' does not exist. Did you mean 'console'?",
            "system.invalidate_cache('nothing_like_it') | Schema 'nothing_like_it' does not exist",
            "system.pin_in_cache('console', 'nmaed') | Table 'console.nmaed' does not exist. Did you mean 'named'?",
            "system.pin_in_cache('console', '*') | Names are literal here: to name all tables of a schema, omit table_name",
            "system.pin_in_cache('console', 'seen') | is a view, of which nothing is cached",
            "system.pin_in_cache('console', 'named', 'ds=1') | table 'console.named' has no partitions",
            "system.pin_in_cache('console', 'dated', 'day=a') | are named ds=…/hour=…",
            "system.pin_in_cache('console', 'dated', 'ds=quite_another/hour=20') | To list them: SELECT * FROM \"console\".\"dated$partitions\"",
            "system.invalidate_cache('console', 'nmaed') | Did you mean 'named'?",
            "system.set_cache_quota('console', 'nmaed', NULL, '1GB') | Did you mean 'named'?",
            "system.deny_in_cache('consol', 'n*') | Did you mean 'console'?",
            "system.deny_in_cache('console', 'nmaed') | Did you mean 'named'?",
            "system.forget_cache_rule('console', 'unruled') | There is no rule for 'console.unruled'",
            "system.unpin_in_cache('console', 'unpinned') | There is no pin of 'console.unpinned'",
            "system.set_cache_quota('console', 'unbounded') | There is no quota of 'console.unbounded'"})
    void wrongCallsSayWhatIsWrong(String call, String complaint)
    {
        assertThatThrownBy(() -> client.execute("CALL " + call)).isInstanceOf(QueryFailedException.class).hasMessageContaining(complaint);
    }

    @Test
    void partitionThatIsAlmostOneThatWasListed()
    {
        client.execute("SELECT * FROM dated");
        assertThatThrownBy(() -> client.execute("CALL system.pin_in_cache('console', 'dated', 'ds=a/hour=2')")).isInstanceOf(
                QueryFailedException.class).hasMessageContaining("Did you mean 'ds=a/hour=1'?");
    }

    @Test
    void partitionHasOneName()
    {
        lake.createTable(SCHEMA, "hourly", "x bigint, h varchar", "format = 'ORC', partitioned_by = ARRAY['h']");
        client.execute("INSERT INTO hourly VALUES (1, '10:00')");
        assertThatThrownBy(() -> client.execute("CALL system.invalidate_cache('console', 'hourly', 'h=10:00')")).isInstanceOf(
                QueryFailedException.class).hasMessageContaining("Did you mean 'h=10%3A00'?");
        client.execute("CALL system.invalidate_cache('console', 'hourly', 'h=10%3A00')");
    }

    @Test
    void droppedTableIsInvalidated()
    {
        table("erased");
        client.execute("SELECT max(y) FROM erased");
        WrittenPages.await(client, "erased");
        client.execute("DROP TABLE erased");
        assertThatThrownBy(() -> client.execute("CALL system.pin_in_cache('" + SCHEMA + "', 'erased')")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("does not exist");
        client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'erased')");
        // it travels with scans
        table("beside");
        client.execute("SELECT max(y) FROM beside");
        assertThat(value("SELECT coalesce(sum(current_bytes), 0) FROM cache.tables WHERE table_name = 'erased' AND layer = 'data'")).isZero();
    }

    @Test
    void callsOfTheMetastoreAreSavedAndNotNames()
    {
        lake.createTable(SCHEMA, "many", "x bigint, p integer", "format = 'ORC', partitioned_by = ARRAY['p']");
        client.execute("INSERT INTO many SELECT x, cast(x AS integer) FROM UNNEST(sequence(1, 60)) AS t(x)");
        String requested = "SELECT sum(requested_metastore_calls) FROM cache.savings WHERE table_name = 'many'";
        long before = value(requested);
        QueryResult query = client.execute("SELECT sum(x) FROM many");
        assertThat(client.statistics(query).metric("eyrieMetastoreLookups").sum()).as("names").isGreaterThanOrEqualTo(60);
        assertThat(value(requested) - before).as("calls").isBetween(3L, 20L);
    }

    @Test
    void configurationTellsWhatIsInEffectAndHidesSecrets()
    {
        assertThat(client.execute(
                "SELECT DISTINCT effect, note FROM guarded.cache.configuration WHERE property = 'fragment-result-cache.max-in-flight-size'")
                .rows()).as("a layer that is off").isEqualTo(List.of(List.of("no effect",
                        "results are stored in the data cache, and cache.enabled is not true: no result is cached")));
        assertThat(client.execute("SELECT DISTINCT value, source FROM cache.configuration WHERE property = 'cache.open-partition-age'").rows())
                .isEqualTo(List.of(List.of("1.00ms", "file")));
        assertThat(client.execute("SELECT DISTINCT source FROM cache.configuration WHERE property = 'cache.page-size'").strings(0)).containsExactly(
                "default");
        assertThat(client.execute("SELECT DISTINCT source FROM cache.configuration WHERE property = 'hive.node-selection-strategy'").strings(0))
                .doesNotContain("file");
        assertThat(client.execute("SELECT DISTINCT value FROM cache.configuration WHERE property = 'hive.s3.aws-secret-key'").strings(0))
                .containsExactly("[REDACTED]");
    }

    @Test
    void traceThatCannotBeRecordedIsRefused()
            throws IOException
    {
        Path moved = traces.resolveSibling("moved");
        Files.move(traces, moved);
        try {
            assertThatThrownBy(() -> client.execute("CALL system.record_cache_trace('1m')")).isInstanceOf(QueryFailedException.class)
                    .hasMessageContaining("but on this coordinator it does not exist");
        }
        finally {
            Files.move(moved, traces);
        }
    }

    private void table(String name)
    {
        // several files, so that every worker reads some
        lake.createTableOfCopies(SCHEMA, name, "x bigint, y varchar", "SELECT x, cast(x AS varchar) FROM UNNEST(sequence(1, 500)) AS t(x)", FILES);
    }

    private long hits(QueryResult query, String layer)
    {
        return value("SELECT coalesce(sum(hits), 0) FROM cache.queries WHERE layer = '" + layer + "' AND query_id = '" + query.queryId() + "'");
    }

    private Map<String, Long> reasons(QueryResult query, String layer)
    {
        return reasons(client, query, layer);
    }

    private static Map<String, Long> reasons(PrestoClient asking, QueryResult query, String layer)
    {
        QueryResult reasons = asking.execute(
                "SELECT reason, sum(count) FROM cache.queries CROSS JOIN UNNEST(misses_by_reason) AS t(reason, count) WHERE layer = '"
                        + layer + "' AND query_id = '" + query.queryId() + "' GROUP BY reason");
        return reasons.rows().stream().collect(Collectors.toMap(row -> String.valueOf(row.get(0)), row -> ((Number) row.get(1))
                .longValue()));
    }

    private long value(String sql)
    {
        return ((Number) client.execute(sql).onlyValue()).longValue();
    }
}
