// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which queries {@code eyrie warm} runs, and when, against scripted answers. {@code WarmIT} runs it against a real cluster. */
class ReplaysTest
{
    private static final String COLUMNS = "{\"columns\": [{\"name\": \"ds\", \"type\": \"varchar\"}]}";
    private static final String WARM = "{\"data\": [[\"warm\", 3, 0, 1048576, 1048576]]}";
    private static final String CACHED = "{\"data\": [[1048576]]}";
    private static final String ENDED = "{\"id\": \"q\", \"data\": [[1], [2]]}";
    private static final String AT = """
            {"time_zone": "UTC", "rules": [{"schema": "web", "at": "06:30", "queries": ["a.sql", "b.sql"], "session": {"user": "bi"}}]}
            """;

    private final TestingCoordinator coordinator = new TestingCoordinator();
    private final List<String> lines = new ArrayList<>();
    private final TestingClock clock = new TestingClock();
    private final Path directory;

    ReplaysTest(@TempDir Path directory)
            throws IOException
    {
        this.directory = directory;
    }

    @BeforeEach
    void queries()
            throws IOException
    {
        Files.writeString(directory.resolve("a.sql"), "SELECT a FROM clicks;");
        Files.writeString(directory.resolve("b.sql"), "SELECT b FROM clicks");
    }

    @AfterEach
    void stop()
    {
        coordinator.close();
    }

    private static final class TestingClock
            extends Clock
    {
        private Instant now = Instant.parse("2026-11-27T06:00:00Z");

        @Override
        public ZoneId getZone()
        {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone)
        {
            assertThat(zone).isEqualTo(ZoneId.of("UTC"));
            return this;
        }

        @Override
        public Instant instant()
        {
            return now;
        }

        private void after(Duration duration)
        {
            now = now.plus(duration);
        }
    }

    private WarmRounds rounds(String rules, boolean dryRun)
            throws IOException
    {
        return new WarmRounds("hive", WarmRules.read(Files.writeString(directory.resolve("rules.json"), rules)), WarmState.read(directory.resolve(
                "state.json")), clock, lines::add, dryRun);
    }

    private int run(WarmRounds rounds)
    {
        lines.clear();
        return rounds.run(() -> new PrestoServer(URI.create(coordinator.address()), "etl", Optional.empty()));
    }

    private static String info(Map<String, Integer> statistics)
    {
        return "{\"finalQueryInfo\": true, \"queryStats\": {\"runtimeStats\": {" + String.join(", ", statistics.entrySet().stream().map(
                entry -> "\"" + entry.getKey() + "\": {\"sum\": " + entry.getValue() + "}").toList()) + "}}}";
    }

    private static String error(String type)
    {
        return "{\"id\": \"q\", \"error\": {\"message\": \"It broke\", \"errorType\": \"" + type + "\"}}";
    }

    private void hits()
    {
        coordinator.answer(200, ENDED).answer(200, info(Map.of("S1-eyrieFragmentHits", 2)));
    }

    @Test
    void partitionLargerThanTheDailyBudgetIsWarmedDayByDay()
            throws IOException
    {
        String rules = """
                {"time_zone": "UTC", "daily_bytes": "10B", "rules": [{"schema": "web", "table": "clicks", "newest": 1}]}
                """;
        String partition = "{\"data\": [[\"1\"]]}";
        WarmRounds rounds = rounds(rules, false);
        coordinator.answer(200, COLUMNS).answer(200, partition)
                .answer(200,
                        "{\"data\": [[\"warm\", 1, 0, 6, 6]], \"warnings\": [{\"message\": \"warm_cache ends at max_size: 6 bytes are warmed\"}]}")
                .answer(200, CACHED);
        assertThat(run(rounds)).isZero();
        assertThat(lines).singleElement().asString().endsWith("; the daily budget ended it, and the rest follows tomorrow");
        coordinator.answer(200, COLUMNS).answer(200, partition);
        assertThat(run(rounds)).isZero();
        assertThat(lines).as("reads nothing again today").singleElement().asString().contains(
                "too small for the next split: 1 partition to warm tomorrow");

        clock.after(Duration.ofDays(1));
        coordinator.answer(200, COLUMNS).answer(200, partition).answer(200, "{\"data\": [[\"warm\", 2, 6, 9, 15]]}").answer(200, CACHED);
        assertThat(run(rounds(rules, false))).isZero();
        assertThat(coordinator.requests().get(8)).contains("max_size => '16B'");
        assertThat(lines).singleElement().asString().contains("warmed 2 splits, loaded 9B, 6B were cached before");
    }

