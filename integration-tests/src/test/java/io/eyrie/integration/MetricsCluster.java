// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.integration.PromQl.Selector;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import io.prometheus.jmx.JavaAgent;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A real Presto cluster with the JMX exporter's agent and the files of {@code docs/operations}: a coordinator and two workers, on S3 and a Hive
 * Metastore with a notification log.
 */
final class MetricsCluster
        implements AutoCloseable
{
    private static final int FILES = 12;

    private final String schema;
    private final Path caches;
    private final Monitoring files;
    private final HiveMetastoreServer metastore;
    private final Map<String, String> catalog;
    private final LakeBuilder builder;
    private @Nullable Lake lake;
    private @Nullable Scrape first;

    /** @param caches the directory of the caches of all catalogs except the first */
    MetricsCluster(String schema, Path caches)
            throws IOException,
            URISyntaxException
    {
        this.schema = schema;
        this.caches = caches;
        Checkout checkout = Checkout.find();
        Path operations = checkout.root().resolve("docs/operations");
        files = Monitoring.read(operations);
        S3Server s3 = EmbeddedS3Server.inMemory();
        Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
        settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"),
                Path.of("target/" + schema + "-metastore.log"), settings);
        catalog = Map.of(
                "hive.metastore", "thrift",
                "hive.metastore.uri", metastore.uri().toString(),
                // for a busy machine
                "hive.metastore-timeout", "2m",
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.metastore-cache-scope", "ALL",
                "hive.file-status-cache-tables", "*",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "1ms");
        builder = Lake.builder(checkout)
                .name(schema)
                .server(() -> s3)
                .workers(2)
                .jvmOption("-javaagent:" + jar(JavaAgent.class) + "=127.0.0.1:${node.spare-port}:" + operations.resolve("jmx-exporter.yaml"))
                .property("fragment-result-cache.enabled", "true")
                .property("cache.control-directory", "file:${node.directory}/control");
        catalog.forEach(builder::property);
    }

    static Path jar(Class<?> type)
            throws URISyntaxException
    {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    LakeBuilder builder()
    {
        return builder;
    }

    /** Adds a catalog with its own cache. */
    void catalog(String name, Map<String, String> properties)
            throws IOException
    {
        for (String node : List.of("coordinator", "worker-0", "worker-1")) {
            Files.createDirectories(caches.resolve(name).resolve(node));
        }
        Map<String, String> all = new HashMap<>(catalog);
        all.putAll(properties);
        all.put("cache.base-directory", caches.resolve(name) + "/${node}");
        all.put("cache.control-directory", "file:${node.directory}/control-" + name);
        builder.catalog(name, all);
    }

    void start()
            throws IOException
    {
        lake = builder.start();
        first = scrape();
        client().execute("CREATE SCHEMA " + schema + " WITH (location = 's3a://" + Lake.BUCKET + "/" + schema + "/')");
    }

    Monitoring files()
    {
        return files;
    }

    HiveMetastoreServer metastore()
    {
        return metastore;
    }

    Lake lake()
    {
        return requireNonNull(lake);
    }

    PrestoClient client()
    {
        return lake().client(schema);
    }

    PrestoClient client(String catalogName)
    {
        return lake().presto().client(catalogName, schema);
    }

    /** Returns the exporters' output before any query. */
    Scrape first()
    {
        return requireNonNull(first);
    }

    Scrape scrape()
            throws IOException
    {
        PrestoCluster presto = lake().presto();
        return Scrape.of(presto.coordinatorSparePort(), presto.workerSparePort(0), presto.workerSparePort(1));
    }

    /** Returns the selectors of the dashboard and the alerts. */
    Stream<Selector> selectors()
    {
        return files.expressions().stream().flatMap(expression -> PromQl.selectors(expression).stream()).distinct();
    }

    static String named(Selector selector)
    {
        return selector.metric() + (selector.equal().isEmpty() ? "" : selector.equal().toString());
    }

    /** Repeats the work until a metric, named as by {@link #named}, differs from its value in {@code before}, for up to two minutes. */
    void until(Scrape before, String name, IntConsumer work)
            throws IOException
    {
        Selector metric = selector(name);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        for (int i = 0; !moved(before, scrape(), metric) && System.nanoTime() < end; i++) {
            work.accept(i);
        }
    }

    Selector selector(String name)
    {
        return selectors().filter(selector -> named(selector).equals(name)).findFirst().orElseThrow(() -> new IllegalArgumentException(name));
    }

    static boolean moved(Scrape before, Scrape now, Selector metric)
    {
        return now.sum(metric.metric(), metric.equal()) != before.sum(metric.metric(), metric.equal());
    }

    static void together(PrestoClient client, String sql)
    {
        List<CompletableFuture<QueryResult>> queries = Stream.generate(() -> later(client, sql)).limit(4).toList();
        queries.forEach(CompletableFuture::join);
    }

    static CompletableFuture<QueryResult> later(PrestoClient client, String sql)
    {
        return CompletableFuture.supplyAsync(() -> client.execute(sql), command -> new Thread(command).start());
    }

    /** Holds the next {@code requests} requests of one kind. */
    HeldRequests hold(RequestKind kind, int requests)
    {
        AtomicInteger left = new AtomicInteger(requests);
        return new HeldRequests(lake().link(), request -> request.kind() == kind && left.getAndDecrement() > 0);
    }

    /** Creates a table of text with {@code copies} files of {@code rows} rows each. */
    void text(String name, int rows, int copies)
    {
        lake().createTable(schema, name, "x bigint, y varchar", "format = 'TEXTFILE'");
        for (int i = 0; i < copies; i++) {
            lake().uncachedClient(schema).execute("INSERT INTO " + name + " SELECT x, to_hex(sha512(to_utf8(cast(x AS varchar))))"
                    + " FROM (SELECT a + 1000 * b AS x FROM UNNEST(sequence(1, 1000)) AS t(a), UNNEST(sequence(0, " + rows / 1000 + ")) AS u(b))"
                    + " WHERE x <= " + rows);
        }
    }

    /** Creates an ORC table of twelve identical files. */
    void table(String name)
    {
        table(name, FILES, 10_000);
    }

    void table(String name, int copies, int rows)
    {
        lake().createTableOfCopies(schema, name, "x bigint, y varchar",
                "SELECT x, to_hex(sha512(to_utf8(cast(x AS varchar)))) FROM UNNEST(sequence(1, " + rows + ")) AS t(x)", copies);
    }

    @Override
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    public void close()
    {
        try (HiveMetastoreServer one = metastore; Lake other = lake) {
            return;
        }
    }
}
