// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.docs.ExampleCatalog;
import io.eyrie.testing.docs.ExampleTables;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.tpch.TpchQueries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * A coordinator and a worker on a Hive Metastore and on S3 inside this JVM, behind a link. The catalog {@code hive} has Eyrie, {@code presto_hive} Presto's own
 * Hive connector. It measures one query at a time. {@link #close} ends all of it.
 *
 * <p>Not thread-safe: the link's counts belong to one query because nothing else runs.
 */
public final class DemoCluster
        implements QueryRunner, AutoCloseable
{
    private static final String UNCACHED = "presto_hive";
    private static final String SCHEMA = "tpch";
    private static final String FILE_STATISTICS = "io.eyrie:type=FileStatistics,name=" + ExampleCatalog.NAME;
    private static final double NANOS_PER_SECOND = 1e9;
    /** The tables that are partitioned by the month of a date, and that date. */
    private static final Map<String, String> MONTH_OF = Map.of("lineitem", "l_shipdate", "orders", "o_orderdate");

    private final Lake lake;
    private final AddressFile addresses;
    private final Consumer<String> progress;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DemoCluster(Lake lake, AddressFile addresses, Consumer<String> progress)
    {
        this.lake = requireNonNull(lake, "lake is null");
        this.addresses = requireNonNull(addresses, "addresses is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /** Starts everything from the checkout's build output; the logs go to a folder called {@code name}. If the start fails, nothing is left running. */
    public static DemoCluster start(Checkout checkout, String name, Consumer<String> progress)
    {
        progress.accept("starting S3 inside this JVM, a Hive Metastore, and Presto: a coordinator and a worker");
        LakeBuilder builder = Lake.builder(checkout)
                .name(name)
                .logRoot(checkout.root().resolve("demo/target/presto-logs"))
                .mainCatalog(ExampleCatalog.NAME)
                .hiveMetastore()
                .workers(1)
                .plugin("hive-stock", checkout.stockPlugin())
                .catalog(UNCACHED, Map.of("connector.name", "hive-hadoop2"))
                .server(EmbeddedS3Server::inTemporaryDirectory)
                .progress(progress);
        ExampleCatalog.properties(checkout).forEach(builder::property);
        builder.property("cache.base-directory", "file:${node.directory}/data");
        return new DemoCluster(builder.start(), new AddressFile(checkout.root().resolve("demo/target/coordinator")), progress);
    }

    /**
     * Creates TPC-H's tables of a scale factor in a new schema, in ORC on S3, lineitem and orders partitioned by month, and the tables that the
     * documentation names.
     */
    public void createTables(double scale)
    {
        // without statistics, every join shuffles both sides
        PrestoClient client = lake.client(SCHEMA)
                .withSession("task_writer_count", "1")
                .withSession(ExampleCatalog.NAME + ".collect_column_statistics_on_write", "true");
        client.execute("CREATE SCHEMA " + ExampleCatalog.NAME + "." + SCHEMA);
        String source = "tpch.\"" + TpchQueries.sourceSchema(scale) + "\".";
        // each partition takes calls to the metastore and the store, so several tables at a time (one per processor) take less time
        TpchQueries.TABLES.parallelStream().forEach(table -> {
            String date = MONTH_OF.get(table);
            long rows = client.execute("CREATE TABLE " + table + (date == null ? "" : " WITH (partitioned_by = ARRAY['month'])") + " AS SELECT *"
                    + (date == null ? "" : ", date_format(" + date + ", '%Y-%m') AS month") + " FROM " + source + table).updateCount();
            progress.accept("created " + SCHEMA + "." + table + ", " + rows + " rows");
        });
        ExampleTables.create(client);
    }

    /**
     * Runs each query without the cache, cold and warm, several at a time, and discards the measurements, so that the JVMs have loaded and compiled
     * the code that the queries need.
     */
    public void warmUp()
    {
        progress.accept("running each query unmeasured, so that no measured run pays for a young JVM");
        for (RunMode mode : List.of(RunMode.OFF, RunMode.COLD, RunMode.WARM)) {
            PrestoClient client = client(mode);
            DemoRun.QUERIES.parallelStream().map(TpchQueries::sql).forEach(client::execute);
        }
    }

    /** Shapes the link to S3, which is as fast as this machine before. */
    public void shape(DemoLink link)
    {
        lake.link().reshape(link.shape());
        LinkShape shape = link.shape();
        progress.accept("the link to S3 now takes " + shape.requestDelay().toMillis() + " ms a request");
    }

    @Override
    public QueryRun run(int query, RunMode mode)
    {
        PrestoClient client = client(mode);
        LinkCounts before = quietCounts();
        QueryResult result = client.execute(TpchQueries.sql(query));
        LinkCounts counts = quietCounts().minus(before);
        return new QueryRun(
                TpchQueries.name(query),
                mode,
                result.wallTime().toNanos() / NANOS_PER_SECOND,
                counts.requests(),
                counts.of(RequestKind.LIST).requests(),
                counts.dataBytes(),
                result.checksum());
    }

    /* For a cold run, drops what all layers have cached. */
    private PrestoClient client(RunMode mode)
    {
        PrestoClient client = mode == RunMode.OFF ? lake.presto().client(UNCACHED, SCHEMA) : lake.client(SCHEMA);
        if (mode == RunMode.COLD) {
            client.execute("CALL system.invalidate_cache()");
        }
        return client;
    }

    /* The coordinator reads the footers of a query's files after the query, with pauses. */
    private LinkCounts quietCounts()
    {
        while (lake.presto().coordinatorMBeans().number(FILE_STATISTICS, "CurrentQueuedFiles") > 0) {
            lake.quietCounts();
        }
        return lake.quietCounts();
    }

    /** Writes the coordinator's address where {@code bin/presto} finds it, and returns shell commands for the running cluster, to be run in the checkout. */
    public List<String> commandsToTry()
    {
        URI uri = lake.presto().coordinatorUri();
        try {
            if (addresses.add(uri)) {
                progress.accept("another demo of this checkout runs, or was killed: bin/presto now uses this one");
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(
                "bin/presto --execute \"SELECT node_id, layer, lookups, hits, misses FROM hive.cache.layers ORDER BY 1, 2\"",
                "bin/presto --execute \"CREATE TABLE IF NOT EXISTS hive.web.pages AS SELECT page, sum(price) AS revenue FROM hive.web.clicks GROUP BY page\"",
                "bin/presto --execute \"SELECT state, count(*), sum(loaded_bytes) FROM TABLE(hive.system.warm_cache(schema_name => 'tpch', table_name => 'orders')) GROUP BY 1\"",
                "bin/presto --session hive.cache_enabled=false --execute \"EXPLAIN ANALYZE SELECT count(*), sum(l_quantity) FROM hive.tpch.lineitem\"",
                "bin/eyrie inspect " + lake.presto().workerDirectory(0).resolve("data"));
    }

    /** Returns the address of the coordinator's web page. */
    public URI webPage()
    {
        return lake.presto().coordinatorUri();
    }

    @Override
    public void close()
    {
        if (closed.compareAndSet(false, true)) {
            progress.accept("stopping the cluster");
            try (lake) {
                addresses.remove(lake.presto().coordinatorUri());
            }
            catch (IOException e) {
                progress.accept("cannot remove the address of this demo from demo/target/coordinator: " + e);
            }
        }
    }
}
