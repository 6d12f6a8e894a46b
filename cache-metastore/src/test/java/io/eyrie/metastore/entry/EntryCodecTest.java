// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.BigintType;
import com.facebook.presto.common.type.BooleanType;
import com.facebook.presto.common.type.DoubleType;
import com.facebook.presto.common.type.IntegerType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.BucketFunctionType;
import com.facebook.presto.hive.HiveBasicStatistics;
import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.HiveColumnStatistics;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.SortingColumn;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.constraints.NotNullConstraint;
import com.facebook.presto.spi.constraints.PrimaryKeyConstraint;
import com.facebook.presto.spi.constraints.UniqueConstraint;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobKey;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

class EntryCodecTest
{
    private static final List<Column> COLUMNS = List.of(
            new Column("x", HiveType.HIVE_INT, Optional.of("comment"), Optional.empty()),
            new Column("y", HiveType.valueOf("array<struct<a:int,b:map<string,decimal(38,10)>>>"), Optional.empty(), Optional.of("metadata")));

    @Test
    void everyPropertyOfATableIsTheSame()
            throws ReflectiveOperationException
    {
        for (PrestoTableType type : PrestoTableType.values()) {
            Table original = new Table(
                    Optional.of("catalog"),
                    "db",
                    "t\ud800語",
                    "owner",
                    type,
                    new Storage(
                            StorageFormat.createNullable("serde", null, "out"),
                            "s3://bucket/t",
                            Optional.of(new HiveBucketProperty(List.of("x"), 4, List.of(new SortingColumn("x", SortingColumn.Order.DESCENDING)),
                                    BucketFunctionType.HIVE_COMPATIBLE, Optional.empty())),
                            true,
                            Map.of("field.delim", "\0"),
                            Map.of("storage", "parameter")),
                    COLUMNS,
                    List.of(new Column("p", HiveType.HIVE_DATE, Optional.empty(), Optional.empty())),
                    Map.of("a", "b", "empty", ""),
                    Optional.of("SELECT " + "x".repeat(100_000)),
                    Optional.empty());
            Table again = this.<Optional<Table>>again(EntryKind.TABLE, Optional.of(original)).orElseThrow();
            for (Method property : List.of(Table.class.getMethods())) {
                if (property.getDeclaringClass() == Table.class && property.getParameterCount() == 0 && !Modifier.isStatic(property.getModifiers())) {
                    assertThat(property.invoke(again)).as(property.getName()).isEqualTo(property.invoke(original));
                }
            }
        }
    }

    @Test
    void everyKindOfStatistics()
    {
        Map<String, HiveColumnStatistics> columns = new HashMap<>();
        columns.put("integer", HiveColumnStatistics.createIntegerColumnStatistics(OptionalLong.of(Long.MIN_VALUE), OptionalLong.empty(), OptionalLong
                .of(1), OptionalLong.of(2)));
        columns.put("double", HiveColumnStatistics.createDoubleColumnStatistics(OptionalDouble.of(-0.0), OptionalDouble.of(Double.NaN), OptionalLong
                .empty(), OptionalLong.of(0)));
        columns.put("decimal", HiveColumnStatistics.createDecimalColumnStatistics(Optional.of(new BigDecimal("1.500")), Optional.of(new BigDecimal(
                "12345678901234567890.1")), OptionalLong.empty(), OptionalLong.empty()));
        columns.put("date", HiveColumnStatistics.createDateColumnStatistics(Optional.of(LocalDate.ofEpochDay(-800_000)), Optional.of(LocalDate
                .ofEpochDay(
                        5_000_000)), OptionalLong.of(3), OptionalLong.empty()));
        columns.put("boolean", HiveColumnStatistics.createBooleanColumnStatistics(OptionalLong.of(5), OptionalLong.empty(), OptionalLong.of(1)));
        columns.put("string", HiveColumnStatistics.createStringColumnStatistics(OptionalLong.of(7), OptionalLong.of(8), OptionalLong.of(9),
                OptionalLong
                        .of(10)));
        columns.put("binary", HiveColumnStatistics.createBinaryColumnStatistics(OptionalLong.of(7), OptionalLong.empty(), OptionalLong.of(9)));
        columns.put("empty", HiveColumnStatistics.empty());
        PartitionStatistics original = new PartitionStatistics(new HiveBasicStatistics(OptionalLong.of(1), OptionalLong.empty(), OptionalLong.of(3),
                OptionalLong.of(4)), columns);
        assertThat(this.<PartitionStatistics>again(EntryKind.PARTITION_STATISTICS, original)).isEqualTo(original);
        assertThat(this.<PartitionStatistics>again(EntryKind.TABLE_STATISTICS, PartitionStatistics.empty())).isEqualTo(PartitionStatistics.empty());
    }

