// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.CacheQuotaRequirement;
import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.HiveBucketing.HiveBucketFilter;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveSplit.BucketConversion;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.TableToPartitionMapping;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.SplitWeight;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import com.facebook.presto.spi.session.PropertyMetadata;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the key contains those properties of a query, its layout and its splits that affect the result, and no others. */
class SplitKeysTest
{
    private static final Column BIG = new Column("v", HiveType.HIVE_LONG, Optional.empty(), Optional.empty());
    private static final Column TEXT = new Column("v", HiveType.HIVE_STRING, Optional.empty(), Optional.empty());

    @Test
    void whatIsTheSameHasOneKey()
    {
        assertThat(key(given -> {})).isEqualTo(key(given -> {}));
    }

    @Test
    void engineTells()
    {
        assertTells(given -> given.engine = "0.297");
    }

    @Test
    void fileTells()
    {
        assertTells(given -> given.etag = "another");
    }

    @Test
    void rangeTells()
    {
        assertTells(given -> given.start = 1);
        assertTells(given -> given.length = 1);
    }

    @Test
    void serdeTells()
    {
        assertTells(given -> given.format = HiveStorageFormat.DWRF);
        assertTells(given -> given.serdeParameters = Map.of("field.delim", "\t"));
        assertTells(given -> given.storageParameters = Map.of("skip.header.line.count", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"skip.header.line.count", "skip.footer.line.count", "serialization.null.format", "field.delim", "escape.delim",
            "avro.schema.url",
            "textinputformat.record.delimiter", "whatever.a.serde.may.ask.for"})
    void parameterOfATableTellsWhereSerdesOfHiveReadIt(String name)
    {
        for (HiveStorageFormat format : HiveStorageFormat.values()) {
            boolean byPresto = Set.of(HiveStorageFormat.ORC, HiveStorageFormat.DWRF, HiveStorageFormat.PARQUET).contains(format);
            assertThat(key(given -> {
                given.format = format;
                given.tableParameters = Map.of(name, "1");
            }).equals(key(given -> given.format = format))).as("%s of %s", name, format).isEqualTo(byPresto);
        }
    }

    @Test
    void propertyOfAHadoopFileTellsWhereSerdesOfHiveReadIt(@TempDir Path directory)
            throws IOException
    {
        Path file = directory.resolve("core-site.xml");
        List<Map<String, String>> read = new ArrayList<>();
        for (String delimiter : List.of(";", "|")) {
            Files.writeString(file, "<configuration><property><name>textinputformat.record.delimiter</name><value>" + delimiter
                    + "</value></property><property><name>fs.s3a.secret.key</name><value>secret" + delimiter + "</value></property></configuration>");
            read.add(HadoopResources.read(List.of(file.toString())));
        }
        assertThat(read).containsExactly(Map.of("textinputformat.record.delimiter", ";"), Map.of("textinputformat.record.delimiter", "|"));
        for (HiveStorageFormat format : HiveStorageFormat.values()) {
            boolean byPresto = Set.of(HiveStorageFormat.ORC, HiveStorageFormat.DWRF, HiveStorageFormat.PARQUET).contains(format);
            List<BlobKey> keys = read.stream().map(resources -> key(given -> {
                given.format = format;
                given.resources = resources;
            })).toList();
            assertThat(keys.get(0).equals(keys.get(1))).as("%s", format).isEqualTo(byPresto);
        }
    }

    @Test
    void parameterOfATableTellsWhereAnotherInputFormatReadsIt()
    {
        StorageFormat orc = StorageFormat.fromHiveStorageFormat(HiveStorageFormat.ORC);
        StorageFormat hudi = StorageFormat.create(orc.getSerDe(), "org.apache.hudi.hadoop.HoodieParquetInputFormat", orc.getOutputFormat());
        assertThat(key(given -> {
            given.storageFormat = Optional.of(hudi);
            given.tableParameters = Map.of("hoodie.table", "1");
        })).isNotEqualTo(key(given -> given.storageFormat = Optional.of(hudi)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"numFiles", "numRows", "totalSize", "rawDataSize", "transient_lastDdlTime", "presto_query_id", "last_modified_time",
            "spark.sql.statistics.totalSize", "spark.sql.statistics.colStats.v.max", "impala.lastComputeStatsTime", "impala.events.catalogVersion",
            "trino_query_id", "recordCount"})
    void whatWritersNoteDownOfATableDoesNotTell(String name)
    {
        for (HiveStorageFormat format : HiveStorageFormat.values()) {
            BlobKey base = key(given -> given.format = format);
            for (String value : List.of("1", "2")) {
                assertThat(key(given -> {
                    given.format = format;
                    given.tableParameters = Map.of(name, value);
                })).as("%s of %s", name, format).isEqualTo(base);
            }
        }
    }

    @Test
    void schemaTells()
    {
        assertTells(given -> given.columns = List.of(TEXT));
        assertTells(given -> given.columns = List.of(BIG, TEXT));
        assertTells(given -> given.columnsOfPartition = 2);
        assertTells(given -> given.mapping = TableToPartitionMapping.mapColumnsByIndex(Map.of(0, TEXT)));
        assertTells(given -> given.mapping = new TableToPartitionMapping(Optional.of(Map.of(0, 1)), Map.of()));
    }

    /* A table may have thousands of columns, and a scan thousands of splits. */
    @Test
    void columnsOfTheTableAreWrittenOnceForAllSplitsOfAScan()
    {
        AtomicInteger written = new AtomicInteger();
        QueryOverSplit given = new QueryOverSplit();
        given.columns = List.of(new Column("v", HiveType.HIVE_LONG, Optional.empty(), Optional.empty()) {
            @Override
            public HiveType getType()
            {
                written.incrementAndGet();
                return super.getType();
            }
        });
        EyrieLayoutHandle layout = given.layout();
        SplitKey.Builder shared = given.keys().shared(given.session(), layout);
        assertThat(written).hasPositiveValue();
        written.set(0);
        FileVersion version = new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 1, Optional.empty());
        given.keys().of(shared.copy(), given.split(), layout, version, given.used);
        given.keys().partition(shared, given.split(), layout);
        assertThat(written).hasValue(0);
    }

    @Test
    void valueOfAPartitionColumnTellsWhereTheLeafUsesIt()
    {
        assertTells(given -> given.used = List.of(partitionColumn("ds")));
        BlobKey unused = key(given -> given.day = "2021-01-02");
        assertThat(unused).as("two partitions of one location").isEqualTo(key(given -> {}));
        assertThat(key(given -> {
            given.used = List.of(partitionColumn("ds"));
            given.day = "2021-01-02";
        })).isNotEqualTo(key(given -> given.used = List.of(partitionColumn("ds"))));
    }

    @Test
    void bucketTells()
    {
        assertTells(given -> given.readBucket = OptionalInt.of(1));
        assertTells(given -> given.tableBucket = OptionalInt.of(1));
        assertTells(given -> given.conversion = Optional.of(new BucketConversion(8, 4, List.of(dataColumn("v")))));
        assertThat(key(given -> given.conversion = Optional.of(new BucketConversion(8, 4, List.of(dataColumn("v"))))))
                .isNotEqualTo(key(given -> given.conversion = Optional.of(new BucketConversion(16, 4, List.of(dataColumn("v"))))))
                .isNotEqualTo(key(given -> given.conversion = Optional.of(new BucketConversion(8, 4, List.of(dataColumn("w"))))));
        assertTells(given -> given.bucketFilter = Optional.of(new HiveBucketFilter(Set.of(1))));
        assertThat(key(given -> given.bucketFilter = Optional.of(new HiveBucketFilter(Set.of(1)))))
                .isNotEqualTo(key(given -> given.bucketFilter = Optional.of(new HiveBucketFilter(Set.of(2)))));
    }

    @Test
    void layoutTells()
    {
        assertTells(given -> given.footerStatsUnreliable = true);
    }

    @Test
    void readerTells()
    {
        assertTells(given -> given.settings = Map.of("hive.parquet.use-column-names", "true"));
        assertTells(given -> given.columnNames = true);
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone(before.getID().equals("Asia/Tokyo") ? "UTC" : "Asia/Tokyo"));
            BlobKey elsewhere = key(given -> {});
            TimeZone.setDefault(before);
            assertThat(elsewhere).isNotEqualTo(key(given -> {}));
        }
        finally {
            TimeZone.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hive.time-zone", "hive.parquet.use-column-names", "hive.hdfs.impersonation.enabled", "hive.gcs.use-access-token",
            "hive.s3.endpoint", "hive.s3.kms-key-id", "hive.s3.iam-role", "hive.s3select-pushdown.enabled", "hive.anything-new"})
    void settingOfTheCatalogTells(String name)
    {
        assertTells(given -> given.settings = Map.of(name, "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hive.s3.aws-access-key", "hive.s3.aws-secret-key", "hive.metastore.glue.aws-secret-key", "hive.hdfs.presto.keytab",
            "hive.gcs.json-key-file-path", "hive.metastore.thrift.client.tls.keystore-password", "hive.s3.max-connections", "hive.s3.socket-timeout",
            "hive.metastore.uri", "hive.metastore-timeout", "hive.max-outstanding-splits", "hive.file-status-cache-expire-time"})
    void credentialsAndConnectionsOfTheCatalogDoNotTell(String name)
    {
        assertThat(key(given -> given.settings = Map.of(name, "a"))).isEqualTo(key(given -> given.settings = Map.of(name, "b")))
                .isEqualTo(key(given -> {}));
    }

    @Test
    void sessionTells()
    {
        assertTells(given -> given.zone = "America/New_York");
    }

    @Test
    void rangeOfAColumnHasAKeyForEachSplitAndColumn()
    {
        BlobKey base = range(dataColumn("v"), TIMESTAMP, given -> {});
        assertThat(range(dataColumn("v"), TIMESTAMP, given -> {})).isEqualTo(base);
        assertThat(range(dataColumn("w"), TIMESTAMP, given -> {})).as("column").isNotEqualTo(base);
        assertThat(range(dataColumn("v"), DATE, given -> {})).as("type").isNotEqualTo(base);
        assertThat(key(given -> {})).as("of a result").isNotEqualTo(base);
        List<Consumer<QueryOverSplit>> changes = List.of(
                given -> given.etag = "another",
                given -> given.start = 1,
                given -> given.length = 1,
                given -> given.settings = Map.of("hive.time-zone", "Asia/Tokyo"),
                given -> given.columnNames = true,
                given -> given.serdeParameters = Map.of(),
                given -> given.mapping = new TableToPartitionMapping(Optional.of(Map.of(0, 1)), Map.of()),
                given -> given.zone = "America/New_York");
        assertThat(changes).allSatisfy(change -> assertThat(range(dataColumn("v"), TIMESTAMP, change)).isNotEqualTo(base));
    }

    @Test
    void factsOfAFileBelongToItsVersionItsPartitionAndItsReader()
    {
        BlobKey base = partition(given -> {});
        List<Consumer<QueryOverSplit>> changes = List.of(
                given -> given.engine = "0.297",
                given -> given.format = HiveStorageFormat.PARQUET,
                given -> given.serdeParameters = Map.of(),
                given -> given.storageParameters = Map.of("orc.whatever", "1"),
                given -> given.columns = List.of(TEXT),
                given -> given.columns = List.of(BIG, TEXT),
                given -> given.columnsOfPartition = 2,
                given -> given.mapping = new TableToPartitionMapping(Optional.of(Map.of(0, 1)), Map.of()),
                given -> given.day = "2021-01-02",
                given -> given.footerStatsUnreliable = true,
                given -> given.settings = Map.of("hive.time-zone", "Asia/Tokyo"),
                given -> given.columnNames = true);
        assertThat(changes).allSatisfy(change -> assertThat(partition(change)).isNotEqualTo(base));
        List<Consumer<QueryOverSplit>> others = List.of(
                given -> given.start = 1,
                given -> given.length = 1,
                given -> given.used = List.of(),
                given -> given.readBucket = OptionalInt.of(1),
                given -> given.zone = "America/New_York",
                given -> given.host = "elsewhere:1");
        assertThat(others).as("split and session").allSatisfy(change -> assertThat(partition(change)).isEqualTo(base));

        FileVersion file = new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 1, Optional.of("tag"));
        BlobKey facts = FragmentKey.facts(file, base);
        assertThat(FragmentKey.facts(file, base)).isEqualTo(facts);
        assertThat(List.of(
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://b"), "/f", 1000, 1, Optional.of("tag")), base),
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://a"), "/g", 1000, 1, Optional.of("tag")), base),
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://a"), "/f", 1001, 1, Optional.of("tag")), base),
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 2, Optional.of("tag")), base),
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 1, Optional.of("other")), base),
                FragmentKey.facts(new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 1, Optional.empty()), base),
                FragmentKey.facts(file, partition(given -> given.columnNames = true)))).doesNotContain(facts).doesNotHaveDuplicates();
    }

    private static BlobKey partition(Consumer<QueryOverSplit> change)
    {
        QueryOverSplit given = new QueryOverSplit();
        change.accept(given);
        return given.keys().partition(given.keys().shared(given.session(), given.layout()), given.split(), given.layout());
    }

    private static BlobKey range(HiveColumnHandle column, Type type, Consumer<QueryOverSplit> change)
    {
        QueryOverSplit given = new QueryOverSplit();
        change.accept(given);
        return SplitRanges.key(given.splitKey(), column, type);
    }

    @Test
    void whereAndHowASplitRunsDoesNot()
    {
        BlobKey base = key(given -> {});
        assertThat(key(given -> given.host = "elsewhere:1")).isEqualTo(base);
        assertThat(key(given -> given.settings = Map.of("cache.max-cache-size", "1TB", "fragment-result-cache.enabled", "true"))).isEqualTo(base);
    }

    private static void assertTells(Consumer<QueryOverSplit> change)
    {
        assertThat(key(change)).isNotEqualTo(key(given -> {}));
    }

    private static BlobKey key(Consumer<QueryOverSplit> change)
    {
        QueryOverSplit given = new QueryOverSplit();
        change.accept(given);
        return given.key();
    }

    static HiveColumnHandle partitionColumn(String name)
    {
        return new HiveColumnHandle(name, HiveType.HIVE_STRING, VARCHAR.getTypeSignature(), -1, ColumnType.PARTITION_KEY, Optional.empty(), Optional
                .empty());
    }

    static HiveColumnHandle dataColumn(String name)
    {
        return new HiveColumnHandle(name, HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, ColumnType.REGULAR, Optional.empty(), Optional.empty());
    }

    /** A query over one split; tests change one property. */
    static final class QueryOverSplit
    {
        private String engine = "0.296";
        private String etag = "tag";
        private long start;
        private long length = 100;
        HiveStorageFormat format = HiveStorageFormat.ORC;
        private Optional<StorageFormat> storageFormat = Optional.empty();
        private Map<String, String> serdeParameters = Map.of("field.delim", ",");
        private Map<String, String> storageParameters = Map.of();
        private Map<String, String> tableParameters = Map.of();
        private List<Column> columns = List.of(BIG);
        private int columnsOfPartition = 1;
        TableToPartitionMapping mapping = TableToPartitionMapping.empty();
        private String day = "2021-01-01";
        private List<HiveColumnHandle> used = List.of(dataColumn("v"));
        OptionalInt readBucket = OptionalInt.empty();
        private OptionalInt tableBucket = OptionalInt.empty();
        Optional<BucketConversion> conversion = Optional.empty();
        Optional<HiveBucketProperty> bucketProperty = Optional.empty();
        Optional<HiveBucketFilter> bucketFilter = Optional.empty();
        private boolean footerStatsUnreliable;
        TupleDomain<Subfield> pruned = TupleDomain.all();
        boolean pushdownFilter;
        boolean rowNumbers;
        private Map<String, String> settings = Map.of();
        private Map<String, String> resources = Map.of();
        private boolean columnNames;
        private String zone = "UTC";
        private String host = "datanode:50010";

        private BlobKey key()
        {
            return FragmentKey.of(new CanonicalLeaf(new byte[0], List.of()), splitKey()).rows();
        }

        private SplitKeys keys()
        {
            return new SplitKeys(
                    new CatalogSettings(settings, Map.of()),
                    List.of(PropertyMetadata.booleanProperty("parquet_use_column_names", "by name", false, false)),
                    engine,
                    resources);
        }

        private SplitKey splitKey()
        {
            FileVersion version = new FileVersion(StoreId.shared("s3://a"), "/f", 1000, 1, Optional.of(etag));
            return keys().of(keys().shared(session(), layout()), split(), layout(), version, used);
        }

        ConnectorSession session()
        {
            SqlFunctionProperties properties = SqlFunctionProperties.builder()
                    .setTimeZoneKey(TimeZoneKey.getTimeZoneKey(zone))
                    .setSessionLocale(Locale.ENGLISH)
                    .setSessionUser("alice")
                    .build();
            return (ConnectorSession) Proxy.newProxyInstance(
                    SplitKeysTest.class.getClassLoader(),
                    new Class<?>[] {ConnectorSession.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "getSqlFunctionProperties" -> properties;
                        case "getProperty" -> columnNames;
                        default -> throw new UnsupportedOperationException(method + " " + Arrays.toString(arguments));
                    });
        }

        HiveSplit split()
        {
            return new HiveSplit(
                    new HiveFileSplit("s3://a/f", start, length, 1000, 1, Optional.empty(), Map.of(), 0),
                    "schema",
                    "table",
                    "ds=" + day,
                    Storage.builder()
                            .setStorageFormat(storageFormat.orElseGet(() -> StorageFormat.fromHiveStorageFormat(format)))
                            .setLocation("s3://a")
                            .setBucketProperty(bucketProperty)
                            .setSerdeParameters(serdeParameters)
                            .setParameters(storageParameters)
                            .build(),
                    List.of(new HivePartitionKey("ds", Optional.of(day))),
                    List.of(HostAddress.fromString(host)),
                    readBucket,
                    tableBucket,
                    NodeSelectionStrategy.SOFT_AFFINITY,
                    columnsOfPartition,
                    mapping,
                    conversion,
                    false,
                    CacheQuotaRequirement.NO_CACHE_REQUIREMENT,
                    Optional.empty(),
                    Set.of(),
                    SplitWeight.standard(),
                    Optional.empty());
        }

        EyrieLayoutHandle layout()
        {
            return new EyrieLayoutHandle(
                    new SchemaTableName("schema", "table"),
                    "s3://a",
                    List.of(partitionColumn("ds")),
                    columns,
                    tableParameters,
                    pruned,
                    new ConstantExpression(true, BOOLEAN),
                    Map.of(),
                    TupleDomain.all(),
                    Optional.empty(),
                    bucketFilter,
                    pushdownFilter,
                    "layout",
                    Optional.empty(),
                    false,
                    rowNumbers,
                    footerStatsUnreliable,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
