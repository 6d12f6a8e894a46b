// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.s3.EmbeddedS3Server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A coordinator, four workers and one that joins later. It has Eyrie's catalog and one of Presto's own Hive connector with Alluxio's cache, both on
 * one store. Every answer is compared with the known one. Not thread-safe: the link's counts belong to one query because nothing else runs.
 */
final class AffinityCluster
        implements AutoCloseable
{
    /** The number of workers before the kill and after the join. */
    static final int WORKERS = 4;

    private static final int JOINER = WORKERS;
    private static final int FILES = 160;
    /** The size of a file of lineitem's rows at scale 0.01. It determines the size of the caches, and the constructor checks it. */
    private static final long LEAST_FILE_BYTES = 1_000_000;
    private static final double CACHES_OVER_FILES = 1.45;
    private static final int MOST_SETTLING_PASSES = 12;
    private static final double SETTLED = 0.01;
    private static final String STOCK_CATALOG = "stock";
    private static final String ROWS = "SELECT l_orderkey, l_quantity, l_extendedprice, l_comment FROM tpch.tiny.lineitem";
    private static final String COLUMNS = "l_orderkey bigint, l_quantity double, l_extendedprice double, l_comment varchar";
    private static final String SUMS = "count(*), sum(l_orderkey), sum(l_quantity), max(l_extendedprice), max(l_comment)";
    private static final String DATA_CACHE = "io.eyrie:type=DataCache,name=" + Lake.CATALOG;

    /** The system whose connector reads. */
    enum Variant
    {
        OURS(Lake.CATALOG, "ours"),
        STOCK(STOCK_CATALOG, "stocks");

        private final String catalog;
        private final String schema;

        Variant(String catalog, String schema)
        {
            this.catalog = catalog;
            this.schema = schema;
        }
    }

    private final Lake lake;
    private final Consumer<String> progress;
    private final long bytes;
    private final List<?> expected;

    private AffinityCluster(Lake lake, Consumer<String> progress)
    {
        this.lake = requireNonNull(lake, "lake is null");
        this.progress = requireNonNull(progress, "progress is null");
        long made = 0;
        for (Variant variant : Variant.values()) {
            lake.client(variant.schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + variant.schema);
            made = lake.createTableOfCopies(variant.schema, "files", COLUMNS, ROWS, FILES);
        }
        bytes = made;
        double over = CACHES_OVER_FILES * FILES * LEAST_FILE_BYTES / bytes;
        if (over < 1.2 || over > 1.9) {
            throw new IllegalStateException("The caches would hold files of " + bytes + " bytes " + over + " times; correct LEAST_FILE_BYTES");
        }
        expected = lake.presto().client("tpch", "tiny").execute("SELECT " + FILES + " * count(*), " + FILES + " * sum(l_orderkey), " + FILES
                + " * sum(l_quantity), max(l_extendedprice), max(l_comment) FROM lineitem").rows();
        progress.accept(FILES + " files of " + bytes / FILES + " bytes; the caches of " + WORKERS + " workers hold them " + String.format(
                Locale.ROOT, "%.2f", over) + " times");
    }

    static AffinityCluster start(Checkout checkout, String hashing, Consumer<String> progress)
    {
        String capacity = (long) (CACHES_OVER_FILES * FILES * LEAST_FILE_BYTES / WORKERS) + "B";
        Lake lake = Lake.builder(checkout)
                .name("affinity")
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(WORKERS + 1)
                .server(EmbeddedS3Server::inTemporaryDirectory)
                .plugin("hive-stock", checkout.stockPlugin())
                .config("node-scheduler.node-selection-hash-strategy", hashing)
                // how long queries wait for a worker that was killed
                .config("query.remote-task.max-error-duration", "10s")
                .config("exchange.max-error-duration", "10s")
                .property("cache.max-cache-size", capacity)
                .property("hive.affinity-scheduling-grace-period", "5s")
                .catalog(STOCK_CATALOG, Map.of(
                        "connector.name", "hive-hadoop2",
                        "hive.node-selection-strategy", "SOFT_AFFINITY",
                        "cache.type", "ALLUXIO",
                        "cache.base-directory", "file:${node.directory}/alluxio",
                        "cache.max-cache-size", "",
                        "cache.alluxio.max-cache-size", capacity))
                .progress(progress)
                .start();
        try {
            lake.presto().stopWorker(JOINER);
            lake.presto().awaitRunningNodes();
            return new AffinityCluster(lake, progress);
        }
        catch (RuntimeException | Error e) {
            lake.close();
            throw e;
        }
    }

    /** Reads all files and returns the bytes that came from the store, as a fraction of the files' bytes. */
    double pass(Variant variant)
    {
        LinkCounts before = lake.quietCounts();
        check(variant);
        double share = (double) lake.quietCounts().minus(before).dataBytes() / bytes;
        progress.accept(String.format(Locale.ROOT, "%s: %.3f of the bytes from the store", variant, share));
        return share;
    }

    /** Reads all files until almost nothing comes from the store any more, or {@link #MOST_SETTLING_PASSES} times. */
    void settle(Variant variant)
    {
        for (int i = 0; i < MOST_SETTLING_PASSES; i++) {
            if (pass(variant) <= SETTLED) {
                return;
            }
        }
    }

    /** Returns the bytes in the caches, as a fraction of the files' bytes. */
    double ssdShare(Variant variant)
    {
        long stored = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            stored += variant == Variant.OURS
                    ? (long) lake.presto().workerMBeans(worker).number(DATA_CACHE, "CurrentBytes")
                    : bytesBelow(lake.presto().workerDirectory(worker).resolve("alluxio"));
        }
        progress.accept(String.format(Locale.ROOT, "%s: %.3f of the bytes on SSDs", variant, (double) stored / bytes));
        return (double) stored / bytes;
    }

    /** Kills a worker while queries run. Returns when the queries have ended and the coordinator no longer considers the worker active. */
    void killWorkerUnderQueries()
    {
        progress.accept("killing a worker while queries run");
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(Variant.values().length);
        try {
            List<Future<?>> runners = new ArrayList<>();
            for (Variant variant : Variant.values()) {
                runners.add(threads.submit(() -> runUntil(stop, variant)));
            }
            lake.presto().killWorker(0);
            lake.presto().awaitRunningNodes();
            stop.set(true);
            for (Future<?> runner : runners) {
                runner.get();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while queries ran", e);
        }
        catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    /** Starts the worker that was never in the cluster. Returns when the coordinator considers it active. */
    void joinWorker()
    {
        progress.accept("another worker joins");
        lake.presto().startWorker(JOINER);
    }

    /* Queries that run at the same time may fail as Presto fails them, but must never return a wrong answer. */
    private void runUntil(AtomicBoolean stop, Variant variant)
    {
        while (!stop.get()) {
            try {
                check(variant);
            }
            catch (QueryFailedException e) {
                progress.accept(variant + ": a query failed under the kill");
            }
        }
    }

    private void check(Variant variant)
    {
        PrestoClient client = lake.presto().client(variant.catalog, variant.schema);
        List<?> rows = client.execute("SELECT " + SUMS + " FROM files").rows();
        if (!rows.equals(expected)) {
            throw new IllegalStateException(variant + " answers " + rows + ", expected " + expected);
        }
    }

    private static long bytesBelow(Path directory)
    {
        if (!Files.exists(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close()
    {
        progress.accept("stopping the cluster");
        lake.close();
    }
}