    @Test
    void constraintsAndNames()
    {
        List<Object> constraints = List.of(
                new PrimaryKeyConstraint<>(Optional.of("key"), new LinkedHashSet<>(List.of("b", "a")), true, false, true),
                new UniqueConstraint<>(Optional.empty(), new LinkedHashSet<>(List.of("a")), false, true, false),
                new NotNullConstraint<>(Optional.of("set"), "b"));
        assertThat(this.<List<Object>>again(EntryKind.CONSTRAINTS, constraints)).isEqualTo(constraints)
                .extracting(constraint -> (Object) constraint.getClass()).containsExactly(PrimaryKeyConstraint.class, UniqueConstraint.class,
                        NotNullConstraint.class);
        Optional<List<String>> names = Optional.of(List.of("p=1", "p=\u0000", ""));
        assertThat(this.<Optional<List<String>>>again(EntryKind.PARTITION_NAMES, names)).isEqualTo(names);
    }

    @Test
    void valueThatWouldNotBeReadAsItWasIsRefused()
    {
        List<Type> types = List.of(BigintType.BIGINT);
        Storage storage = new Storage(StorageFormat.create("serde", "in", "out"), "s3://bucket/t", Optional.of(new HiveBucketProperty(List.of("x"), 4,
                List.of(), BucketFunctionType.PRESTO_NATIVE, Optional.of(types))), false, Map.of(), Map.of());
        Table table = new Table(Optional.empty(), "db", "t", "owner", PrestoTableType.MANAGED_TABLE, storage, COLUMNS, List.of(), Map.of(), Optional
                .empty(),
                Optional.empty());
        assertThat(EntryCodec.encode(EntryKind.TABLE, Optional.of(table))).isEmpty();
        assertThat(EntryCodec.encode(EntryKind.ROLES, "anything")).isEmpty();
    }

    @Test
    void differentPredicatesHaveDifferentIdentities()
    {
        Map<BlobKey, Predicates> seen = new HashMap<>();
        List<Domain> domains = List.of(
                Domain.all(VarcharType.VARCHAR),
                Domain.none(VarcharType.VARCHAR),
                Domain.onlyNull(VarcharType.VARCHAR),
                Domain.notNull(VarcharType.VARCHAR),
                text("a"),
                text("b"),
                Domain.multipleValues(VarcharType.VARCHAR, List.of(Slices.utf8Slice("a"), Slices.utf8Slice("b"))),
                Domain.create(ValueSet.of(VarcharType.VARCHAR, Slices.utf8Slice("a")), true),
                Domain.create(ValueSet.ofRanges(Range.lessThan(VarcharType.VARCHAR, Slices.utf8Slice("a"))), false),
                Domain.create(ValueSet.ofRanges(Range.lessThanOrEqual(VarcharType.VARCHAR, Slices.utf8Slice("a"))), false),
                Domain.create(ValueSet.ofRanges(Range.greaterThan(VarcharType.VARCHAR, Slices.utf8Slice("a"))), false),
                Domain.singleValue(BigintType.BIGINT, 1L),
                Domain.singleValue(IntegerType.INTEGER, 1L),
                Domain.singleValue(BooleanType.BOOLEAN, true),
                Domain.singleValue(DoubleType.DOUBLE, 1.0),
                Domain.singleValue(DoubleType.DOUBLE, 2.0));
        for (Domain domain : domains) {
            for (Column column : COLUMNS) {
                Predicates predicates = new Predicates(Map.of(column, domain));
                assertThat(seen.put(predicates.identity().orElseThrow(), predicates)).as("%s", domain).isNull();
                assertThat(new Predicates(Map.of(column, domain)).identity()).isEqualTo(predicates.identity());
            }
        }
        Predicates both = new Predicates(Map.of(COLUMNS.get(0), text("a"), COLUMNS.get(1), text("b")));
        Predicates swapped = new Predicates(Map.of(COLUMNS.get(0), text("b"), COLUMNS.get(1), text("a")));
        assertThat(both.identity()).isNotEqualTo(swapped.identity()).isPresent();
        assertThat(seen).doesNotContainKeys(both.identity().orElseThrow(), swapped.identity().orElseThrow());
    }

    private static Domain text(String value)
    {
        return Domain.singleValue(VarcharType.VARCHAR, Slices.utf8Slice(value));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the type of the kind's values
    private <T> T again(EntryKind kind, Object value)
    {
        return (T) EntryCodec.read(kind, ByteBuffer.wrap(EntryCodec.encode(kind, value).orElseThrow()));
    }
}
