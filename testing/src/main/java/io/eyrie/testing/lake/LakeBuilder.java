// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.lake;

import io.eyrie.testing.files.FreeSpace;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.ShapedLink;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.presto.PrestoClusterBuilder;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Starts a {@link Lake}. Not thread-safe. */
public final class LakeBuilder
{
    private static final int HEAP_MEGABYTES = 1024;
    /** Turns off layers that would hide the others from a test, or send requests of their own, and leaves less room on the disks than on a server. */
    private static final Map<String, String> FEW_LAYERS = Map.of(
            "fragment-result-cache.enabled", "false",
            "cache.file-statistics", "off",
            "hive.metastore-cache-ttl", "0s",
            "cache.min-free-space", "1GB");

    private final Checkout checkout;
    private final Map<String, String> properties = new TreeMap<>();
    private final Map<String, Map<String, String>> moreCatalogs = new TreeMap<>();
    private final Map<String, Map<String, String>> plainCatalogs = new TreeMap<>();
    private final Map<String, String> config = new TreeMap<>();
    private final Map<String, Path> plugins = new TreeMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> coordinatorJvmOptions = new ArrayList<>();
    private String mainCatalog = Lake.CATALOG;
    private boolean hiveMetastore;
    private String name = "lake";
    private Path logRoot = Path.of("target", "presto-logs");
    private Supplier<? extends S3Server> server = EmbeddedS3Server::inMemory;
    private LinkShape shape = LinkShape.UNSHAPED;
    private int workerHeapMegabytes = HEAP_MEGABYTES;
    private int workers = 2;
    private Consumer<String> progress = message -> {};

    LakeBuilder(Checkout checkout)
    {
        this.checkout = requireNonNull(checkout, "checkout is null");
    }

