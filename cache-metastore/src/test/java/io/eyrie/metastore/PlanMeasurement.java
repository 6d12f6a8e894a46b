// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.HiveMetastoreCacheStats;
import com.facebook.presto.hive.metastore.InMemoryCachingHiveMetastore;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.util.concurrent.MoreExecutors;
import io.airlift.units.Duration;
import io.eyrie.cache.page.PageCache;
import io.eyrie.metastore.CountedMetastore.CallCounts;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.TestingEventLog;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Runs the measurements of {@code bin/bench metadata}, in a JVM with the plugin's class path: the metastore's part of planning a query over all
 * partitions of a table, and the memory of cached partitions. Prints a line per measurement: the variant, the item, and figures.
 */
public final class PlanMeasurement
{
    /*
     * A plan      the table, the names of its partitions, and the partitions in batches that grow from 10 to 100, as Presto's split manager requests
     *             them
     * Log         begins after the partitions were added: Derby cannot store an event for many of them
     * Restart     the first plan of a new JVM: of Eyrie on the metadata that the one before stored, once the disk is open, which nothing waits for in a coordinator
     * Variants    Eyrie; Presto's own cache with a TTL of a day; neither. No variant has a connection pool: Presto connects for each call
     */
    private static final String RESTARTED = "restarted";
    private static final int WARM_UPS = 3;
    private static final int SMALLEST_BATCH = 10;
    private static final int LARGEST_BATCH = 100;
    private static final int PLAN_COLUMNS = 20;
    private static final int PLANS = 20;
    private static final int KEPT_COLUMNS = 100;
    private static final EntryLimits LIMITS = new EntryLimits(8L << 30, 20_000_000, java.time.Duration.ofDays(1), java.time.Duration.ofMinutes(10));

    private PlanMeasurement()
    {}

