// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.expressions.RowExpressionRewriter;
import com.facebook.presto.expressions.RowExpressionTreeRewriter;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.leaf.ExactStates;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Projection;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** A leaf that aggregates, which results of finer groups may answer (decision 0044). Thread-safe. */
public final class GroupedLeaf
{
    private static final ColumnHandle STORED = new ColumnHandle() {};

    private final Leaf leaf;
    private final Optional<BlobKey> joins;
    private final Supplier<CanonicalExpressions> expressions;
    private final FunctionMetadataManager functions;

    /**
     * @param joins identifies the rows of joins that the leaf is over, if it is not over a table
     * @param expressions creates the canonical expressions over the leaf's variables and definitions
     */
    GroupedLeaf(Leaf leaf, Optional<byte[]> joins, Supplier<CanonicalExpressions> expressions, FunctionMetadataManager functions)
    {
        this.leaf = requireNonNull(leaf, "leaf is null");
        this.joins = joins.map(Grouping::key);
        this.expressions = requireNonNull(expressions, "expressions is null");
        this.functions = requireNonNull(functions, "functions is null");
    }

    /**
     * Returns the leaf's grouping.
     *
     * @param partitionColumns the partition columns that the leaf reads
     */
    public Grouping grouping(Set<String> partitionColumns)
    {
        CanonicalExpressions canonical = expressions.get();
        return new Grouping(
                joins,
                keys(canonical.encode(leaf.conjuncts())),
                keys(canonical.encode(leaf.projections().stream().map(Projection::expression).toList())),
                leaf.aggregates().stream().map(aggregate -> CanonicalLeaf.output(canonical, aggregate)).collect(Collectors.toSet()),
                partitionColumns);
    }

    private static Set<BlobKey> keys(List<byte[]> hashes)
    {
        return hashes.stream().map(Grouping::key).collect(Collectors.toSet());
    }

    /**
     * Returns how this leaf is computed from results of another grouping of the same split; empty if it cannot be, or if the groups are the same.
     *
     * @param own this leaf's grouping
     */
    public Optional<CoarserLeaf> from(Grouping finer, Grouping own)
    {
        if (finer.keys().isEmpty() || !finer.joins().equals(joins) || !own.conjuncts().containsAll(finer.conjuncts())
                || !finer.aggregates().containsAll(own.aggregates())
                || (finer.keys().equals(own.keys()) && finer.conjuncts().equals(own.conjuncts()))) {
            return Optional.empty();
        }
        long mostRows = leaf.aggregates().stream().mapToLong(aggregate -> mostRows(aggregate.call())).min().orElse(Long.MAX_VALUE);
        // a row of a table may be many rows of joins
        if (mostRows == 0 || (mostRows < Long.MAX_VALUE && joins.isPresent())) {
            return Optional.empty();
        }
        return new OverGroups(finer).leaf(mostRows);
    }

    private long mostRows(CallExpression call)
    {
        return ExactStates.mostRows(functions, call);
    }

