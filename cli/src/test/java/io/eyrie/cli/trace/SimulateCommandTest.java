// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.trace.TraceRecord;
import io.eyrie.cli.CommandRun;
import io.eyrie.cli.TestingCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

final class SimulateCommandTest
{
    private static final long MIB = TestingTrace.PAGE;

    private final Path root;
    private final Path json;

    SimulateCommandTest(@TempDir Path root)
    {
        this.root = root;
        json = root.resolve("out.json");
    }

    private Path trace(String name, List<TraceRecord> records)
            throws IOException
    {
        return TestingTrace.write(root.resolve(name), records);
    }

    private static JsonNode point(JsonNode report, String policy, long capacityBytes)
    {
        for (JsonNode point : report.get("points")) {
            if (point.get("policy").asText().equals(policy) && point.get("capacity_bytes").asLong() == capacityBytes) {
                return point;
            }
        }
        throw new AssertionError("no point of " + policy + " with " + capacityBytes);
    }

    @Test
    void everyPolicyBesideTheOptimum()
            throws IOException
    {
        Path trace = trace("a", TestingTrace.popular(3000));
        CommandRun run = CommandRun.of("simulate", trace, "--json", json);

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("3,000 lookups");
        JsonNode report = CommandRun.json(json);
        long footprint = report.get("footprint_bytes").asLong();
        assertThat(footprint).isEqualTo(report.get("pages").asLong() * MIB);
        assertThat(report.get("bytes").asLong()).isEqualTo(3000 * MIB);
        assertThat(report.get("points")).hasSize(6 * 3);
        for (long capacity = footprint / 16; capacity <= 2 * footprint; capacity *= 2) {
            JsonNode optimum = point(report, "BELADY", capacity);
            for (String policy : List.of("S3_FIFO", "LRU")) {
                JsonNode point = point(report, policy, capacity);
                assertThat(point.get("hits").asLong()).isLessThanOrEqualTo(optimum.get("hits").asLong());
                assertThat(point.get("remote_bytes").asLong()).isEqualTo((3000 - point.get("hits").asLong()) * MIB);
            }
        }
        assertThat(point(report, "LRU", 2 * footprint).get("remote_bytes").asLong()).isEqualTo(footprint);
        assertThat(run.out()).contains("S3_FIFO hits", "BELADY remote", "50.0 %", " all ").doesNotContain("200.0 %");
        assertThat(report.get("twice").isNull()).isTrue();
    }

    @Test
    void whatTwiceThePresentCapacityWouldBring()
            throws IOException
    {
        Path trace = trace("a", TestingTrace.popular(3000));
        CommandRun run = CommandRun.of("simulate", trace, "--capacity", "10MB,5MB", "--now", "20MB", "--json", json);

        assertThat(run.exitCode()).isZero();
        JsonNode report = CommandRun.json(json);
        assertThat(report.get("points")).extracting(point -> point.get("capacity_bytes").asLong() / MIB).containsExactly(
                5L, 5L, 5L, 10L, 10L, 10L, 20L, 20L, 20L, 40L, 40L, 40L);
        assertThat(report.get("twice").asText()).startsWith("Twice the capacity, 40MB instead of 20MB, would raise the hit ratio from ");
        assertThat(run.out()).contains(report.get("twice").asText());
    }