    /** Sets the cluster's name, which is also the folder of its logs. */
    public LakeBuilder name(String value)
    {
        name = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the directory of the logs; default: {@code target/presto-logs} of the working directory. */
    public LakeBuilder logRoot(Path value)
    {
        logRoot = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the store, which the lake closes; default: s3proxy in this JVM's memory. */
    public LakeBuilder server(Supplier<? extends S3Server> value)
    {
        server = requireNonNull(value, "value is null");
        return this;
    }

    /** Shapes the link in front of the store; default: as fast as the machine. */
    public LakeBuilder shape(LinkShape value)
    {
        shape = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the number of workers besides the coordinator; default: 2. With 0, the coordinator runs splits itself. */
    public LakeBuilder workers(int value)
    {
        workers = value;
        return this;
    }

    /** Sets the name of the main catalog; default: {@value Lake#CATALOG}. */
    public LakeBuilder mainCatalog(String value)
    {
        mainCatalog = requireNonNull(value, "value is null");
        return this;
    }

    /**
     * Runs a Hive Metastore with a notification log and a warehouse in the store, as an installation has it, in place of Presto's file metastore. The
     * catalogs then have only the properties that the builder names, and those that lead to the metastore and the store.
     */
    public LakeBuilder hiveMetastore()
    {
        hiveMetastore = true;
        return this;
    }

    /** Returns to Presto's file metastore, whose files {@link Lake#setSerdeParameters} edits. */
    public LakeBuilder fileMetastore()
    {
        hiveMetastore = false;
        return this;
    }

    /**
     * Sets a property of the main catalog, overriding those that every lake has; an empty value removes one. Unlike in a file that only turns the cache on, no
     * fragment result and no metadata is cached unless a property says so, except with {@link #hiveMetastore}.
     */
    public LakeBuilder property(String property, String value)
    {
        properties.put(property, value);
        return this;
    }

    /** Sets a property of every node's config.properties. */
    public LakeBuilder config(String property, String value)
    {
        config.put(property, value);
        return this;
    }

    /** Adds an option to every Presto process's JVM, see {@link PrestoClusterBuilder#jvmOption}. */
    public LakeBuilder jvmOption(String option)
    {
        jvmOptions.add(option);
        return this;
    }

    /** Adds an option to the coordinator's JVM only. */
    public LakeBuilder coordinatorJvmOption(String option)
    {
        coordinatorJvmOptions.add(option);
        return this;
    }

    /** Adds a plugin folder to every node. */
    public LakeBuilder plugin(String folder, Path directory)
    {
        plugins.put(folder, requireNonNull(directory, "directory is null"));
        return this;
    }

    /** Adds a catalog on the same store. These properties override those that every lake's catalog has, as for {@link #property}. */
    public LakeBuilder catalog(String catalog, Map<String, String> overrides)
    {
        moreCatalogs.put(catalog, Map.copyOf(overrides));
        return this;
    }

    /** Adds a catalog of another plugin, with only these properties. */
    public LakeBuilder plainCatalog(String catalog, Map<String, String> catalogProperties)
    {
        plainCatalogs.put(catalog, Map.copyOf(catalogProperties));
        return this;
    }

    /** Sets the consumer of progress messages while the lake starts. */
    public LakeBuilder progress(Consumer<String> value)
    {
        progress = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the heap of each worker; default: 1 GiB. */
    public LakeBuilder workerHeapMegabytes(int value)
    {
        workerHeapMegabytes = value;
        return this;
    }

    /**
     * Starts everything; if that fails, nothing is left running.
     *
     * @throws io.eyrie.testing.files.FullDiskException if the caches could store nothing
     */
    public Lake start()
    {
        if (usesDefaultFreeSpace()) {
            FreeSpace.requireForDefaults(Path.of(System.getProperty("java.io.tmpdir")));
        }
        S3Server s3 = server.get();
        try {
            s3.client().createBucket(Lake.BUCKET);
            ShapedLink link = ShapedLink.open(s3.endpoint(), shape);
            try {
                return hiveMetastore ? startOnMetastore(s3, link) : lake(s3, link, null);
            }
            catch (RuntimeException | Error e) {
                link.close();
                throw e;
            }
        }
        catch (RuntimeException | Error e) {
            s3.close();
            throw e;
        }
    }

    private boolean usesDefaultFreeSpace()
    {
        String set = properties.get("cache.min-free-space");
        return set == null ? hiveMetastore : set.isEmpty();
    }

    private Lake startOnMetastore(S3Server s3, ShapedLink link)
    {
        progress.accept("starting a Hive Metastore");
        Map<String, String> site = new TreeMap<>(HiveMetastoreServer.s3(s3));
        site.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        site.put("metastore.warehouse.dir", "s3a://" + Lake.BUCKET + "/warehouse");
        HiveMetastoreServer metastore = HiveMetastoreServer.start(checkout.metastoreLib(), logRoot.resolve(name + "-metastore.log"), site);
        try {
            return lake(s3, link, metastore);
        }
        catch (RuntimeException | Error e) {
            metastore.close();
            throw e;
        }
    }

    private Lake lake(S3Server s3, ShapedLink link, @Nullable HiveMetastoreServer metastore)
    {
        Map<String, String> connection = new TreeMap<>(s3Properties(s3, link));
        if (metastore == null) {
            connection.putAll(fileMetastoreProperties());
        }
        else {
            connection.put("hive.metastore.uri", metastore.uri().toString());
            // for a busy machine, whose metastore loads its S3 client at the first call
            connection.put("hive.metastore-timeout", "2m");
        }
        PrestoClusterBuilder presto = PrestoCluster.builder(checkout.engineLib())
                .name(name)
                .logRoot(logRoot)
                .workers(workers)
                .coordinatorWorks(workers == 0)
                .heapMegabytes(HEAP_MEGABYTES, workerHeapMegabytes)
                .plugin("tpch", checkout.tpchPlugin())
                .plugin("eyrie", checkout.eyriePlugin())
                .catalog("tpch", Map.of("connector.name", "tpch", "tpch.column-naming", "STANDARD"))
                .catalog(mainCatalog, catalog(connection, properties))
                .progress(progress);
        config.forEach(presto::config);
        plugins.forEach(presto::plugin);
        jvmOptions.forEach(presto::jvmOption);
        coordinatorJvmOptions.forEach(presto::coordinatorJvmOption);
        moreCatalogs.forEach((catalog, overrides) -> presto.catalog(catalog, catalog(connection, overrides)));
        plainCatalogs.forEach(presto::catalog);
        return new Lake(mainCatalog, s3, link, metastore, presto.start());
    }

    private Map<String, String> catalog(Map<String, String> connection, Map<String, String> overrides)
    {
        Map<String, String> catalog = new TreeMap<>(connection);
        catalog.putAll(overrides);
        if (!hiveMetastore && "eyrie".equals(catalog.get("connector.name")) && "true".equals(catalog.get("cache.enabled"))) {
            FEW_LAYERS.forEach(catalog::putIfAbsent);
        }
        catalog.values().removeIf(String::isEmpty);
        return catalog;
    }

    private static Map<String, String> s3Properties(S3Server s3, ShapedLink link)
    {
        return Map.of(
                "hive.s3.endpoint", link.endpoint().toString(),
                "hive.s3.path-style-access", "true",
                "hive.s3.ssl.enabled", "false",
                "hive.s3.aws-access-key", s3.accessKey(),
                "hive.s3.aws-secret-key", s3.secretKey());
    }

    /*
     * Metastore   Files of the local file system, because a metastore is not on S3: the bucket holds only the tables' files, and the link counts only
     *             requests for them. It refuses locations of schemas and of CREATE TABLE AS, so the tables are external and filled by INSERT.
     */
    private static Map<String, String> fileMetastoreProperties()
    {
        return Map.of(
                "connector.name", "eyrie",
                "hive.metastore", "file",
                "hive.metastore.catalog.dir", "file:${node.directory}/../metastore",
                "hive.non-managed-table-writes-enabled", "true",
                "hive.collect-column-statistics-on-write", "true",
                "cache.enabled", "true",
                "cache.base-directory", "${node.directory}/data",
                "cache.max-cache-size", "10GB");
    }
}