    /**
     * Arguments: {@code plans DATABASE LIB LOG REPEATS PARTITIONS…}, {@code heap ours|ttl-cache PARTITIONS PLANNED}, or {@code restarted ours|none METASTORE
     * DIRECTORY TABLE}.
     */
    public static void main(String[] arguments)
            throws Exception
    {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        if (arguments[0].equals("heap")) {
            heap(out, arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        }
        else if (arguments[0].equals("restarted")) {
            restarted(out, arguments);
        }
        else {
            plans(out, arguments);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void plans(PrintWriter out, String[] arguments)
            throws Exception
    {
        List<Integer> sizes = List.of(arguments).subList(5, arguments.length).stream().map(Integer::valueOf).toList();
        try (HiveMetastoreServer server = HiveMetastoreServer.start(
                Path.of(arguments[2]),
                Path.of(arguments[3]),
                MetastoreDatabase.valueOf(arguments[1]),
                Map.of())) {
            try (SecondWriter writer = writer(server)) {
                writer.createDatabase("bench");
                for (int partitions : sizes) {
                    writer.createTable("bench", "t" + partitions, PLAN_COLUMNS, partitions);
                }
            }
            server.restart(HiveMetastoreServer.NOTIFICATION_LOG);
            try (SecondWriter writer = writer(server)) {
                for (int partitions : sizes) {
                    plans(out, server, writer, partitions, Integer.parseInt(arguments[4]));
                }
            }
        }
    }

    private static void plans(PrintWriter out, HiveMetastoreServer server, SecondWriter writer, int partitions, int repeats)
            throws Exception
    {
        CountedMetastore counted = new CountedMetastore();
        for (int repeat = -1; repeat < repeats; repeat++) {
            for (Variant variant : Variant.values()) {
                for (String line : measure(variant, counted, MetastoreUnderTest.of(server, server.uri(), counted), writer, "t" + partitions)) {
                    if (repeat >= 0) { // the first one warms up
                        out.println(variant.title + " " + partitions + " " + line);
                    }
                }
            }
        }
    }

    private static SecondWriter writer(HiveMetastoreServer server)
            throws Exception
    {
        return new SecondWriter(server.uri(), server.warehouse(), new Random(1));
    }

    private static List<String> measure(Variant variant, CountedMetastore counted, MetastoreUnderTest metastores, SecondWriter writer, String table)
            throws Exception
    {
        ExtendedHiveMetastore metastore = variant.of(metastores);
        Path directory = Files.createTempDirectory("eyrie-plan");
        List<String> lines = new ArrayList<>();
        try (PageCache disk = CoordinatorProcess.open(directory)) {
            if (variant == Variant.OURS) {
                CoordinatorProcess.store(metastores.cached(), disk);
            }
            lines.addAll(measure(metastore, counted, writer, table));
            while (metastores.cached().flush()) {
                Thread.onSpinWait();
            }
        }
        if (variant != Variant.TTL_CACHE) {
            lines.add(inNewJvm(variant, metastores.server().uri(), directory, table));
        }
        MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
        return lines;
    }

    private static String inNewJvm(Variant variant, URI metastore, Path directory, String table)
            throws Exception
    {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                PlanMeasurement.class.getName(),
                "restarted",
                variant.title,
                metastore.toString(),
                directory.toString(),
                table).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            String line = lines.lines().filter(found -> found.startsWith(RESTARTED)).findFirst().orElseThrow();
            int unused = process.waitFor(); // until then, it uses the directory
            return line;
        }
    }

    private static void restarted(PrintWriter out, String[] arguments)
            throws Exception
    {
        CountedMetastore counted = new CountedMetastore();
        MetastoreUnderTest metastores = MetastoreUnderTest.ofAnotherProcess(URI.create(arguments[2]), counted);
        try (PageCache disk = CoordinatorProcess.open(Path.of(arguments[3]))) {
            boolean ours = arguments[1].equals(Variant.OURS.title);
            if (ours) {
                CoordinatorProcess.store(metastores.cached(), disk);
            }
            out.println(plan(RESTARTED, ours ? metastores.cached() : metastores.direct(), counted, arguments[4]));
        }
    }

    private static List<String> measure(ExtendedHiveMetastore metastore, CountedMetastore counted, SecondWriter writer, String table)
            throws Exception
    {
        List<String> lines = new ArrayList<>();
        lines.add(plan("cold", metastore, counted, table));
        for (int i = 0; i < WARM_UPS; i++) {
            plan("warm", metastore, counted, table);
        }
        lines.add(plan("warm", metastore, counted, table));
        writer.touchPartition("bench", table, "7");
        lines.add(plan("one-changed", metastore, counted, table));
        return lines;
    }

    /** Returns the item, milliseconds, calls, partitions fetched, and calls by kind. */
    private static String plan(String what, ExtendedHiveMetastore metastore, CountedMetastore counted, String name)
    {
        counted.take();
        MetastoreContext query = Contexts.newQuery();
        long begun = System.nanoTime();
        Table table = metastore.getTable(query, "bench", name).orElseThrow();
        Map<Column, Domain> all = table.getPartitionColumns().stream().collect(toImmutableMap(column -> column, column -> Domain.all(VARCHAR)));
        List<PartitionNameWithVersion> names = metastore.getPartitionNamesByFilter(query, "bench", name, all);
        int found = 0;
        int batch = SMALLEST_BATCH;
        for (int from = 0; from < names.size(); from += batch, batch = Math.min(2 * batch, LARGEST_BATCH)) {
            found += metastore.getPartitionsByNames(query, "bench", name, names.subList(from, Math.min(from + batch, names.size()))).size();
        }
        long nanos = System.nanoTime() - begun;
        if (found != names.size()) {
            throw new IllegalStateException(found + " partitions of " + names.size());
        }
        CallCounts taken = counted.take();
        return String.format(Locale.ROOT, "%s %.3f %d %d %s", what, nanos / 1e6, taken.all(), taken.partitions(), taken.calls().toString().replace(
                " ", ""));
    }

    /*
     * Prints the bytes of this many partitions, loaded in batches as from a metastore, which share no objects. Then the least milliseconds in which a plan
     * gets some of them.
     */
    private static void heap(PrintWriter out, String variant, int partitions, int planned)
    {
        ExtendedHiveMetastore source = synthetic();
        ExtendedHiveMetastore metastore = variant.equals("ours")
                ? new VersionedHiveMetastore(source, new TestingEventLog(), new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, false,
                        java.time.Duration.ZERO))
                : ttlCache(source);
        fill(metastore, 0, LARGEST_BATCH); // objects that the first use creates once
        long before = usedBytes();
        try {
            for (int from = LARGEST_BATCH; from < partitions + LARGEST_BATCH; from += LARGEST_BATCH) {
                fill(metastore, from, from + LARGEST_BATCH);
            }
            out.println(variant + " heap " + (usedBytes() - before));
            double millis = Double.MAX_VALUE;
            for (int plan = 0; plan < PLANS; plan++) {
                int from = LARGEST_BATCH + plan * planned % (partitions - planned + 1);
                long begun = System.nanoTime();
                fill(metastore, from, from + planned);
                millis = Math.min(millis, (System.nanoTime() - begun) / 1e6);
            }
            out.println(variant + " plan " + millis);
        }
        finally {
            Reference.reachabilityFence(metastore);
        }
    }

