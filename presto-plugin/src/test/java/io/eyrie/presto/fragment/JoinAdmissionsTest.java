// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.Conditions;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinTree;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

class JoinAdmissionsTest
{
    private static final int COLUMNS = 8000;
    private static final List<VariableReferenceExpression> VARIABLES = IntStream.range(0, COLUMNS)
            .mapToObj(i -> new VariableReferenceExpression(Optional.empty(), "v" + i, BIGINT))
            .toList();

    private long comparisons;

    private final class CountingColumn
            extends HiveColumnHandle
    {
        CountingColumn(HiveColumnHandle column)
        {
            super(
                    column.getName(),
                    column.getHiveType(),
                    column.getTypeSignature(),
                    column.getHiveColumnIndex(),
                    column.getColumnType(),
                    column.getComment(),
                    Optional.empty());
        }

        @Override
        public boolean equals(Object other)
        {
            comparisons++;
            return super.equals(other);
        }

        @Override
        public int hashCode()
        {
            return super.hashCode();
        }
    }

    @Test
    void columnsOfAWideTableAreNotSearched()
    {
        Leaf fact = leaf(SplitKeysMutationTest.column(ColumnType.REGULAR));
        TableHandle table = new TableHandle(
                new ConnectorId("eyrie"),
                new HiveTableHandle("schema", "table"),
                new HiveTransactionHandle(),
                Optional.of(SplitKeysMutationTest.joins().layout()));
        TableScanNode scan = new TableScanNode(
                Optional.empty(),
                new PlanNodeId("scan"),
                table,
                VARIABLES,
                fact.columns(),
                TupleDomain.all(),
                TupleDomain.all(),
                Optional.empty());
        JoinRows rows = new JoinRows(0, VARIABLES, List.of());
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        JoinHandle.columns(rows, fact).forEach((variable, column) -> columns.put(variable, new CountingColumn((HiveColumnHandle) column)));
        Leaf groups = new Leaf(columns, List.of(), List.of(), fact.projections(), Optional.empty());

        assertThat(admissions().overPartitions(new JoinTree(List.of(new JoinInput(scan, fact, false)), rows), groups, session())).isNotNull();
        assertThat(comparisons).isLessThan(10L * COLUMNS);
    }

    private static Leaf leaf(HiveColumnHandle column)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        VARIABLES.forEach(variable -> columns.put(variable, column));
        return new Leaf(columns, List.of(), List.of(), VARIABLES.stream().map(variable -> new Leaf.Projection(variable, variable)).toList(),
                Optional.empty());
    }

    private static ConnectorSession session()
    {
        return Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("getStartTime");
            return 0L;
        });
    }

    private static JoinAdmissions admissions()
    {
        FunctionMetadataManager functions = Proxies.of(FunctionMetadataManager.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException("no expression here has a function");
        });
        BlockEncodingManager blocks = new BlockEncodingManager();
        MemoryPlan memory = MemoryPlan.of(new CatalogFile("hive", Map.of()), 1L << 30);
        return new JoinAdmissions(
                new FragmentParts(new FragmentConfig(), memory, Optional.empty(), functions, blocks),
                new Conditions(functions, Proxies.of(StandardFunctionResolution.class, (proxy, method, arguments) -> false)),
                new CanonicalJoin.Factory(functions, blocks),
                new CanonicalLeaf.Factory(functions, blocks, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer)),
                Proxies.of(NodeManager.class, (proxy, method, arguments) -> Set.of()));
    }
}
