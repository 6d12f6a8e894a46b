// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.soak.SoakReport.Blocks;
import io.eyrie.benchmarks.soak.SoakReport.Survival;
import io.eyrie.cache.inspection.StoreInspection;
import io.eyrie.cache.inspection.Verification;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.NodeMBeans;
import io.eyrie.testing.s3.MinioServer;
import io.eyrie.testing.s3.S3Server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A cluster of a coordinator and two workers, on S3 and a Hive Metastore with a notification log, with each worker's cache on two small disks. Three
 * threads run queries, one changes tables, one injects faults. All use a seed, but the timing of the threads makes each run different.
 */
final class Soak
        implements AutoCloseable
{
    static final String SCHEMA = "soak";

    private static final int WORKERS = 2;
    private static final List<String> DISKS_OF_A_NODE = List.of("-a", "-b");
    private static final int ASKERS = 3;
    private static final long DISK_BYTES = 96 << 20;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CHANGES_APART_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FAULTS_APART_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SURVIVED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(90);
    private static final int WARMUP_QUERIES = 60;
    private static final String DATA_CACHE = "io.eyrie:type=DataCache,name=" + Lake.CATALOG;
    private static final String DISKS = "io.eyrie:type=CacheDisk,name=" + Lake.CATALOG;

    private final long seed;
    private final Consumer<String> progress;
    private final Path directory;
    private final List<List<SoakDisk>> disks = new ArrayList<>();
    private final Windows windows = new Windows();
    private final HiveMetastoreServer metastore;
    private final Lake lake;
    private final List<SoakTable> tables;
    private final Askers askers;
    private final Faults faults;
    private final Map<String, Leaks> before = new TreeMap<>();
    private final Map<String, Long> changes = new TreeMap<>();
    private final Map<Fault, Survival> survivals = new EnumMap<>(Fault.class);
    private final Thread hook = new Thread(this::close, "soak-shutdown");
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean stopped;

    private Soak(Checkout checkout, long seed, Consumer<String> progress)
            throws IOException
    {
        this.seed = seed;
        this.progress = progress;
        directory = Files.createTempDirectory("eyrie-soak-").toRealPath();
        try {
            for (String disk : DISKS_OF_A_NODE) {
                Files.createDirectories(directory.resolve("coordinator" + disk + "/cache"));
            }
            for (int worker = 0; worker < WORKERS; worker++) {
                List<SoakDisk> own = new ArrayList<>();
                disks.add(own);
                for (String disk : DISKS_OF_A_NODE) {
                    own.add(SoakDisk.make(directory, "worker-" + worker + disk, DISK_BYTES));
                }
            }
            S3Server s3 = MinioServer.start();
            Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
            settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
            Path logs = checkout.root().resolve("benchmarks/target/presto-logs");
            metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), Files.createDirectories(logs)
                    .resolve("soak-metastore.log"), settings);
            try {
                lake = lake(checkout, s3, logs);
            }
            catch (RuntimeException e) {
                metastore.close();
                throw e;
            }
        }
        catch (IOException | RuntimeException e) {
            closeDisks();
            throw e;
        }
        SoakTable.Place place = new SoakTable.Place(lake, windows, new HashMap<>());
        tables = List.of(
                new SoakTable("text_overwritten", "TEXTFILE", SoakTable.How.OVERWRITTEN, place),
                new SoakTable("orc_overwritten", "ORC", SoakTable.How.OVERWRITTEN, place),
                new SoakTable("parquet_overwritten", "PARQUET", SoakTable.How.OVERWRITTEN, place),
                new SoakTable("orc_inserted", "ORC", SoakTable.How.INSERTED, place),
                new SoakTable("parquet_recreated", "PARQUET", SoakTable.How.RECREATED, place));
        askers = new Askers(lake, tables, windows, progress);
        Random victims = new Random(seed);
        faults = new Faults(lake, metastore, disks, windows, any -> askers.askAsVictim(victims));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a cluster and creates the tables. If that fails, nothing is left running. */
    static Soak start(Checkout checkout, long seed, Consumer<String> progress)
            throws IOException
    {
        progress.accept("seed " + seed);
        Soak soak = new Soak(checkout, seed, progress);
        try {
            soak.createTables();
            return soak;
        }
        catch (RuntimeException e) {
            soak.close();
            throw e;
        }
    }

    private Lake lake(Checkout checkout, S3Server s3, Path logs)
    {
        LakeBuilder builder = Lake.builder(checkout)
                .name(SCHEMA)
                .logRoot(logs)
                .workers(WORKERS)
                .server(() -> s3)
                .shape(LinkShape.STANDARD)
                .progress(progress);
        Map.of(
                "hive.metastore", "thrift",
                "hive.metastore.uri", metastore.uri().toString(),
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.metastore-cache-scope", "ALL",
                "hive.file-status-cache-tables", SCHEMA + ".orc_inserted," + SCHEMA + ".parquet_recreated",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "1s",
                "hive.allow-drop-table", "true",
                "fragment-result-cache.enabled", "true").forEach(builder::property);
        return builder
                .property("cache.base-directory", DISKS_OF_A_NODE.stream().map(disk -> directory + "/${node}" + disk + "/cache").collect(joining(
                        ",")))
                .property("cache.max-cache-size", "100MB")
                .property("cache.min-free-space", "1MB")
                .start();
    }

    private void createTables()
    {
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA + " WITH (location = 's3a://" + Lake.BUCKET + "/" + SCHEMA + "/')");
        lake.createTable(SCHEMA, Question.CONTENTS_TABLE, "known integer", "format = 'ORC'");
        lake.client(SCHEMA).execute("INSERT INTO " + Question.CONTENTS_TABLE + " SELECT CAST(n AS integer) FROM UNNEST(sequence(0, " + (Content.COUNT
                - 1) + ")) AS t(n)");
        for (SoakTable table : tables) {
            table.create();
            progress.accept("made " + table.name());
        }
    }

    /** Runs queries, changes and faults for {@code minutes}, and at least until each fault was injected once. */
    SoakReport run(double minutes)
            throws IOException
    {
        long begin = System.nanoTime();
        warmUp();
        measure(before);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < ASKERS; i++) {
                Random random = new Random(seed + i);
                running.add(threads.submit(() -> {
                    while (!stopped) {
                        askers.askAnything(random);
                    }
                }));
            }
            running.add(threads.submit(this::changeTables));
            injectFaults(begin + (long) (minutes * TimeUnit.MINUTES.toNanos(1)));
            stopped = true;
            for (Future<?> one : running) {
                one.get();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
        catch (ExecutionException e) {
            throw new IllegalStateException("A thread of the soak failed", e);
        }
        finally {
            stopped = true;
            threads.shutdownNow();
        }
        progress.accept("all is quiet now; measuring what is held");
        return report((System.nanoTime() - begin) / (double) TimeUnit.MINUTES.toNanos(1));
    }

    private void warmUp()
    {
        Random random = new Random(seed);
        for (int i = 0; i < WARMUP_QUERIES; i++) {
            askers.askAnything(random);
        }
        for (SoakTable table : tables) {
            count(table.change(random));
        }
    }

    private void changeTables()
    {
        Random random = new Random(~seed);
        while (!stopped) {
            count(tables.get(random.nextInt(tables.size())).change(random));
            pause(CHANGES_APART_NANOS);
        }
    }

    private void count(String change)
    {
        changes.merge(change, 1L, Long::sum);
    }

    private void injectFaults(long end)
            throws IOException
    {
        Random random = new Random(seed);
        for (boolean once = false; !once || System.nanoTime() < end; once = true) {
            List<Fault> schedule = new ArrayList<>(List.of(Fault.values()));
            Collections.shuffle(schedule, random);
            for (Fault fault : schedule) {
                if (once && System.nanoTime() >= end) {
                    return;
                }
                progress.accept(String.format(Locale.ROOT, "%s (%d queries, %d wrong, %d failed without reason)", fault, askers.queries(), askers
                        .wrong()
                        .size(), askers.unexplained().size()));
                Optional<Integer> restarted = faults.inject(fault, random);
                boolean survived = survived(random);
                if (restarted.isPresent()) {
                    before.put("worker-" + restarted.get(), leaks(restarted.get()));
                }
                survivals.merge(fault, new Survival(1, survived ? 1 : 0), (a, b) -> new Survival(a.injected() + b.injected(), a.survived()
                        + b.survived()));
                pause(FAULTS_APART_NANOS);
            }
        }
    }

    private boolean survived(Random random)
    {
        long end = System.nanoTime() + SURVIVED_WITHIN_NANOS;
        while (!askers.allAreRight(random) || !disksServe()) {
            if (System.nanoTime() > end) {
                return false;
            }
        }
        return true;
    }

    /* A node that does not answer in time is not in service yet. */
    private boolean disksServe()
    {
        try {
            return IntStream.range(0, WORKERS).mapToObj(lake.presto()::workerMBeans).allMatch(beans -> beans.numbers(DISKS, "CurrentInService")
                    .values()
                    .stream()
                    .allMatch(inService -> inService == 1));
        }
        catch (UncheckedIOException e) {
            progress.accept("A worker does not answer: " + e.getCause());
            return false;
        }
    }

    private SoakReport report(double minutes)
            throws IOException
    {
        pause(QUIET_NANOS);
        if (!survived(new Random(seed))) {
            throw new IllegalStateException("The tables cannot be read when all is over, or not rightly");
        }
        Map<String, Leaks> after = new TreeMap<>();
        measure(after);
        Map<String, Blocks> blocks = new TreeMap<>();
        double hits = 0;
        double reads = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            NodeMBeans beans = lake.presto().workerMBeans(worker);
            for (Path base : directories(worker)) {
                double bytes = beans.numbers(DISKS, "CurrentBytes").entrySet().stream().filter(disk -> disk.getKey().contains(base.toString()))
                        .findFirst().orElseThrow().getValue();
                blocks.put(requireNonNull(base.getParent()).getFileName().toString(), new Blocks(Leaks.blockBytes(base), bytes));
            }
            hits += beans.number(DATA_CACHE, "HitBytes");
            reads += beans.number(DATA_CACHE, "HitBytes") + beans.number(DATA_CACHE, "RemoteReadBytes");
        }
        long pages = 0;
        long damaged = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            lake.presto().stopWorker(worker);
            for (Path base : directories(worker)) {
                Verification found = StoreInspection.verify(base, Optional.empty(), () -> {}, bytes -> {});
                pages += found.pages();
                damaged += found.damages().size();
            }
        }
        return new SoakReport(seed, minutes, askers.queries(), changes, new TreeMap<>(askers.failed()), askers.unexplained(), askers.wrong(),
                askers.uncheckable(), faults.cancelled(), survivals, reads == 0 ? 0 : hits / reads, pages, damaged, before, after, blocks);
    }

    private List<Path> directories(int worker)
    {
        return disks.get(worker).stream().map(SoakDisk::directory).toList();
    }

    private void measure(Map<String, Leaks> nodes)
    {
        nodes.put("coordinator", Leaks.of(lake.presto().coordinatorMBeans(), lake.presto().pids().get(0)));
        IntStream.range(0, WORKERS).forEach(worker -> nodes.put("worker-" + worker, leaks(worker)));
    }

    private Leaks leaks(int worker)
    {
        return Leaks.of(lake.presto().workerMBeans(worker), lake.presto().pids().get(worker + 1));
    }

    private void closeDisks()
    {
        disks.forEach(own -> own.forEach(SoakDisk::close));
    }

    static void pause(long nanos)
    {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    public void close()
    {
        stopped = true;
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try (metastore; lake) {
            return;
        }
        finally {
            closeDisks();
            Directories.delete(directory);
        }
    }
}
