// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeSignature;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.CacheQuotaRequirement;
import com.facebook.presto.hive.HiveBucketing.HiveBucketFilter;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveSplit.BucketConversion;
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
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.mutation.FieldMutations;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.IdentityWriter;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;

/** Tests that each field of splits, layouts, columns, sessions and settings changes the key of a result, or is excused here with a reason. */
final class SplitKeysMutationTest
{
    private static final String VERSION = "the version of the file, which is in the key, names the file and its bytes";
    private static final String WITHOUT_VERSION = "such splits have no version of a file and so no key";
    private static final String PLACE = "where and when a split runs";
    private static final String LEAF = "the leaf, which is in the key, says what is asked of the scan";
    private static final String SPLIT = "the split says which file, bucket and partition";
    private static final String REFUSED = "such layouts and columns are refused";
    private static final String PEOPLE = "for people";

    /** The inputs of a key, except the leaf fragment. */
    private record KeyInputs(
            HiveSplit split,
            EyrieLayoutHandle layout,
            FileVersion version,
            SqlFunctionProperties session,
            String sessionProperty,
            CatalogSettings settings,
            String engine)
    {}

    @Test
    void everyFieldTells()
    {
        FieldMutations mutations = excusingSplit(replacing())
                .excusing("CatalogSettings.withoutEffect", "of layers that Eyrie lacks")
                .excusing("CatalogSettings.added", "turns on layers and sets sizes, which change no row (decision 0040)")
                .excusing("SqlFunctionProperties.sessionStartTime",
                        "now() is a constant of the plan by then, and other functions that read it are refused; a result that follows it is not stored")
                .excusing("SqlFunctionProperties.sessionUser",
                        "a leaf with a function that reads it is refused; FILE has the principal who reads the file")
                .excusing("SqlFunctionProperties.extraCredentials", "no function of the engine reads them")
                .excusing("SqlFunctionProperties.warnOnCommonNanPatterns", "warns while the query is analyzed");
        excusingColumn(excusingLayout(mutations))
                .excusing("EyrieLayoutHandle.fragment", LEAF)
                .assertEachTells(new KeyInputs(split(), layout(), version(), session(), "by name", new CatalogSettings(Map.of("hive.time-zone",
                        "UTC"),
                        Map.of()), "0.296"),
                        SplitKeysMutationTest::key);
    }

    @Test
    void everyFieldOfAColumnTells()
    {
        excusingColumn(replacing()).assertEachTells(column(ColumnType.REGULAR), changed -> {
            IdentityWriter writer = new IdentityWriter();
            SplitKeys.column(changed, writer);
            return HexFormat.of().formatHex(writer.toBytes());
        });
    }

    @Test
    void everyFieldOfJoinsTells()
    {
        FieldMutations mutations = excusingColumn(excusingLayout(excusingSplit(replacing())))
                .replacing(Type.class, type -> VARCHAR)
                .replacing(JoinRows.class, rows -> new JoinRows(rows.input(), rows.variables(), rows.stages().subList(1, rows.stages().size())))
                .excusing("EyrieLayoutHandle.fragment empty", "its leaf only reads columns")
                .excusing("EyrieSplit.place", PLACE)
                .excusing("EyrieSplit.controlEpoch", "what operators tell the caches")
                .excusing("EyrieSplit.carried", "the splits of dimensions are not packed")
                .excusing("DimensionHandle.bare empty", "its leaf is part of its layout")
                .excusing("BaseHiveColumnHandle.requiredSubfields empty", "the whole column; the other has subfields")
                .excusing("LeafHandle.bare order", "the joins name the variables that they read")
                .excusing("LeafHandle.conjuncts empty", "the leaf has no condition")
                .excusing("LeafHandle.defined", "the leaves here define nothing; CanonicalLeafTest has some that do")
                .excusing("LeafHandle.definitions", "the leaves here define nothing; CanonicalLeafTest has some that do")
                .excusing("LeafHandle.outputs empty", "all outputs are variables of the scan")
                .excusing("LeafHandle.projections empty", "all outputs are variables of the scan")
                .excusing("LeafHandle.calls", "an input does not aggregate")
                .excusing("LeafHandle.masks", "an input does not aggregate")
                .excusing("LeafHandle.sorted", "all rows of an input are needed; CanonicalLeafTest has leaves with a top")
                .excusing("LeafHandle.orders", "all rows of an input are needed; CanonicalLeafTest has leaves with a top")
                .excusing("RowExpression.sourceLocation", "where it stands in the query's text");
        JoinedInputs inputs = joins();
        mutations.assertEachTells(inputs.handle(), inputs::key);
    }

