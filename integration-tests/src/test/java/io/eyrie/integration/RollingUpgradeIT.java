// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Upgrades a cluster node by node, from the plugin of the commit in {@code build/previous} to the present one: real processes of two versions exchange
 * splits, layouts and operators' commands, and open cache directories of each other. Each stage has the answers of Presto's own Hive connector.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollingUpgradeIT
{
    private static final String SCHEMA = "rolling";
    private static final List<String> NODES = List.of("coordinator", "worker-0", "worker-1");

    private final Checkout checkout = Checkout.find();
    private final Path plugins = Path.of("target", "rolling-upgrade").toAbsolutePath();
    private final Path previous = plugins.resolve("previous");
    private final Lake lake;
    private int stages;

    RollingUpgradeIT()
            throws IOException
    {
        Directories.delete(plugins);
        PreviousPlugin.write(checkout, previous);
        for (String node : NODES) {
            Path folder = Files.createDirectories(plugins.resolve(node));
            Files.createSymbolicLink(folder.resolve("tpch"), checkout.tpchPlugin());
            Files.createSymbolicLink(folder.resolve("hive-stock"), checkout.stockPlugin());
            install(node, previous);
        }
        lake = Lake.builder(checkout)
                .name("rolling-upgrade")
                .workers(NODES.size() - 1)
                // instead of one folder for all nodes
                .config("plugin.dir", plugins + "/${node}")
                .property("fragment-result-cache.enabled", "true")
                // so that small tables are packed, too
                .property("hive.affinity-scheduling-unpacked-splits-per-node", "1")
                .property("cache.control-directory", "file:${node.directory}/control")
                .plugin("hive-stock", checkout.stockPlugin())
                .catalog(BesideStock.STOCK, BesideStock.stockCatalog())
                .start();
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void answersOfEachStageArePrestos()
            throws IOException
    {
        lake.createTpchTables(SCHEMA, 0.01, "ORC", true, (table, rows) -> {});
        lake.createTable(SCHEMA, "days", "v bigint, s varchar, t timestamp, ds varchar", "format = 'PARQUET', partitioned_by = ARRAY['ds']");
        insertDay(0);
        assertAnswersArePrestos("all nodes as before");

        upgrade(0);
        assertAnswersArePrestos("one worker upgraded");
        upgrade(1);
        assertAnswersArePrestos("both workers upgraded, the coordinator as before");

        // the other order: a worker that lags behind the coordinator
        install("coordinator", checkout.eyriePlugin());
        install("worker-0", previous);
        lake.presto().restart();
        assertAnswersArePrestos("coordinator upgraded, one worker as before");

        install("worker-0", checkout.eyriePlugin());
        lake.presto().restart();
        assertAnswersArePrestos("all nodes upgraded");
        assertThat(loadedPlugins()).as("plugin folders that each node loaded, in order").isEqualTo(Map.of(
                "coordinator", List.of("previous", "eyrie", "eyrie"),
                "worker-0", List.of("previous", "eyrie", "previous", "eyrie"),
                "worker-1", List.of("previous", "eyrie", "eyrie", "eyrie")));
    }

    private void upgrade(int worker)
            throws IOException
    {
        lake.presto().stopWorker(worker);
        install("worker-" + worker, checkout.eyriePlugin());
        lake.presto().startWorker(worker);
    }

    /** The name of the folder says which version a node loaded. */
    private void install(String node, Path plugin)
            throws IOException
    {
        for (Path version : List.of(previous, checkout.eyriePlugin())) {
            Files.deleteIfExists(plugins.resolve(node).resolve(version.getFileName()));
        }
        Files.createSymbolicLink(plugins.resolve(node).resolve(plugin.getFileName()), plugin);
    }

    private void assertAnswersArePrestos(String stage)
    {
        insertDay(++stages);
        client().execute("CALL eyrie.system.invalidate_cache('" + SCHEMA + "', 'nation')");
        for (int round = 0; round < 2; round++) {
            for (String sql : queries()) {
                QueryResult expected = stock().execute(sql);
                Rows.assertSameRows(client().execute(sql), expected);
            }
        }
        QueryResult warm = client().execute(days(0));
        assertThat(client().statistics(warm).metric("eyrieFragmentHits").sum()).as("fragment results served: " + stage).isPositive();
    }

    private void insertDay(int day)
    {
        client().execute("INSERT INTO days SELECT v, cast(v * v AS varchar), TIMESTAMP '2021-01-01 00:00:00' + v * INTERVAL '1' MINUTE, 'day-" + day
                + "' FROM UNNEST(sequence(" + day + ", 1000)) AS t(v)");
    }

    private List<String> queries()
    {
        List<String> queries = new ArrayList<>(IntStream.of(1, 3, 4, 6, 12, 14, 18).mapToObj(TpchQueries::sql).toList());
        queries.add(days(0));
        queries.add(days(500));
        queries.add("SELECT n_name FROM nation ORDER BY n_nationkey");
        queries.add("SELECT count(*) FROM lineitem");
        queries.add("SELECT count(*), max(l_comment) FROM lineitem WHERE l_orderkey IN ("
                + String.join(", ", IntStream.range(0, 200).mapToObj(key -> Integer.toString(7 * key)).toList()) + ") AND data_year > 1993");
        queries.add("SELECT count(*) FROM days WHERE t > TIMESTAMP '2021-01-01 03:00:00' AND s LIKE '%6'");
        return queries;
    }

    private String days(int least)
    {
        return "SELECT ds, count(*), sum(v), max(s), min(t) FROM days WHERE ds BETWEEN 'day-0' AND 'day-" + stages + "' AND v > " + least
                + " GROUP BY ds";
    }

    private Map<String, List<String>> loadedPlugins()
            throws IOException
    {
        Map<String, List<String>> loaded = new TreeMap<>();
        for (String node : NODES) {
            String prefix = "-- Loading plugin " + plugins.resolve(node) + "/";
            try (Stream<String> lines = Files.lines(lake.presto().logDirectory().resolve(node + ".log"), ISO_8859_1)) {
                loaded.put(node, lines.filter(line -> line.contains(prefix))
                        .map(line -> line.substring(line.indexOf(prefix) + prefix.length()).replaceAll("\\W.*", ""))
                        .filter(folder -> folder.equals("previous") || folder.equals("eyrie"))
                        .toList());
            }
        }
        return loaded;
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }

    private PrestoClient stock()
    {
        return lake.presto().client(BesideStock.STOCK, SCHEMA);
    }
}
