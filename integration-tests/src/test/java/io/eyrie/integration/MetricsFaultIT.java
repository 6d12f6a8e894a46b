// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.integration.PromQl.Selector;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RequestKind;
import org.jboss.byteman.agent.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests which metrics of the dashboard and the alerts of docs/operations change during faults, in a real Presto. Byteman injects faults that this
 * machine's disks cannot produce on demand into the workers' file system calls.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsFaultIT
{
    /** The metrics that normal work may leave unchanged ({@link MetricsIT}); a test here changes each of them. */
    static final Set<String> FAULTS = Set.of(
            "eyrie_data_busy_total",
            "eyrie_data_busy_writes_total",
            "eyrie_data_corruptions_total",
            "eyrie_data_declined_total",
            "eyrie_data_declined_writes_total",
            "eyrie_data_device_errors_total",
            "eyrie_data_failed_writes_total",
            "eyrie_data_fetch_bytes",
            "eyrie_data_fetch_memory_rejections_total",
            "eyrie_data_fetch_rejections_total",
            "eyrie_data_fetch_wait_timeouts_total",
            "eyrie_data_index_evictions_total",
            "eyrie_data_journal_drops_total",
            "eyrie_data_quarantined_directories",
            "eyrie_data_remote_read_failures_total",
            "eyrie_data_stale_writes_total",
            "eyrie_disk_in_service",
            "eyrie_disk_outages_total",
            "eyrie_disk_timeouts_total",
            "eyrie_file_handles_failed_total",
            "eyrie_file_list_uncached_listings_total",
            "eyrie_footer_load_failures_total",
            "eyrie_fragment_in_flight_bytes",
            "eyrie_fragment_undecodable_total",
            "eyrie_metastore_bypasses_total",
            "eyrie_metastore_log_failures_total",
            "eyrie_metastore_log_grace_readings_total",
            "eyrie_metastore_log_overdue_readings_total",
            "eyrie_placed_stand_in_splits_total");

    private static final String SCHEMA = "faults";
    /** More fetches than a worker runs concurrently. */
    private static final int FETCHES = 70;

    /** The number of files whose pages of 64 kB, eleven each, do not fit into an index of 256 kB. */
    private static final int MANY = 600;

    private final Set<String> risen = new TreeSet<>();
    private MetricsCluster cluster;
    private Lake lake;
    private PrestoClient client;
    private Path injected;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException,
            URISyntaxException
    {
        injected = Files.createDirectory(directory.resolve("injected"));
        Path rules = Files.writeString(directory.resolve("faults.btm"), rules());
        Path byteman = MetricsCluster.jar(Main.class);
        cluster = new MetricsCluster(SCHEMA, directory);
        cluster.builder()
                .jvmOption("-javaagent:" + byteman + "=script:" + rules + ",boot:" + byteman)
                // as many concurrent readers as a test needs
                .config("task.max-worker-threads", "" + 3 * FETCHES)
                .property("hive.affinity-scheduling-unpacked-splits-per-node", "" + 2 * FETCHES)
                .property("cache.disk-timeout", "1s");
        cluster.catalog("narrow", Map.of("cache.fetch-memory", "8MB"));
        cluster.catalog("hurried", Map.of("cache.write-buffer", "8MB"));
        cluster.catalog("indexed", Map.of("cache.index-memory", "256kB", "cache.page-size", "64kB"));
        cluster.catalog("daily", Map.of(
                "cache.metastore.grace", "1h",
                "cache.open-partition-age", "1h"));
        cluster.start();
        lake = cluster.lake();
        client = cluster.client();
        cluster.table("clicks");
        cluster.text("large", 300_000, 4);
        for (int i = 0; i < 2; i++) {
            client.execute("SELECT * FROM clicks");
            cluster.client("daily").execute("SELECT max(y) FROM clicks");
        }
    }

    @AfterAll
    void stop()
    {
        requireNonNull(cluster).close();
    }

    private String rules()
    {
        String file = "io.eyrie.cache.device.LocalFile";
        String read = "read(long, ByteBuffer)";
        String write = "write(long, ByteBuffer)";
        String error = "RETURN io.eyrie.cache.device.DeviceOutcome.IO_ERROR";
        return rule(file, read, "reads hang", "TRUE", "delay(4000)")
                + rule(file, read, "reads fail", "TRUE", error)
                + rule(file, write, "writes hang", "TRUE", "delay(500)")
                + rule(file, write, "writes fail", "TRUE", error)
                + rule(file, write, "the journal fails", "Thread.currentThread().getName().startsWith(\"eyrie-journal\")", error)
                + rule("io.eyrie.fragment.result.ResultFormat", "parse", "decoding fails", "TRUE", "THROW new IllegalStateException(\"injected\")")
                + rule("io.eyrie.fragment.result.Recording", "finish", "recordings last", "TRUE", "delay(1000)");
    }

    private String rule(String type, String method, String fault, String condition, String action)
    {
        return String.join("\n", "RULE " + fault, "CLASS " + type, "METHOD " + method, "AT ENTRY",
                "BIND mark : java.io.File = new java.io.File(\"" + injected.resolve(fault) + "\")",
                "IF mark.exists() AND " + condition, "DO " + action, "ENDRULE", "");
    }

    /** Runs the work during a fault. Afterwards, waits until disks that failed because of it are in service again. */
    private void during(String fault, Work work)
            throws IOException
    {
        double disks = disks();
        Path mark = Files.createFile(injected.resolve(fault));
        try {
            work.run();
        }
        finally {
            Files.delete(mark);
        }
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (disks() < disks && System.nanoTime() < end) {
            lake.quietCounts();
        }
        assertThat(disks()).isEqualTo(disks);
    }

    private double disks()
            throws IOException
    {
        return cluster.scrape().sum("eyrie_disk_in_service", Map.of());
    }

    private interface Work
    {
        void run()
                throws IOException;
    }

    @Test
    @Order(1)
    void diskThatHangs()
            throws IOException
    {
        List<? extends List<?>> expected = rows("SELECT count(*), max(y) FROM clicks");
        // recently read pages are in memory, where reads do not wait for the disk
        lake.presto().stopWorker(0);
        lake.presto().startWorker(0);
        Scrape before = cluster.scrape();
        during("reads hang", () -> assertThat(rows("SELECT count(*), max(y) FROM (SELECT y, random() FROM clicks)")).isEqualTo(expected));
        assertRisen(before, "eyrie_disk_timeouts_total", "eyrie_data_busy_total");
    }

    @Test
    @Order(2)
    void diskThatIsSlow()
            throws IOException
    {
        Scrape before = cluster.scrape();
        during("writes hang", () -> cluster.client("hurried").execute("SELECT max(y) FROM large"));
        assertRisen(before, "eyrie_data_busy_writes_total");
    }

    @Test
    @Order(2)
    void diskThatFails()
            throws IOException
    {
        cluster.table("unwritten");
        Scrape before = cluster.scrape();
        during("reads fail", () -> assertThat(rows("SELECT count(*) FROM clicks WHERE y > '' AND random() < 2")).isEqualTo(List.of(List.of(
                120_000L))));
        during("writes fail", () -> assertThat(rows("SELECT count(*) FROM unwritten WHERE y > ''")).isEqualTo(List.of(List.of(120_000L))));
        assertRisen(before, "eyrie_data_device_errors_total", "eyrie_data_failed_writes_total");
    }

    @Test
    @Order(2)
    void journalThatFails()
            throws IOException
    {
        Scrape before = cluster.scrape();
        during("the journal fails", () -> cluster.until(before, "eyrie_data_journal_drops_total", i -> {
            cluster.table("unjournaled" + i);
            client.execute("SELECT * FROM unjournaled" + i);
        }));
        assertRisen(before, "eyrie_data_journal_drops_total");
    }

    @Test
    @Order(2)
    void resultsThatAreOfAnotherBuild()
            throws IOException
    {
        String sql = "SELECT sum(x), count(y) FROM clicks";
        List<? extends List<?>> expected = rows(sql);
        lake.quietCounts();
        Scrape before = cluster.scrape();
        during("decoding fails", () -> assertThat(rows(sql)).isEqualTo(expected));
        assertRisen(before, "eyrie_fragment_undecodable_total");
    }

    @Test
    @Order(3)
    void pagesBeyondTheirTablesQuota()
            throws IOException
    {
        cluster.text("quoted", 100_000, 1);
        client.execute("CALL system.set_cache_quota('" + SCHEMA + "', 'quoted', NULL, '64kB')");
        Scrape before = cluster.scrape();
        client.execute("SELECT max(y) FROM quoted");
        lake.quietCounts();
        assertRisen(before, "eyrie_data_declined_writes_total");
    }

    @Test
    @Order(3)
    void pagesThatAreInvalidatedWhileTheyCome()
            throws IOException
    {
        Scrape before = cluster.scrape();
        cluster.until(before, "eyrie_data_stale_writes_total", i -> {
            String table = "invalidated" + i;
            cluster.text(table, 1000, 1);
            CompletableFuture<QueryResult> reads;
            try (HeldRequests held = cluster.hold(RequestKind.GET_DATA, 1)) {
                reads = MetricsCluster.later(client, "SELECT count(y) FROM " + table);
                held.await();
                client.execute("CALL " + Lake.CATALOG + ".system.invalidate_cache('" + SCHEMA + "', '" + table + "')");
                // the workers receive the command with this query's splits
                client.execute("SELECT count(*) FROM clicks WHERE random() < 2");
            }
            assertThat(reads.join().onlyValue()).isEqualTo(1000L);
            lake.quietCounts();
        });
        assertRisen(before, "eyrie_data_stale_writes_total");
    }

    @Test
    @Order(3)
    void moreFetchesThanThreads()
            throws IOException
    {
        cluster.table("wide", 2 * FETCHES, 10);
        Scrape before = cluster.scrape();
        CompletableFuture<QueryResult> reads;
        try (HeldRequests held = cluster.hold(RequestKind.GET_DATA, Integer.MAX_VALUE)) {
            reads = MetricsCluster.later(client, "SELECT count(y) FROM wide");
            held.await();
            cluster.until(before, "eyrie_data_fetch_rejections_total", any -> {});
        }
        assertThat(reads.join().onlyValue()).isEqualTo(20L * FETCHES);
        assertRisen(before, "eyrie_data_fetch_rejections_total");
    }

    @Test
    @Order(3)
    void failuresOfTheRemoteStore()
            throws IOException
    {
        cluster.table("gone");
        AtomicBoolean deleted = new AtomicBoolean();
        lake.link().injectFaults(request -> {
            if (request.kind() == RequestKind.GET_DATA && deleted.compareAndSet(false, true)) {
                delete("gone");
            }
            return Optional.empty();
        });
        Scrape before = cluster.scrape();
        try {
            assertThatThrownBy(() -> client.execute("SELECT * FROM gone")).isInstanceOf(QueryFailedException.class);
        }
        finally {
            lake.link().clearFaults();
        }
        assertRisen(before, "eyrie_data_remote_read_failures_total", "eyrie_footer_load_failures_total", "eyrie_file_handles_failed_total");
    }

    @Test
    @Order(3)
    void fetchThatAnotherReaderDoesNotWaitFor()
            throws IOException
    {
        cluster.text("slower", 1000, 1);
        PrestoClient plain = client.withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false");
        Scrape before = cluster.scrape();
        // the S3 client retries after five seconds, a reader waits for ten
        try (HeldRequests held = cluster.hold(RequestKind.GET_DATA, 4)) {
            CompletableFuture<QueryResult> reads = MetricsCluster.later(plain, "SELECT count(y) FROM slower");
            held.await();
            assertRisen(before, "eyrie_data_fetch_bytes");
            assertThat(plain.execute("SELECT count(y) FROM slower").onlyValue()).isEqualTo(1000L);
            assertThat(reads.join().onlyValue()).isEqualTo(1000L);
        }
        assertRisen(before, "eyrie_data_fetch_wait_timeouts_total");
    }

    @Test
    @Order(3)
    void resultsThatAreBeingRecorded()
            throws IOException
    {
        String metric = "eyrie_fragment_in_flight_bytes";
        AtomicLong most = new AtomicLong();
        during("recordings last", () -> {
            CompletableFuture<QueryResult> query = MetricsCluster.later(client,
                    "SELECT sum(x) FROM (SELECT y, x FROM clicks WHERE x % 1000 > 1) GROUP BY y");
            while (!query.isDone()) {
                most.accumulateAndGet((long) cluster.scrape().sum(metric, Map.of()), Math::max);
            }
            query.join();
        });
        assertThat(most).as(metric).hasPositiveValue();
        risen.add(metric);
    }

    /* Reads four files concurrently, with some megabytes of read-ahead each. */
    @Test
    @Order(3)
    void fetchesThatTakeAllTheMemory()
            throws IOException
    {
        Scrape before = cluster.scrape();
        lake.link().reshape(LinkShape.STANDARD);
        try {
            assertThat(cluster.client("narrow").execute("SELECT max(y) FROM large").rows())
                    .isEqualTo(lake.uncachedClient(SCHEMA).execute("SELECT max(y) FROM large").rows());
        }
        finally {
            lake.link().reshape(LinkShape.UNSHAPED);
        }
        assertRisen(before, "eyrie_data_fetch_memory_rejections_total");
    }

    @Test
    @Order(3)
    void listThatIsInvalidatedWhileItComes()
            throws IOException
    {
        cluster.text("listed", 10, 1);
        Scrape before = cluster.scrape();
        CompletableFuture<QueryResult> lists;
        try (HeldRequests held = cluster.hold(RequestKind.LIST, 1)) {
            lists = MetricsCluster.later(client, "SELECT max(y) FROM listed");
            held.await();
            client.execute("CALL " + Lake.CATALOG + ".system.invalidate_directory_list_cache()");
        }
        lists.join();
        assertRisen(before, "eyrie_file_list_uncached_listings_total");
    }

    @Test
    @Order(4)
    void disksThatGiveBackOtherBytes()
            throws IOException
    {
        List<? extends List<?>> expected = rows("SELECT count(*), max(y) FROM clicks");
        try (Stream<Path> data = Files.walk(lake.presto().workerDirectory(0).resolve("data"))) {
            for (Path segment : data.filter(file -> file.toString().endsWith(".segment")).toList()) {
                // in place, because the segment is open
                try (var bytes = FileChannel.open(segment, WRITE)) {
                    bytes.write(ByteBuffer.allocate((int) bytes.size()));
                }
            }
        }
        Scrape before = cluster.scrape();
        assertThat(rows("SELECT count(*), max(y) FROM clicks")).isEqualTo(expected);
        client.execute("SELECT * FROM clicks");
        assertRisen(before, "eyrie_data_corruptions_total");
    }

    @Test
    @Order(5)
    void metastoreThatIsDown()
            throws IOException
    {
        Scrape before = cluster.scrape();
        cluster.metastore().stop();
        try {
            assertThatThrownBy(() -> client.execute("SELECT * FROM clicks")).isInstanceOf(QueryFailedException.class);
            cluster.client("daily").execute("SELECT max(y) FROM clicks");
            client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'clicks')");
            assertThatThrownBy(() -> client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'unseen')")).isInstanceOf(
                    QueryFailedException.class);
        }
        finally {
            cluster.metastore().restart(Map.of());
        }
        assertRisen(before, "eyrie_metastore_log_failures_total", "eyrie_metastore_bypasses_total", "eyrie_metastore_log_grace_readings_total");
    }

    @Test
    @Order(5)
    void metastoreThatDoesNotAnswer()
            throws IOException
    {
        String overdue = "eyrie_metastore_log_overdue_readings_total";
        Scrape before = cluster.scrape();
        signal("STOP");
        CompletableFuture<QueryResult> query;
        try {
            query = MetricsCluster.later(client, "SELECT max(y) FROM clicks");
            while (cluster.scrape().sum(overdue, Map.of()) <= before.sum(overdue, Map.of())) {
                assertThat(query).isNotDone();
            }
        }
        finally {
            signal("CONT");
        }
        assertThat(query.join().rows()).hasSize(1);
        assertRisen(before, overdue);
    }

    private void signal(String name)
            throws IOException
    {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + cluster.metastore().pid()).inheritIO().start();
        assertThat(kill.onExit().join().exitValue()).isZero();
    }

    @Test
    @Order(6)
    void directoryThatIsTakenAway()
            throws IOException
    {
        cluster.table("afterwards");
        Path cache = lake.presto().workerDirectory(0).resolve("data");
        Map<String, String> disk = Map.of("disk", cache.toString());
        Scrape before = cluster.scrape();
        assertThat(before.sum("eyrie_disk_in_service", disk)).isEqualTo(1);
        Directories.delete(cache);
        Files.writeString(cache, "not a directory");
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (cluster.scrape().sum("eyrie_disk_in_service", disk) > 0 && System.nanoTime() < end) {
            client.execute("SELECT * FROM afterwards");
        }
        assertThat(cluster.scrape().sum("eyrie_disk_in_service", disk)).isZero();
        risen.add("eyrie_disk_in_service");
        client.execute("SELECT * FROM afterwards");
        assertRisen(before, "eyrie_disk_outages_total", "eyrie_data_quarantined_directories", "eyrie_data_declined_total");
    }

    @Test
    @Order(7)
    void workerThatIsAway()
            throws IOException
    {
        Scrape before = Scrape.of(lake.presto().coordinatorSparePort());
        lake.presto().killWorker(1);
        lake.presto().awaitRunningNodes();
        client.execute("SELECT * FROM clicks");
        assertRisen(before, Scrape.of(lake.presto().coordinatorSparePort()), "eyrie_placed_stand_in_splits_total");
    }

    /* One worker caches all files, because the other is stopped. */
    @Test
    @Order(8)
    void indexThatIsFull()
            throws IOException
    {
        // frees memory in this JVM, which holds the objects of S3, for the next table
        delete("large");
        cluster.table("many", MANY, 10_000);
        Scrape before = Scrape.of(lake.presto().workerSparePort(0));
        String evictions = "eyrie_data_index_evictions_total";
        // pages that the disk of a busy machine does not take are read and written again, because a random predicate has no stored results
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        Scrape now = before;
        while (now.sum(evictions, Map.of()) <= before.sum(evictions, Map.of()) && System.nanoTime() < end) {
            assertThat(cluster.client("indexed").execute("SELECT count(y) FROM many WHERE random() < 2").onlyValue()).isEqualTo(10_000L * MANY);
            lake.quietCounts();
            now = Scrape.of(lake.presto().workerSparePort(0));
        }
        assertRisen(before, now, evictions);
    }

    @Test
    @Order(9)
    void everyFaultMovesWhatItShould()
    {
        assertThat(risen).isEqualTo(FAULTS);
        Set<String> asked = new HashSet<>(cluster.selectors().map(Selector::metric).toList());
        assertThat(asked).containsAll(FAULTS);
    }

    private void delete(String table)
    {
        lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").forEach(object -> lake.s3().client().delete(Lake.BUCKET, object.key()));
    }

    private List<? extends List<?>> rows(String sql)
    {
        return client.execute(sql).rows();
    }

    private void assertRisen(Scrape before, String... metrics)
            throws IOException
    {
        assertRisen(before, cluster.scrape(), metrics);
    }

    private void assertRisen(Scrape before, Scrape now, String... metrics)
    {
        assertThat(metrics).allSatisfy(metric -> assertThat(now.sum(metric, Map.of())).as(metric).isGreaterThan(before.sum(metric, Map.of())));
        risen.addAll(List.of(metrics));
    }
}
