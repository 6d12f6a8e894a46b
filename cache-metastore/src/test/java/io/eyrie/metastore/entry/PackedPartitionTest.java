// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.SortingColumn;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.hive.BucketFunctionType.HIVE_COMPATIBLE;
import static org.assertj.core.api.Assertions.assertThat;

class PackedPartitionTest
{
    private static final List<String> TEXTS = List.of("", "a", "é\u00ff", "日本", "\ud800 alone", "\0", "x".repeat(63), "x".repeat(64), "ü".repeat(
            20_000), "語".repeat(20_000));

    private static Partition partition(List<String> values, String location, Map<String, String> parameters, Optional<Long> version,
            Optional<byte[]> rowId)
    {
        return new Partition(
                Optional.of("catalog"),
                "db",
                "t",
                values,
                new Storage(
                        StorageFormat.create("serde", "in", "out"),
                        location,
                        Optional.of(new HiveBucketProperty(List.of("x"), 4, List.of(new SortingColumn("x", SortingColumn.Order.ASCENDING)),
                                HIVE_COMPATIBLE, Optional.empty())),
                        true,
                        ImmutableMap.of("field.delim", "|"),
                        ImmutableMap.of("storage", "parameter")),
                List.of(new Column("x", HiveType.HIVE_INT, Optional.of("comment"), Optional.empty())),
                ImmutableMap.copyOf(parameters),
                version,
                true,
                false,
                -7,
                Long.MIN_VALUE,
                rowId);
    }

    private static Partition partition(List<String> values, String location, Map<String, String> parameters)
    {
        return partition(values, location, parameters, Optional.of(42L), Optional.empty());
    }

    private static Partition packed(Partition partition)
    {
        return PackedPartition.of(partition, partition.getValues()).unpack();
    }

    @Test
    void everyPropertyIsTheSame()
            throws ReflectiveOperationException
    {
        for (Optional<Long> version : List.of(Optional.<Long>empty(), Optional.of(Long.MAX_VALUE))) {
            for (Optional<byte[]> rowId : List.of(Optional.<byte[]>empty(), Optional.of(new byte[] {1, -1, 0}))) {
                Partition original = partition(List.of("1", "b"), "s3://bucket/t/p=1/q=b", Map.of("numFiles", "3", "empty", ""), version, rowId);
                Partition again = packed(original);
                assertThat(again).isEqualTo(original);
                for (Method property : List.of(Partition.class.getMethods())) {
                    if (property.getDeclaringClass() == Partition.class && property.getParameterCount() == 0 && !Modifier.isStatic(property
                            .getModifiers())
                            && !property.getName().equals("getRowIdPartitionComponent")) {
                        assertThat(property.invoke(again)).as(property.getName()).isEqualTo(property.invoke(original));
                    }
                }
                assertThat(again.getRowIdPartitionComponent().isPresent()).isEqualTo(rowId.isPresent());
                rowId.ifPresent(bytes -> assertThat(again.getRowIdPartitionComponent().orElseThrow()).isEqualTo(bytes));
            }
        }
    }

    @Test
    void anyTextIsTheSame()
    {
        for (String text : TEXTS) {
            assertThat(packed(partition(List.of(text), "s3://bucket/t/" + text, Map.of("a", text, text + "b", "c"))))
                    .isEqualTo(partition(List.of(text), "s3://bucket/t/" + text, Map.of("a", text, text + "b", "c")));
        }
    }

    @Test
    void parametersKeepTheirOrder()
    {
        Map<String, String> parameters = ImmutableMap.of("z", "1", "a", "2", "m", "3");
        assertThat(packed(partition(List.of("1"), "s3://b/t/p=1", parameters)).getParameters()).containsExactlyEntriesOf(parameters);
    }

    @Test
    void anyLocationIsTheSame()
    {
        for (String location : List.of("", "/", "relative", "s3://b", "s3://b/", "s3://bucket/elsewhere/x", "s3://bucket/t/p=1/q=2/",
                "hdfs:///a//b")) {
            for (List<String> values : List.of(List.of("1"), List.of("1", "2", "3", "4", "5", "6"))) {
                assertThat(packed(partition(values, location, Map.of())).getStorage().getLocation()).isEqualTo(location);
            }
        }
    }

    @Test
    void partitionsShareWhatTheyHaveInCommon()
    {
        List<Partition> some = Stream.of("1", "2").map(value -> packed(partition(List.of(value), "s3://b/t/p=" + value, Map.of("numFiles", value))))
                .toList();
        assertThat(some.get(0).getColumns()).isSameAs(some.get(1).getColumns());
        assertThat(some.get(0).getStorage().getSerdeParameters()).isSameAs(some.get(1).getStorage().getSerdeParameters());
        assertThat(some.get(0).getDatabaseName()).isSameAs(some.get(1).getDatabaseName());
    }

    @Test
    void valuesAreThoseOfTheKeyOnlyIfEqual()
    {
        List<String> ofKey = List.of("__HIVE_DEFAULT_PARTITION__");
        Partition empty = partition(List.of(""), "s3://b/t/p=", Map.of());
        assertThat(PackedPartition.of(empty, ofKey).unpack().getValues()).containsExactly("");
        Partition same = partition(List.of("__HIVE_DEFAULT_PARTITION__"), "s3://b/t/p=", Map.of());
        assertThat(PackedPartition.of(same, ofKey).unpack()).isEqualTo(same);
    }
}
