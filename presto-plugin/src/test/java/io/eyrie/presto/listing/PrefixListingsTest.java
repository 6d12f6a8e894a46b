// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HadoopDirectoryLister;
import com.facebook.presto.hive.HiveDirectoryContext;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.NamenodeStats;
import com.facebook.presto.hive.NestedDirectoryPolicy;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.facebook.presto.spi.security.ConnectorIdentity;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.version.VersionedDirectoryLister;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.HadoopExtendedFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ACCESS_KEY;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENDPOINT;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_PATH_STYLE_ACCESS;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_SECRET_KEY;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_SKIP_GLACIER_OBJECTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares Presto's own S3 file system and lister with their results over pages of a prefix. */
class PrefixListingsTest
{
    private static final String TABLE = "s3a://lake/some/t";
    private static final List<String> PARTITIONS = List.of("p=1", "p=10", "p=1-x", "p=2", "p=a%3Ab", "p=\u00E9 +&", "p=empty", "p=odd", "p=z");

    private final TestingS3 store = new TestingS3();
    private final PrefixListings prefixes = new PrefixListings(new EyrieFileListConfig());

    @BeforeEach
    void fill()
    {
        for (String partition : PARTITIONS) {
            if (!partition.equals("p=empty")) {
                for (String file : List.of("", "a", "b c+%20", "_hidden", ".hidden", "glacier", "n/", "n/1", "n/m/2", "n/_hidden", "_tmp/3",
                        "o_$folder$")) {
                    put(partition + "/" + file, file.endsWith("/") || file.isEmpty() || file.endsWith("$") ? 0 : 7 + file.length());
                }
                put(partition + "/none", 0);
                put(partition + "_$folder$", 0);
            }
        }
        put("p=odd//a", 1);
        put("loose", 1);
        store.put("some/t2/p=1/a", 1);
    }

    @AfterEach
    void stop()
    {
        store.close();
    }

    private void put(String key, int size)
    {
        store.put("some/t/" + key, size);
    }

    @Test
    void scansOfMorePartitionsThanAreWatched()
            throws IOException
    {
        RuntimeStats first = new RuntimeStats();
        RuntimeStats second = new RuntimeStats();
        List<String> many = IntStream.range(0, PrefixListings.MOST_DIRECTORIES).mapToObj(i -> "p=" + i).toList();
        prefixes.began(first, TABLE, many);
        prefixes.began(second, TABLE, PARTITIONS);
        assertThat(prefixes.tooLarge()).isEqualTo(1);
        PrestoS3FileSystem fileSystem = fileSystem(false);
        AtomicInteger reported = new AtomicInteger();
        assertThat(prefixes.over(fileSystem, path("p=1"), second, reported::incrementAndGet)).isSameAs(fileSystem);
        assertThat(reported).hasValue(1);
        prefixes.over(fileSystem, new Path("s3a://lake/some/t2/p=1"), second, reported::incrementAndGet);
        prefixes.over(fileSystem, path("p=1"), first, reported::incrementAndGet);
        assertThat(reported).as("of another table, of another query").hasValue(1);
        prefixes.ended(second);
        prefixes.ended(first);
        prefixes.began(second, TABLE, PARTITIONS);
        assertThat(prefixes.tooLarge()).as("room again").isEqualTo(1);
        assertThat(prefixes.over(fileSystem, path("p=1"), second, reported::incrementAndGet)).isNotSameAs(fileSystem);
        assertThat(reported).hasValue(1);
    }