    @Test
    void warmCacheIsSimulatedWarm()
            throws IOException
    {
        List<TraceRecord> records = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // six of seven pages were cached before
            ReadOutcome outcome = i % 7 == 6 && i < 7 ? ReadOutcome.MISS : ReadOutcome.HIT;
            records.add(TestingTrace.lookup(TestingTrace.BEGIN_MILLIS + i, "clicks", i % 7, StorageClass.DATA, outcome));
        }
        CommandRun run = CommandRun.of("simulate", trace("a", records), "--now", "1GB", "--json", json);
        JsonNode report = CommandRun.json(json);
        assertThat(report.get("recorded_hits").asInt()).isEqualTo(59);
        for (String policy : List.of("S3_FIFO", "LRU", "BELADY")) {
            assertThat(point(report, policy, 1 << 30).get("hits").asInt()).as(policy).isEqualTo(59);
        }
        assertThat(run.out()).contains("The trace recorded 98.3 % hits; each simulated cache begins with the 6 pages",
                "98.3 % of the lookups would be hits with either");
    }

    @Test
    void twiceOfEnoughBringsNothing()
            throws IOException
    {
        CommandRun run = CommandRun.of("simulate", trace("a", TestingTrace.popular(100)), "--now", "1GB");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Twice the capacity, 2GB instead of 1GB, would not help");
    }

    @Test
    void pageIsWellFormedAndHasACurveAPolicy()
            throws IOException,
            ParserConfigurationException,
            SAXException
    {
        Path html = root.resolve("out.html");
        // a name that would be read as markup if it were not escaped
        Path trace = trace("a & <b>", TestingTrace.popular(500));
        assertThat(CommandRun.of("simulate", trace, "--html", html, "--now", "30MB").exitCode()).isZero();

        Document page = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(html.toFile());
        NodeList curves = page.getElementsByTagName("polyline");
        assertThat(curves.getLength()).isEqualTo(2 * 3);
        for (int i = 0; i < curves.getLength(); i++) {
            String points = curves.item(i).getAttributes().getNamedItem("points").getNodeValue();
            assertThat(points.split(" ")).hasSize(8).allMatch(point -> point.matches("[0-9.]+,[0-9.]+"));
        }
        assertThat(page.getElementsByTagName("tr").getLength()).isEqualTo(1 + 8);
        assertThat(page.getDocumentElement().getTextContent()).contains("Twice the capacity, 60MB", "a & <b>");
        assertThat(Files.readString(html)).doesNotContain("<script", "<link", "src=");
    }

    @Test
    void sealedTrace()
            throws IOException
    {
        Path key = TestingCache.key(root.resolve("key"), 7);
        Path traces = Files.createDirectory(root.resolve("traces"));
        Path directory = Files.createDirectory(root.resolve("cache"));
        try (TestingCache cache = new TestingCache(
                TestingCache.config(directory).encryptionKey(Optional.of(TestingCache.named(key))).traceDirectory(Optional.of(traces)).build())) {
            cache.read(1, 3 * TestingCache.PAGE, "clicks", "");
            cache.read(1, 3 * TestingCache.PAGE, "clicks", "");
        }
        Path trace = TestingCache.file(traces, ".eyrie");

        CommandRun right = CommandRun.of("simulate", trace, "--key-file", key, "--json", json);
        assertThat(right.exitCode()).isZero();
        assertThat(CommandRun.json(json).get("pages").asInt()).isEqualTo(3);
        CommandRun wrong = CommandRun.of("simulate", trace, "--key-file", TestingCache.key(root.resolve("other"), 8));
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains(trace + ": ", "--key-file").doesNotContain("\tat ");
        CommandRun without = CommandRun.of("simulate", trace);
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.err()).contains(trace + ": The trace is encrypted", "--key-file");
    }

    @Test
    void traceThatWasCutOffIsUsedUpToItsEnd()
            throws IOException
    {
        Path trace = TestingTrace.cut(trace("a", TestingTrace.popular(5000)));
        CommandRun run = CommandRun.of("simulate", trace, "--json", json);
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("It is truncated");
        JsonNode report = CommandRun.json(json);
        assertThat(report.at("/traces/0/cut_off").asBoolean()).isTrue();
        assertThat(report.get("lookups").asInt()).isPositive().isLessThan(5000).isEqualTo(report.at("/traces/0/lookups").asInt());
    }

    @Test
    void tracesFollowEachOtherByTheirBegin()
            throws IOException
    {
        List<TraceRecord> records = TestingTrace.popular(1000);
        Path whole = trace("whole", records);
        Path second = trace("1", records.subList(500, 1000));
        Path first = trace("2", records.subList(0, 500));
        assertThat(CommandRun.of("simulate", whole, "--capacity", "20MB", "--json", json).exitCode()).isZero();
        JsonNode points = CommandRun.json(json).get("points");
        assertThat(CommandRun.of("simulate", second, first, "--capacity", "20MB", "--json", json).exitCode()).isZero();
        assertThat(CommandRun.json(json).get("points")).isEqualTo(points);
    }

    @Test
    void traceWithoutLookups()
            throws IOException
    {
        Path html = root.resolve("out.html");
        CommandRun run = CommandRun.of("simulate", trace("a", List.of()), Files.createFile(root.resolve("b")), "--html", html);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("There are no lookups");
        assertThat(html).exists();
    }

    @Test
    void fileThatIsNoTrace()
            throws IOException
    {
        Path file = Files.writeString(root.resolve("a"), "not a trace at all");
        CommandRun run = CommandRun.of("simulate", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(file + " cannot be read as a trace").doesNotContain("\tat ");
        CommandRun missing = CommandRun.of("simulate", root.resolve("none"));
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains(root.resolve("none") + " does not exist").doesNotContain("\tat ");
    }

    @Test
    void wrongArguments()
            throws IOException
    {
        Path trace = trace("a", TestingTrace.popular(10));
        assertThat(CommandRun.of("simulate").exitCode()).isEqualTo(2);
        CommandRun size = CommandRun.of("simulate", trace, "--capacity", "100");
        assertThat(size.exitCode()).isEqualTo(2);
        assertThat(size.err()).contains("a size is a number and a unit, such as 100GB");
        assertThat(CommandRun.of("simulate", trace, "--now", "0B").exitCode()).isEqualTo(2);
        CommandRun html = CommandRun.of("simulate", trace, "--html", "/no/such/folder/out.html");
        assertThat(html.exitCode()).isEqualTo(2);
        assertThat(html.err()).contains("--html names a file that cannot be written");
    }
}
