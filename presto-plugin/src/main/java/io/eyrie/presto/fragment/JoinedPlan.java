// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.IndexHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.Assignments;
import com.facebook.presto.spi.plan.IndexJoinNode;
import com.facebook.presto.spi.plan.IndexJoinNode.EquiJoinClause;
import com.facebook.presto.spi.plan.IndexSourceNode;
import com.facebook.presto.spi.plan.JoinType;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinTree;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinedTableHandle;
import io.eyrie.presto.handle.NamedTableHandle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.facebook.presto.spi.plan.ProjectNode.Locality.LOCAL;
import static java.util.Objects.requireNonNull;

/**
 * Builds the plan of an aggregation, or of a selection of the first rows, over a scan that stands for joins. The engine reports the tables that a query reads from the scans and indexes of
 * its plan, so the plan has an index for each table of the dimensions, which its rows would be joined with if their keys were not NULL.
 * An index is a part of the fragment that uses it, where a scan would be one more stage. Used once.
 */
record JoinedPlan(VariableAllocator variables, PlanNodeIdAllocator ids)
{
    PlanNode of(PlanNode root, TableScanNode joined, JoinTree tree)
    {
        PlanNode over = root.replaceChildren(List.of(joined));
        Assignments.Builder keys = outputs(over);
        List<EquiJoinClause> clauses = new ArrayList<>();
        List<IndexSourceNode> named = named(tree);
        for (IndexSourceNode index : named) {
            VariableReferenceExpression column = index.getOutputVariables().get(0);
            VariableReferenceExpression key = variables.newVariable(column);
            keys.put(key, new ConstantExpression(null, column.getType()));
            clauses.add(new EquiJoinClause(key, column));
        }
        PlanNode plan = project(over, keys);
        for (int i = 0; i < clauses.size(); i++) {
            plan = new IndexJoinNode(
                    over.getSourceLocation(), ids.getNextId(), JoinType.SOURCE_OUTER, plan, named.get(i), List.of(clauses.get(i)), Optional.empty(),
                    Optional.empty(), Optional.empty(), named.get(i).getOutputVariables());
        }
        return project(plan, outputs(over));
    }

    private static Assignments.Builder outputs(PlanNode node)
    {
        Assignments.Builder same = Assignments.builder();
        node.getOutputVariables().forEach(output -> same.put(output, output));
        return same;
    }

    private PlanNode project(PlanNode source, Assignments.Builder assignments)
    {
        return new ProjectNode(source.getSourceLocation(), ids.getNextId(), source, assignments.build(), LOCAL);
    }

    /* One index for each table of the dimensions, with the columns of all dimensions of this table. The optimizer of leaves adds the columns. */
    private List<IndexSourceNode> named(JoinTree tree)
    {
        Map<SchemaTableName, Map<String, Map.Entry<VariableReferenceExpression, ColumnHandle>>> columns = new LinkedHashMap<>();
        Map<SchemaTableName, TableScanNode> scans = new LinkedHashMap<>();
        Map<SchemaTableName, TupleDomain<ColumnHandle>> constraints = new LinkedHashMap<>();
        for (JoinInput input : tree.inputs().subList(1, tree.inputs().size())) {
            SchemaTableName table = EyrieLayoutHandle.layout(input.scan()).getSchemaTableName();
            scans.putIfAbsent(table, input.scan());
            constraints.merge(table, input.scan().getCurrentConstraint(), TupleDomain::columnWiseUnion);
            Map<String, Map.Entry<VariableReferenceExpression, ColumnHandle>> read = columns.computeIfAbsent(table, any -> new LinkedHashMap<>());
            input.leaf().columns().entrySet().forEach(column -> read.putIfAbsent(((HiveColumnHandle) column.getValue()).getName(), column));
        }
        List<IndexSourceNode> named = new ArrayList<>();
        scans.forEach((table, scan) -> {
            Map<VariableReferenceExpression, ColumnHandle> read = new LinkedHashMap<>();
            requireNonNull(columns.get(table)).values().forEach(column -> read.put(column.getKey(), column.getValue()));
            EyrieLayoutHandle layout = EyrieLayoutHandle.naming(EyrieLayoutHandle.layout(scan), read);
            TableHandle handle = scan.getTable();
            VariableReferenceExpression key = variables.newVariable(read.keySet().iterator().next());
            named.add(new IndexSourceNode(
                    scan.getSourceLocation(),
                    ids.getNextId(),
                    new IndexHandle(handle.getConnectorId(), handle.getTransaction(), new NamedTableHandle(table)),
                    new TableHandle(handle.getConnectorId(), new JoinedTableHandle(layout), handle.getTransaction(), Optional.of(layout)),
                    Set.of(key),
                    List.of(key),
                    Map.of(key, read.values().iterator().next()),
                    requireNonNull(constraints.get(table))));
        });
        return named;
    }
}