    @Test
    void filesAreThoseOfAPlainListing()
            throws IOException
    {
        for (boolean glacier : List.of(true, false)) {
            ExtendedFileSystem fileSystem = new HadoopExtendedFileSystem(fileSystem(glacier));
            for (NestedDirectoryPolicy policy : NestedDirectoryPolicy.values()) {
                for (boolean skipEmpty : List.of(true, false)) {
                    RuntimeStats query = new RuntimeStats();
                    prefixes.began(query, TABLE, PARTITIONS);
                    int before = store.requests();
                    List<List<Object>> answered = new ArrayList<>();
                    for (String partition : PARTITIONS) {
                        if (!partition.equals("p=odd")) {
                            answered.add(list(prefixes.over(fileSystem, path(partition), query, () -> {}), partition, policy, skipEmpty));
                        }
                    }
                    assertThat(store.requests() - before).isEqualTo(1);
                    assertThat(query.getMetric("eyriePrefixListingAnswers").getSum()).isEqualTo(PARTITIONS.size() - 1);
                    List<List<Object>> plain = PARTITIONS.stream()
                            .filter(partition -> !partition.equals("p=odd"))
                            .map(partition -> list(fileSystem, partition, policy, skipEmpty))
                            .toList();
                    assertThat(answered).isEqualTo(plain);
                    assertThat(plain.get(0)).isNotEmpty();
                }
            }
        }
        assertThat(prefixes.failures()).isZero();
    }

    @Test
    void keysThatPathsDoNotHaveAreListedPlainly()
            throws IOException
    {
        RuntimeStats query = new RuntimeStats();
        prefixes.began(query, TABLE, PARTITIONS);
        PrestoS3FileSystem fileSystem = fileSystem(false);
        assertThat(list(prefixes.over(fileSystem, path("p=odd"), query, () -> {}), "p=odd", NestedDirectoryPolicy.IGNORED, false))
                .isEqualTo(list(fileSystem, "p=odd", NestedDirectoryPolicy.IGNORED, false));
        assertThat(store.requests()).isEqualTo(3);
    }

    @Test
    void storesThatDoNotKnowTheStartOrDenyIt()
            throws IOException
    {
        PrestoS3FileSystem fileSystem = fileSystem(false);
        int failures = 0;
        for (TestingS3.Start start : List.of(TestingS3.Start.IGNORED, TestingS3.Start.DENIED)) {
            store.startIs(start);
            int before = store.requests();
            RuntimeStats query = new RuntimeStats();
            List<String> partitions = PARTITIONS.subList(1, 5);
            prefixes.began(query, TABLE, partitions);
            for (String partition : partitions) {
                assertThat(list(prefixes.over(fileSystem, path(partition), query, () -> {}), partition, NestedDirectoryPolicy.IGNORED, false))
                        .hasSize(4);
            }
            assertThat(store.requests() - before).isEqualTo(partitions.size() + 1);
            assertThat(prefixes.failures()).isEqualTo(++failures);
        }
    }

    @Test
    void whatIsNotOfTheScanIsListedPlainly()
            throws IOException
    {
        PrestoS3FileSystem fileSystem = fileSystem(false);
        RuntimeStats query = new RuntimeStats();
        prefixes.began(query, TABLE, PARTITIONS.subList(0, 3));
        assertThat(prefixes.over(fileSystem, path("p=1"), query, () -> {})).as("few").isSameAs(fileSystem);
        prefixes.began(query, TABLE, PARTITIONS);
        for (String path : List.of(TABLE, "s3a://lake/some/t2/p=1", "s3a://other/some/t/p=1", "s3://lake/some/t/p=1")) {
            assertThat(prefixes.over(fileSystem, new Path(path), query, () -> {})).as(path).isSameAs(fileSystem);
        }
        assertThat(prefixes.over(fileSystem, path("p=1"), new RuntimeStats(), () -> {})).as("another query").isSameAs(fileSystem);
        assertThat(prefixes.over(fileSystem, path("p=1"), query, () -> {})).isNotSameAs(fileSystem);
        assertThat(prefixes.over(fileSystem, path("p=1"), query, () -> {})).as("twice").isSameAs(fileSystem);
        PrestoS3FileSystem another = fileSystem(false);
        assertThat(prefixes.over(another, path("p=2"), query, () -> {})).as("another file system").isSameAs(another);
        prefixes.ended(query);
        assertThat(prefixes.over(fileSystem, path("p=2"), query, () -> {})).as("ended").isSameAs(fileSystem);
        PrefixListings off = new PrefixListings(new EyrieFileListConfig().setListByPrefix(false));
        off.began(query, TABLE, PARTITIONS);
        assertThat(off.over(fileSystem, path("p=1"), query, () -> {})).as("off").isSameAs(fileSystem);
    }

