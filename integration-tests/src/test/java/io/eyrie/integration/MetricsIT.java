package io.eyrie.integration;

import io.eyrie.integration.Monitoring.Alert;
import io.eyrie.integration.Monitoring.Promise;
import io.eyrie.integration.PromQl.Selector;
import io.eyrie.integration.Scrape.Sample;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import io.prometheus.jmx.JavaAgent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The files of docs/operations against a real Presto with the JMX exporter's agent: a coordinator and two workers, on S3 and a Hive Metastore with a log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsIT
{
    private static final String SCHEMA = "metrics";
    private static final int FILES = 12;

    /** Faults that are injected here, and what is nothing again after each query, each by a test of its own. */
    private static final Set<String> FAULTS = Set.of(
            "eyrie_data_corruptions_total",
            "eyrie_data_declined_total",
            "eyrie_data_quarantined_directories",
            "eyrie_data_remote_read_failures_total",
            "eyrie_disk_in_service",
            "eyrie_data_fetch_bytes",
            "eyrie_data_fetch_memory_rejections_total",
            "eyrie_data_fetch_wait_timeouts_total",
            "eyrie_disk_outages_total",
            "eyrie_file_list_unkept_listings_total",
            "eyrie_file_handles_failed_total",
            "eyrie_footer_load_failures_total",
            "eyrie_fragment_in_flight_bytes",
            "eyrie_metastore_bypasses_total",
            "eyrie_metastore_log_failures_total",
            "eyrie_metastore_log_grace_readings_total",
            "eyrie_placed_stand_in_splits_total");

    /** What neither normal work nor a fault that is cheap to inject moves; it has to be there. */
    private static final Set<String> STILL = Set.of(
            // a setting
            "eyrie_capacity_bytes{layer=footer}",
            // disks that fail, hang or are full; memory that is full
            "eyrie_data_busy_total",
            "eyrie_data_busy_writes_total",
            "eyrie_data_declined_writes_total",
            "eyrie_data_device_errors_total",
            "eyrie_data_failed_writes_total",
            "eyrie_data_journal_drops_total",
            "eyrie_data_memory_declines_total",
            "eyrie_data_fetch_rejections_total",
            "eyrie_disk_timeouts_total",
            "eyrie_fragment_undecodable_total",
            // races, and workers that are busy
            "eyrie_data_stale_writes_total",
            "eyrie_arrived_splits_total{place=elsewhere}",
            "eyrie_placed_overflow_splits_total");

    private Monitoring files;
    private HiveMetastoreServer metastore;
    private Lake lake;
    private PrestoClient client;
    private Scrape first;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException,
            URISyntaxException
    {
        Checkout checkout = Checkout.find();
        Path operations = checkout.root().resolve("docs/operations");
        files = Monitoring.read(operations);
        S3Server s3 = EmbeddedS3Server.inMemory();
        Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
        settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), Path.of("target/metrics-metastore.log"),
                settings);
        Path agent = Path.of(JavaAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Map<String, String> catalog = Map.of(
                "hive.metastore", "thrift",
                "hive.metastore.uri", metastore.uri().toString(),
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.metastore-cache-scope", "ALL",
                "hive.file-status-cache-tables", "*",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "1ms");
        var builder = Lake.builder(checkout)
                .name(SCHEMA)
                .server(() -> s3)
                .workers(2)
                .jvmOption("-javaagent:" + agent + "=127.0.0.1:${node.spare-port}:" + operations.resolve("jmx-exporter.yaml"))
                .property("fragment-result-cache.enabled", "true")
                .property("cache.control-directory", "file:${node.directory}/control")
                .catalog("tight", small(catalog, directory.resolve("tight"), Map.of(
                        "cache.max-cache-size", "2MB",
                        "hive.orc.file-tail-cache-size", "1kB")))
                .catalog("aged", small(catalog, directory.resolve("aged"), Map.of("cache.ttl", "1s")))
                .catalog("narrow", small(catalog, directory.resolve("narrow"), Map.of("cache.fetch-memory", "8MB")))
                .catalog("full", small(catalog, directory.resolve("full"), Map.of("cache.min-free-space", "1000TB")))
                .catalog("daily", small(catalog, directory.resolve("daily"), Map.of(
                        "cache.admission.daily-write-budget", "256kB",
                        "cache.metastore.grace", "1h",
                        "cache.open-partition-age", "1h")));
        catalog.forEach(builder::property);
        lake = builder.start();
        first = scrape();
        client = lake.client(SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA + " WITH (location = 's3a://" + Lake.BUCKET + "/" + SCHEMA + "/')");
        table("clicks");
    }

    private static Map<String, String> small(Map<String, String> catalog, Path directory, Map<String, String> properties)
            throws IOException
    {
        for (String node : List.of("coordinator", "worker-0", "worker-1")) {
            Files.createDirectories(directory.resolve(node));
        }
        Map<String, String> all = new TreeMap<>(catalog);
        all.putAll(properties);
        all.put("cache.base-directory", directory + "/${node}");
        all.put("cache.control-directory", "file:${node.directory}/control-" + directory.getFileName());
        return all;
    }

    @AfterAll
    @SuppressWarnings("try") // closed in the reverse order, whatever fails
    void stop()
    {
        try (HiveMetastoreServer one = requireNonNull(metastore); Lake other = requireNonNull(lake)) {
            return;
        }
    }

    @Test
    @Order(1)
    void whatNormalWorkIsMeasuredByMoves()
            throws IOException
    {
        for (int i = 0; i < 2; i++) {
            client.execute("SELECT * FROM clicks");
            client.execute("SELECT x, y FROM clicks WHERE x % 7 > 3 ORDER BY y LIMIT 5");
            client.execute("SELECT sum(x), max(y) FROM clicks");
            client.execute("SELECT count(*) FROM clicks WHERE random() < 2");
            lake.presto().client("tight", SCHEMA).execute("SELECT max(y) FROM clicks");
            lake.presto().client("daily", SCHEMA).execute("SELECT max(y) FROM clicks");
        }
        client.execute("SELECT sum(x) FROM clicks");
        client.execute("INSERT INTO clicks VALUES (1, 'a')");
        client.execute("SELECT max(y) FROM clicks");
        // the result of each file is beyond what is kept the first time
        client.execute(
                "SELECT count(*) FROM (SELECT y, to_hex(sha512(to_utf8(y))), to_hex(sha512(to_utf8(y || 'a'))), count(*) FROM clicks GROUP BY 1, 2, 3)");
        until("eyrie_data_space_declines_total", any -> lake.presto().client("full", SCHEMA).execute("SELECT max(y) FROM clicks"));
        lake.presto().client("aged", SCHEMA).execute("SELECT max(y) FROM clicks");
        until("eyrie_data_expirations_total", any -> lake.quietCounts());
        until("eyrie_data_coalesced_waits_total", any -> together(lake.presto().client("tight", SCHEMA), "SELECT max(y) FROM clicks"));
        lake.presto().client("tight", SCHEMA).execute("CALL tight.system.resize_cache('3MB')");
        until("eyrie_fragment_shared_results_total", i -> together(client, "SELECT max(y), min(x) FROM clicks WHERE x > " + i));
        Scrape now = scrape();
        assertThat(selectors().filter(selector -> now.sum(selector.metric(), selector.equal()) == first.sum(selector.metric(), selector.equal()))
                .map(MetricsIT::named)
                .filter(name -> !FAULTS.contains(name) && !STILL.contains(name))).isEmpty();
    }

    @Test
    @Order(2)
    void everyRuleMatchesSomething()
            throws IOException
    {
        Scrape now = scrape();
        for (List<Promise> rule : files.rules()) {
            assertThat(rule).allSatisfy(promise -> assertThat(now.of(promise.metric(), promise.labels())).as("%s", promise).isNotEmpty());
        }
        Set<String> promised = promised();
        assertThat(now.metrics()).allSatisfy(metric -> assertThat(promised).contains(metric));
        assertThat(now.samples()).as("two MBeans of one name").noneMatch(sample -> sample.labels().containsKey("_objectname"));
    }

    @Test
    @Order(2)
    void dashboardAndAlertsNameWhatIsThere()
            throws IOException
    {
        Scrape now = scrape();
        assertThat(selectors()).hasSizeGreaterThan(60).allSatisfy(selector -> {
            assertThat(promised()).contains(selector.metric());
            assertThat(now.of(selector.metric(), selector.equal())).as("%s", selector).isNotEmpty()
                    .allSatisfy((Sample sample) -> assertThat(selector.labels()).allMatch(
                            label -> label.equals("instance") || sample.labels().containsKey(label)));
        });
        assertThat(FAULTS).doesNotContainAnyElementsOf(STILL);
        assertThat(selectors().map(MetricsIT::named)).containsAll(FAULTS).containsAll(STILL);
    }

    @Test
    @Order(2)
    void alertsSayWhatToDo()
            throws IOException
    {
        String runbook = Files.readString(Checkout.find().root().resolve("docs/operating.md"));
        assertThat(runbook).contains("## Runbook, by symptom");
        assertThat(files.alerts()).hasSizeGreaterThan(8).allSatisfy((Alert alert) -> {
            assertThat(alert.annotations().keySet()).containsExactlyInAnyOrder("summary", "description", "runbook_url", "symptom");
            assertThat(alert.annotations()).containsEntry("runbook_url", "docs/operating.md#runbook-by-symptom");
            assertThat(runbook).contains("| " + alert.annotations().get("symptom") + " |");
        });
    }

    @Test
    @Order(3)
    void failuresOfTheRemoteStore()
            throws IOException
    {
        table("gone");
        AtomicBoolean deleted = new AtomicBoolean();
        lake.link().injectFaults(request -> {
            if (request.kind() == RequestKind.GET_DATA && deleted.compareAndSet(false, true)) {
                lake.s3().client().list(Lake.BUCKET, SCHEMA + "/gone/").forEach(object -> lake.s3().client().delete(Lake.BUCKET, object.key()));
            }
            return Optional.empty();
        });
        Scrape before = scrape();
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
        text("slower", 1000, 1);
        PrestoClient plain = client.withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false");
        Scrape before = scrape();
        // the S3 client asks again after five seconds, a reader waits for ten
        try (Hold hold = new Hold(RequestKind.GET_DATA, 4)) {
            CompletableFuture<QueryResult> reads = later(plain, "SELECT count(y) FROM slower");
            hold.await();
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
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        double most = 0;
        for (int i = 0; most == 0 && System.nanoTime() < end; i++) {
            CompletableFuture<QueryResult> query = later(client, "SELECT sum(x) FROM (SELECT y, x FROM clicks WHERE x % 1000 > " + i
                    + ") GROUP BY y");
            while (!query.isDone()) {
                most = Math.max(most, scrape().sum(metric, Map.of()));
            }
            query.join();
        }
        assertThat(most).as(metric).isPositive();
    }

    /* Four files at a time, of each of which some megabytes are read ahead. */
    @Test
    @Order(3)
    void fetchesThatTakeAllTheMemory()
            throws IOException
    {
        text("large", 300_000, 4);
        Scrape before = scrape();
        lake.link().reshape(LinkShape.STANDARD);
        try {
            assertThat(lake.presto().client("narrow", SCHEMA).execute("SELECT max(y) FROM large").rows())
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
        text("listed", 10, 1);
        Scrape before = scrape();
        CompletableFuture<QueryResult> lists;
        try (Hold hold = new Hold(RequestKind.LIST, 1)) {
            lists = later(client, "SELECT max(y) FROM listed");
            hold.await();
            client.execute("CALL " + Lake.CATALOG + ".system.invalidate_directory_list_cache()");
        }
        lists.join();
        assertRisen(before, "eyrie_file_list_unkept_listings_total");
    }

    @Test
    @Order(4)
    void disksThatGiveBackOtherBytes()
            throws IOException
    {
        List<? extends List<?>> expected = rows("SELECT count(*), max(y) FROM clicks");
        try (Stream<Path> data = Files.walk(lake.presto().workerDirectory(0).resolve("data"))) {
            for (Path segment : data.filter(file -> file.toString().endsWith(".segment")).toList()) {
                // in place: it is open
                try (var bytes = FileChannel.open(segment, WRITE)) {
                    bytes.write(ByteBuffer.allocate((int) bytes.size()));
                }
            }
        }
        Scrape before = scrape();
        assertThat(rows("SELECT count(*), max(y) FROM clicks")).isEqualTo(expected);
        client.execute("SELECT * FROM clicks");
        assertRisen(before, "eyrie_data_corruptions_total");
    }

    @Test
    @Order(5)
    void metastoreThatIsDown()
            throws IOException
    {
        Scrape before = scrape();
        metastore.stop();
        try {
            assertThatThrownBy(() -> client.execute("SELECT * FROM clicks")).isInstanceOf(QueryFailedException.class);
            lake.presto().client("daily", SCHEMA).execute("SELECT max(y) FROM clicks");
        }
        finally {
            metastore.restart(Map.of());
        }
        assertRisen(before, "eyrie_metastore_log_failures_total", "eyrie_metastore_bypasses_total", "eyrie_metastore_log_grace_readings_total");
    }

    @Test
    @Order(6)
    void directoryThatIsTakenAway()
            throws IOException
    {
        table("afterwards");
        Path cache = lake.presto().workerDirectory(0).resolve("data");
        Map<String, String> disk = Map.of("disk", cache.toString());
        Scrape before = scrape();
        assertThat(before.sum("eyrie_disk_in_service", disk)).isEqualTo(1);
        Directories.delete(cache);
        Files.writeString(cache, "not a directory");
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (scrape().sum("eyrie_disk_in_service", disk) > 0 && System.nanoTime() < end) {
            client.execute("SELECT * FROM afterwards");
        }
        assertThat(scrape().sum("eyrie_disk_in_service", disk)).isZero();
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
        String metric = "eyrie_placed_stand_in_splits_total";
        assertThat(Scrape.of(lake.presto().coordinatorSparePort()).sum(metric, Map.of())).isGreaterThan(before.sum(metric, Map.of()));
    }

    /* Again and again, as far as it takes. */
    private void until(String metric, IntConsumer work)
            throws IOException
    {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        for (int i = 0; scrape().sum(metric, Map.of()) == first.sum(metric, Map.of()) && System.nanoTime() < end; i++) {
            work.accept(i);
        }
    }

    private static void together(PrestoClient client, String sql)
    {
        List<CompletableFuture<QueryResult>> queries = Stream.generate(() -> later(client, sql)).limit(4).toList();
        queries.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<QueryResult> later(PrestoClient client, String sql)
    {
        return CompletableFuture.supplyAsync(() -> client.execute(sql), command -> new Thread(command).start());
    }

    /** The next requests of one kind, so many, wait until it is closed. */
    private final class Hold
            implements AutoCloseable
    {
        private final CountDownLatch held = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        Hold(RequestKind kind, int requests)
        {
            AtomicInteger left = new AtomicInteger(requests);
            lake.link().injectFaults(request -> {
                if (request.kind() == kind && left.getAndDecrement() > 0) {
                    held.countDown();
                    await(released);
                }
                return Optional.empty();
            });
        }

        void await()
        {
            await(held);
        }

        private static void await(CountDownLatch latch)
        {
            try {
                assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close()
        {
            released.countDown();
            lake.link().clearFaults();
        }
    }

    private void text(String name, int rows, int copies)
    {
        lake.createTable(SCHEMA, name, "x bigint, y varchar", "format = 'TEXTFILE'");
        for (int i = 0; i < copies; i++) {
            lake.uncachedClient(SCHEMA).execute("INSERT INTO " + name + " SELECT x, to_hex(sha512(to_utf8(cast(x AS varchar))))"
                    + " FROM (SELECT a + 1000 * b AS x FROM UNNEST(sequence(1, 1000)) AS t(a), UNNEST(sequence(0, " + rows / 1000 + ")) AS u(b))"
                    + " WHERE x <= " + rows);
        }
    }

    private void table(String name)
    {
        lake.createTableOfCopies(SCHEMA, name, "x bigint, y varchar",
                "SELECT x, to_hex(sha512(to_utf8(cast(x AS varchar)))) FROM UNNEST(sequence(1, 10000)) AS t(x)", FILES);
    }

    private List<? extends List<?>> rows(String sql)
    {
        return client.execute(sql).rows();
    }

    private Scrape scrape()
            throws IOException
    {
        return Scrape.of(lake.presto().coordinatorSparePort(), lake.presto().workerSparePort(0), lake.presto().workerSparePort(1));
    }

    private Stream<Selector> selectors()
    {
        return files.expressions().stream().flatMap(expression -> PromQl.selectors(expression).stream()).distinct();
    }

    private Set<String> promised()
    {
        return files.rules().stream().flatMap(List::stream).map(Promise::metric).collect(Collectors.toSet());
    }

    private static String named(Selector selector)
    {
        return selector.metric() + (selector.equal().isEmpty() ? "" : selector.equal().toString());
    }

    private void assertRisen(Scrape before, String... metrics)
            throws IOException
    {
        Scrape now = scrape();
        assertThat(metrics).allSatisfy(metric -> {
            assertThat(FAULTS).contains(metric);
            assertThat(now.sum(metric, Map.of())).as(metric).isGreaterThan(before.sum(metric, Map.of()));
        });
    }
}
