// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Order;
import io.eyrie.fragment.leaf.Leaf.Projection;
import io.eyrie.fragment.leaf.Leaf.Top;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The canonical form of a leaf, which equivalent leaves share.
 *
 * @param rows identifies the rows or groups that the leaf produces
 * @param outputs identifies the contents of its columns, in the order of {@link Leaf#outputs()}
 * @param grouped the leaf, if it aggregates: results of finer groups may answer it
 * @param all the form of all rows, if only the top of them is needed: a result of all rows answers it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CanonicalLeaf(byte[] rows, List<OutputId> outputs, Optional<GroupedLeaf> grouped, Optional<CanonicalLeaf> all)
{
    /** Creates a form that no finer groups may answer. */
    public CanonicalLeaf(byte[] rows, List<OutputId> outputs)
    {
        this(rows, outputs, Optional.empty(), Optional.empty());
    }

    /** Returns a hash of the whole form. */
    public BlobKey hash()
    {
        IdentityWriter writer = new IdentityWriter().bytes(rows);
        outputs.forEach(output -> writer.number(output.high()).number(output.low()));
        return BlobKey.of(ByteBuffer.wrap(writer.toBytes()));
    }

    /**
     * Returns the identity of rows or groups.
     *
     * @param joins identifies the rows of joins that the leaf is over, if it is not over a table
     * @param keys the grouping keys, if the leaf aggregates
     */
    static byte[] rows(Optional<byte[]> joins, Collection<byte[]> conjuncts, Optional<? extends Collection<byte[]>> keys)
    {
        IdentityWriter writer = new IdentityWriter();
        joins.ifPresent(rows -> writer.text("join").bytes(rows));
        writer.set(conjuncts).text(keys.isPresent() ? "groups" : "rows");
        keys.ifPresent(writer::set);
        return writer.toBytes();
    }

    /** Computes canonical forms. Thread-safe. */
    public static final class Factory
    {
        private final FunctionMetadataManager functions;
        private final BlockEncodingSerde blocks;
        private final BiConsumer<ColumnHandle, IdentityWriter> columns;

        /**
         * @param columns writes the identity of a scan's column: its place and name in the table, its type, its kind, the subfields that are required
         *         of it
         */
        public Factory(FunctionMetadataManager functions, BlockEncodingSerde blocks, BiConsumer<ColumnHandle, IdentityWriter> columns)
        {
            this.functions = requireNonNull(functions, "functions is null");
            this.blocks = requireNonNull(blocks, "blocks is null");
            this.columns = requireNonNull(columns, "columns is null");
        }

        /** Returns the canonical form of a leaf. */
        public CanonicalLeaf of(Leaf leaf)
        {
            return of(leaf, Optional.empty(), Map.of());
        }

        /**
         * Returns the canonical form of a leaf over the rows of joins.
         *
         * @param joined the variable of the join that a column of the leaf reads
         */
        public CanonicalLeaf over(CanonicalJoin join, Leaf leaf, Function<ColumnHandle, VariableReferenceExpression> joined)
        {
            Map<VariableReferenceExpression, byte[]> variables = new HashMap<>();
            leaf.columns().forEach((variable, column) -> variables.put(variable, join.value(joined.apply(column))));
            return of(leaf, Optional.of(join.rows()), variables);
        }

        /** @param variables the identities of the scan's variables, if its columns do not have any */
        private CanonicalLeaf of(Leaf leaf, Optional<byte[]> joins, Map<VariableReferenceExpression, byte[]> variables)
        {
            Supplier<CanonicalExpressions> over = () -> {
                CanonicalExpressions expressions = new CanonicalExpressions(functions, blocks, leaf.columns(), columns);
                variables.forEach(expressions::define);
                leaf.definitions().forEach(definition -> expressions.define(definition.variable(), definition.expression()));
                return expressions;
            };
            CanonicalExpressions expressions = over.get();
            List<byte[]> conjuncts = expressions.encode(leaf.conjuncts());
            List<byte[]> values = expressions.encode(leaf.projections().stream().map(Projection::expression).toList());
            CanonicalLeaf all = new CanonicalLeaf(
                    rows(joins, conjuncts, leaf.aggregation().map(any -> values)),
                    Stream.concat(
                            values.stream().map(OutputId::of),
                            leaf.aggregates().stream().map(aggregate -> output(expressions, aggregate))).toList(),
                    leaf.aggregation().map(any -> new GroupedLeaf(leaf, joins, over, functions)),
                    Optional.empty());
            return leaf.top().map(top -> new CanonicalLeaf(top(all, leaf, top), all.outputs, Optional.empty(), Optional.of(all))).orElse(all);
        }
    }

    /* With all outputs, because two runs may have different ones of several equal rows: their columns must not be combined. */
    private static byte[] top(CanonicalLeaf all, Leaf leaf, Top top)
    {
        IdentityWriter writer = new IdentityWriter().text("top").bytes(all.rows).number(top.count()).number(top.orders().size());
        for (Order order : top.orders()) {
            OutputId output = all.outputs.get(leaf.outputs().indexOf(order.output()));
            writer.number(output.high()).number(output.low()).text(order.order().name());
        }
        new TreeSet<>(all.outputs).forEach(output -> writer.number(output.high()).number(output.low()));
        return writer.toBytes();
    }

    static OutputId output(CanonicalExpressions expressions, Aggregate aggregate)
    {
        List<RowExpression> masks = aggregate.mask().map(List::of).orElse(List.of());
        return OutputId.of(new IdentityWriter()
                .text("aggregate")
                .bytes(expressions.encode(aggregate.call()))
                .text(aggregate.variable().getType().getTypeSignature().toString())
                .sequence(expressions.encode(masks))
                .toBytes());
    }
}
