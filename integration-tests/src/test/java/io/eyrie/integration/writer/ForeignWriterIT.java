// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.writer;

import io.eyrie.integration.Clients;
import io.eyrie.integration.generator.Answer;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.presto.PrestoClusterBuilder;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Presto that Eyrie's coordinator does not know, and a client of the store, change tables at random in three metastores: a Hive Metastore with its log on Derby
 * and on MariaDB, and Presto's file metastore. Meanwhile, Eyrie's coordinator is killed or shut down, and starts with the metadata and the statistics of files
 * that it stored. Each answer equals that of Presto's own connector, which caches nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignWriterIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final int STEPS = Integer.getInteger("eyrie.steps", STRESS ? 500 : 40);
    private static final int STEPS_A_RESTART = STRESS ? 10 : 5;
    private static final String FILES = "files";
    private static final List<String> CATALOGS = List.of("derby", "mariadb", FILES);

    private final Clients clients = new Clients(CATALOGS.size());
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, Long> counted = new HashMap<>();
    private S3Server s3;
    private Lake lake;
    private PrestoCluster other;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException
    {
        Checkout checkout = Checkout.find();
        s3 = opened(EmbeddedS3Server.inMemory());
        Map<String, Map<String, String>> metastores = new HashMap<>();
        Map<String, String> site = new HashMap<>(HiveMetastoreServer.s3(s3));
        site.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        HiveMetastoreServer derby = opened(HiveMetastoreServer.start(checkout.metastoreLib(), Path.of("target", "writer-derby.log"), site));
        HiveMetastoreServer mariaDb = opened(MariaDbMetastore.start(checkout, Files.createDirectory(directory.resolve("mariadb")), site)).server();
        Map.of("derby", derby, "mariadb", mariaDb).forEach((catalog, metastore) -> metastores.put(catalog, Map.of(
                "hive.metastore.uri", metastore.uri().toString(),
                "hive.metastore-timeout", "2m")));
        metastores.put(FILES, Map.of("hive.metastore", "file", "hive.metastore.catalog.dir", directory.resolve("metastore").toUri().toString()));
        LakeBuilder builder = Lake.builder(checkout).name("foreign-writer").server(() -> s3).workers(0).mainCatalog(FILES);
        cached(metastores, FILES).forEach(builder::property);
        CATALOGS.stream().filter(catalog -> !catalog.equals(FILES)).forEach(catalog -> builder.catalog(catalog, cached(metastores, catalog)));
        PrestoClusterBuilder stock = PrestoCluster.builder(checkout.engineLib())
                .name("foreign-writer-stock")
                .workers(0)
                .coordinatorWorks(true)
                .plugin("hive-stock", checkout.stockPlugin());
        CATALOGS.forEach(catalog -> stock.catalog(catalog, uncached(requireNonNull(metastores.get(catalog)))));
        CompletableFuture<PrestoCluster> started = CompletableFuture.supplyAsync(stock::start);
        lake = opened(builder.start());
        other = opened(started.join());
    }

    private <T extends AutoCloseable> T opened(T resource)
    {
        open.push(resource);
        return resource;
    }

    private static Map<String, String> cached(Map<String, Map<String, String>> metastores, String catalog)
    {
        Map<String, String> properties = new HashMap<>(Map.of(
                "hive.metastore", "",
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.file-status-cache-tables", ForeignWriter.SEALED + ".*",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "0s",
                "fragment-result-cache.enabled", "true",
                "cache.file-statistics", "on"));
        properties.putAll(requireNonNull(metastores.get(catalog)));
        return properties;
    }

    private Map<String, String> uncached(Map<String, String> metastore)
    {
        Map<String, String> properties = new HashMap<>(Map.of(
                "connector.name", "hive-hadoop2",
                "hive.s3.endpoint", s3.endpoint().toString(),
                "hive.s3.path-style-access", "true",
                "hive.s3.ssl.enabled", "false",
                "hive.s3.aws-access-key", s3.accessKey(),
                "hive.s3.aws-secret-key", s3.secretKey(),
                "hive.non-managed-table-writes-enabled", "true",
                "hive.allow-drop-table", "true",
                "hive.allow-add-column", "true"));
        properties.putAll(metastore);
        return properties;
    }

    @AfterAll
    void stop()
            throws Exception
    {
        clients.close();
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    @Test
    void eachAnswerEqualsThatOfPresto()
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, List<byte[]>> donors = ForeignWriter.donors(other.client(FILES, "donors"), FILES, s3.client());
        assertThat(donors.values()).as("files of a format, of which many have the same length").allMatch(files -> files.stream().map(
                file -> file.length).distinct().count() <= files.size() / 2);
        List<Checks> all = new ArrayList<>();
        for (String catalog : CATALOGS) {
            all.add(new Checks(catalog, new Random(seed + all.size()), new ForeignWriter(catalog, other.client(catalog, "default"), s3.client(),
                    donors,
                    new Random(seed + all.size())), seed));
        }
        int restarts = 0;
        int steps = 0;
        while (steps < STEPS || (steps < 3 * STEPS && !isEnough(all))) {
            steps++;
            clients.each(all, Checks::step);
            if (random.nextInt(STEPS_A_RESTART) == 0) {
                CATALOGS.forEach(this::count);
                boolean crash = random.nextInt(3) > 0;
                CompletableFuture<Void> down = CompletableFuture.runAsync(crash ? lake.presto()::crashAndRestart : lake.presto()::restart);
                clients.each(all, one -> one.changeBeside(crash ? "kill" : "restart"));
                down.join();
                clients.each(all, Checks::everything);
                restarts++;
            }
        }
        CATALOGS.forEach(this::count);
        System.out.println(String.format(Locale.ROOT,
                "ForeignWriterIT: seed %s, %s steps in each of %s, %s restarts, %s changes, %s overwrites in the same"
                        + " length, %s queries; %s", seed, steps, CATALOGS, restarts, all.stream().mapToInt(one -> one.writer.done().size()).sum(),
                overwrites(all), all.stream().mapToInt(one -> one.queries).sum(), counted));
        assertThat(overwrites(all)).as("overwritten files").isPositive();
        for (String catalog : CATALOGS) {
            assertThat(counted).hasEntrySatisfying(catalog + " DroppedSplits", dropped -> assertThat(dropped).isPositive());
            assertThat(counted).hasEntrySatisfying(catalog + " FilesRead", read -> assertThat(read).isPositive());
        }
    }

    private static int overwrites(List<Checks> all)
    {
        return all.stream().mapToInt(one -> one.writer.overwrites()).sum();
    }

    private boolean isEnough(List<Checks> all)
    {
        return overwrites(all) > 0 && CATALOGS.stream().allMatch(catalog -> counted.getOrDefault(catalog + " DroppedSplits", 0L) + statistics(catalog,
                "DroppedSplits") > 0);
    }

    private long statistics(String catalog, String counter)
    {
        return (long) lake.presto().coordinatorMBeans().number("io.eyrie:type=FileStatistics,name=" + catalog, counter);
    }

    /* What this process counted. */
    private void count(String catalog)
    {
        for (String counter : List.of("DroppedSplits", "FilesRead", "ReadFailures", "StoredFilesFound")) {
            counted.merge(catalog + " " + counter, statistics(catalog, counter), Long::sum);
        }
        counted.merge(catalog + " StoredEntriesRead", (long) lake.presto().coordinatorMBeans().number("io.eyrie:type=MetastoreCache,name=" + catalog,
                "StoredEntriesRead"), Long::sum);
    }

    /** Compares the answers of one catalog. */
    private final class Checks
    {
        private final String catalog;
        private final Random random;
        private final ForeignWriter writer;
        private final long seed;
        private int queries;

        Checks(String catalog, Random random, ForeignWriter writer, long seed)
        {
            this.catalog = catalog;
            this.random = random;
            this.writer = writer;
            this.seed = seed;
        }

        void step()
        {
            String table = random.nextInt(3) > 0 ? writer.change() : pick(writer.tables());
            some(table, 3).forEach(this::check);
            some(pick(writer.tables()), 1).forEach(this::check);
        }

        void changeBeside(String event)
        {
            writer.remember(event);
            for (int i = random.nextInt(3); i > 0; i--) {
                String unused = writer.change();
            }
        }

        void everything()
        {
            writer.tables().forEach(table -> some(table, 2).forEach(this::check));
            check("SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('sealed', 'open')");
        }

        private List<String> some(String table, int count)
        {
            List<String> all = new ArrayList<>(queries(table));
            Collections.shuffle(all, random);
            return all.subList(0, count);
        }

        private List<String> queries(String table)
        {
            int first = pick(ForeignWriter.FIRST_VALUES);
            return List.of(
                    "SELECT p, count(*), sum(x), min(v), max(v) FROM " + table + " GROUP BY p",
                    "SELECT count(*), sum(x), max(v) FROM " + table + " WHERE x BETWEEN " + first + " AND " + (first + ForeignWriter.ROWS / 2),
                    "SELECT * FROM " + table + " WHERE x = " + (first + random.nextInt(ForeignWriter.ROWS + 1)),
                    "SELECT p, count(*) FROM " + table + " WHERE v >= 'k" + first + "' AND p <> '3' GROUP BY p",
                    "SELECT count(*), count(v) FROM " + table + " WHERE x > " + (first + ForeignWriter.ROWS - 1),
                    "SELECT * FROM " + table.replace(".", ".\"") + "$partitions\"");
        }

        private void check(String sql)
        {
            queries++;
            Answer expected = Answer.of(other.client(catalog, "default"), sql);
            String difference = Answer.of(lake.presto().client(catalog, "default"), sql).difference(expected, false);
            assertThat(difference).as("%s in %s after %s; replay with -Deyrie.seed=%s", sql, catalog, writer.done(), seed).isEmpty();
        }

        private <T> T pick(List<T> values)
        {
            return values.get(random.nextInt(values.size()));
        }
    }
}
