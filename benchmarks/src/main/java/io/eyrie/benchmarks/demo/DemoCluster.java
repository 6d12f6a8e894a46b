// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.tpch.TpchQueries;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * A coordinator and two workers with the catalog {@code eyrie} on S3 inside this JVM, behind the standard link. It measures one query at a time.
 * {@link #close} ends all of it.
 *
 * <p>Not thread-safe: the link's counts belong to one query because nothing else runs.
 */
public final class DemoCluster
        implements QueryRunner, AutoCloseable
{
    /** The number of workers. */
    public static final int WORKERS = 2;

    private static final LinkShape SHAPE = LinkShape.STANDARD;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Lake lake;
    private final Consumer<String> progress;

    private DemoCluster(Lake lake, Consumer<String> progress)
    {
        this.lake = requireNonNull(lake, "lake is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /** Starts everything from the checkout's build output; the logs go to a folder called {@code name}. If the start fails, nothing is left running. */
    public static DemoCluster start(Checkout checkout, String name, Consumer<String> progress)
    {
        progress.accept("starting S3 inside this JVM, and Presto: a coordinator and " + WORKERS + " workers");
        Lake lake = Lake.builder(checkout)
                .name(name)
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(WORKERS)
                .server(EmbeddedS3Server::inTemporaryDirectory)
                // a split returns to the worker that has cached it
                .property("hive.node-selection-strategy", "SOFT_AFFINITY")
                .progress(progress)
                .start();
        return new DemoCluster(lake, progress);
    }

    /** Returns the shape of the link while queries run. */
    static DemoReport.Link link()
    {
        return new DemoReport.Link(SHAPE.requestDelay().toMillis(), SHAPE.bytesPerSecond());
    }

    /** Creates TPC-H's tables of a scale factor in a new schema, in ORC on S3. The link is unshaped meanwhile. */
    public void createTables(String schema, double scale)
    {
        lake.link().reshape(LinkShape.UNSHAPED);
        lake.createTpchTables(schema, scale, "ORC", false, (table, rows) -> progress.accept("created " + schema + "." + table + ", " + rows
                + " rows"));
        lake.link().reshape(SHAPE);
        progress.accept("the link to S3 now takes " + SHAPE.requestDelay().toMillis() + " ms a request");
    }

    @Override
    public QueryRun run(String schema, int query, RunMode mode)
    {
        PrestoClient client = mode == RunMode.OFF ? lake.uncachedClient(schema) : lake.client(schema);
        LinkCounts before = lake.quietCounts();
        QueryResult result = client.execute(TpchQueries.sql(query));
        LinkCounts counts = lake.quietCounts().minus(before);
        return new QueryRun(
                TpchQueries.name(query),
                mode,
                result.wallTime().toNanos() / NANOS_PER_SECOND,
                counts.requests(),
                counts.dataBytes(),
                mode == RunMode.OFF ? Double.valueOf(0) : hitRatio(client.statistics(result)),
                result.checksum());
    }

    private static @Nullable Double hitRatio(QueryStatistics statistics)
    {
        long cacheBytes = statistics.metric("eyrieDataCacheReadBytes").sum();
        long remoteBytes = statistics.metric("eyrieDataRemoteReadBytes").sum();
        return cacheBytes + remoteBytes == 0 ? null : (double) cacheBytes / (cacheBytes + remoteBytes);
    }

    /** Returns instructions for connecting to the running cluster. */
    public String howToConnect(String schema)
    {
        URI uri = lake.presto().coordinatorUri();
        return String.join(
                System.lineSeparator(),
                "The cluster stays up until Ctrl-C.",
                "  Presto CLI   java -jar presto-cli-0.287-executable.jar --server " + uri.getAuthority() + " --catalog " + Lake.CATALOG
                        + " --schema " + schema,
                "  its jar      ./mvnw -N dependency:copy -Dartifact=com.facebook.presto:presto-cli:0.287:jar:executable -DoutputDirectory=.",
                "  a query      SELECT count(*) FROM lineitem;",
                "  cache off    SET SESSION " + Lake.CATALOG + ".cache_enabled = false;",
                "  web page     " + uri);
    }

    @Override
    public void close()
    {
        progress.accept("stopping the cluster");
        lake.close();
    }
}
