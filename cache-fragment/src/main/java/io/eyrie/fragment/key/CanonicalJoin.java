// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.leaf.Leaf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * The canonical form of the rows of a join tree. It does not contain the names of variables.
 *
 * @param rows identifies the rows: the stages in their order, and everything that their build sides depend on
 * @param values identifies the contents of the variables after the last stage
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CanonicalJoin(byte[] rows, Map<VariableReferenceExpression, byte[]> values)
{
    /**
     * The canonical form of the rows of one input.
     *
     * @param rows identifies the rows: by the leaf and, for a dimension, by all its files, their versions and the table's generation
     * @param values identifies the contents of the leaf's output variables
     */
    public record CanonicalInput(byte[] rows, Map<VariableReferenceExpression, byte[]> values)
    {
        /**
         * Returns the canonical form of a leaf over splits.
         *
         * @param splits the splits of a dimension; empty for the fact, because other parts of the key identify its split
         */
        public static CanonicalInput of(Leaf leaf, CanonicalLeaf form, Collection<SplitKey> splits)
        {
            List<byte[]> files = new ArrayList<>(splits.stream().map(split -> new IdentityWriter().bytes(split.identity()).toHash()).toList());
            // a multiset: the rows of a file that occurs twice occur twice
            files.sort(Arrays::compareUnsigned);
            return new CanonicalInput(new IdentityWriter().bytes(form.rows()).sequence(files).toHash(), values(leaf, form));
        }

        /**
         * Returns the canonical form of a dimension by its rows in place of its files.
         *
         * @param content the {@link RowsDigest} of the outputs in the order of {@link #channels}
         */
        public static CanonicalInput of(Leaf leaf, CanonicalLeaf form, byte[] content)
        {
            return new CanonicalInput(new IdentityWriter().text("content").bytes(form.rows()).bytes(content).toHash(), values(leaf, form));
        }

        private static Map<VariableReferenceExpression, byte[]> values(Leaf leaf, CanonicalLeaf form)
        {
            Map<VariableReferenceExpression, byte[]> values = new LinkedHashMap<>();
            List<VariableReferenceExpression> outputs = leaf.outputs();
            for (int i = 0; i < form.outputs().size(); i++) {
                OutputId output = form.outputs().get(i);
                values.put(outputs.get(i), new IdentityWriter().number(output.high()).number(output.low()).toBytes());
            }
            return values;
        }

        /** Returns the places of a leaf's outputs in an order that does not depend on the plan. */
        public static int[] channels(CanonicalLeaf form)
        {
            return IntStream.range(0, form.outputs().size()).boxed().sorted(Comparator.comparing(form.outputs()::get)).mapToInt(Integer::intValue)
                    .toArray();
        }

        /** Returns the key of the digest of this dimension's rows. */
        public BlobKey content()
        {
            return BlobKey.of(ByteBuffer.wrap(new IdentityWriter().text("dimension").bytes(rows).set(values.values()).toBytes()));
        }

        /** Returns the form of a dimension by its files, as long as no one invalidates its table. Each invalidation replaces the table's generation. */
        public CanonicalInput inGeneration(UUID generation)
        {
            return new CanonicalInput(new IdentityWriter().text(generation.toString()).bytes(rows).toHash(), values);
        }

        /** Returns the form with the table's name in place of its files, which are not known before the table is listed. */
        public CanonicalInput named(String table)
        {
            return new CanonicalInput(new IdentityWriter().text(table).bytes(rows).toHash(), values);
        }
    }

    /** Returns the identity of a variable after the last stage. */
    byte[] value(VariableReferenceExpression variable)
    {
        return requireNonNull(values.get(variable), "not a variable of the join");
    }

    /** Computes canonical forms. Thread-safe. */
    public static final class Factory
    {
        private final FunctionMetadataManager functions;
        private final BlockEncodingSerde blocks;

        public Factory(FunctionMetadataManager functions, BlockEncodingSerde blocks)
        {
            this.functions = requireNonNull(functions, "functions is null");
            this.blocks = requireNonNull(blocks, "blocks is null");
        }

        /** Returns the canonical form of rows over inputs. */
        public CanonicalJoin of(JoinRows rows, List<CanonicalInput> inputs)
        {
            CanonicalInput input = inputs.get(rows.input());
            CanonicalJoin form = new CanonicalJoin(new IdentityWriter().text("input").bytes(input.rows()).toHash(), input.values());
            for (JoinStage stage : rows.stages()) {
                if (stage.kind().isPresent()) {
                    form = joined(form, stage, of(stage.build().get(0), inputs));
                }
                else {
                    form = stage.isGroup() ? grouped(form, stage) : chained(form, stage);
                }
            }
            return form;
        }

        private CanonicalJoin joined(CanonicalJoin probe, JoinStage stage, CanonicalJoin build)
        {
            CanonicalExpressions pairs = over(probe.values());
            build.values().forEach((variable, value) -> pairs.define(variable, new IdentityWriter().text("build").bytes(value).toHash()));
            List<byte[]> clauses = new ArrayList<>();
            for (int i = 0; i < stage.probeKeys().size(); i++) {
                clauses.add(new IdentityWriter().bytes(probe.value(stage.probeKeys().get(i))).bytes(build.value(stage.buildKeys().get(i))).toHash());
            }
            byte[] rows = new IdentityWriter().text(stage.join()).bytes(probe.rows()).bytes(build.rows()).set(clauses)
                    .set(pairs.encode(stage.conjuncts())).toHash();
            Map<VariableReferenceExpression, byte[]> values = new HashMap<>();
            for (VariableReferenceExpression output : stage.outputs()) {
                byte[] below = probe.values().get(output);
                byte[] beside = build.values().get(output);
                // contains the join, because a query may join the same table twice
                values.put(output, below != null
                        ? below
                        : new IdentityWriter().text("build").bytes(rows).bytes(beside == null ? new byte[0] : beside).toHash());
            }
            return new CanonicalJoin(rows, values);
        }

        private CanonicalExpressions over(Map<VariableReferenceExpression, byte[]> values)
        {
            CanonicalExpressions expressions = new CanonicalExpressions(functions, blocks, Map.of(), (column, writer) -> {});
            values.forEach(expressions::define);
            return expressions;
        }

        private CanonicalJoin grouped(CanonicalJoin below, JoinStage stage)
        {
            CanonicalExpressions expressions = over(below.values());
            List<byte[]> outputs = expressions.encode(stage.expressions());
            byte[] rows = new IdentityWriter().text("groups").bytes(below.rows()).set(outputs.subList(0, stage.keyCount())).toHash();
            Map<VariableReferenceExpression, byte[]> values = new HashMap<>();
            for (int i = 0; i < outputs.size(); i++) {
                // the rows of a group are those of this aggregation
                values.put(stage.outputs().get(i), i < stage.keyCount()
                        ? outputs.get(i)
                        : new IdentityWriter().text("aggregate").bytes(rows).bytes(outputs.get(i)).toHash());
            }
            return new CanonicalJoin(rows, values);
        }

        private CanonicalJoin chained(CanonicalJoin below, JoinStage stage)
        {
            CanonicalExpressions expressions = over(below.values());
            byte[] rows = stage.conjuncts().isEmpty()
                    ? below.rows()
                    : new IdentityWriter().text("filter").bytes(below.rows()).set(expressions.encode(stage.conjuncts())).toHash();
            Map<VariableReferenceExpression, byte[]> values = new HashMap<>();
            for (int i = 0; i < stage.outputs().size(); i++) {
                values.put(stage.outputs().get(i), expressions.encode(stage.expressions().get(i)));
            }
            return new CanonicalJoin(rows, values);
        }
    }
}
