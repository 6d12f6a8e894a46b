// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the decisions of {@code eyrie warm} against scripted answers. {@code SparkMetastoreIT} runs it against a real coordinator. */
class WarmCommandTest
{
    private static final String COLUMNS = "{\"columns\": [{\"name\": \"ds\", \"type\": \"varchar\"}, {\"name\": \"hour\", \"type\": \"integer\"}]}";
    private static final String TWO = "{\"data\": [[\"b\", 2], [\"a'\", null]]}";
    private static final String WARM = "{\"data\": [[\"warm\", 3, 0, 1048576, 1048576]]}";
    private static final String CACHED = "{\"data\": [[1048576]]}";

    private final TestingCoordinator coordinator = new TestingCoordinator();
    private final Path rules;
    private final Path state;

    WarmCommandTest(@TempDir Path directory)
            throws IOException
    {
        rules = directory.resolve("rules.json");
        state = directory.resolve("state.json");
    }

    @AfterEach
    void stop()
    {
        coordinator.close();
    }

    private CommandRun run(String rulesText, String... arguments)
            throws IOException
    {
        Files.writeString(rules, rulesText);
        List<Object> all = new ArrayList<>(List.of("warm", "--server", coordinator.address(), "--user", "etl", "--rules", rules, "--state", state));
        all.addAll(List.of(arguments));
        return CommandRun.of(all.toArray());
    }

    private static String rule(String more)
    {
        return "{\"rules\": [{\"schema\": \"web\", \"table\": \"clicks\", \"newest\": 2}]" + more + "}";
    }

