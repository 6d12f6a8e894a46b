// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.handle.LeafHandle;
import io.eyrie.presto.proxy.Proxies;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;

/** Joins of one fact with two dimensions, the second of which has a condition, and the key of their rows. */
record JoinedInputs(EyrieLayoutHandle layout, HiveSplit split, FileVersion version)
{
    private static final FunctionMetadataManager FUNCTIONS = Proxies.of(FunctionMetadataManager.class, (proxy, method, arguments) -> {
        throw new UnsupportedOperationException("no expression here has a function");
    });
    private static final BlockEncodingManager BLOCKS = new BlockEncodingManager();
    private static final CanonicalLeaf.Factory LEAVES = new CanonicalLeaf.Factory(
            FUNCTIONS, BLOCKS, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer));
    private static final VariableReferenceExpression A = variable("a");
    private static final VariableReferenceExpression B = variable("b");
    private static final VariableReferenceExpression C = variable("c");
    private static final VariableReferenceExpression D = variable("d");

    private static VariableReferenceExpression variable(String name)
    {
        return new VariableReferenceExpression(Optional.empty(), name, BIGINT);
    }

    JoinHandle handle()
    {
        JoinRows rows = new JoinRows(0, List.of(A, B), List.of(join(1, C), join(2, D)));
        EyrieSplit file = EyrieSplit.of(split, Optional.empty(), 0);
        return new JoinHandle(
                LeafHandle.of(leaf(List.of(), A, B), layout.getDataColumns()),
                rows,
                List.of(
                        DimensionHandle.of(layout, leaf(List.of(new SpecialFormExpression(IN, BOOLEAN, C, new ConstantExpression(7L, BIGINT))), C),
                                List.of(file, file)),
                        DimensionHandle.of(layout, leaf(List.of(), D), List.of(file))));
    }

    /** Returns the join with the first dimension, whose rows are groups of its column. */
    JoinHandle ofGroups()
    {
        JoinHandle all = handle();
        JoinStage group = new JoinStage("GROUP", List.of(), List.of(), List.of(), List.of(), List.of(C), List.of(C));
        return new JoinHandle(
                all.fact(), new JoinRows(0, List.of(A, B), List.of(join(new JoinRows(1, List.of(C), List.of(group)), C))), all.dimensions().subList(
                        0, 1));
    }

    private static JoinStage join(int input, VariableReferenceExpression key)
    {
        return join(new JoinRows(input, List.of(key), List.of()), key);
    }

    private static JoinStage join(JoinRows build, VariableReferenceExpression key)
    {
        return new JoinStage("LEFT", List.of(build), List.of(A), List.of(key), List.of(), List.of(A, B), List.of());
    }

    private Leaf leaf(List<RowExpression> conjuncts, VariableReferenceExpression... variables)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        for (VariableReferenceExpression variable : variables) {
            columns.put(variable, columns.isEmpty() ? SplitKeysTest.partitionColumn("ds") : SplitKeysMutationTest.column(ColumnType.REGULAR));
        }
        return new Leaf(columns, conjuncts, List.of(), List.of(variables).stream().map(output -> new Leaf.Projection(output, output)).toList(),
                Optional
                        .empty());
    }

    /* A copy whose parts no longer fit one another has no key; its exception stands for the key. */
    Object key(JoinHandle join)
    {
        JoinKeys keys = new JoinKeys(
                new SplitKeys(new CatalogSettings(Map.of(), Map.of()), List.of(), "0.296", Map.of()), LEAVES, new CanonicalJoin.Factory(FUNCTIONS,
                        BLOCKS));
        ConnectorSession session = SplitKeysMutationTest.session(SplitKeysMutationTest.session(), "by name");
        try {
            Leaf fact = join.factLeaf(layout.getDataColumns());
            Map<VariableReferenceExpression, ColumnHandle> columns = JoinHandle.columns(handle().rows(), leaf(List.of(), A, B));
            Leaf over = new Leaf(columns, List.of(), List.of(), columns.keySet().stream().map(column -> new Leaf.Projection(column, column)).toList(),
                    Optional.empty());
            return keys.form(join, over, fact, keys.dimensions(join, session, 0, (any, file, of) -> Optional.of(version), table -> new UUID(1, 2))
                    .orElseThrow().stream()
                    .map(JoinKeys.Dimension::files).toList()).hash();
        }
        catch (IllegalArgumentException | NullPointerException | IndexOutOfBoundsException | NoSuchElementException e) {
            return e.toString();
        }
    }
}
