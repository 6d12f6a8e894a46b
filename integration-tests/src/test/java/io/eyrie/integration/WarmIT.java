// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.OutputLines;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests {@code eyrie warm} as a user runs it, against a coordinator with TLS and tokens: queries that it runs, credentials that are refused, and full caches. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WarmIT
{
    private static final String SCHEMA = "warm";
    private static final byte[] KEY = "a key of the tests of eyrie warm".getBytes(UTF_8);
    private static final String STORE_PASSWORD = "not-a-secret";
    private static final String DASHBOARD_ZONE = "Asia/Tokyo";

    private final Path directory;
    private Lake lake;
    private PrestoClient client;

    WarmIT(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeAll
    void start()
            throws IOException,
            InterruptedException
    {
        Path keys = directory.resolve("keys.p12");
        run(javaCommand("keytool"), "-genkeypair", "-alias", "presto", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext",
                "san=dns:localhost", "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", STORE_PASSWORD);
        Path jwt = Files.writeString(directory.resolve("jwt.key"), Base64.getEncoder().encodeToString(KEY));
        lake = Lake.builder(Checkout.find())
                .name(SCHEMA)
                .workers(0)
                .config("http-server.https.enabled", "true")
                .config("http-server.https.port", "${node.spare-port}")
                .config("http-server.https.keystore.path", keys.toString())
                .config("http-server.https.keystore.key", STORE_PASSWORD)
                .config("http-server.authentication.type", "JWT")
                .config("http.authentication.jwt.key-file", jwt.toString())
                .property("fragment-result-cache.enabled", "true")
                .property("fragment-result-cache.joined.admission", "seen-twice")
                .property("fragment-result-cache.joined.listing-time", "60s")
                .catalog("small", Map.of("cache.base-directory", Files.createDirectory(directory.resolve("small")).toString(), "cache.max-cache-size",
                        "4MB"))
                .catalog("full", Map.of("cache.base-directory", Files.createDirectory(directory.resolve("full")).toString(), "cache.min-free-space",
                        "1PB"))
                .start();
        client = lake.client(SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void resultsOfADashboardExistBeforeItsUsersAsk(@TempDir Path rules)
            throws Exception
    {
        lake.createTable(SCHEMA, "names", "k bigint, name varchar", "format = 'ORC'");
        client.execute("INSERT INTO names SELECT k, 'name' || cast(k AS varchar) FROM UNNEST(sequence(0, 9)) AS t(k)");
        lake.createTable(SCHEMA, "clicks", "k bigint, v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        insert(today.minusDays(1));
        Files.writeString(rules.resolve("totals.sql"), "SELECT ds, count(*), sum(v) FROM clicks"
                + " WHERE ds >= date_format(current_date - INTERVAL '7' DAY, '%Y-%m-%d') GROUP BY ds;\n");
        Files.writeString(rules.resolve("names.sql"), "-- by name\nSELECT name, sum(v) FROM clicks JOIN names USING (k) GROUP BY name");
        Files.writeString(rules.resolve("wrong.sql"), "SELECT nothing FROM clicks");
        Files.writeString(rules.resolve("rules.json"), String.format(Locale.ROOT, """
                {"every": "1s", "daily_bytes": "1GB", "rules": [
                    {"schema": "warm", "table": "clicks", "newest": 2, "queries": ["wrong.sql", "totals.sql", "names.sql"],
                        "session": {"user": "bi", "time_zone": "%s", "locale": "%s"}}]}
                """, DASHBOARD_ZONE, Locale.getDefault().toLanguageTag()));
        Path token = Files.writeString(rules.resolve("token"), token(Instant.now().minusSeconds(60)));
        assertThat(once(rules, 1, Lake.CATALOG)).contains("warm.clicks as bi: failed: The coordinator refused user etl (status 401)");

        Process warm = warm(rules, Lake.CATALOG);
        try {
            BufferedReader lines = warm.inputReader();
            OutputLines.await(lines, "warm.clicks as bi: failed: The coordinator refused user etl (status 401)");
            Files.writeString(token, token(Instant.now().plusSeconds(3600)));
            OutputLines.await(lines, "warm.clicks as bi ds=" + today.minusDays(1) + ": warmed 1 split, ");
            OutputLines.await(lines, "warm.clicks as bi wrong.sql: failed: The coordinator refused a statement: ");
            OutputLines.await(lines, "warm.clicks as bi totals.sql: ran 2 times in ");
            OutputLines.await(lines, "warm.clicks as bi names.sql: ran 3 times in ");
            insert(today);
            OutputLines.await(lines, "warm.clicks as bi ds=" + today + ": warmed 1 split, ");
            OutputLines.await(lines, "served 2 of 2 splits from results; loaded 0B");
            OutputLines.await(lines, "served 2 of 2 splits from results; loaded 0B");
            OutputLines.await(lines, "warm.clicks as bi wrong.sql: failed: The coordinator refused a statement: ");
        }
        finally {
            warm.destroy();
            warm.waitFor();
        }
        PrestoClient dashboard = client.withUser("analyst").withTimeZone(DASHBOARD_ZONE);
        assertServedAtOnce(dashboard, "SELECT ds, count(*), sum(v) FROM clicks WHERE ds >= '" + today.minusDays(7) + "' GROUP BY ds");
        assertServedAtOnce(dashboard, "SELECT name, sum(v) FROM clicks JOIN names USING (k) GROUP BY name");
        Files.writeString(rules.resolve("wrong.sql"), "SELECT count(*) FROM clicks");
        assertThat(once(rules, 0, Lake.CATALOG)).as("it continues where it stopped").doesNotContain("totals.sql").doesNotContain("names.sql");
    }

    private void insert(LocalDate day)
    {
        client.withSession("task_writer_count", "1").execute("INSERT INTO clicks SELECT i % 10, i, '" + day
                + "' FROM UNNEST(sequence(1, 5000)) AS t(i)");
    }

    private void assertServedAtOnce(PrestoClient dashboard, String sql)
    {
        QueryResult plain = client.withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false").execute(sql);
        LinkCounts before = lake.quietCounts();
        QueryResult first = dashboard.execute(sql);
        assertThat(lake.quietCounts().minus(before).of(RequestKind.GET_DATA).requests()).as("reads of S3").isZero();
        assertThat(first.rows()).containsExactlyInAnyOrderElementsOf(plain.rows());
        QueryStatistics statistics = dashboard.statistics(first);
        assertThat(List.of("eyrieFragmentHits", "eyrieFragmentMisses", "eyrieDataCacheReads", "eyrieDataRemoteReads").stream().map(
                name -> statistics.metric(name).sum())).as("hits, misses, reads").containsExactly(2L, 0L, 0L, 0L);
    }

    @Test
    void fullCachesAreSaid(@TempDir Path rules)
            throws Exception
    {
        lake.createTable(SCHEMA, "wide", "x bigint, y varchar, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        for (int file = 0; file < 3; file++) {
            client.withSession("task_writer_count", "1").execute(
                    "INSERT INTO wide SELECT 1000 * i + j, cast(uuid() AS varchar) || cast(uuid() AS varchar), 'a'"
                            + " FROM UNNEST(sequence(1, 100)) AS t(i), UNNEST(sequence(1, 1000)) AS u(j)");
        }
        Files.writeString(rules.resolve("rules.json"), "{\"rules\": [{\"schema\": \"warm\", \"table\": \"wide\"}]}");
        Files.writeString(rules.resolve("token"), token(Instant.now().plusSeconds(3600)));
        String sql = "SELECT count(*), sum(x), count(DISTINCT y) FROM wide";
        List<?> rows = client.execute(sql).rows();

        assertThat(once(rules, 0, "full")).as("no room on the disk").containsPattern(
                "warm.wide ds=a: warmed 0 splits, loaded .*; 3 splits not cached: not_written");
        assertThat(lake.presto().client("full", SCHEMA).execute(sql).rows()).isEqualTo(rows);
        // whether a split's pages are evicted before it ends depends on the others
        assertThat(once(rules, 0, "small")).as("more than the cache may hold").containsPattern(
                "warm.wide ds=a: warmed .*(not cached: evicted|; only .* are still cached, because the caches are too small for it)");
        assertThat(lake.presto().client("small", SCHEMA).execute(sql).rows()).isEqualTo(rows);
    }

    @Test
    void partitionColumnsMayBeNamedLikeThoseOfTheResult(@TempDir Path rules)
            throws Exception
    {
        lake.createTable(SCHEMA, "visits", "x bigint, country varchar, state varchar, length integer", "format = 'ORC', partitioned_by = "
                + "ARRAY['country', 'state', 'length']");
        client.execute("INSERT INTO visits VALUES (1, 'US', 'CA', 7), (2, 'US', 'NY', 7)");
        Files.writeString(rules.resolve("rules.json"), "{\"rules\": [{\"schema\": \"warm\", \"table\": \"visits\", \"newest\": 2}]}");
        Files.writeString(rules.resolve("token"), token(Instant.now().plusSeconds(3600)));
        assertThat(once(rules, 0, Lake.CATALOG)).contains("warm.visits country=US/state=CA/length=7: warmed 1 split",
                "warm.visits country=US/state=NY/length=7: warmed 1 split");
        QueryResult warmed = client.execute(
                "SELECT state, length, warm_state, loaded_bytes, warm_length > 0 FROM TABLE(system.warm_cache(schema_name => '"
                        + SCHEMA + "', table_name => 'visits')) WHERE state = 'CA'");
        assertThat(warmed.rows()).containsExactly(List.of("CA", 7, "warm", 0L, true));
    }

    private String once(Path rules, int exitCode, String catalog)
            throws IOException,
            InterruptedException
    {
        Process process = warm(rules, catalog, "--once");
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of eyrie warm, which prints: %s", output).isEqualTo(exitCode);
        return output;
    }

    private Process warm(Path rules, String catalog, String... more)
            throws IOException
    {
        List<String> command = new ArrayList<>(List.of(javaCommand("java"), "-Djavax.net.ssl.trustStore=" + directory.resolve("keys.p12"),
                "-Djavax.net.ssl.trustStorePassword=" + STORE_PASSWORD, "-cp", System.getProperty("java.class.path"), "io.eyrie.cli.EyrieCommand",
                "warm",
                "--server", "https://localhost:" + lake.presto().coordinatorSparePort(), "--catalog", catalog, "--user", "etl", "--token-file", rules
                        .resolve("token").toString(), "--rules", rules.resolve("rules.json").toString(), "--state", rules.resolve(catalog + ".json")
                                .toString()));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // of which each JVM would print a line
        builder.environment().remove("JDK_JAVA_OPTIONS");
        return builder.start();
    }

    private static String javaCommand(String name)
    {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static void run(String... command)
            throws IOException,
            InterruptedException
    {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /* Returns a signed token of the user etl. */
    private static String token(Instant expiry)
            throws GeneralSecurityException
    {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String content = base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(UTF_8)) + "." + base64.encodeToString(("{\"sub\":\"etl\",\"exp\":"
                + expiry
                        .getEpochSecond() + "}").getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        return content + "." + base64.encodeToString(mac.doFinal(content.getBytes(UTF_8)));
    }
}
