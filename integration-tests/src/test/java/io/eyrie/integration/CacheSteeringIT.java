// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that an operator's settings of the data cache take effect on a real cluster. Each catalog has its own directories on the one node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CacheSteeringIT
{
    private static final String MARKER = "eyrie-marker-in-the-clear";
    private static final String SUM = "SELECT count(*), sum(l_orderkey), max(l_comment) FROM ";
    private static final double BUDGET_BYTES = 256 << 10;
    private static final Duration TTL = Duration.ofSeconds(30);

    private final Path directory;
    private @Nullable Lake lake;
    private double writtenOfTheDay;
    private long filledAt;

    CacheSteeringIT(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeAll
    void start()
            throws IOException
    {
        key("current", 'a');
        key("previous", 'b');
        Files.createDirectory(directory.resolve("traces"));
        lake = Lake.builder(Checkout.find())
                .name("steering")
                .workers(0)
                .property("cache.encryption-key-file", directory.resolve("current").toString())
                .property("cache.previous-encryption-keys", "file:" + directory.resolve("previous"))
                .property("cache.trace-directory", directory.resolve("traces").toString())
                .catalog("ruled", catalog("ruled", Map.of(
                        "cache.eviction-policy", "LRU",
                        "cache.page-size", "64kB",
                        "cache.admission.deny", "ruled.steered.denied*",
                        "cache.quotas", "ruled.steered.small=256kB")))
                .catalog("frugal", catalog("frugal", Map.of("cache.admission.query-write-budget", "256kB")))
                .catalog("daily", catalog("daily", Map.of("cache.admission.daily-write-budget", "256kB")))
                .catalog("resized", catalog("resized", Map.of("cache.page-size", "64kB", "cache.max-cache-size", "1MB")))
                .catalog("dry", catalog("dry", Map.of(
                        "cache.admission.deny", "*.*.*",
                        "cache.admission.dry-run", "true",
                        "cache.ttl", TTL.toSeconds() + "s")))
                .start();
        client("eyrie").execute("CREATE SCHEMA steered");
        for (String table : List.of("denied_rows", "small", "kept")) {
            lake.createTable("steered", table, "l_orderkey bigint, l_comment varchar", "format = 'TEXTFILE'");
            client("eyrie").withSession("eyrie.compression_codec", "NONE")
                    .execute("INSERT INTO " + table + " SELECT l_orderkey, '" + MARKER + "' || l_comment FROM tpch.tiny.lineitem");
        }
    }

    @AfterAll
    void stop()
    {
        if (lake != null) {
            lake.close();
        }
    }

    private Map<String, String> catalog(String name, Map<String, String> properties)
            throws IOException
    {
        Files.createDirectories(directory.resolve(name).resolve("coordinator"));
        Map<String, String> catalog = new HashMap<>(properties);
        catalog.put("cache.base-directory", directory.resolve(name) + "/${node}");
        return catalog;
    }

    private void key(String name, char digit)
            throws IOException
    {
        Path file = directory.resolve(name);
        Files.writeString(file, String.valueOf(digit).repeat(64));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Lake lake()
    {
        return requireNonNull(lake, "not started");
    }

    private PrestoClient client(String catalog)
    {
        return lake().presto().client(catalog, "steered");
    }

    /** Returns the bytes that a query over a whole table reads from S3, and checks its answer. */
    private long dataBytes(String catalog, String table)
    {
        QueryResult expected = lake().presto().client("tpch", "tiny").execute(
                "SELECT count(*), sum(l_orderkey), max('" + MARKER + "' || l_comment) FROM lineitem");
        LinkCounts before = lake().quietCounts();
        assertThat(client(catalog).execute(SUM + table).rows()).isEqualTo(expected.rows());
        return lake().quietCounts().minus(before).dataBytes();
    }

    private double onNode(String catalog, String attribute)
    {
        return lake().presto().coordinatorMBeans().number("io.eyrie:type=DataCache,name=" + catalog, attribute);
    }

    /** Returns whether a text occurs in any file of a cache. */
    private static boolean isOnDisk(Path cache, String text)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(Files::isRegularFile).anyMatch(file -> {
                try {
                    return Files.readString(file, ISO_8859_1).contains(text);
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    @Order(1)
    void encryptedCacheShowsNothingOnItsDisks()
            throws IOException
    {
        assertThat(dataBytes("eyrie", "kept")).isPositive();
        assertThat(dataBytes("eyrie", "kept")).isZero();
        Path encrypted = lake().presto().coordinatorDirectory().resolve("data");
        assertThat(isOnDisk(encrypted, MARKER)).isFalse();
        assertThat(isOnDisk(encrypted, "steered")).isFalse();
        // the same search without encryption
        dataBytes("ruled", "kept");
        assertThat(dataBytes("ruled", "kept")).isZero();
        assertThat(isOnDisk(directory.resolve("ruled"), MARKER)).isTrue();
    }

    @Test
    @Order(2)
    void deniedTableIsReadAndNotKept()
    {
        dataBytes("ruled", "denied_rows");
        assertThat(dataBytes("ruled", "denied_rows")).isPositive();
        assertThat(onNode("ruled", "DeniedByRule")).isPositive();
        assertThat(dataBytes("ruled", "kept")).isZero();
    }

    @Test
    @Order(3)
    void quotaKeepsOneTableSmallAndLeavesTheOthers()
    {
        double before = onNode("ruled", "CurrentBytes");
        dataBytes("ruled", "small");
        assertThat(dataBytes("ruled", "small")).isPositive();
        assertThat(onNode("ruled", "CurrentBytes") - before).isLessThanOrEqualTo(BUDGET_BYTES);
        assertThat(dataBytes("ruled", "kept")).isZero();
    }

    @Test
    @Order(3)
    void queryThatHasWrittenEnoughReadsOnWithoutKeeping()
    {
        dataBytes("frugal", "kept");
        assertThat(onNode("frugal", "OverQueryBudget")).isPositive();
        double kept = onNode("frugal", "WrittenBytes");
        assertThat(kept).isBetween(1.0, BUDGET_BYTES);
        // the next query has its own budget
        dataBytes("frugal", "kept");
        assertThat(onNode("frugal", "WrittenBytes")).isGreaterThan(kept).isLessThanOrEqualTo(2 * BUDGET_BYTES);
    }

    @Test
    @Order(4)
    void disksThatGotTheirBytesOfTheDayGetNoMore()
    {
        dataBytes("daily", "kept");
        assertThat(onNode("daily", "OverDailyBudget")).isPositive();
        assertThat(dataBytes("daily", "kept")).isPositive();
        writtenOfTheDay = onNode("daily", "WrittenBytes");
        assertThat(writtenOfTheDay).isBetween(1.0, BUDGET_BYTES);
    }

    @Test
    @Order(1)
    void dryRunKeepsEverythingAndCounts()
    {
        dataBytes("dry", "kept");
        filledAt = System.nanoTime();
        assertThat(dataBytes("dry", "kept")).isZero();
        assertThat(onNode("dry", "DeniedByRule")).isPositive();
    }

    /* After the tests that need no restart, because most of the time has then passed. */
    @Test
    @Order(4)
    void whatIsTooOldIsReadAgain()
    {
        long again = 0;
        while (again == 0 && System.nanoTime() - filledAt < 6 * TTL.toNanos()) {
            again = dataBytes("dry", "kept");
        }
        assertThat(again).isPositive();
    }

    @Test
    @Order(4)
    void capacityIsAsLargeAsAnOperatorSays()
    {
        dataBytes("resized", "kept");
        assertThat(dataBytes("resized", "kept")).isPositive();
        client("resized").execute("CALL system.resize_cache('64MB')");
        dataBytes("resized", "kept");
        assertThat(dataBytes("resized", "kept")).isZero();
        assertThat(onNode("resized", "CurrentBytes")).isGreaterThan(2 << 20);
    }

    @Test
    @Order(5)
    void restartWithANewKeyFindsWhatTheOldOneEncrypted()
            throws IOException
    {
        key("previous", 'a');
        key("current", 'c');
        // immediately: recently written data must survive
        lake().presto().restart();
        assertThat(dataBytes("eyrie", "kept")).isZero();
        // written with the new key, next to the existing data
        assertThat(dataBytes("eyrie", "small")).isPositive();
        assertThat(dataBytes("eyrie", "small")).isZero();
        try (Stream<Path> traces = Files.list(directory.resolve("traces"))) {
            assertThat(traces).as("of both starts").hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    @Order(6)
    void budgetOfTheDayAndQuotasOutliveARestart()
    {
        assertThat(dataBytes("daily", "small")).isPositive();
        assertThat(onNode("daily", "OverDailyBudget")).isPositive();
        assertThat(writtenOfTheDay + onNode("daily", "WrittenBytes")).isLessThanOrEqualTo(BUDGET_BYTES);
        assertThat(dataBytes("ruled", "small")).isPositive();
        assertThat(dataBytes("ruled", "kept")).isZero();
    }

    @Test
    @Order(6)
    void capacityOutlivesARestart()
    {
        assertThat(onNode("resized", "CurrentBytes")).as("before the first query").isGreaterThan(2 << 20);
        assertThat(dataBytes("resized", "kept")).isZero();
        client("resized").execute("CALL system.resize_cache()");
        assertThat(onNode("resized", "CurrentBytes")).isLessThanOrEqualTo(1 << 20);
    }

    @Test
    @Order(7)
    void keyThatIsGoneCostsSpeedAlone()
            throws IOException
    {
        key("previous", 'b');
        lake().presto().restart();
        assertThat(dataBytes("eyrie", "kept")).isPositive();
        assertThat(dataBytes("eyrie", "kept")).isZero();
    }
}
