// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveDirectoryContext;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.NamenodeStats;
import com.facebook.presto.hive.NestedDirectoryPolicy;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.security.ConnectorIdentity;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.listing.PrefixListings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.HadoopExtendedFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static com.facebook.presto.hive.gcs.GcsAccessTokenProvider.GCS_ACCESS_TOKEN_CONF;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Why a query listed a directory. */
class SealedDirectoryListerTest
{
    private static final Path PATH = new Path("file:/lake/t");

    private final Ledger ledger = new Ledger("hive");
    private final FileLists lists = new FileLists(
            new FileListConfig(List.of("db.sealed"), 1 << 20, 1000, Duration.ofDays(1), Duration.ofMinutes(1), Optional.empty()),
            (queryId, database, table, values) -> queryId.equals("not validated") ? Optional.empty() : Optional.of(""),
            ListStore.NONE);
    private Supplier<Iterator<HiveFileInfo>> source = () -> List.of(file(1)).iterator();
    private final SealedDirectoryLister lister = new SealedDirectoryLister(
            (fileSystem, table, path, partition, stats, context) -> source.get(),
            lists,
            new StoreIds(new HiveClientConfig(), Set.of(), new CatalogSettings(Map.of(), Map.of())),
            ledger,
            new CacheModes(),
            new PrefixListings(new EyrieFileListConfig()));

    @Test
    void listThatIsCached()
            throws IOException
    {
        assertThat(reasons("sealed")).isEqualTo(Map.of("never_seen", 1L));
        assertThat(reasons("sealed")).isEqualTo(Map.of("never_seen", 1L));
        assertThat(ledger.layer(CacheLayer.FILE_LIST).hits()).isEqualTo(1);
    }

    @Test
    void tableThatIsNotSealedAndDirectoryWithAYoungFile()
            throws IOException
    {
        assertThat(reasons("other")).isEqualTo(Map.of("not_sealed", 1L));
        source = () -> List.of(file(System.currentTimeMillis())).iterator();
        assertThat(reasons("sealed")).isEqualTo(Map.of("not_sealed", 2L));
    }

    @Test
    void listThatThereIsNoMemoryFor()
            throws IOException
    {
        source = () -> IntStream.range(0, 100_000).mapToObj(SealedDirectoryListerTest::file).iterator();
        assertThat(reasons("sealed")).isEqualTo(Map.of("over_memory", 1L));
    }

    @Test
    void listThatIsDroppedWhileItIsRead()
            throws IOException
    {
        source = () -> {
            lists.forgetAll();
            return List.of(file(1)).iterator();
        };
        assertThat(reasons("sealed")).isEqualTo(Map.of("other_version", 1L));
    }

    @Test
    void invalidationByPath()
            throws IOException
    {
        for (String path : List.of("file:/lake/t", "file:/lake/t/", "file:/lake")) {
            long listings = reasons("sealed").getOrDefault("never_seen", 0L);
            lister.invalidateDirectoryListCache(Optional.of(path));
            assertThat(reasons("sealed")).as("after %s", path).isEqualTo(Map.of("never_seen", listings + 1));
        }
        for (String path : List.of("", "file:/lake/typo", "file:/lak", "s3://lake/t")) {
            assertThatThrownBy(() -> lister.invalidateDirectoryListCache(Optional.of(path))).isInstanceOf(PrestoException.class).hasMessageContaining(
                    "path is '" + path + "'").hasMessageContaining("To fix");
        }
        assertThat(lister.isPathCached(PATH)).isTrue();
        lister.invalidateDirectoryListCache(Optional.empty());
        assertThat(lister.isPathCached(PATH)).isFalse();
    }

    @Test
    void queryForWhichNothingIsValidated()
            throws IOException
    {
        assertThat(reasons("sealed")).isEqualTo(Map.of("never_seen", 1L));
        RuntimeStats stats = new RuntimeStats();
        ledger.began("not validated", stats);
        assertThat(reasons("sealed", stats)).isEqualTo(Map.of("never_seen", 1L, "not_validated", 1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {GCS_ACCESS_TOKEN_CONF, S3_ENDPOINT})
    void listBelongsToTheTokenAndTheStoreBehindTheLocation(String property)
            throws IOException
    {
        Configuration one = new Configuration(false);
        one.set(property, "one");
        Configuration two = new Configuration(false);
        two.set(property, "two");
        assertThat(reasons("sealed", new RuntimeStats(), one)).isEqualTo(Map.of("never_seen", 1L));
        assertThat(reasons("sealed", new RuntimeStats(), one)).isEqualTo(Map.of("never_seen", 1L));
        assertThat(reasons("sealed", new RuntimeStats(), two)).isEqualTo(Map.of("never_seen", 2L));
    }

    private Map<String, Long> reasons(String table)
            throws IOException
    {
        return reasons(table, new RuntimeStats());
    }

    private Map<String, Long> reasons(String table, RuntimeStats stats)
            throws IOException
    {
        return reasons(table, stats, new Configuration(false));
    }

    private Map<String, Long> reasons(String table, RuntimeStats stats, Configuration configuration)
            throws IOException
    {
        RawLocalFileSystem local = new RawLocalFileSystem() {
            @Override
            public URI getUri()
            {
                return configuration.get(S3_ENDPOINT) == null ? super.getUri() : URI.create("s3://lake");
            }
        };
        local.initialize(URI.create("file:///"), configuration);
        HiveDirectoryContext context = new HiveDirectoryContext(NestedDirectoryPolicy.IGNORED, true, false, new ConnectorIdentity("user", Optional
                .empty(), Optional.empty()), Map.of(), stats);
        Iterator<HiveFileInfo> files = lister.list(new HadoopExtendedFileSystem(local), table(table), PATH, Optional.empty(), new NamenodeStats(),
                context);
        assertThat(Iterators.size(files)).isPositive();
        return ledger.layer(CacheLayer.FILE_LIST).reasons();
    }

    private static HiveFileInfo file(long modifiedMillis)
    {
        return new HiveFileInfo(PATH + "/a", false, ImmutableList.of(), 1, modifiedMillis, Optional.empty(), Map.of());
    }

    private static Table table(String name)
    {
        return Table.builder()
                .setDatabaseName("db")
                .setTableName(name)
                .setOwner("owner")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of())
                .setPartitionColumns(List.of())
                .setParameters(Map.of())
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation(PATH.toString()))
                .build();
    }
}