    @Test
    void queriesRunOnceAfterEachNewPartition()
            throws IOException
    {
        String rules = """
                {"time_zone": "UTC", "rules": [{"schema": "web", "table": "clicks", "newest": 2, "queries": ["a.sql", "b.sql"]}]}
                """;
        WarmRounds rounds = rounds(rules, false);
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}").answer(200, WARM).answer(200, CACHED)
                .answer(200, "{\"id\": \"q1\", \"data\": [[1]], \"nextUri\": \"$server/v1/statement/q1/2\"}").answer(200, ENDED)
                .answer(200, "{\"finalQueryInfo\": false}")
                .answer(200, info(Map.of("S1-eyrieFragmentMisses", 2, "S1-eyrieFragmentMissesAbsent", 2, "S2-eyrieFragmentMisses", 1,
                        "S2-eyrieFragmentMissesAbsent", 1, "S1-eyrieDataRemoteReadBytes", 5, "S2-eyrieDataRemoteReadBytes", 7)));
        coordinator.answer(200, ENDED).answer(200, info(Map.of("S1-eyrieFragmentHits", 3)));
        hits();
        assertThat(run(rounds)).isZero();
        assertThat(lines).satisfiesExactly(
                line -> assertThat(line).contains("web.clicks ds=1: warmed 3 splits"),
                line -> assertThat(line).contains(
                        "web.clicks a.sql: ran 2 times in 0.0 s: its last run was served 3 of 3 splits from results; loaded 12B"),
                line -> assertThat(line).contains(
                        "web.clicks b.sql: ran once in 0.0 s: its last run was served 2 of 2 splits from results; loaded 0B"));
        assertThat(coordinator.requests().get(4)).isEqualTo("POST /v1/statement etl SELECT a FROM clicks");
        assertThat(coordinator.requests().get(6)).isEqualTo("GET /v1/query/q etl");

        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}");
        assertThat(run(rounds(rules, false))).isZero();
        assertThat(lines).as("after a restart").isEmpty();

        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"2\"], [\"1\"]]}");
        run(rounds(rules, true));
        assertThat(lines).satisfiesExactly(
                line -> assertThat(line).contains("web.clicks ds=2: would warm data"),
                line -> assertThat(line).contains("web.clicks a.sql: would run"),
                line -> assertThat(line).contains("web.clicks b.sql: would run"));

        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"2\"], [\"1\"]]}").answer(200, WARM).answer(200, CACHED);
        hits();
        coordinator.answer(401, "");
        assertThat(run(rounds)).isEqualTo(1);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).contains("web.clicks: failed: The coordinator refused user etl");
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"2\"], [\"1\"]]}");
        hits();
        run(rounds(rules, false));
        assertThat(lines).singleElement().asString().as("it continues where it stopped").contains("web.clicks b.sql: ran once");
    }

    @Test
    void partitionThatIsNotCachedIsAwaited()
            throws IOException
    {
        WarmRounds rounds = rounds("{\"time_zone\": \"UTC\", \"rules\": [{\"schema\": \"web\", \"table\": \"clicks\", \"queries\": [\"a.sql\"]}]}",
                false);
        for (int tries = 0; tries < 2; tries++) {
            coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}").answer(200, "{\"data\": [[\"disk_busy\", 1, 0, 0]]}");
            run(rounds);
            assertThat(lines).singleElement().asString().contains("1 split not cached: disk_busy");
        }
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}").answer(200, "{\"data\": [[\"disk_busy\", 1, 0, 0]]}");
        hits();
        run(rounds);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("a.sql: ran once");
    }

    @Test
    void queriesRunOnceADayFromATimeOn()
            throws IOException
    {
        WarmRounds rounds = rounds(AT, false);
        assertThat(run(rounds)).isZero();
        assertThat(lines).isEmpty();
        run(rounds(AT, true));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("web at 06:30 as bi a.sql: would run from 06:30 on");

        clock.after(Duration.ofMinutes(45));
        hits();
        hits();
        run(rounds);
        assertThat(lines).hasSize(2);
        assertThat(coordinator.requests().get(0)).isEqualTo("POST /v1/statement bi SELECT a FROM clicks");
        clock.after(Duration.ofHours(10));
        run(rounds(AT, false));
        assertThat(lines).as("the same day").isEmpty();
        clock.after(Duration.ofHours(14));
        hits();
        hits();
        run(rounds(AT, false));
        assertThat(lines).as("the next day").hasSize(2);
    }

    /* Rounds of cron, or of a long interval, may miss the rest of the day. */
    @Test
    void queriesOfALateTimeRunAfterMidnight()
            throws IOException
    {
        String late = AT.replace("06:30", "23:30");
        run(rounds(late, false));
        assertThat(lines).as("a new rule does not begin with the day before").isEmpty();
        clock.after(Duration.ofHours(17));
        run(rounds(late, false));
        assertThat(lines).as("23:00").isEmpty();
        clock.after(Duration.ofHours(1));
        hits();
        hits();
        run(rounds(late, false));
        assertThat(lines).as("00:00").hasSize(2);
        clock.after(Duration.ofHours(23));
        run(rounds(late, false));
        assertThat(lines).as("23:00").isEmpty();
    }

    @Test
    void nextRoundIsInTime()
            throws IOException
    {
        String rare = AT.replace("{\"time_zone\"", "{\"every\": \"1d\", \"quiet_hours\": [\"07:00-09:00\"], \"time_zone\"");
        WarmRounds rounds = rounds(rare, false);
        assertThat(rounds.pause()).isEqualTo(Duration.ofMinutes(30));
        clock.after(Duration.ofMinutes(30));
        assertThat(rounds.pause()).isEqualTo(Duration.ofDays(1));
        clock.after(Duration.ofMinutes(30));
        assertThat(rounds.pause()).as("quiet hours").isEqualTo(Duration.ofHours(2));
        assertThat(rounds(AT, false).pause()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void queryThatFailsIsGivenUpAndOthersRun()
            throws IOException
    {
        clock.after(Duration.ofHours(1));
        WarmRounds rounds = rounds(AT, false);
        coordinator.answer(200, error("USER_ERROR")).answer(200, info(Map.of("S1-eyrieDataRemoteReadBytes", 5)));
        hits();
        assertThat(run(rounds)).isEqualTo(1);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("a.sql: failed: The coordinator refused a statement: It broke; tries again in 60 s");
        assertThat(CommandRun.json(directory.resolve("state.json")).path("loaded_bytes").asLong()).as("loaded by a query that failed").isEqualTo(5);
        coordinator.answer(200, error("USER_ERROR")).answer(200, info(Map.of()));
        assertThat(run(rounds)).isEqualTo(1);
        assertThat(lines).as("the same again").isEmpty();
        coordinator.answer(200, error("USER_ERROR")).answer(200, info(Map.of()));
        assertThat(run(rounds)).isEqualTo(1);
        assertThat(lines).singleElement().asString().contains("It broke; gives up after 3 runs until tomorrow");
        assertThat(run(rounds)).isZero();
    }

    @Test
    void outageIsSurvivedForAnHour()
            throws IOException
    {
        clock.after(Duration.ofHours(1));
        WarmRounds rounds = rounds("{\"time_zone\": \"UTC\", \"rules\": [{\"schema\": \"web\", \"at\": \"06:30\", \"queries\": [\"a.sql\"]}]}",
                false);
        for (int minutes = 0; minutes < 60; minutes += 10) {
            coordinator.answer(200, error("EXTERNAL")).answer(200, info(Map.of()));
            assertThat(run(rounds)).isEqualTo(1);
            assertThat(lines).hasSize(minutes == 0 ? 1 : 0);
            clock.after(Duration.ofMinutes(10));
        }
        coordinator.answer(200, error("EXTERNAL")).answer(200, info(Map.of()));
        run(rounds);
        assertThat(lines).singleElement().asString().contains("gives up after 7 runs until tomorrow");
    }

    @Test
    void dailyBudgetEndsAQuery()
            throws IOException
    {
        clock.after(Duration.ofHours(1));
        String rules = "{\"time_zone\": \"UTC\", \"daily_bytes\": \"10B\", \"rules\": [{\"schema\": \"web\", \"at\": \"06:30\", \"queries\": [\"a.sql\", \"b.sql\"]}]}";
        WarmRounds rounds = rounds(rules, false);
        coordinator.answer(200, "{\"id\": \"q\", \"nextUri\": \"$server/v1/statement/q/1\"}").answer(200, info(Map.of(
                "S1-eyrieDataRemoteReadBytes", 11))).answer(204, "").answer(200, info(Map.of("S1-eyrieDataRemoteReadBytes", 12)));
        assertThat(run(rounds)).isZero();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("a.sql: canceled after it had loaded 12B, because the daily budget is used up; runs again tomorrow");
        assertThat(lines.get(1)).contains("web at 06:30: the daily budget of 10B is used up: 1 query to replay tomorrow");
        assertThat(coordinator.requests().get(2)).startsWith("DELETE /v1/statement/q/1");
        run(rounds(rules, false));
        assertThat(lines).singleElement().asString().contains("2 queries to replay tomorrow");
        clock.after(Duration.ofDays(1));
        coordinator.answer(200, ENDED).answer(200, info(Map.of())).answer(200, info(Map.of("S0-eyrieFragmentRefused", 1,
                "S0-eyrieFragmentRefusedLambda", 1)));
        coordinator.answer(200, ENDED).answer(200, info(Map.of())).answer(200, info(Map.of("S1-eyrieFragmentHits", 1, "S1-eyrieFragmentMisses", 1,
                "S1-eyrieFragmentMissesClock", 1)));
        run(rounds);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("a.sql: ran once in 0.0 s: no split of it has a result (eyrieFragmentRefusedLambda 1); loaded 0B");
        assertThat(lines.get(1)).contains("its last run was served 1 of 2 splits from results (misses: eyrieFragmentMissesClock 1); loaded 0B");
    }

    @Test
    void quietHoursAreSaidOnce()
            throws IOException
    {
        String rules = """
                {"time_zone": "UTC", "quiet_hours": ["05:00-08:00"],
                 "rules": [{"schema": "web", "table": "clicks", "what": "queries", "queries": ["a.sql"]}]}
                """;
        WarmRounds rounds = rounds(rules, false);
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}");
        run(rounds);
        assertThat(lines).singleElement().asString().contains("web.clicks (queries): quiet hours until 08:00: 1 query to replay then");
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}");
        run(rounds);
        assertThat(lines).isEmpty();
        clock.after(Duration.ofHours(2));
        coordinator.answer(200, COLUMNS).answer(200, "{\"data\": [[\"1\"]]}");
        hits();
        run(rounds);
        assertThat(lines).singleElement().asString().contains("web.clicks (queries) a.sql: ran once");
    }
}
