package io.eyrie.integration;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.S3Server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A lake whose tables two catalogs read: Eyrie with every layer on, and Presto's own Hive connector. */
public final class BesideStock
{
    /** The catalog of Presto's own connector. */
    public static final String STOCK = "stock";

    private BesideStock()
    {}

    /** The metastore of both, with a notification log. */
    public static HiveMetastoreServer metastore(Checkout checkout, S3Server s3, Path log)
    {
        Map<String, String> site = new HashMap<>(HiveMetastoreServer.s3(s3));
        site.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        return HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), log, site);
    }

    /**
     * A coordinator that works, on a small machine: tasks go over HTTP as between two nodes, and the code of a query is made once.
     *
     * @param properties further ones of both catalogs
     */
    public static LakeBuilder lake(Checkout checkout, String name, S3Server s3, HiveMetastoreServer metastore, Map<String, String> properties)
    {
        Map<String, String> hive = new HashMap<>(Map.of(
                "hive.metastore", "",
                "hive.metastore.catalog.dir", "",
                "hive.metastore.uri", metastore.uri().toString(),
                // of a machine that is busy
                "hive.metastore-timeout", "2m",
                "hive.allow-drop-table", "true",
                "hive.allow-rename-table", "true",
                "hive.allow-add-column", "true",
                "hive.allow-drop-column", "true",
                "hive.allow-rename-column", "true"));
        hive.putAll(properties);
        Map<String, String> stock = new HashMap<>(hive);
        stock.putAll(Map.of("connector.name", "hive-hadoop2", "cache.enabled", "", "cache.base-directory", "", "cache.max-cache-size", ""));
        LakeBuilder builder = Lake.builder(checkout)
                .name(name)
                .server(() -> s3)
                .workers(0)
                // of the default's 16 threads for each part of a plan, all but one have nothing to do
                .config("task.concurrency", "2")
                .plugin("hive-stock", checkout.stockPlugin())
                .catalog(STOCK, stock)
                .property("fragment-result-cache.enabled", "true")
                .property("hive.metastore-cache-ttl", "2d")
                // small tables, too, come in packs
                .property("hive.affinity-scheduling-unpacked-splits-per-node", "1");
        hive.forEach(builder::property);
        return builder;
    }
}