    private static FieldMutations replacing()
    {
        return new FieldMutations()
                .replacing(HiveType.class, type -> HiveType.HIVE_DOUBLE)
                .replacing(TypeSignature.class, type -> DOUBLE.getTypeSignature())
                .replacing(Subfield.class, subfield -> new Subfield("c.other"))
                .replacing(TimeZoneKey.class, zone -> TimeZoneKey.getTimeZoneKey("Asia/Tokyo"))
                .replacing(Locale.class, locale -> Locale.GERMANY);
    }

    private static FieldMutations excusingSplit(FieldMutations mutations)
    {
        return mutations
                .excusing("HiveSplit.addresses", PLACE)
                .excusing("HiveSplit.nodeSelectionStrategy", PLACE)
                .excusing("HiveSplit.splitWeight", PLACE)
                .excusing("HiveSplit.cacheQuotaRequirement", PLACE)
                .excusing("HiveSplit.database", VERSION)
                .excusing("HiveSplit.table", VERSION)
                .excusing("HiveSplit.partitionName", "the values that a leaf uses are in the key")
                .excusing("HiveSplit.s3SelectPushdownEnabled", "follows from the settings and the format, which are in the key")
                .excusing("HiveSplit.encryptionInformation", WITHOUT_VERSION)
                .excusing("HiveSplit.redundantColumnDomains", "predicates that Presto leaves out because all rows satisfy them")
                .excusing("HiveSplit.rowIdPartitionComponent", REFUSED)
                .excusing("HiveFileSplit.path", VERSION)
                .excusing("HiveFileSplit.fileSize", VERSION)
                .excusing("HiveFileSplit.fileModifiedTime", VERSION)
                .excusing("HiveFileSplit.extraFileInfo", "the entity tag, which is in the version")
                .excusing("HiveFileSplit.customSplitInfo", WITHOUT_VERSION)
                .excusing("HiveFileSplit.affinitySchedulingFileSectionIndex", PLACE)
                .excusing("Storage.location", VERSION)
                .excusing("Storage.bucketProperty", SPLIT)
                .excusing("Storage.skewed", "no reader asks for it")
                .excusing("Column.comment", PEOPLE)
                .excusing("Column.typeMetadata", "of types that users define, which leaves refuse");
    }

    private static FieldMutations excusingColumn(FieldMutations mutations)
    {
        return mutations
                .excusing("HiveColumnHandle.partialAggregation", REFUSED)
                .excusing("BaseHiveColumnHandle.requiredSubfields order", "they are a set")
                .excusing("BaseHiveColumnHandle.comment", PEOPLE);
    }

    private static FieldMutations excusingLayout(FieldMutations mutations)
    {
        return mutations
                .excusing("EyrieLayoutHandle.control", "what operators tell the caches")
                .excusing("EyrieLayoutHandle.warming", REFUSED)
                .excusing("EyrieLayoutHandle.places", LEAF)
                .excusing("EyrieLayoutHandle.described", "what the metadata computed of the handle for the engine's planner; not sent to workers")
                .excusing("EyrieLayoutHandle.join", "the leaf's canonical form has the joins, and the versions of all files of their dimensions")
                .excusing("EyrieLayoutHandle.named", "of a scan without splits")
                .excusing("HiveTableLayoutHandle.schemaTableName", VERSION)
                .excusing("HiveTableLayoutHandle.tablePath", VERSION)
                .excusing("HiveTableLayoutHandle.predicateColumns", LEAF)
                .excusing("HiveTableLayoutHandle.bucketHandle", SPLIT)
                .excusing("HiveTableLayoutHandle.layoutString", PEOPLE)
                .excusing("HiveTableLayoutHandle.requestedColumns", LEAF)
                .excusing("HiveTableLayoutHandle.partialAggregationsPushedDown", REFUSED)
                .excusing("HiveTableLayoutHandle.appendRowNumberEnabled", REFUSED)
                .excusing("HiveTableLayoutHandle.appendRowId", REFUSED)
                .excusing("HiveTableLayoutHandle.partitions", SPLIT)
                .excusing("HiveTableLayoutHandle.hiveTableHandle", VERSION)
                .excusing("BaseHiveTableLayoutHandle.partitionColumns", SPLIT)
                .excusing("BaseHiveTableLayoutHandle.domainPredicate", "lets out only rows that the leaf lets out, too")
                .excusing("BaseHiveTableLayoutHandle.remainingPredicate", REFUSED)
                .excusing("BaseHiveTableLayoutHandle.pushdownFilterEnabled", REFUSED)
                .excusing("BaseHiveTableLayoutHandle.partitionColumnPredicate", SPLIT)
                .excusing("BaseHiveTableLayoutHandle.partitions", SPLIT);
    }

