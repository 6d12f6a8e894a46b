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
import io.eyrie.fragment.leaf.Leaf.Projection;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * The canonical form of a leaf, which equivalent leaves share.
 *
 * @param rows identifies the rows or groups that the leaf produces
 * @param outputs identifies the contents of its columns, in the order of {@link Leaf#outputs()}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CanonicalLeaf(byte[] rows, List<OutputId> outputs)
{
    /** Returns a hash of the whole form. */
    public BlobKey hash()
    {
        IdentityWriter writer = new IdentityWriter().bytes(rows);
        outputs.forEach(output -> writer.number(output.high()).number(output.low()));
        return BlobKey.of(ByteBuffer.wrap(writer.toBytes()));
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
            return of(leaf, new CanonicalExpressions(functions, blocks, leaf.columns(), columns), new IdentityWriter());
        }

        /**
         * Returns the canonical form of a leaf over the rows of joins.
         *
         * @param joined the variable of the join that a column of the leaf reads
         */
        public CanonicalLeaf over(CanonicalJoin join, Leaf leaf, Function<ColumnHandle, VariableReferenceExpression> joined)
        {
            CanonicalExpressions expressions = new CanonicalExpressions(functions, blocks, leaf.columns(), columns);
            leaf.columns().forEach((variable, column) -> expressions.define(variable, join.value(joined.apply(column))));
            return of(leaf, expressions, new IdentityWriter().text("join").bytes(join.rows()));
        }

        private static CanonicalLeaf of(Leaf leaf, CanonicalExpressions expressions, IdentityWriter rows)
        {
            leaf.definitions().forEach(definition -> expressions.define(definition.variable(), definition.expression()));
            rows.set(expressions.encode(leaf.conjuncts()));
            List<byte[]> outputs = new ArrayList<>(expressions.encode(leaf.projections().stream().map(Projection::expression).toList()));
            rows.text(leaf.aggregation().isPresent() ? "groups" : "rows");
            if (leaf.aggregation().isPresent()) {
                rows.set(outputs);
                leaf.aggregates().forEach(aggregate -> outputs.add(encode(expressions, aggregate)));
            }
            return new CanonicalLeaf(rows.toBytes(), outputs.stream().map(OutputId::of).toList());
        }

        private static byte[] encode(CanonicalExpressions expressions, Aggregate aggregate)
        {
            List<RowExpression> masks = aggregate.mask().map(List::of).orElse(List.of());
            return new IdentityWriter()
                    .text("aggregate")
                    .bytes(expressions.encode(aggregate.call()))
                    .text(aggregate.variable().getType().getTypeSignature().toString())
                    .sequence(expressions.encode(masks))
                    .toBytes();
        }
    }
}