    /** Writes the leaf's expressions over the keys of finer groups. Used by one thread. */
    private final class OverGroups
            extends RowExpressionRewriter<@Nullable Void>
    {
        private final CanonicalExpressions canonical = expressions.get();
        private final Grouping finer;
        private final Map<BlobKey, VariableReferenceExpression> keys = new LinkedHashMap<>();
        private final Map<VariableReferenceExpression, Optional<RowExpression>> definitions = new HashMap<>();
        // whether the expression reads a value that is not the same for all rows of a finer group
        private boolean failed;

        OverGroups(Grouping finer)
        {
            this.finer = finer;
            for (Projection definition : leaf.definitions()) {
                definitions.put(definition.variable(), part(definition.expression()));
            }
        }

        Optional<CoarserLeaf> leaf(long mostRows)
        {
            List<RowExpression> conjuncts = new ArrayList<>();
            for (RowExpression conjunct : leaf.conjuncts()) {
                if (!finer.conjuncts().contains(hash(conjunct))) {
                    Optional<RowExpression> filter = part(conjunct);
                    if (filter.isEmpty()) {
                        return Optional.empty();
                    }
                    conjuncts.add(filter.get());
                }
            }
            List<Projection> projections = new ArrayList<>();
            for (Projection key : leaf.projections()) {
                // the first row of a finer group is in its place among the groups, so even the sign of a zero is that of the first row of a group
                Optional<RowExpression> value = finer.keys().contains(hash(key.expression()))
                        ? Optional.of(key(key.expression()))
                        : part(key.expression());
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                projections.add(new Projection(key.variable(), value.get()));
            }
            return Optional.of(leaf(conjuncts, projections, mostRows));
        }

        private CoarserLeaf leaf(List<RowExpression> conjuncts, List<Projection> projections, long mostRows)
        {
            Set<VariableReferenceExpression> read = new HashSet<>();
            conjuncts.forEach(conjunct -> collect(conjunct, read));
            projections.forEach(projection -> collect(projection.expression(), read));
            Deque<Projection> used = new ArrayDeque<>();
            for (int i = leaf.definitions().size() - 1; i >= 0; i--) {
                VariableReferenceExpression variable = leaf.definitions().get(i).variable();
                if (read.contains(variable)) {
                    RowExpression expression = requireNonNull(definitions.get(variable), "not defined").orElseThrow();
                    used.addFirst(new Projection(variable, expression));
                    collect(expression, read);
                }
            }
            Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
            List<OutputId> outputs = new ArrayList<>();
            keys.forEach((hash, variable) -> {
                if (read.contains(variable)) {
                    columns.put(variable, STORED);
                    outputs.add(OutputId.of(Grouping.hash(hash)));
                }
            });
            List<Aggregate> aggregates = new ArrayList<>();
            for (Aggregate aggregate : leaf.aggregates()) {
                VariableReferenceExpression state = variable(keys.size() + aggregates.size(), aggregate.variable().getType());
                columns.put(state, STORED);
                outputs.add(CanonicalLeaf.output(canonical, aggregate));
                CallExpression call = aggregate.call();
                aggregates.add(new Aggregate(
                        aggregate.variable(),
                        new CallExpression(call.getSourceLocation(), call.getDisplayName(), call.getFunctionHandle(), call.getType(), List.of(state)),
                        Optional.empty()));
            }
            return new CoarserLeaf(new Leaf(columns, conjuncts, List.copyOf(used), projections, Optional.of(aggregates)), outputs, mostRows);
        }

        private Optional<RowExpression> part(RowExpression expression)
        {
            failed = false;
            RowExpression written = RowExpressionTreeRewriter.rewriteWith(this, expression);
            return failed ? Optional.empty() : Optional.of(written);
        }

        /* null means that the node stays, and its children are written */
        @Override
        public @Nullable RowExpression rewriteRowExpression(RowExpression node, @Nullable Void context,
                RowExpressionTreeRewriter<@Nullable Void> rewriter)
        {
            if (ExactStates.isExact(node.getType()) && finer.keys().contains(hash(node))) {
                return key(node);
            }
            if (node instanceof VariableReferenceExpression variable) {
                failed |= definitions.getOrDefault(variable, Optional.empty()).isEmpty();
                return variable;
            }
            return null;
        }

        private BlobKey hash(RowExpression expression)
        {
            return Grouping.key(canonical.encode(expression));
        }

        private VariableReferenceExpression key(RowExpression expression)
        {
            return keys.computeIfAbsent(hash(expression), any -> variable(keys.size(), expression.getType()));
        }
    }

    private static VariableReferenceExpression variable(int number, Type type)
    {
        return new VariableReferenceExpression(Optional.empty(), "#" + number, type);
    }

    private static void collect(RowExpression expression, Set<VariableReferenceExpression> variables)
    {
        if (expression instanceof VariableReferenceExpression variable) {
            variables.add(variable);
        }
        expression.getChildren().forEach(child -> collect(child, variables));
    }
}
