// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.peers;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.s3.EmbeddedS3Server;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A lake with a catalog for each {@link Variant}. */
public final class PeerLake
{
    public static final int WORKER_HEAP_MEGABYTES = 6144;
    private static final String METASTORE_TTL = "2d";
    /** Of all catalogs: tables at locations that the benchmarks choose are filled by INSERT, which stores their statistics. */
    private static final Map<String, String> WRITES = Map.of("hive.non-managed-table-writes-enabled", "true",
            "hive.collect-column-statistics-on-write", "true");

    private PeerLake()
    {}

    /**
     * Returns a builder of a lake with a Hive Metastore, one worker and the coordinator: one Presto process for each of two processors. Its files are in a
     * temporary directory behind an unshaped link; the metastore's database is not behind it.
     */
    public static LakeBuilder builder(Checkout checkout, String name, Consumer<String> progress)
    {
        LakeBuilder builder = Lake.builder(checkout)
                .hiveMetastore()
                .name(name)
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(1)
                .workerHeapMegabytes(WORKER_HEAP_MEGABYTES)
                .server(EmbeddedS3Server::inTemporaryDirectory)
                .plugin("hive-stock", checkout.stockPlugin())
                // the engine's own fragment cache, used if the session enables it
                .config("fragment-result-cache.enabled", "true")
                .config("fragment-result-cache.base-directory", "file:${node.directory}/fragment")
                .config("fragment-result-cache.max-cached-entries", "1000000")
                .config("fragment-result-cache.cache-ttl", "24h")
                .property("connector.name", "eyrie")
                .property("cache.enabled", "true")
                .property("cache.base-directory", "${node.directory}/data")
                .property("cache.max-cache-size", "10GB")
                .property("cache.min-free-space", "1GB")
                .property("fragment-result-cache.enabled", "true")
                .property("hive.metastore-cache-ttl", METASTORE_TTL)
                .property("hive.file-status-cache-tables", "*")
                .property("hive.file-status-cache-expire-time", "24h")
                // where system.invalidate_cache stores its commands
                .property("cache.control-directory", "file:${node.directory}/control")
                // treats tables that were just created like those of yesterday
                .property("cache.open-partition-age", "1s")
                .catalog(Variant.VANILLA.catalog(), vanilla(Map.of()))
                .catalog(Variant.RAPTORX.catalog(), raptorx(Map.of()))
                .progress(progress);
        WRITES.forEach(builder::property);
        return builder;
    }

    /** Returns the properties of {@link Variant#VANILLA}, with {@code more} added. */
    public static Map<String, String> vanilla(Map<String, String> more)
    {
        Map<String, String> properties = new TreeMap<>(WRITES);
        properties.putAll(Map.of(
                "connector.name", "hive-hadoop2",
                "cache.enabled", "",
                "cache.base-directory", "",
                "cache.max-cache-size", ""));
        properties.putAll(more);
        return properties;
    }

    /** Returns the properties of {@link Variant#RAPTORX}, with {@code more} added. */
    public static Map<String, String> raptorx(Map<String, String> more)
    {
        Map<String, String> properties = new TreeMap<>(WRITES);
        properties.putAll(Map.ofEntries(
                Map.entry("connector.name", "hive-hadoop2"),
                Map.entry("hive.node-selection-strategy", "SOFT_AFFINITY"),
                Map.entry("hive.metastore-cache-scope", "ALL"),
                Map.entry("hive.metastore-cache-ttl", METASTORE_TTL),
                Map.entry("hive.metastore-refresh-interval", "3d"),
                Map.entry("hive.metastore-cache-maximum-size", "100000"),
                Map.entry("hive.file-status-cache-expire-time", "24h"),
                Map.entry("hive.file-status-cache-tables", "*"),
                // the guide's hive.file-status-cache-size, by its current name; without it, no file lists are cached
                Map.entry("hive.file-status-cache.max-retained-size", "100MB"),
                Map.entry("hive.partition-statistics-based-optimization-enabled", "true"),
                Map.entry("raptorx.orc.file-tail-cache-enabled", "true"),
                Map.entry("raptorx.orc.file-tail-cache-size", "100MB"),
                Map.entry("raptorx.orc.stripe-metadata-cache-enabled", "true"),
                Map.entry("raptorx.parquet.metadata-cache-enabled", "true"),
                Map.entry("cache.enabled", "true"),
                Map.entry("cache.type", "ALLUXIO"),
                Map.entry("cache.base-directory", "file:${node.directory}/alluxio"),
                Map.entry("cache.max-cache-size", ""),
                Map.entry("cache.alluxio.max-cache-size", "10GB")));
        properties.putAll(more);
        return properties;
    }

    /** Returns a client of a variant. It uses the engine's fragment cache only for {@link Variant#RAPTORX}. */
    public static PrestoClient client(Lake lake, Variant variant, String schema)
    {
        return lake.presto()
                .client(variant.catalog(), schema)
                .withSession("fragment_result_caching_enabled", Boolean.toString(variant == Variant.RAPTORX));
    }
}
