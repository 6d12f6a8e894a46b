// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.server.WarmRules.Rule;
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
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WarmRulesTest
{
    private final Path file;

    WarmRulesTest(@TempDir Path directory)
    {
        file = directory.resolve("rules.json");
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
                new Rule("web", "clicks", true, 3, OptionalLong.of(1L << 30)),
                new Rule("web", "clicks", false, 1, OptionalLong.empty()));
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
        assertThat(rules.rules()).containsExactly(new Rule("web", "clicks", true, 1, OptionalLong.empty()));
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
            {"rules": [{"schema": "s", "table": "t", "what": "all"}]}                  | rules[0].what: all is neither data nor footers
            {"rules": [{"schema": "s", "table": "t", "max_bytes": "much"}]}            | max_bytes: "much" is not a size above 0
            {"rules": [{"schema": "s", "table": "t", "what": "footers", "max_bytes": "1B"}]} | limits bytes of data
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
