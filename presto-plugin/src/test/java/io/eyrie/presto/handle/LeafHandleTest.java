// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Projection;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static org.assertj.core.api.Assertions.assertThat;

class LeafHandleTest
{
    private static final List<Column> TABLE = List.of(column("a", Optional.empty()), column("b", Optional.of("of b")), column("c", Optional.empty()));

    @Test
    void leafIsReadAsItWasWrittenAndSaysNothingTwice()
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        columns.put(variable("b"), new HiveColumnHandle("b", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 1, ColumnType.REGULAR, Optional.of(
                "of b"),
                Optional.empty()));
        columns.put(variable("ds"), new HiveColumnHandle("ds", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), -1, ColumnType.PARTITION_KEY, Optional
                .empty(), Optional.empty()));
        columns.put(variable("a_1"), new HiveColumnHandle("a", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, ColumnType.REGULAR, Optional.empty(),
                Optional.empty()));
        columns.put(variable("c"), new HiveColumnHandle("c", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 2, ColumnType.REGULAR, Optional.empty(),
                List.of(new Subfield("c.x")), Optional.empty()));
        columns.put(variable("old"), new HiveColumnHandle("old", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 2, ColumnType.REGULAR, Optional
                .empty(), Optional.empty()));
        RowExpression isNull = new SpecialFormExpression(SpecialFormExpression.Form.IS_NULL, BOOLEAN, variable("b"));
        Leaf leaf = new Leaf(
                columns,
                List.of(isNull),
                List.of(new Projection(variable("$0"), new SpecialFormExpression(SpecialFormExpression.Form.COALESCE, BIGINT, variable("b"), variable(
                        "c")))),
                List.of(
                        new Projection(variable("c"), variable("c")),
                        new Projection(variable("renamed"), variable("c")),
                        new Projection(variable("b"), variable("b")),
                        new Projection(variable("one"), new ConstantExpression(1L, BIGINT)),
                        new Projection(variable("x"), variable("$0")),
                        // with another column's name
                        new Projection(variable("ds"), variable("a_1"))),
                Optional.empty());
        LeafHandle handle = LeafHandle.of(leaf, TABLE);
        Leaf read = handle.leaf(TABLE);
        assertThat(read).isEqualTo(leaf);
        assertThat(List.copyOf(read.columns().keySet())).isEqualTo(List.copyOf(leaf.columns().keySet()));
        assertThat(read.columns().get(variable("c"))).isEqualTo(columns.get(variable("c")));
        assertThat(handle.getColumns()).extracting(HiveColumnHandle::getName).containsExactly("ds", "c", "old");
        Leaf top = leaf.withTop(Optional.of(new Leaf.Top(7, List.of(
                new Leaf.Order(variable("one"), SortOrder.ASC_NULLS_FIRST), new Leaf.Order(variable("b"), SortOrder.DESC_NULLS_LAST)))));
        assertThat(LeafHandle.of(top, TABLE).leaf(TABLE)).isEqualTo(top);
        assertThat(handle.getOutputs()).extracting(VariableReferenceExpression::getName).containsExactly("renamed", "one", "x", "ds");
    }

    private static Column column(String name, Optional<String> comment)
    {
        return new Column(name, HiveType.HIVE_LONG, comment, Optional.empty());
    }

    private static VariableReferenceExpression variable(String name)
    {
        return new VariableReferenceExpression(Optional.empty(), name, BIGINT);
    }
}
