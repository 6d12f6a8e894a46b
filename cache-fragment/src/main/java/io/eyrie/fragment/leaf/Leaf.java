// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.Collections.unmodifiableMap;

/**
 * A leaf fragment of a plan: it takes the rows of a scan for which every conjunct is true, and projects them, or groups and partially aggregates
 * them. Conjuncts are over the scan's variables; other expressions are over these and the definitions. The leaf is no larger than the nodes that it
 * was read from: only variables and small constants are repeated.
 *
 * @param columns the scan's variables and the columns that they read, in the scan's order
 * @param conjuncts the conditions on a row
 * @param definitions intermediate values of a row, each over the scan's variables and earlier definitions; their variables are distinct from the
 *         scan's
 * @param projections the output expressions, or the grouping keys if the leaf aggregates; if it aggregates without keys, all rows form one group,
 *         which exists even without rows
 * @param aggregation the aggregates, if the leaf aggregates
 * @param top if present, only these of the leaf's rows are needed. A leaf that aggregates has no top
 */
public record Leaf(
        Map<VariableReferenceExpression, ColumnHandle> columns,
        List<RowExpression> conjuncts,
        List<Projection> definitions,
        List<Projection> projections,
        Optional<List<Aggregate>> aggregation,
        Optional<Top> top)
{
    /** Creates a leaf of which all rows are needed. */
    public Leaf(
            Map<VariableReferenceExpression, ColumnHandle> columns,
            List<RowExpression> conjuncts,
            List<Projection> definitions,
            List<Projection> projections,
            Optional<List<Aggregate>> aggregation)
    {
        this(columns, conjuncts, definitions, projections, aggregation, Optional.empty());
    }

    public Leaf
    {
        columns = unmodifiableMap(new LinkedHashMap<>(columns));
        conjuncts = List.copyOf(conjuncts);
        definitions = List.copyOf(definitions);
        projections = List.copyOf(projections);
        aggregation = aggregation.map(List::copyOf);
    }

    /** An expression and the plan variable that receives its value. */
    public record Projection(VariableReferenceExpression variable, RowExpression expression)
    {}

    /**
     * An aggregate in its intermediate form.
     *
     * @param call the function and its arguments
     * @param mask if present, the aggregate takes only rows for which it is true
     */
    public record Aggregate(VariableReferenceExpression variable, CallExpression call, Optional<RowExpression> mask)
    {}

    /**
     * The first rows of a sorted list of all rows. Which of several equal rows it has is not determined.
     *
     * @param count the number of rows
     * @param orders the outputs by which the rows are sorted, the most significant one first
     */
    public record Top(long count, List<Order> orders)
    {
        public Top
        {
            orders = List.copyOf(orders);
        }
    }

    /** An output variable of the leaf, and how rows are sorted by it. */
    public record Order(VariableReferenceExpression output, SortOrder order)
    {}

    /** Returns the conjunction of all conjuncts, if there are any. */
    public Optional<RowExpression> condition()
    {
        return conjuncts.isEmpty() ? Optional.empty() : Optional.of(LogicalRowExpressions.and(conjuncts));
    }

    public List<Aggregate> aggregates()
    {
        return aggregation.orElse(List.of());
    }

    /** Returns the output variables, in the order of the leaf's columns. */
    public List<VariableReferenceExpression> outputs()
    {
        return Stream.concat(projections.stream().map(Projection::variable), aggregates().stream().map(Aggregate::variable)).toList();
    }

    /** Returns all expressions that compute values: definitions, projections, aggregate calls, and their masks. */
    public Stream<RowExpression> values()
    {
        return Stream.of(
                Stream.concat(definitions.stream(), projections.stream()).map(Projection::expression),
                aggregates().stream().<RowExpression>map(Aggregate::call),
                aggregates().stream().flatMap(aggregate -> aggregate.mask().stream())).flatMap(values -> values);
    }

    /** Returns a human-readable description, cut off at {@code maxLength} characters. */
    public String text(int maxLength)
    {
        StringBuilder text = new StringBuilder();
        append(text, maxLength, "WHERE ", conjuncts);
        append(text, maxLength, " WITH ", definitions);
        append(text, maxLength, aggregation.isPresent() ? " GROUP BY " : " SELECT ", projections);
        append(text, maxLength, " AGGREGATE ", aggregates());
        top.ifPresent(rows -> append(text, maxLength, " TOP " + rows.count() + " BY ", rows.orders()));
        return text.length() <= maxLength ? text.toString() : text.substring(0, maxLength) + "…";
    }

    private static void append(StringBuilder text, int maxLength, String clause, List<?> parts)
    {
        String separator = clause;
        for (Object part : parts) {
            if (text.length() > maxLength) {
                return;
            }
            text.append(separator).append(part instanceof Projection projection
                    ? projection.variable().getName() + " := " + projection.expression()
                    : part instanceof Order order ? order.output().getName() + " " + order.order() : part);
            separator = ", ";
        }
    }

    /** Returns the leaf with other conjuncts. */
    public Leaf withConjuncts(List<RowExpression> others)
    {
        return new Leaf(columns, others, definitions, projections, aggregation, top);
    }

    /** Whether the leaf returns columns of all rows of the scan. */
    public boolean isBare()
    {
        return conjuncts.isEmpty() && aggregation.isEmpty() && projections.stream().allMatch(projection -> columns.containsKey(projection
                .expression()));
    }

    /** Returns the leaf with another top. */
    public Leaf withTop(Optional<Top> other)
    {
        return new Leaf(columns, conjuncts, definitions, projections, aggregation, other);
    }
}