    @Test
    void scanOfTheSameTableTwice()
            throws IOException
    {
        PrestoS3FileSystem fileSystem = fileSystem(false);
        RuntimeStats query = new RuntimeStats();
        prefixes.began(query, TABLE, PARTITIONS);
        prefixes.began(query, TABLE, PARTITIONS);
        for (int scan = 0; scan < 2; scan++) {
            assertThat(list(prefixes.over(fileSystem, path("p=1"), query, () -> {}), "p=1", NestedDirectoryPolicy.IGNORED, false)).hasSize(4);
        }
        assertThat(store.requests()).isEqualTo(2);
        assertThat(store.starts()).isEqualTo(2);
    }

    @Test
    void scanThatHoldsAllTheObjectsThatItMay()
            throws IOException
    {
        List<String> partitions = IntStream.range(0, 2_000).mapToObj(i -> String.format(Locale.ROOT, "q=%04d", i)).toList();
        partitions.forEach(partition -> IntStream.range(0, 10).forEach(file -> put(partition + "/" + file, 1)));
        PrestoS3FileSystem fileSystem = fileSystem(false);
        RuntimeStats query = new RuntimeStats();
        prefixes.began(query, TABLE, partitions);
        AtomicInteger reported = new AtomicInteger();
        for (int i = 0; i < 2_000; i += 100) {
            String partition = partitions.get(i);
            assertThat(list(prefixes.over(fileSystem, path(partition), query, reported::incrementAndGet), partition, NestedDirectoryPolicy.IGNORED,
                    false))
                    .hasSize(10);
        }
        assertThat(reported.get()).isBetween(1, 4);
        assertThat(prefixes.full()).isEqualTo(reported.get());
    }

    /* Returns everything that a split uses from a listing, or the name of its exception. */
    private static List<Object> list(ExtendedFileSystem fileSystem, String partition, NestedDirectoryPolicy policy, boolean skipEmpty)
    {
        HiveDirectoryContext context = new HiveDirectoryContext(policy, false, skipEmpty, new ConnectorIdentity("user", Optional.empty(), Optional
                .empty()),
                Map.of(), new RuntimeStats());
        List<Object> files = new ArrayList<>();
        try {
            Iterator<HiveFileInfo> found = new VersionedDirectoryLister(new HadoopDirectoryLister()).list(
                    fileSystem, table(), path(partition), Optional.empty(), new NamenodeStats(), context);
            while (found.hasNext()) {
                HiveFileInfo file = found.next();
                files.add(List.of(file.getPath(), file.isDirectory(), file.getLength(), file.getFileModifiedTime(),
                        file.getExtraFileInfo().map(bytes -> new String(bytes, UTF_8)).orElse("none"), file.getBlockLocations().toString(), file
                                .getCustomSplitInfo()));
            }
        }
        catch (RuntimeException e) {
            files.add(e.getClass());
        }
        return files;
    }

    private static Path path(String partition)
    {
        return new Path(TABLE + "/" + partition);
    }

    private static Table table()
    {
        return Table.builder()
                .setDatabaseName("db")
                .setTableName("t")
                .setOwner("owner")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of())
                .setPartitionColumns(List.of())
                .setParameters(Map.of())
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation(TABLE))
                .build();
    }

    private PrestoS3FileSystem fileSystem(boolean skipGlacier)
            throws IOException
    {
        Configuration configuration = new Configuration(false);
        configuration.set(S3_ENDPOINT, store.endpoint());
        configuration.set(S3_ACCESS_KEY, "key");
        configuration.set(S3_SECRET_KEY, "secret");
        configuration.setBoolean(S3_PATH_STYLE_ACCESS, true);
        configuration.setBoolean(S3_SKIP_GLACIER_OBJECTS, skipGlacier);
        PrestoS3FileSystem fileSystem = new PrestoS3FileSystem();
        fileSystem.initialize(URI.create("s3a://lake"), configuration);
        return fileSystem;
    }
}
