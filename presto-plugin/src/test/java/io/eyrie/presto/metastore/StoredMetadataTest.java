// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveColumnConverterProvider;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.authentication.NoHdfsAuthentication;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Database;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.PrincipalPrivileges;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.hive.metastore.file.FileHiveMetastore;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.security.PrincipalType;
import com.google.common.collect.ImmutableListMultimap;
import io.airlift.units.DataSize;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.version.FileMetastoreVersions;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.StoredMetadataConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** Restarts the stored metadata of a catalog with other settings. */
class StoredMetadataTest
{
    private static final AtomicLong QUERIES = new AtomicLong();

    private final Path root;

    StoredMetadataTest(@TempDir Path root)
    {
        this.root = root;
    }

    @Test
    void renamedDirectoryOfAFileMetastore()
            throws IOException,
            InterruptedException
    {
        createTable(root.resolve("one"));
        assertThat(location("one", Map.of())).contains("/one/web/clicks");
        assertThat(resumptions("one", Map.of())).as("the same settings").isEqualTo(1);
        Files.move(root.resolve("one"), root.resolve("two"));
        assertThat(location("two", Map.of())).contains("/two/web/clicks");
        Files.move(root.resolve("two"), root.resolve("one"));
        assertThat(location("one", Map.of())).as("what was stored first").contains("/one/web/clicks");
        assertThat(resumptions("one", Map.of())).isEqualTo(1);
    }

    @Test
    void settingsThatSelectWhatTheMetastoreReturns()
            throws IOException,
            InterruptedException
    {
        createTable(root.resolve("one"));
        Map<String, String> settings = Map.of("hive.metastore.catalog.name", "staging", "hive.metastore.uri", "thrift://a:9083",
                "hive.metastore-timeout",
                "10s");
        assertThat(resumptions("one", settings)).isZero();
        assertThat(resumptions("one", settings)).isEqualTo(1);
        assertThat(resumptions("one", with(settings, "hive.metastore.uri", "thrift://b:9083"))).as("another address").isEqualTo(1);
        assertThat(resumptions("one", with(settings, "hive.metastore-timeout", "20s"))).isEqualTo(1);
        for (String name : List.of("hive.metastore.catalog.name", "hive.metastore.client.principal", "hive.metastore.username",
                "hive.metastore-recording-path")) {
            assertThat(resumptions("one", with(settings, name, "prod"))).as(name).isZero();
        }
        assertThat(resumptions("one", settings)).as("as at first").isEqualTo(1);
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value)
    {
        Map<String, String> changed = new HashMap<>(settings);
        changed.put(name, value);
        return changed;
    }

    private String location(String catalogDirectory, Map<String, String> settings)
            throws InterruptedException
    {
        VersionedHiveMetastore metastore = metastore(catalogDirectory);
        StoredMetadata.Life life = start(metastore, catalogDirectory, settings);
        try {
            return metastore.getTable(newQuery(), "web", "clicks").orElseThrow().getStorage().getLocation();
        }
        finally {
            life.close();
        }
    }

    private long resumptions(String catalogDirectory, Map<String, String> settings)
            throws InterruptedException
    {
        VersionedHiveMetastore metastore = metastore(catalogDirectory);
        StoredMetadata.Life life = start(metastore, catalogDirectory, settings);
        try {
            assertThat(metastore.getTable(newQuery(), "web", "clicks")).isPresent();
            return metastore.counters().stored().resumptions();
        }
        finally {
            life.close();
        }
    }

    /** Starts it, and waits until it stores. */
    private StoredMetadata.Life start(VersionedHiveMetastore metastore, String catalogDirectory, Map<String, String> settings)
            throws InterruptedException
    {
        CountDownLatch stores = new CountDownLatch(1);
        StoredBesideMetadata beside = new StoredBesideMetadata() {
            @Override
            public void storeIn(BlobCache blobs)
            {
                stores.countDown();
            }

            @Override
            public boolean flush()
            {
                return false;
            }
        };
        Map<String, String> file = with(with(settings, "hive.metastore", "file"), "hive.metastore.catalog.dir", root.resolve(catalogDirectory)
                .toString());
        StoredMetadata.Life life = new StoredMetadata.Life(
                Optional.of(metastore),
                Set.of(beside),
                new StoredMetadataConfig().setDirectory(root.resolve("metadata").toString()).setMaxSize(new DataSize(64, DataSize.Unit.MEGABYTE)),
                new EyrieCacheConfig().setMinFreeSpace(new DataSize(1, DataSize.Unit.MEGABYTE)),
                coordinator(),
                new CatalogName("hive"),
                new CatalogSettings(file, Map.of()));
        assertThat(stores.await(1, TimeUnit.MINUTES)).isTrue();
        return life;
    }

    private static NodeManager coordinator()
    {
        return answering(NodeManager.class, answering(Node.class, true));
    }

    private static <T> T answering(Class<T> type, Object answer)
    {
        return type.cast(Proxy.newProxyInstance(StoredMetadataTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method,
                arguments) -> answer));
    }

    private VersionedHiveMetastore metastore(String catalogDirectory)
    {
        String catalog = root.resolve(catalogDirectory).toUri().toString();
        return new VersionedHiveMetastore(
                new FileHiveMetastore(files(), catalog, "test"),
                new FileMetastoreVersions(files(), catalog, "test"),
                new MetastoreCacheConfig(new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10)), CachedKinds.ALL, true,
                        false, Duration.ZERO));
    }

    private static HdfsEnvironment files()
    {
        return new HdfsEnvironment((context, path) -> new Configuration(false), new MetastoreClientConfig().setRequireHadoopNative(false),
                new NoHdfsAuthentication());
    }

    private static void createTable(Path catalogDirectory)
            throws IOException
    {
        FileHiveMetastore metastore = new FileHiveMetastore(files(), catalogDirectory.toUri().toString(), "test");
        metastore.createDatabase(newQuery(), Database.builder().setDatabaseName("web").setOwnerName("test").setOwnerType(PrincipalType.USER)
                .build());
        Path location = Files.createDirectories(catalogDirectory.resolve("web/clicks"));
        Table table = Table.builder()
                .setDatabaseName("web")
                .setTableName("clicks")
                .setOwner("test")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of(new Column("id", HiveType.HIVE_LONG, Optional.empty(), Optional.empty())))
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "input", "output")).setLocation(location.toUri()
                        .toString()))
                .build();
        metastore.createTable(newQuery(), table, new PrincipalPrivileges(ImmutableListMultimap.of(), ImmutableListMultimap.of()), List.of());
    }

    private static MetastoreContext newQuery()
    {
        return new MetastoreContext("user", "query_" + QUERIES.incrementAndGet(), Optional.empty(), Set.of(), Optional.empty(), Optional.empty(),
                false,
                HiveColumnConverterProvider.DEFAULT_COLUMN_CONVERTER_PROVIDER, WarningCollector.NOOP, new RuntimeStats());
    }
}