    private static Object key(KeyInputs asked)
    {
        SplitKeys keys = new SplitKeys(asked.settings(), List.of(PropertyMetadata.stringProperty("parquet_use_column_names", "by name", "", false)),
                asked.engine(), Map.of());
        ConnectorSession session = session(asked.session(), asked.sessionProperty());
        // the partition's column is used, so its value is in the key
        List<HiveColumnHandle> used = List.of(SplitKeysTest.partitionColumn("ds"));
        return FragmentKey.of(
                new CanonicalLeaf(new byte[0], List.of()),
                keys.of(keys.shared(session, asked.layout()), asked.split(), asked.layout(), asked.version(), used));
    }

    static ConnectorSession session(SqlFunctionProperties functions, String property)
    {
        return (ConnectorSession) Proxy.newProxyInstance(
                SplitKeysMutationTest.class.getClassLoader(),
                new Class<?>[] {ConnectorSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getSqlFunctionProperties" -> functions;
                    case "getProperty" -> property;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private static FileVersion version()
    {
        return new FileVersion(new StoreId("s3://a", "alice"), "/f", 1000, 1, Optional.of("tag"));
    }

    static SqlFunctionProperties session()
    {
        return SqlFunctionProperties.builder()
                .setTimeZoneKey(TimeZoneKey.UTC_KEY)
                .setSessionLocale(Locale.ENGLISH)
                .setSessionUser("alice")
                .setExtraCredentials(Map.of("name", "secret"))
                .build();
    }

    static HiveColumnHandle column(ColumnType type)
    {
        return new HiveColumnHandle("c", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, type, Optional.empty(), List.of(new Subfield("c.a"),
                new Subfield("c.b")),
                Optional.empty());
    }

    private static Column tableColumn(String name)
    {
        return new Column(name, HiveType.HIVE_LONG, Optional.empty(), Optional.empty());
    }

    static JoinedInputs joins()
    {
        return new JoinedInputs(layout(), split(), version());
    }

    private static HiveSplit split()
    {
        return new HiveSplit(
                new HiveFileSplit("s3://a/f", 10, 100, 1000, 1, Optional.empty(), Map.of(), 0),
                "schema",
                "table",
                "ds=2021-01-01",
                Storage.builder()
                        // a format whose Hive classes read the table's parameters
                        .setStorageFormat(StorageFormat.create("serde", "input", "output"))
                        .setLocation("s3://a")
                        .setSerdeParameters(Map.of("field.delim", ","))
                        .setParameters(Map.of("skip.header.line.count", "1"))
                        .build(),
                List.of(new HivePartitionKey("ds", Optional.of("2021-01-01"))),
                List.of(HostAddress.fromString("datanode:50010")),
                OptionalInt.of(1),
                OptionalInt.of(2),
                NodeSelectionStrategy.SOFT_AFFINITY,
                1,
                new TableToPartitionMapping(Optional.of(Map.of(0, 1)), Map.of(0, tableColumn("old"))),
                Optional.of(new BucketConversion(8, 4, List.of(column(ColumnType.REGULAR)))),
                false,
                CacheQuotaRequirement.NO_CACHE_REQUIREMENT,
                Optional.empty(),
                Set.of(),
                SplitWeight.standard(),
                Optional.empty());
    }

    private static EyrieLayoutHandle layout()
    {
        return new EyrieLayoutHandle(
                new SchemaTableName("schema", "table"),
                "s3://a",
                List.of(SplitKeysTest.partitionColumn("ds")),
                List.of(tableColumn("c"), tableColumn("d")),
                Map.of("serialization.null.format", "NULL"),
                TupleDomain.all(),
                new ConstantExpression(true, BOOLEAN),
                Map.of(),
                TupleDomain.all(),
                Optional.empty(),
                Optional.of(new HiveBucketFilter(Set.of(1, 2))),
                false,
                "layout",
                Optional.empty(),
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