    @Test
    void newPartitionsAreWarmedOnceAlsoAfterARestart()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, WARM).answer(200, CACHED).answer(200,
                "{\"error\": {\"message\": \"Metastore is down\"}}");
        CommandRun first = run(rule(""), "--once");
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.out().lines()).hasSize(2);
        assertThat(first.out()).containsPattern("Z web.clicks ds=b/hour=2: warmed 3 splits, loaded 1MB, 0B were cached before\\R")
                .contains("web.clicks: failed: The coordinator refused a statement: Metastore is down; tries again in 60 s");
        assertThat(coordinator.requests().get(0)).contains("SELECT * FROM \"hive\".\"web\".\"clicks$partitions\" WHERE false");
        assertThat(coordinator.requests().get(1)).contains("ORDER BY 1 DESC NULLS LAST, 2 DESC NULLS LAST LIMIT 2");
        assertThat(coordinator.requests().get(2)).contains("warm_cache(schema_name => 'web', table_name => 'clicks', what => 'data')) "
                + "WHERE \"ds\" = CAST('b' AS varchar) AND \"hour\" = CAST('2' AS integer) GROUP BY");

        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, WARM).answer(200, CACHED);
        CommandRun second = run(rule(""), "--once");
        assertThat(second.exitCode()).isZero();
        assertThat(second.out().lines()).singleElement().asString().contains("web.clicks ds=a'/hour=null: warmed 3 splits");
        assertThat(coordinator.requests().get(7)).contains("WHERE \"ds\" = CAST('a''' AS varchar) AND \"hour\" IS NULL");

        coordinator.answer(200, COLUMNS).answer(200, TWO);
        assertThat(run(rule(""), "--once").out()).isEmpty();
    }

    @Test
    void partitionThatFailsHoldsUpNoOther()
            throws IOException
    {
        String broken = "{\"error\": {\"message\": \"Cannot open a file\", \"errorType\": \"EXTERNAL\"}}";
        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, broken).answer(200, WARM).answer(200, CACHED);
        CommandRun first = run(rule(""), "--once");
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.out()).contains(
                "web.clicks ds=b/hour=2: failed: The coordinator refused a statement: Cannot open a file; tries again in 60 s",
                "web.clicks ds=a'/hour=null: warmed 3 splits");
        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, WARM).answer(200, CACHED);
        assertThat(run(rule(""), "--once").out().lines()).singleElement().asString().contains("web.clicks ds=b/hour=2: warmed 3 splits");
    }

    @Test
    void oneCommandAtATimeUsesAState()
            throws IOException
    {
        try (FileChannel file = FileChannel.open(state.resolveSibling("state.json.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            CommandRun cron = run(rule(""), "--once");
            assertThat(cron.exitCode()).isZero();
            assertThat(cron.out()).contains("Another eyrie warm uses " + state + ": nothing to do");
            CommandRun other = run(rule(""));
            assertThat(other.exitCode()).isEqualTo(1);
            assertThat(other.out()).contains("To fix: end it, or name another file with --state");
            assertThat(coordinator.requests()).isEmpty();
        }
    }

    @Test
    void dryRunOnlyPrints()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, TWO);
        CommandRun run = run(rule(", \"daily_bytes\": \"1GB\""), "--dry-run");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("web.clicks ds=b/hour=2: would warm data, at most 1GB", "web.clicks ds=a'/hour=null: would warm data");
        assertThat(coordinator.requests()).hasSize(2);
        assertThat(state).doesNotExist();
    }

    @Test
    void dailyBudget()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, WARM).answer(200, CACHED);
        CommandRun run = run(rule(", \"daily_bytes\": \"1MB\""), "--once");
        assertThat(run.exitCode()).isZero();
        assertThat(coordinator.requests().get(2)).contains("max_size => '1048576B'");
        assertThat(run.out()).contains("ds=b/hour=2: warmed 3 splits",
                "web.clicks: the daily budget of 1MB is used up: 1 partition to warm tomorrow");

        coordinator.answer(200, COLUMNS).answer(200, TWO);
        assertThat(run(rule(", \"daily_bytes\": \"1MB\""), "--once").out()).as("after a restart").contains("is used up");
        coordinator.answer(200, COLUMNS).answer(200, TWO)
                .answer(200, "{\"data\": [[\"warm\", 1, 0, 5]], \"warnings\": [{\"message\": \"warm_cache ends at max_size: 5 bytes are warmed\"}]}")
                .answer(200, CACHED);
        assertThat(run(rule(", \"daily_bytes\": \"2MB\""), "--once").out()).contains("; the daily budget ended it, and the rest follows tomorrow");
        coordinator.answer(200, COLUMNS).answer(200, TWO)
                .answer(200, "{\"error\": {\"message\": \"max_size is 5B, but the first split has 9 bytes\"}}");
        CommandRun little = run(rule(", \"daily_bytes\": \"2MB\""), "--once");
        assertThat(little.out()).contains("web.clicks: the rest of the daily budget is too small for the next split: 1 partition to warm tomorrow");
        assertThat(little.exitCode()).isZero();
        assertThat(CommandRun.json(state).at("/done/web.clicks")).as("partitions that are done").hasSize(1);
    }

    @Test
    void quietHours()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, TWO);
        CommandRun run = run(rule(", \"quiet_hours\": [\"00:00-00:00\"]"), "--once");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("web.clicks: quiet hours until 00:00: 2 partitions to warm then");
        assertThat(coordinator.requests()).hasSize(2);
    }

    @Test
    void splitsThatAreNotCachedAreReported()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"b\", 2]]}")
                .answer(200, "{\"data\": [[\"over_daily_budget\", 2, 0, 9], [\"warm\", 1, 7, 5]]}");
        assertThat(run(rule(""), "--once").out()).contains(
                "warmed 1 split, loaded 14B, 7B were cached before; 2 splits not cached: over_daily_budget");
        assertThat(CommandRun.json(state).at("/done/web.clicks")).as("it is tried again").isEmpty();
    }

    @Test
    void partitionThatDoesNotFitIsReported()
            throws IOException
    {
        coordinator.answer(200, COLUMNS).answer(200, TWO).answer(200, WARM).answer(200, "{\"data\": [[524288]]}").answer(200, WARM)
                .answer(200, "{\"error\": {\"message\": \"Access Denied\"}}");
        CommandRun run = run(rule(""), "--once");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains(
                "ds=b/hour=2: warmed 3 splits, loaded 1MB, 0B were cached before; only 512kB of 1MB are still cached, because the caches are too small for it",
                "ds=a'/hour=null: warmed 3 splits, loaded 1MB, 0B were cached before; how much of it is still cached is not known: The coordinator refused a statement: Access Denied");
        assertThat(coordinator.requests().get(3)).contains(
                "FROM \"hive\".cache.tables WHERE layer = 'data' AND schema_name = 'web' AND table_name = 'clicks'",
                " = 'ds=b/hour=2'");
        assertThat(CommandRun.json(state).at("/done/web.clicks")).hasSize(2);
    }

    @Test
    void failures()
            throws IOException
    {
        coordinator.answer(401, "");
        CommandRun refused = run(rule(""), "--once");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).contains("web.clicks: failed: The coordinator refused user etl (status 401)", "tries again in 60 s");
        assertThat(CommandRun.of("warm", "--server", "http://127.0.0.1:1", "--rules", rules, "--state", state, "--once").out()).contains(
                "coordinator: failed: http://127.0.0.1:1 cannot be reached");
        Files.writeString(state, "{\"version\": 7}");
        CommandRun unknown = run(rule(""), "--once");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains(state + " is not a state of eyrie warm: its version is 7, not 1. To fix: name another file");
        assertThat(run("{}", "--once").err()).contains(rules + ": rules: 0 is not a number of rules");
        assertThat(CommandRun.of("warm", "--server", "http://127.0.0.1:1", "--rules", rules).err()).contains("--state");
    }
}