    private static void fill(ExtendedHiveMetastore metastore, int from, int to)
    {
        MetastoreContext query = Contexts.newQuery();
        metastore.getPartitionsByNames(query, "bench", "t", IntStream.range(from, to).mapToObj(i -> new PartitionNameWithVersion("p=" + i, Optional
                .empty()))
                .toList());
    }

    private static ExtendedHiveMetastore synthetic()
    {
        return (ExtendedHiveMetastore) Proxy.newProxyInstance(
                ExtendedHiveMetastore.class.getClassLoader(),
                new Class<?>[] {ExtendedHiveMetastore.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("getPartitionsByNames")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    Map<String, Optional<Partition>> found = new LinkedHashMap<>();
                    for (Object name : (List<?>) arguments[3]) {
                        String partition = ((PartitionNameWithVersion) name).getPartitionName();
                        found.put(partition, Optional.of(partition(partition)));
                    }
                    return found;
                });
    }

    private static Partition partition(String name)
    {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : List.of("numFiles", "numRows", "rawDataSize", "totalSize", "transient_lastDdlTime", "presto_query_id")) {
            parameters.put(own(parameter), own(parameter.equals("presto_query_id")
                    ? "20261121_120000_00001_abcde"
                    : Integer.toString(name.hashCode())));
        }
        return Partition.builder()
                .setCatalogName(Optional.of(own("hive")))
                .setDatabaseName(own("bench"))
                .setTableName(own("t"))
                .setValues(List.of(own(name.substring(2))))
                .setColumns(IntStream.range(0, KEPT_COLUMNS)
                        .mapToObj(i -> new Column(own("column_number_" + i), HiveType.valueOf(own("bigint")), Optional.of(own("a comment")), Optional
                                .empty()))
                        .toList())
                .setParameters(parameters)
                .withStorage(storage -> storage
                        .setStorageFormat(StorageFormat.create(
                                own("org.apache.hadoop.hive.ql.io.orc.OrcSerde"),
                                own("org.apache.hadoop.hive.ql.io.orc.OrcInputFormat"),
                                own("org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat")))
                        .setLocation(own("s3://a-bucket-of-a-lake/warehouse/bench.db/t/" + name)))
                .build();
    }

    @SuppressWarnings("StringCopy") // creates a separate string each time, as thrift does
    private static String own(String text)
    {
        return new String(text.toCharArray());
    }

    private static long usedBytes()
    {
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static ExtendedHiveMetastore ttlCache(ExtendedHiveMetastore metastore)
    {
        MetastoreClientConfig config = new MetastoreClientConfig()
                .setMetastoreCacheTtl(new Duration(1, TimeUnit.DAYS))
                .setMetastoreRefreshInterval(new Duration(1, TimeUnit.DAYS))
                .setMetastoreCacheMaximumSize(20_000_000);
        return new InMemoryCachingHiveMetastore(metastore, MoreExecutors.newDirectExecutorService(), new HiveMetastoreCacheStats(), config);
    }

    private enum Variant
    {
        OURS("ours"), TTL_CACHE("ttl-cache"), NONE("none");

        private final String title;

        Variant(String title)
        {
            this.title = title;
        }

        ExtendedHiveMetastore of(MetastoreUnderTest metastores)
        {
            return switch (this) {
                case OURS -> metastores.cached();
                case TTL_CACHE -> ttlCache(metastores.direct());
                case NONE -> metastores.direct();
            };
        }
    }
}
