// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.server.WarmRules.Query;
import io.eyrie.cli.server.WarmRules.Replay;
import io.eyrie.cli.server.WarmRules.Rule;
import io.eyrie.cli.server.WarmRules.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WarmRulesTest
{
    private final Path file;

    WarmRulesTest(@TempDir Path directory)
            throws IOException
    {
        file = directory.resolve("rules.json");
        Files.writeString(directory.resolve("right.sql"), "SELECT 1;\n");
        Files.writeString(directory.resolve("commented.sql"), "-- of ; the dashboard\n/* two */ (with t AS (SELECT 1) SELECT * FROM t) ; \n");
        Files.writeString(directory.resolve("insert.sql"), "-- SELECT\nINSERT INTO t SELECT 1");
        Files.writeString(directory.resolve("empty.sql"), "-- SELECT");
        Files.writeString(directory.resolve("long.sql"), "SELECT 1".repeat(125_000) + " ");
    }

    private WarmRules read(String text)
            throws IOException
    {
        return WarmRules.read(Files.writeString(file, text));
    }

    @Test
    void everyKey()
            throws IOException
    {
        WarmRules rules = read("""
                {"every": "30s", "daily_bytes": "2GB", "quiet_hours": ["08:00-10:30", "22:00-01:00"], "time_zone": "Europe/Berlin", "rules": [
                    {"schema": "web", "table": "clicks", "newest": 3, "max_bytes": "1GB"},
                    {"schema": "web", "table": "clicks", "what": "footers"}]}
                """);
        assertThat(rules.every()).isEqualTo(Duration.ofSeconds(30));
        assertThat(rules.dailyBytes()).hasValue(2L << 30);
        assertThat(rules.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(rules.rules()).containsExactly(
                new Rule("web", Optional.of("clicks"), What.DATA, 3, OptionalLong.of(1L << 30), Replay.NONE),
                new Rule("web", Optional.of("clicks"), What.FOOTERS, 1, OptionalLong.empty(), Replay.NONE));
        for (String quiet : new String[] {"08:00", "10:29", "22:00", "23:59", "00:59"}) {
            assertThat(rules.quietAt(LocalTime.parse(quiet))).as(quiet).isPresent();
        }
        for (String busy : new String[] {"07:59", "10:30", "21:59", "01:00"}) {
            assertThat(rules.quietAt(LocalTime.parse(busy))).as(busy).isEmpty();
        }
    }

    @Test
    void defaults()
            throws IOException
    {
        WarmRules rules = read("{\"rules\": [{\"schema\": \"web\", \"table\": \"clicks\"}]}");
        assertThat(rules.every()).isEqualTo(Duration.ofMinutes(1));
        assertThat(rules.dailyBytes()).isEmpty();
        assertThat(rules.quietHours()).isEmpty();
        assertThat(rules.rules()).containsExactly(new Rule("web", Optional.of("clicks"), What.DATA, 1, OptionalLong.empty(), Replay.NONE));
    }

    @Test
    void queriesAfterPartitionsAndAtATimeOfDay()
            throws IOException
    {
        WarmRules rules = read("""
                {"rules": [
                    {"schema": "web", "table": "clicks", "queries": ["right.sql"]},
                    {"schema": "web", "table": "clicks", "what": "queries", "queries": ["right.sql", "commented.sql"]},
                    {"schema": "web", "at": "06:30", "queries": ["commented.sql"],
                        "session": {"user": "bi", "time_zone": "Europe/Berlin", "locale": "de-DE"}},
                    {"schema": "web", "at": "06:30", "queries": ["right.sql"]}]}
                """);
        Query right = new Query("right.sql", "SELECT 1");
        Query commented = new Query("commented.sql", "-- of ; the dashboard\n/* two */ (with t AS (SELECT 1) SELECT * FROM t)");
        assertThat(rules.rules()).containsExactly(
                new Rule("web", Optional.of("clicks"), What.DATA, 1, OptionalLong.empty(), new Replay(List.of(right), Optional.empty(), Map.of())),
                new Rule("web", Optional.of("clicks"), What.QUERIES, 1, OptionalLong.empty(), new Replay(List.of(right, commented), Optional.empty(),
                        Map
                                .of())),
                new Rule("web", Optional.empty(), What.QUERIES, 1, OptionalLong.empty(), new Replay(List.of(commented), Optional.of(LocalTime.of(6,
                        30)), Map.of("X-Presto-User", "bi", "X-Presto-Time-Zone", "Europe/Berlin", "X-Presto-Language", "de-DE"))),
                new Rule("web", Optional.empty(), What.QUERIES, 1, OptionalLong.empty(), new Replay(List.of(right), Optional.of(LocalTime.of(6, 30)),
                        Map.of())));
        assertThat(rules.rules().stream().map(Rule::name)).containsExactly("web.clicks", "web.clicks (queries)", "web at 06:30 as bi",
                "web at 06:30");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [                                                                          | is not JSON
            []                                                                         | is not an object
            {}                                                                         | is not a number of rules from 1 to 1000
            {"rules": {}}                                                              | is not a list
            {"rule": []}                                                               | rule is not a known key. To fix: write rules
            {"rules": [{"schema": "s", "table": "t", "newst": 1}]}                     | newst is not a known key. To fix: write newest
            {"rules": [{"table": "t"}]}                                                | rules[0].schema:  is not a name
            {"rules": [{"schema": "s", "table": "t", "newest": 0}]}                    | rules[0].newest: 0 is not a number of partitions from 1 to 1000
            {"rules": [{"schema": "s", "table": "t", "what": "all"}]}                  | rules[0].what: all is neither data, footers nor queries
            {"rules": [{"schema": "s", "table": "t", "max_bytes": "much"}]}            | max_bytes: "much" is not a size above 0
            {"rules": [{"schema": "s", "table": "t", "what": "footers", "max_bytes": "1B"}]} | limits bytes of data
            {"rules": [{"schema": "s", "table": "t", "what": "queries"}]}              | rules[0].what: queries needs queries
            {"rules": [{"schema": "s", "table": "t", "what": "queries", "queries": ["right.sql"], "max_bytes": "1B"}]} | limits bytes of data, not of queries
            {"rules": [{"schema": "s", "at": "06:30"}]}                                | rules[0].at: "06:30" is of queries, and there is none
            {"rules": [{"schema": "s", "table": "t", "session": {"user": "u"}}]}       | rules[0].session: {"user":"u"} is of queries
            {"rules": [{"schema": "s", "queries": ["right.sql"]}]}                     | rules[0].table:  is not a name
            {"rules": [{"schema": "s", "at": "06:30", "table": "t", "queries": ["right.sql"]}]} | rules[0].table: "t" does not fit at
            {"rules": [{"schema": "s", "at": "06:30", "newest": 2, "queries": ["right.sql"]}]} | rules[0].newest: 2 does not fit at
            {"rules": [{"schema": "s", "at": "soon", "queries": ["right.sql"]}]}       | rules[0].at: "soon" is not a time of day
            {"rules": [{"schema": "s", "table": "t", "queries": "right.sql"}]}         | queries: "right.sql" is not a list
            {"rules": [{"schema": "s", "table": "t", "queries": ["none.sql"]}]}        | rules[0].queries: none.sql is not a file
            {"rules": [{"schema": "s", "table": "t", "queries": ["right.sql", "right.sql"]}]} | rules[0].queries: right.sql occurs twice
            {"rules": [{"schema": "s", "table": "t", "queries": ["insert.sql"]}]}      | rules[0].queries: insert.sql contains another statement than a query
            {"rules": [{"schema": "s", "table": "t", "queries": ["empty.sql"]}]}       | rules[0].queries: empty.sql contains another statement than a query, or none
            {"rules": [{"schema": "s", "table": "t", "queries": ["long.sql"]}]}        | rules[0].queries: long.sql has 1000001 bytes, more than 1000000
            {"rules": [{"schema": "s", "table": "t", "queries": ["right.sql"], "session": {"timezone": "UTC"}}]} | rules[0].session: timezone is not a known key. To fix: write time_zone
            {"rules": [{"schema": "s", "table": "t", "queries": ["right.sql"], "session": {"time_zone": "Moon"}}]} | rules[0].session.time_zone: Moon is not a time zone
            {"rules": [{"schema": "s", "table": "t", "queries": ["right.sql"], "session": {"locale": "de_DE"}}]} | rules[0].session.locale: de_DE is not the tag
            {"rules": [{"schema": "s", "table": "t", "queries": ["right.sql"], "session": {"user": "ü"}}]} | rules[0].session.user: ü has characters
            {"rules": [{"schema": "s", "table": "t"}, {"schema": "s", "table": "t"}]}  | rules: s.t has more than one rule
            {"every": "2d", "rules": [{"schema": "s", "table": "t"}]}                  | every: 2d is not a time from 1s to 1d
            {"every": "soon", "rules": [{"schema": "s", "table": "t"}]}                | every: soon is not a time
            {"quiet_hours": ["8-10"], "rules": [{"schema": "s", "table": "t"}]}        | quiet_hours: 8-10 is not a part of a day
            {"time_zone": "Moon", "rules": [{"schema": "s", "table": "t"}]}            | time_zone: Moon is not a time zone
            {"daily_bytes": "0B", "rules": [{"schema": "s", "table": "t"}]}            | daily_bytes: "0B" is not a size above 0
            """)
    void wrongFiles(String text, String complaint)
    {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ReportedException.class).hasMessageContaining(file.toString()).hasMessageContaining(
                complaint);
    }
}
