package io.eyrie.benchmarks.replay;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.tpch.TpchQueries;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Records the traces of {@link RecordedTrace}: a worker of Presto answers a workload's queries one after the other, a number of times, over tables
 * that a connector generates. Pages are small, so that small tables have many. Command: {@code bin/record-traces}.
 */
public final class TraceRecording
{
    private static final int ROUNDS = 4;
    private static final double SCALE = 0.2;
    private static final String PAGE_SIZE = "64kB";
    private static final String RESOURCES = "benchmarks/src/main/resources/io/eyrie/benchmarks/replay";
    // without dbgen_version, whose times no file format of Hive has
    private static final List<String> TPCDS_TABLES = List.of(
            "call_center", "catalog_page", "catalog_returns", "catalog_sales", "customer", "customer_address", "customer_demographics", "date_dim",
            "household_demographics", "income_band", "inventory", "item", "promotion", "reason", "ship_mode", "store", "store_returns", "store_sales",
            "time_dim", "warehouse", "web_page", "web_returns", "web_sales", "web_site");

    private final Checkout checkout;
    private final Path traces;

    private TraceRecording(Checkout checkout, Path traces)
    {
        this.checkout = checkout;
        this.traces = traces;
    }

    /** Records the traces named, or all. */
    public static void main(String[] names)
            throws IOException
    {
        Checkout checkout = Checkout.find();
        Path traces = Files.createTempDirectory("eyrie-traces");
        for (RecordedTrace trace : RecordedTrace.values()) {
            if (names.length == 0 || List.of(names).contains(trace.title())) {
                new TraceRecording(checkout, traces).record(trace);
            }
        }
        Files.delete(traces);
    }

    private void record(RecordedTrace trace)
            throws IOException
    {
        String schema = trace.name().toLowerCase(Locale.ROOT);
        try (Lake lake = Lake.builder(checkout)
                .name("traces")
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(1)
                .server(EmbeddedS3Server::inTemporaryDirectory)
                .plugin("tpcds", checkout.tpcdsPlugin())
                .otherCatalog("tpcds", Map.of("connector.name", "tpcds"))
                .property("cache.page-size", PAGE_SIZE)
                .property("cache.trace-directory", traces.toString())
                .start()) {
            String format = trace == RecordedTrace.TPCH_PARQUET ? "PARQUET" : "ORC";
            if (trace == RecordedTrace.TPCDS_ORC) {
                createTpcdsTables(lake, schema, format);
            }
            else {
                lake.createTpchTables(schema, SCALE, format, false, (table, rows) -> {});
            }
            // each start begins a trace; those so far are of making the tables
            deleteTraces();
            lake.presto().restart();
            run(lake.client(schema), queries(trace));
        }
        keepLargest(trace);
    }

    private static void createTpcdsTables(Lake lake, String schema, String format)
    {
        PrestoClient client = lake.uncachedClient(schema);
        client.execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        for (String table : TPCDS_TABLES) {
            String source = "tpcds.\"sf" + SCALE + "\"." + table;
            lake.createTable(schema, table, lake.columnsOf(source), "format = '" + format + "'");
            client.execute("INSERT INTO " + table + " SELECT * FROM " + source);
        }
    }

    private static void run(PrestoClient client, List<String> queries)
    {
        for (int round = 0; round < ROUNDS; round++) {
            queries.forEach(client::execute);
        }
    }

    private static List<String> queries(RecordedTrace trace)
            throws IOException
    {
        if (trace != RecordedTrace.TPCDS_ORC) {
            return IntStream.rangeClosed(1, TpchQueries.COUNT).mapToObj(TpchQueries::sql).toList();
        }
        try (InputStream in = requireNonNull(TraceRecording.class.getResourceAsStream("tpcds.sql"))) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(all.split(";")).map(String::strip).filter(query -> !query.isEmpty()).toList();
        }
    }

    private List<Path> traceFiles()
            throws IOException
    {
        try (Stream<Path> files = Files.list(traces)) {
            return files.toList();
        }
    }

    private void deleteTraces()
            throws IOException
    {
        for (Path file : traceFiles()) {
            Files.delete(file);
        }
    }

    /** The coordinator's is next to empty. */
    private void keepLargest(RecordedTrace trace)
            throws IOException
    {
        Path largest = traces;
        long bytes = 0;
        for (Path file : traceFiles()) {
            if (Files.size(file) > bytes) {
                largest = file;
                bytes = Files.size(file);
            }
        }
        Files.copy(largest, checkout.root().resolve(RESOURCES).resolve(trace.title() + ".eyrie"), StandardCopyOption.REPLACE_EXISTING);
        deleteTraces();
    }
}
