// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Projection;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static org.assertj.core.api.Assertions.assertThat;

class LeafColumnsTest
{
    private static final VariableReferenceExpression A = variable("a");
    private static final VariableReferenceExpression B = variable("b");
    private static final RowExpression COMPUTED = new SpecialFormExpression(SpecialFormExpression.Form.IS_NULL, BOOLEAN, B);

    @Test
    void columnLosesItsHandle()
    {
        Leaf leaf = leaf(new Projection(variable("x"), A), new Projection(variable("y"), B));
        assertThat(LeafColumns.outputs(leaf)).containsExactly(column("a"), column("b"));
        assertThat(LeafColumns.assignments(leaf, leaf, new VariableAllocator())).hasSize(2);
    }

    /* The engine inverts assignments. */
    @Test
    void columnHasOneHandleInTwoOutputs()
    {
        Leaf leaf = leaf(new Projection(variable("x"), A), new Projection(variable("y"), A));
        List<ColumnHandle> outputs = LeafColumns.outputs(leaf);
        assertThat(outputs).doesNotHaveDuplicates();
        assertThat(outputs.get(1)).isEqualTo(column("a"));
        assertThat(names(LeafColumns.assignments(leaf, leaf, new VariableAllocator()))).containsExactly("a", "a", "b");
    }

    @Test
    void columnThatIsReadIsNotReported()
    {
        Leaf leaf = leaf(new Projection(variable("x"), COMPUTED));
        Map<VariableReferenceExpression, ColumnHandle> assignments = LeafColumns.assignments(leaf, leaf, new VariableAllocator());
        assertThat(names(assignments)).containsOnly("a", "b");
        assertThat(assignments.values()).as("properties of what is not output").doesNotContain(column("a"), column("b"));
        assertThat(assignments.values()).doesNotHaveDuplicates();
    }

    @Test
    void columnWithTheCommentOfOneThatIsNotOutput()
    {
        HiveColumnHandle own = new HiveColumnHandle("a", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, ColumnType.REGULAR,
                Optional.of("#"), Optional.empty());
        assertThat(LeafColumns.named(Map.of(A, own), new VariableAllocator(List.of(A))).values()).hasSize(1).doesNotContain(own);
    }

    @Test
    void outputNamedAsAColumnThatIsRead()
    {
        Leaf leaf = leaf(new Projection(B, A));
        Map<VariableReferenceExpression, ColumnHandle> assignments = LeafColumns.assignments(leaf, leaf, new VariableAllocator(List.of(A, B)));
        assertThat(assignments).hasSize(2).containsEntry(B, column("a"));
        assertThat(names(assignments)).containsExactly("a", "b");
    }

    @Test
    void columnsAreFoundByTheirHandles()
    {
        Leaf leaf = leaf(new Projection(variable("x"), A), new Projection(variable("y"), COMPUTED), new Projection(variable("z"), A));
        List<ColumnHandle> outputs = LeafColumns.outputs(leaf);
        assertThat(LeafColumns.places(leaf)).isEqualTo(Map.of(outputs.get(0), 0, outputs.get(1), 1, outputs.get(2), 2));
    }

    @Test
    void valueThatTheConditionsFixIsNotPromised()
    {
        Leaf leaf = leaf(
                new Projection(variable("x"), A),
                new Projection(variable("y"), A),
                new Projection(variable("z"), B),
                new Projection(variable("five"), new ConstantExpression(5L, BIGINT)),
                new Projection(variable("null"), new ConstantExpression(null, BIGINT)));
        TupleDomain<VariableReferenceExpression> asked = TupleDomain.withColumnDomains(Map.of(A, Domain.singleValue(BIGINT, 1L), B, Domain.onlyNull(
                BIGINT)));
        List<ColumnHandle> outputs = LeafColumns.outputs(leaf);
        assertThat(LeafColumns.fixed(leaf, asked)).isEqualTo(TupleDomain.withColumnDomains(Map.of(
                outputs.get(0), Domain.singleValue(BIGINT, 1L),
                outputs.get(1), Domain.singleValue(BIGINT, 1L),
                outputs.get(3), Domain.singleValue(BIGINT, 5L))));
        assertThat(LeafColumns.nulls(leaf, asked)).containsExactlyInAnyOrder(variable("z"), variable("null"));
        assertThat(LeafColumns.fixed(leaf, TupleDomain.withColumnDomains(Map.of(A, Domain.create(Domain.singleValue(BIGINT, 1L).getValues(), true))))
                .getDomains()
                .orElseThrow()).as("one value or NULL").containsOnlyKeys(outputs.get(3));
        assertThat(LeafColumns.fixed(leaf, TupleDomain.none()).getDomains().orElseThrow()).as("no row at all").containsOnlyKeys(outputs.get(3));
    }

    private static List<String> names(Map<VariableReferenceExpression, ColumnHandle> assignments)
    {
        List<String> names = new ArrayList<>();
        assignments.values().forEach(column -> names.add(((HiveColumnHandle) LeafColumns.reported(column)).getName()));
        return names;
    }

    private static Leaf leaf(Projection... projections)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        columns.put(A, column("a"));
        columns.put(B, column("b"));
        return new Leaf(columns, List.of(), List.of(), List.of(projections), Optional.empty());
    }

    private static HiveColumnHandle column(String name)
    {
        return new HiveColumnHandle(name, HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, ColumnType.REGULAR, Optional.empty(), Optional.empty());
    }

    private static VariableReferenceExpression variable(String name)
    {
        return new VariableReferenceExpression(Optional.empty(), name, BIGINT);
    }
}
