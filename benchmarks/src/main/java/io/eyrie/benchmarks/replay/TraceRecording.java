// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.tpch.TpchQueries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Records the traces of {@link RecordedTrace}: a Presto worker runs a workload's queries one after the other, several times, over generated tables.
 * Pages are small, so that small tables have many. Command: {@code bin/record-traces}.
 */
public final class TraceRecording
{
    private static final int ROUNDS = 3;
    private static final int FLUSH_SECONDS = 5;
    private static final double SCALE = 0.05;
    private static final String PAGE_SIZE = "64kB";
    private static final String RESOURCES = "benchmarks/src/main/resources/io/eyrie/benchmarks/replay";

    private TraceRecording()
    {}

    /** Records the named traces, or all if none is named. */
    public static void main(String[] names)
            throws IOException
    {
        Checkout checkout = Checkout.find();
        List<RecordedTrace> wanted = Stream.of(RecordedTrace.values())
                .filter(trace -> names.length == 0 || List.of(names).contains(trace.title()))
                .toList();
        Path directory = Files.createTempDirectory("eyrie-traces");
        try (Lake lake = start(checkout, directory)) {
            for (RecordedTrace trace : wanted) {
                if (trace == RecordedTrace.TPCH_ORC) {
                    lake.createTpchTables(schema(trace), SCALE, "ORC", false, (table, rows) -> {});
                }
                else {
                    TpcdsTables.create(lake, schema(trace), SCALE, "ORC");
                }
                run(lake.presto().client(schema(trace), schema(trace)), queries(trace));
            }
            awaitFlush();
        }
        for (RecordedTrace trace : wanted) {
            Files.copy(
                    largestFile(directory.resolve(trace.title())),
                    checkout.root().resolve(RESOURCES).resolve(trace.title() + ".eyrie"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        Directories.delete(directory);
    }

    /** Starts a lake with a catalog for each trace, on its own directories; another catalog creates the tables. */
    private static Lake start(Checkout checkout, Path directory)
            throws IOException
    {
        LakeBuilder builder = Lake.builder(checkout)
                .name("traces")
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(1)
                .server(EmbeddedS3Server::inTemporaryDirectory);
        for (RecordedTrace trace : RecordedTrace.values()) {
            Path base = directory.resolve(trace.title());
            for (String node : List.of("coordinator", "worker-0")) {
                Files.createDirectories(base.resolve(node));
            }
            builder.catalog(schema(trace), Map.of(
                    "cache.base-directory", base + "/${node}",
                    "cache.page-size", PAGE_SIZE,
                    "cache.trace-directory", base.toString()));
        }
        return builder.start();
    }

    /** A trace is on disk a second after its last lookup; a process that is stopped writes nothing more. */
    private static void awaitFlush()
    {
        try {
            TimeUnit.SECONDS.sleep(FLUSH_SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before the traces were whole", e);
        }
    }

    private static String schema(RecordedTrace trace)
    {
        return trace.name().toLowerCase(Locale.ROOT);
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
        if (trace == RecordedTrace.TPCH_ORC) {
            return IntStream.rangeClosed(1, TpchQueries.COUNT).mapToObj(TpchQueries::sql).toList();
        }
        return TpcdsTables.queries();
    }

    /** Returns the worker's trace: the coordinator's is almost empty. */
    private static Path largestFile(Path directory)
            throws IOException
    {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
        }
    }
}
