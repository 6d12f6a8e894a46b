// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment;

import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.metadata.MetadataManager;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.Assignments;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.Expressions;
import com.facebook.presto.testing.TestingMetadata.TestingColumnHandle;
import com.facebook.presto.testing.TestingMetadata.TestingTableHandle;
import com.facebook.presto.testing.TestingTransactionHandle;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafReader;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.sql.analyzer.TypeSignatureProvider.fromTypes;

/** Creates plans with the engine's own functions. */
public final class TestingLeaves
{
    public static final MetadataManager METADATA = MetadataManager.createTestMetadataManager();
    public static final FunctionAndTypeManager FUNCTIONS = METADATA.getFunctionAndTypeManager();
    public static final BlockEncodingSerde BLOCKS = new BlockEncodingManager();
    public static final LeafReader READER = new LeafReader(FUNCTIONS, handle -> !handle.getName().endsWith(".bitwise_not"));
    public static final CanonicalLeaf.Factory CANONICAL = new CanonicalLeaf.Factory(FUNCTIONS, BLOCKS, (column, writer) -> writer.text(
            ((TestingColumnHandle) column).getName()));

    private TestingLeaves()
    {}

    public static VariableReferenceExpression variable(String name, Type type)
    {
        return new VariableReferenceExpression(Optional.empty(), name, type);
    }

    public static CallExpression call(String function, Type type, RowExpression... arguments)
    {
        return Expressions.call(FUNCTIONS, function, type, arguments);
    }

    public static CallExpression operator(OperatorType operator, Type type, RowExpression... arguments)
    {
        Type[] types = List.of(arguments).stream().map(RowExpression::getType).toArray(Type[]::new);
        return Expressions.call(operator.name(), FUNCTIONS.resolveOperator(operator, fromTypes(types)), type, arguments);
    }

    public static CallExpression compare(OperatorType operator, RowExpression left, RowExpression right)
    {
        return operator(operator, BOOLEAN, left, right);
    }

    /** Creates a scan of columns with the names of their variables. */
    public static TableScanNode scan(VariableReferenceExpression... variables)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        for (VariableReferenceExpression variable : variables) {
            columns.put(variable, new TestingColumnHandle(variable.getName()));
        }
        return scan(columns);
    }

    public static TableScanNode scan(Map<VariableReferenceExpression, ColumnHandle> columns)
    {
        return scan(columns, TupleDomain.all());
    }

    /** Creates a scan of partitions whose columns have these values. */
    public static TableScanNode scan(Map<VariableReferenceExpression, ColumnHandle> columns, TupleDomain<ColumnHandle> partitions)
    {
        TableHandle table = new TableHandle(
                new ConnectorId("hive"), new TestingTableHandle(), TestingTransactionHandle.create(), Optional.of(
                        new ConnectorTableLayoutHandle() {}));
        return new TableScanNode(Optional.empty(), id(), table, List.copyOf(columns.keySet()), columns, partitions, TupleDomain.all(), Optional
                .empty());
    }

    public static FilterNode filter(PlanNode source, RowExpression predicate)
    {
        return new FilterNode(Optional.empty(), id(), source, predicate);
    }

    public static ProjectNode project(PlanNode source, VariableReferenceExpression variable, RowExpression expression)
    {
        return project(source, Map.of(variable, expression));
    }

    public static ProjectNode project(PlanNode source, Map<VariableReferenceExpression, RowExpression> assignments)
    {
        return new ProjectNode(id(), source, Assignments.copyOf(assignments));
    }

    public static Aggregation aggregation(CallExpression call)
    {
        return new Aggregation(call, Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    public static AggregationNode aggregate(PlanNode source, List<VariableReferenceExpression> keys,
            Map<VariableReferenceExpression, Aggregation> aggregations)
    {
        return new AggregationNode(
                Optional.empty(),
                id(),
                source,
                aggregations,
                keys.isEmpty() ? AggregationNode.globalAggregation() : AggregationNode.singleGroupingSet(keys),
                List.of(),
                AggregationNode.Step.PARTIAL,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the leaf fragment of a plan, which must have one. */
    public static Leaf leaf(PlanNode root)
    {
        LeafReader.LeafReading reading = READER.read(root);
        return reading.leaf().orElseThrow(() -> new AssertionError("refused: " + reading.refusals()));
    }

    public static PlanNodeId id()
    {
        return new PlanNodeId("node");
    }
}
