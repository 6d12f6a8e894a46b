// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.integration.Monitoring.Alert;
import io.eyrie.integration.Monitoring.Promise;
import io.eyrie.integration.Scrape.Sample;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the files of docs/operations against a real Presto; {@link MetricsFaultIT} covers faults. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsIT
{
    private static final String SCHEMA = "metrics";
    /** A setting, which no work changes. */
    private static final String FOOTER_CAPACITY = "eyrie_capacity_bytes{layer=footer}";

    private MetricsCluster cluster;
    private Lake lake;
    private PrestoClient client;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException,
            URISyntaxException
    {
        cluster = new MetricsCluster(SCHEMA, directory);
        cluster.builder()
                // so that a worker is busy at once, and the other gets splits of its files
                .config("node-scheduler.max-splits-per-node", "2")
                .config("node-scheduler.max-pending-splits-per-task", "1")
                .property("hive.size-based-split-weights-enabled", "false");
        cluster.catalog("tight", Map.of(
                "cache.max-cache-size", "2MB",
                "hive.orc.file-tail-cache-size", "1kB"));
        cluster.catalog("aged", Map.of("cache.ttl", "1s"));
        cluster.catalog("full", Map.of("cache.min-free-space", "1000TB"));
        cluster.catalog("daily", Map.of(
                "cache.admission.daily-write-budget", "256kB",
                "cache.open-partition-age", "1h"));
        cluster.start();
        lake = cluster.lake();
        client = cluster.client();
        cluster.table("clicks");
    }

    @AfterAll
    void stop()
    {
        requireNonNull(cluster).close();
    }

    @Test
    @Order(1)
    void whatNormalWorkIsMeasuredByMoves()
            throws IOException
    {
        Scrape first = cluster.first();
        for (int i = 0; i < 2; i++) {
            client.execute("SELECT * FROM clicks");
            client.execute("SELECT x, y FROM clicks WHERE x % 7 > 3 ORDER BY y LIMIT 5");
            client.execute("SELECT sum(x), max(y) FROM clicks");
            client.execute("SELECT count(*) FROM clicks WHERE random() < 2");
            cluster.client("tight").execute("SELECT max(y) FROM clicks");
            cluster.client("daily").execute("SELECT max(y) FROM clicks");
        }
        client.execute("SELECT sum(x) FROM clicks");
        client.execute("SELECT x % 5, x % 3, count(*) FROM clicks GROUP BY 1, 2");
        client.execute("SELECT x % 3, count(*) FROM clicks GROUP BY 1");
        client.execute("INSERT INTO clicks VALUES (1, 'a')");
        client.execute("SELECT max(y) FROM clicks");
        // the result of each file is too large to be stored the first time
        client.execute(
                "SELECT count(*) FROM (SELECT y, to_hex(sha512(to_utf8(y))), to_hex(sha512(to_utf8(y || 'a'))), count(*) FROM clicks GROUP BY 1, 2, 3)");
        cluster.until(first, "eyrie_data_space_declines_total", any -> cluster.client("full").execute("SELECT max(y) FROM clicks"));
        cluster.client("aged").execute("SELECT max(y) FROM clicks");
        cluster.until(first, "eyrie_data_expirations_total", any -> lake.quietCounts());
        cluster.until(first, "eyrie_data_coalesced_waits_total", any -> MetricsCluster.together(cluster.client("tight"),
                "SELECT max(y) FROM clicks"));
        cluster.client("tight").execute("CALL tight.system.resize_cache('3MB')");
        cluster.until(first, "eyrie_fragment_shared_results_total", i -> MetricsCluster.together(client,
                "SELECT max(y), min(x) FROM clicks WHERE x > " + i));
        cluster.until(first, "eyrie_arrived_splits_total{place=elsewhere}", i -> client.execute("SELECT max(y) FROM clicks WHERE x < " + i));
        cluster.until(first, "eyrie_placed_overflow_splits_total", i -> {
            cluster.table("few" + i, 8, 10);
            client.execute("SELECT max(y) FROM few" + i);
        });
        Scrape now = cluster.scrape();
        assertThat(cluster.selectors().filter(selector -> !MetricsCluster.moved(first, now, selector)).map(MetricsCluster::named)
                .filter(name -> !MetricsFaultIT.FAULTS.contains(name))).containsExactly(FOOTER_CAPACITY);
    }

    @Test
    @Order(2)
    void everyRuleMatchesSomething()
            throws IOException
    {
        Scrape now = cluster.scrape();
        for (List<Promise> rule : cluster.files().rules()) {
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
        Scrape now = cluster.scrape();
        assertThat(cluster.selectors()).hasSizeGreaterThan(60).allSatisfy(selector -> {
            assertThat(promised()).contains(selector.metric());
            assertThat(now.of(selector.metric(), selector.equal())).as("%s", selector).isNotEmpty()
                    .allSatisfy((Sample sample) -> assertThat(selector.labels()).allMatch(
                            label -> label.equals("instance") || sample.labels().containsKey(label)));
        });
    }

    @Test
    @Order(2)
    void capacityOfFootersIsWhatWasSet()
            throws IOException
    {
        Scrape now = cluster.scrape();
        String metric = cluster.selector(FOOTER_CAPACITY).metric();
        Map<String, String> tails = Map.of("layer", "footer", "kind", "orc_file_tail");
        // five catalogs on three nodes
        assertThat(now.of(metric, tails)).hasSize(15).allSatisfy((Sample sample) -> {
            if ("tight".equals(sample.labels().get("catalog"))) {
                assertThat(sample.value()).isEqualTo(1024);
            }
            else {
                assertThat(sample.value()).isGreaterThan(1_000_000);
            }
        });
    }

    @Test
    @Order(2)
    void alertsSayWhatToDo()
            throws IOException
    {
        String runbook = Files.readString(Checkout.find().root().resolve("docs/operating.md"));
        assertThat(runbook).contains("## Runbook, by symptom");
        assertThat(cluster.files().alerts()).hasSizeGreaterThan(8).allSatisfy((Alert alert) -> {
            assertThat(alert.annotations().keySet()).containsExactlyInAnyOrder("summary", "description", "runbook_url", "symptom");
            assertThat(alert.annotations().get("runbook_url")).matches(
                    "\\{\\{ with \\$externalLabels.eyrie_docs }}\\{\\{ \\. }}\\{\\{ else }}https://[^ ]+\\{\\{ end }}/operating.md#runbook-by-symptom");
            assertThat(runbook).contains("| " + alert.annotations().get("symptom") + " |");
        });
    }

    private Set<String> promised()
    {
        return cluster.files().rules().stream().flatMap(List::stream).map(Promise::metric).collect(Collectors.toSet());
    }
}
