// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.Assignments;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.plan.UnionNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinTree;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.fragment.leaf.Substitution;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinedTableHandle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.spi.plan.ProjectNode.Locality.LOCAL;
import static java.util.Objects.requireNonNull;

/**
 * Builds the plan of an aggregation over a scan that stands for joins. The engine reports the tables that a query reads from the scans of its plan, so
 * the plan keeps a scan without splits for each dimension: a union adds their zero rows to those of the aggregation. Used once.
 */
record JoinedPlan(VariableAllocator variables, PlanNodeIdAllocator ids)
{
    PlanNode of(AggregationNode aggregation, TableScanNode joined, JoinTree tree)
    {
        // the union outputs the aggregation's variables: below it, all are new, because a plan defines a variable once
        Map<VariableReferenceExpression, RowExpression> renamed = new LinkedHashMap<>();
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        for (VariableReferenceExpression variable : aggregation.getSource().getOutputVariables()) {
            VariableReferenceExpression added = variables.newVariable(variable);
            renamed.put(variable, added);
            columns.put(added, requireNonNull(joined.getAssignments().get(variable), "not a variable of the joins"));
        }
        TableScanNode scan = new TableScanNode(
                joined.getSourceLocation(), joined.getId(), joined.getTable(), List.copyOf(columns.keySet()), columns, joined.getCurrentConstraint(),
                joined.getEnforcedConstraint(), Optional.empty());
        Map<VariableReferenceExpression, Aggregation> aggregations = new LinkedHashMap<>();
        aggregation.getAggregations().forEach((variable, aggregate) -> {
            VariableReferenceExpression added = variables.newVariable(variable);
            renamed.put(variable, added);
            aggregations.put(added, new Aggregation(
                    LeafReader.withArguments(aggregate.getCall(), argument -> Substitution.replace(argument, renamed)),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    aggregate.getMask().map(mask -> variable(mask, renamed))));
        });
        List<VariableReferenceExpression> keys = aggregation.getGroupingKeys().stream().map(key -> variable(key, renamed)).toList();
        AggregationNode over = new AggregationNode(
                aggregation.getSourceLocation(),
                aggregation.getId(),
                scan,
                aggregations,
                keys.isEmpty() ? AggregationNode.globalAggregation() : AggregationNode.singleGroupingSet(keys),
                List.of(),
                aggregation.getStep(),
                Optional.empty(),
                Optional.empty(),
                aggregation.getAggregationId());
        return union(aggregation.getOutputVariables(), aggregation.getOutputVariables().stream().map(output -> variable(output, renamed)).toList(),
                over,
                tree);
    }

    private static VariableReferenceExpression variable(VariableReferenceExpression variable, Map<VariableReferenceExpression, RowExpression> renamed)
    {
        return (VariableReferenceExpression) requireNonNull(renamed.get(variable), "not a variable of the aggregation");
    }

    private PlanNode union(List<VariableReferenceExpression> outputs, List<VariableReferenceExpression> below, PlanNode over, JoinTree tree)
    {
        List<PlanNode> sources = new ArrayList<>(List.of(over));
        Map<VariableReferenceExpression, List<VariableReferenceExpression>> inputs = new LinkedHashMap<>();
        for (int i = 0; i < outputs.size(); i++) {
            inputs.put(outputs.get(i), new ArrayList<>(List.of(below.get(i))));
        }
        for (TableScanNode named : named(tree)) {
            Assignments.Builder nulls = Assignments.builder();
            for (VariableReferenceExpression output : outputs) {
                VariableReferenceExpression added = variables.newVariable(output);
                nulls.put(added, new ConstantExpression(null, output.getType()));
                requireNonNull(inputs.get(output)).add(added);
            }
            sources.add(new ProjectNode(Optional.empty(), ids.getNextId(), named, nulls.build(), LOCAL));
        }
        return new UnionNode(over.getSourceLocation(), ids.getNextId(), sources, outputs, inputs);
    }

    /* One scan for each table of the dimensions, with the columns of all dimensions of this table. */
    private List<TableScanNode> named(JoinTree tree)
    {
        Map<SchemaTableName, Map<String, Map.Entry<VariableReferenceExpression, ColumnHandle>>> columns = new LinkedHashMap<>();
        Map<SchemaTableName, TableScanNode> scans = new LinkedHashMap<>();
        for (JoinInput input : tree.inputs().subList(1, tree.inputs().size())) {
            SchemaTableName table = EyrieLayoutHandle.layout(input.scan()).getSchemaTableName();
            scans.putIfAbsent(table, input.scan());
            Map<String, Map.Entry<VariableReferenceExpression, ColumnHandle>> read = columns.computeIfAbsent(table, any -> new LinkedHashMap<>());
            input.leaf().columns().entrySet().forEach(column -> read.putIfAbsent(((HiveColumnHandle) column.getValue()).getName(), column));
        }
        List<TableScanNode> named = new ArrayList<>();
        scans.forEach((table, scan) -> {
            Map<VariableReferenceExpression, ColumnHandle> read = new LinkedHashMap<>();
            requireNonNull(columns.get(table)).values().forEach(column -> read.put(column.getKey(), column.getValue()));
            EyrieLayoutHandle layout = EyrieLayoutHandle.naming(EyrieLayoutHandle.layout(scan), read);
            named.add(new TableScanNode(
                    scan.getSourceLocation(),
                    ids.getNextId(),
                    new TableHandle(
                            scan.getTable().getConnectorId(), new JoinedTableHandle(layout), scan.getTable().getTransaction(), Optional.of(layout)),
                    List.of(),
                    Map.of(),
                    TupleDomain.all(),
                    TupleDomain.all(),
                    Optional.empty()));
        });
        return named;
    }
}
