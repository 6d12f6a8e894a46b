// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.trace.TraceWriter;
import io.eyrie.cli.CommandRun;
import io.eyrie.cli.TestingCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static io.eyrie.cli.trace.TestingTrace.BEGIN_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

final class TraceStatsCommandTest
{
    private static final int PAGE = TestingTrace.PAGE;

    private final Path root;
    private final Path json;

    TraceStatsCommandTest(@TempDir Path root)
    {
        this.root = root;
        json = root.resolve("out.json");
    }

    @Test
    void lookupsByOutcomeTableAndClass()
            throws IOException
    {
        Path trace = root.resolve("a");
        try (TraceWriter writer = new TraceWriter(Files.newOutputStream(trace), false)) {
            writer.write(TestingTrace.lookup(BEGIN_MILLIS, "views", 1, StorageClass.FOOTER, ReadOutcome.MISS));
            writer.writeLost(7);
            writer.write(TestingTrace.lookup(BEGIN_MILLIS + 1, "clicks", 1, StorageClass.DATA, ReadOutcome.MISS));
            writer.write(TestingTrace.lookup(BEGIN_MILLIS + 2, "clicks", 1, StorageClass.DATA, ReadOutcome.HIT));
            writer.write(TestingTrace.lookup(BEGIN_MILLIS + 3_723_000, "clicks", 2, StorageClass.DATA, ReadOutcome.CORRUPT));
        }
        CommandRun run = CommandRun.of("trace", "stats", trace, "--json", json);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("4 lookups of 3 pages, 3MB", "hit ratio as recorded: 25.0 %", "1 h 2 min 3 s", "lost while recording: 7");
        assertThat(run.out().indexOf("hive.web.clicks")).isPositive().isLessThan(run.out().indexOf("hive.web.views"));
        JsonNode report = CommandRun.json(json);
        assertThat(report.at("/all/lookups").asInt()).isEqualTo(4);
        assertThat(report.at("/all/pages").asInt()).isEqualTo(3);
        assertThat(report.at("/all/bytes").asInt()).isEqualTo(3 * PAGE);
        assertThat(report.at("/all/read_bytes").asInt()).isEqualTo(4 * PAGE / 2);
        assertThat(report.at("/lost").asInt()).isEqualTo(7);
        assertThat(report.at("/begin").asText()).isEqualTo("2026-11-18T11:06:40Z");
        assertThat(report.at("/tables/0/name").asText()).isEqualTo("hive.web.clicks");
        assertThat(report.at("/tables/0/pages").asInt()).isEqualTo(2);
        assertThat(report.at("/tables/0/hits").asInt()).isEqualTo(1);
        assertThat(report.at("/storage_classes/1/name").asText()).isEqualTo("FOOTER");
        assertThat(report.at("/outcomes")).extracting(outcome -> outcome.get("outcome").asText() + " " + outcome.get("lookups"))
                .containsExactly("HIT 1", "MISS 2", "CORRUPT 1");
    }

    @Test
    void severalTraces()
            throws IOException
    {
        Path first = TestingTrace.write(root.resolve("a"), TestingTrace.popular(100));
        Path second = TestingTrace.cut(TestingTrace.write(root.resolve("b"), TestingTrace.popular(5000)));
        CommandRun run = CommandRun.of("trace", "stats", first, second, "--json", json);
        assertThat(run.exitCode()).isZero();
        JsonNode report = CommandRun.json(json);
        assertThat(report.at("/all/lookups").asInt()).isEqualTo(report.at("/traces/0/lookups").asInt() + report.at("/traces/1/lookups").asInt());
        assertThat(run.err()).contains("It is truncated");
    }

    @Test
    void tracesOfACacheNameTablesAndCopiesToShareDoNot()
            throws IOException
    {
        Path traces = Files.createDirectory(root.resolve("traces"));
        try (TestingCache cache = new TestingCache(
                TestingCache.config(Files.createDirectory(root.resolve("cache"))).traceDirectory(Optional.of(traces)).build())) {
            cache.read(1, 3 * TestingCache.PAGE, "clicks", "");
        }
        Path trace = TestingCache.file(traces, ".eyrie");
        CommandRun named = CommandRun.of("trace", "stats", trace, "--json", json);
        assertThat(named.out()).contains("clicks");
        JsonNode report = CommandRun.json(json);

        Path copy = root.resolve("copy.eyrie");
        CommandRun hash = CommandRun.of("trace", "hash", trace, copy);
        assertThat(hash.exitCode()).isZero();
        assertThat(hash.out()).contains("Wrote 3 lookups to " + copy);
        CommandRun hashed = CommandRun.of("trace", "stats", copy, "--json", json);
        assertThat(hashed.out()).doesNotContain("clicks");
        assertThat(CommandRun.json(json).get("all")).isEqualTo(report.get("all"));
        CommandRun again = CommandRun.of("trace", "hash", trace, copy);
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains(copy.toString());
    }

    @Test
    void nothingInIt()
            throws IOException
    {
        CommandRun run = CommandRun.of("trace", "stats", TestingTrace.write(root.resolve("a"), List.of()), "--json", json);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("There are no lookups");
        assertThat(CommandRun.json(json).get("begin").isNull()).isTrue();
    }

    @Test
    void wrongArguments()
    {
        assertThat(CommandRun.of("trace").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("trace", "stats").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("trace", "record", "x").exitCode()).isEqualTo(2);
    }
}
