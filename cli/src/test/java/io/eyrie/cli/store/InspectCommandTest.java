// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cache.file.Scope;
import io.eyrie.cli.CommandRun;
import io.eyrie.cli.TestingCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

final class InspectCommandTest
{
    private static final int PAGE = TestingCache.PAGE;

    private final Path root;
    private final Path directory;
    private final Path json;

    InspectCommandTest(@TempDir Path root)
            throws IOException
    {
        this.root = root;
        directory = Files.createDirectory(root.resolve("cache"));
        json = root.resolve("out.json");
    }

    private static void fill(TestingCache cache)
            throws IOException
    {
        cache.read(1, 2 * PAGE, "views", "ds=1");
        cache.read(2, 3 * PAGE, "clicks", "ds=1");
        cache.read(3, 2 * PAGE + 100, "clicks", "ds=2");
    }

    private static Map<String, String> contents(Path folder)
            throws IOException
    {
        Map<String, String> contents = new TreeMap<>();
        for (Path file : TestingCache.files(folder)) {
            contents.put(file.toString(), Files.getLastModifiedTime(file) + " " + HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
        return contents;
    }

    @Test
    void tablesTheLargestFirst()
            throws IOException
    {
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).build())) {
            fill(cache);
        }
        CommandRun run = CommandRun.of("inspect", directory, "--json", json);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("which is running", "intact", "pages of 64kB, granules of 4kB, not encrypted");
        assertThat(run.out().indexOf("hive.web.clicks")).isPositive().isLessThan(run.out().indexOf("hive.web.views"));
        JsonNode report = CommandRun.json(json).get(0);
        assertThat(report.at("/all/pages").asInt()).isEqualTo(8);
        assertThat(report.at("/all/bytes").asInt()).isEqualTo(7 * PAGE + 100);
        assertThat(report.at("/tables/0/name").asText()).isEqualTo("hive.web.clicks");
        assertThat(report.at("/tables/0/schema").asText()).isEqualTo("web");
        assertThat(report.at("/tables/0/pages").asInt()).isEqualTo(6);
        assertThat(report.at("/tables/0/bytes").asInt()).isEqualTo(5 * PAGE + 100);
        assertThat(report.at("/tables/0/segments").asInt()).isEqualTo(2);
        assertThat(report.at("/tables/0").has("partition")).isFalse();
        assertThat(report.at("/tables")).hasSize(2);
        assertThat(report.at("/storage_classes/0/name").asText()).isEqualTo("DATA");
        assertThat(report.at("/journal/whole").asBoolean()).isTrue();
        assertThat(report.at("/free_bytes").asLong()).isPositive();
    }

    @Test
    void partitionsOnRequest()
            throws IOException
    {
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).build())) {
            fill(cache);
        }
        CommandRun run = CommandRun.of("inspect", directory, "--partitions", "--json", json);

        assertThat(run.out()).contains("hive.web.clicks ds=1", "hive.web.clicks ds=2", "hive.web.views ds=1");
        assertThat(CommandRun.json(json).at("/0/tables")).hasSize(3);
        assertThat(CommandRun.json(json).at("/0/tables/0/partition").asText()).isEqualTo("ds=1");
    }

    @Test
    void nothingIsChangedOnTheDisk()
            throws IOException
    {
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).build())) {
            fill(cache);
        }
        Map<String, String> before = contents(directory);
        assertThat(CommandRun.of("inspect", directory).exitCode()).isZero();
        assertThat(CommandRun.of("verify", directory).exitCode()).isZero();
        assertThat(contents(directory)).isEqualTo(before);
    }

    @Test
    void ownerAtWorkIsNotDisturbed()
            throws IOException
    {
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).build())) {
            fill(cache);
            awaitPages(8);
            CommandRun run = CommandRun.of("inspect", directory);
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("process " + ProcessHandle.current().pid(), "which is running", "8 with");

            cache.cache().control().invalidate(new Scope("hive", "web", "clicks", "ds=1"));
            awaitPages(5);
            long hits = cache.cache().stats().lookup().hits();
            cache.read(1, 2 * PAGE, "views", "ds=1");
            assertThat(cache.cache().stats().lookup().hits()).isEqualTo(hits + 2);
        }
        assertThat(CommandRun.of("inspect", directory, "--json", json).exitCode()).isZero();
        assertThat(CommandRun.json(json).at("/0/all/pages").asInt()).isEqualTo(5);
    }

    /** Waits until the journal contains {@code pages} pages. */
    private void awaitPages(int pages)
    {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int found = -1;
        while (found != pages && System.nanoTime() < deadline) {
            assertThat(CommandRun.of("inspect", directory, "--json", json).exitCode()).isZero();
            found = CommandRun.json(json).at("/0/all/pages").asInt();
        }
        assertThat(found).isEqualTo(pages);
    }

    @Test
    void encryptedCacheNeedsItsKey()
            throws IOException
    {
        Path key = TestingCache.key(root.resolve("key"), 7);
        Path other = TestingCache.key(root.resolve("other"), 8);
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).encryptionKey(Optional.of(TestingCache.named(key))).build())) {
            fill(cache);
        }
        CommandRun without = CommandRun.of("inspect", directory);
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.err()).contains("The cache in " + directory + " is encrypted: name the file of its key").doesNotContain("\tat ");
        CommandRun wrong = CommandRun.of("inspect", directory, "--key-file", other);
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("a key other than").doesNotContain("\tat ");
        for (List<Object> keys : List.<List<Object>>of(List.of("--key-file", key), List.of("--key-file", other, "--key-file", key))) {
            Object[] arguments = {"inspect", directory, keys.get(0), keys.get(1), keys.get(keys.size() - 2), keys.get(keys.size() - 1)};
            CommandRun right = CommandRun.of(arguments);
            assertThat(right.exitCode()).isZero();
            assertThat(right.out()).contains("8 with", ", encrypted").doesNotContain("not encrypted");
        }
    }

    @Test
    void keyOfACacheThatIsNotEncryptedDoesNotMatter()
            throws IOException
    {
        try (TestingCache cache = new TestingCache(TestingCache.config(directory).build())) {
            fill(cache);
        }
        CommandRun run = CommandRun.of("inspect", directory, "--key-file", TestingCache.key(root.resolve("key"), 7));
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("8 with", "not encrypted");
    }

    @Test
    void directoryThatIsNoCache()
    {
        CommandRun run = CommandRun.of("inspect", directory);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(directory + " holds no cache", "cache.base-directory").doesNotContain("\tat ");

        CommandRun missing = CommandRun.of("inspect", directory.resolve("none"));
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("There is no directory " + directory.resolve("none")).doesNotContain("\tat ");
    }

    @Test
    void wrongArguments()
    {
        assertThat(CommandRun.of("inspect").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("inspct", directory).exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("inspect", directory, "--json", "/no/such/folder/out.json").exitCode()).isEqualTo(2);
        CommandRun run = CommandRun.of("inspect", directory, "--key-file", directory.resolve("key"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--key-file does not name a file: " + directory.resolve("key"));
    }

    @Test
    void emptyCache()
    {
        new TestingCache(TestingCache.config(directory).build()).close();
        CommandRun run = CommandRun.of("inspect", directory);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("0 with 0B");
        assertThat(CommandRun.of("verify", directory).exitCode()).isZero();
    }
}
