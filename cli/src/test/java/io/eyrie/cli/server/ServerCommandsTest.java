// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the commands that ask a coordinator against one with scripted answers. {@code ConsoleIT} runs them against a real one. */
class ServerCommandsTest
{
    private static final String INFO = """
            {"query": "SELECT *\\n  FROM clicks", "state": "FINISHED", "session": {"user": "carol"},
             "queryStats": {"elapsedTime": "3.21s", "queuedTime": "1.00ms", "analysisTime": "20.00ms", "totalPlanningTime": "0.41s", "executionTime": "2.80s",
                            "totalCpuTime": "5.10s", "totalScheduledTime": "6.00s", "totalBlockedTime": "1.00m", "rawInputPositions": 12345, "rawInputDataSize": "7MB"}}
            """;
    private static final String LAYERS = """
            {"data": [["data", 71, 74448896, 29, 29, 30408704, 2900.0, 2], ["metastore", 3, 0, 0, 0, 0, 0.0, 1]]}
            """;
    private static final String REASONS = """
            {"data": [["data", "evicted", 22, "was cached, and was dropped to make room", "add disk space"], ["data", "never_seen", 7, "was not requested before", ""]]}
            """;

    private final TestingCoordinator coordinator = new TestingCoordinator();

    ServerCommandsTest()
            throws IOException
    {}

    @AfterEach
    void stop()
    {
        coordinator.close();
    }

    private CommandRun run(String... arguments)
    {
        Object[] all = new Object[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--server";
        all[arguments.length + 1] = coordinator.address();
        all[arguments.length + 2] = "--user";
        all[arguments.length + 3] = "carol";
        return CommandRun.of(all);
    }

    @Test
    void pageOfAQuery()
    {
        coordinator.answer(200, INFO).answer(200, LAYERS).answer(200, REASONS);
        CommandRun run = run("query", "20261122_144852_00048_69gjt", "--catalog", "la\"ke");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains(
                "Query 20261122_144852_00048_69gjt of carol: FINISHED after 3.21 s",
                "  SELECT * FROM clicks",
                "CPU 5.10 s, scheduled 6.00 s, blocked 60.00 s",
                "Input: 12,345 rows, 7MB");
        assertThat(run.out()).containsPattern("metastore +3 +100.0 % [^$]*\n?data +100 +71.0 % +71MB +29 +29MB +2.90 s +2");
        assertThat(run.out()).containsPattern(
                "data +22  evicted: it was cached, and was dropped to make room\\R +data +7  never_seen: it was not requested");
        assertThat(run.out()).contains("  evicted: add disk space").doesNotContain("never_seen: \n");
        assertThat(coordinator.requests()).first().isEqualTo("GET /v1/query/20261122_144852_00048_69gjt carol");
        assertThat(coordinator.requests().get(1)).startsWith("POST /v1/statement carol SELECT layer,").contains(
                "FROM \"la\"\"ke\".cache.queries WHERE query_id = '20261122_144852_00048_69gjt'");
    }

    @Test
    void pageOfAQueryThatTheCoordinatorHasForgotten()
    {
        coordinator.answer(410, "").answer(200, LAYERS).answer(200, REASONS);
        assertThat(run("query", "q1").out()).contains("the coordinator no longer has it", "evicted: add disk space");
        coordinator.answer(404, "").answer(200, "{}").answer(200, "{}");
        CommandRun unknown = run("query", "q1");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.out()).contains("No node knows query q1");
    }

    @Test
    void resultOfSeveralPages()
    {
        coordinator.answer(503, "").answer(200, "{\"nextUri\": \"$server/v1/statement/q/1\"}")
                .answer(200,
                        "{\"data\": [[\"web\", \"clicks\", \"data\", 9, 1048576, 1, 1, 4096, 20.0, 2097152]], \"nextUri\": \"$server/v1/statement/q/2\"}")
                .answer(200, "{\"data\": [[\"web\", \"users\", \"footer\", 1, 0, 1, 1, 0, 5.0, 100]]}");
        CommandRun run = run("top", "--count", "1");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Catalog hive, since its nodes started");
        assertThat(run.out()).containsPattern("web.clicks +data +10 +90.0 % +1MB +1 +4kB +20.0 +2MB\\R *web.users +footer +2 +50.0 % ");
        assertThat(run.out()).containsPattern("all tables +data +10 ");
    }

    @Test
    void failuresSayWhatToDo(@TempDir Path directory)
            throws IOException
    {
        coordinator.answer(200, "{\"error\": {\"message\": \"Access Denied: Cannot select from cache.tables\"}}");
        CommandRun refused = run("top", "--count", "1");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).isEqualToIgnoringNewLines(
                "eyrie top failed: The coordinator refused a statement: Access Denied: Cannot select from cache.tables");
        coordinator.answer(401, "");
        assertThat(run("top", "--count", "1").err()).contains("refused user carol (status 401). Give --user, --password or --token-file");
        coordinator.answer(418, "");
        assertThat(run("top", "--count", "1").err()).contains("answered with status 418: is it a Presto coordinator?");
        assertThat(run("query", "q'1").err()).contains("'q'1' is not the id of a query");
        assertThat(run("query", "q'1").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("top", "--server", "presto:8080").err()).contains("--server is 'presto:8080': specify http://host:port");
        assertThat(CommandRun.of("top").err()).contains("--server");
        assertThat(CommandRun.of("top", "--server", "http://127.0.0.1:1", "--count", "1").err()).contains("http://127.0.0.1:1 cannot be reached");

        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        CommandRun open = run("top", "--count", "1", "--token-file", token.toString());
        assertThat(open.exitCode()).isEqualTo(2);
        assertThat(open.err()).contains("a password or token is sent only over https").doesNotContain("secret");
    }
}
