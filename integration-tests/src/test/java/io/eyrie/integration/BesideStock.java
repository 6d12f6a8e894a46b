// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.S3Server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A lake whose tables two catalogs read: Eyrie with every layer enabled, and Presto's own Hive connector. */
public final class BesideStock
{
    /** The catalog of Presto's own connector. */
    public static final String STOCK = "stock";

    private BesideStock()
    {}

    /** Returns the lines that make Presto's own connector of a lake's catalog. */
    static Map<String, String> stockCatalog()
    {
        return Map.of("connector.name", "hive-hadoop2", "cache.enabled", "", "cache.base-directory", "", "cache.max-cache-size", "");
    }

    /** Starts the metastore of both catalogs, with a notification log. */
    public static HiveMetastoreServer metastore(Checkout checkout, S3Server s3, Path log)
    {
        Map<String, String> site = new HashMap<>(HiveMetastoreServer.s3(s3));
        site.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        return HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), log, site);
    }

    /**
     * Returns a builder of a lake for a small machine, where the coordinator runs splits: tasks use HTTP as between two nodes, and the code of a
     * query is compiled once.
     *
     * @param properties further properties of both catalogs
     */
    public static LakeBuilder lake(Checkout checkout, String name, S3Server s3, HiveMetastoreServer metastore, Map<String, String> properties)
    {
        Map<String, String> hive = new HashMap<>(Map.of(
                "hive.metastore", "",
                "hive.metastore.catalog.dir", "",
                "hive.metastore.uri", metastore.uri().toString(),
                // for a busy machine
                "hive.metastore-timeout", "2m",
                "hive.allow-drop-table", "true",
                "hive.allow-rename-table", "true",
                "hive.allow-add-column", "true",
                "hive.allow-drop-column", "true",
                "hive.allow-rename-column", "true"));
        hive.putAll(properties);
        Map<String, String> stock = new HashMap<>(hive);
        stock.putAll(stockCatalog());
        LakeBuilder builder = Lake.builder(checkout)
                .name(name)
                .server(() -> s3)
                .workers(0)
                // with the default of 16 threads for each part of a plan, all but one are idle
                .config("task.concurrency", "2")
                .plugin("hive-stock", checkout.stockPlugin())
                .catalog(STOCK, stock)
                .property("fragment-result-cache.enabled", "true")
                .property("hive.metastore-cache-ttl", "2d")
                // so that small tables are packed, too
                .property("hive.affinity-scheduling-unpacked-splits-per-node", "1");
        hive.forEach(builder::property);
        return builder;
    }
}
