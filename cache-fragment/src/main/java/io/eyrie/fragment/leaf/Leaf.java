package io.eyrie.fragment.leaf;

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
 * A leaf of a plan: of the rows of a scan those for which every conjunct is true, projected, or grouped and partially aggregated. Conjuncts are over the variables of the
 * scan, other expressions over these and the definitions. The leaf is no larger than the nodes that it was read from: nothing but variables and small constants is
 * repeated.
 *
 * @param columns the scan's variables and what they read, in the scan's order
 * @param conjuncts what a row must satisfy
 * @param definitions intermediate values of a row, each over the scan's variables and earlier definitions; their variables are none of the scan's
 * @param projections what is made of a row, or, where the leaf aggregates, what it groups by: none for one group of all rows, which is there even without rows
 * @param aggregation the aggregates, if the leaf aggregates
 */
public record Leaf(
        Map<VariableReferenceExpression, ColumnHandle> columns,
        List<RowExpression> conjuncts,
        List<Projection> definitions,
        List<Projection> projections,
        Optional<List<Aggregate>> aggregation)
{
    public Leaf
    {
        columns = unmodifiableMap(new LinkedHashMap<>(columns));
        conjuncts = List.copyOf(conjuncts);
        definitions = List.copyOf(definitions);
        projections = List.copyOf(projections);
        aggregation = aggregation.map(List::copyOf);
    }

    /** An expression and the variable of the plan that gets its value. */
    public record Projection(VariableReferenceExpression variable, RowExpression expression)
    {}

    /**
     * An aggregate in its intermediate form.
     *
     * @param call the function and its arguments
     * @param mask counts a row in if it is true, where there is one
     */
    public record Aggregate(VariableReferenceExpression variable, CallExpression call, Optional<RowExpression> mask)
    {}

    public List<Aggregate> aggregates()
    {
        return aggregation.orElse(List.of());
    }

    /** The variables that the leaf gives, in the order of its columns. */
    public List<VariableReferenceExpression> outputs()
    {
        return Stream.concat(projections.stream().map(Projection::variable), aggregates().stream().map(Aggregate::variable)).toList();
    }

    /** All expressions that compute values: definitions, projections, calls of aggregates and their masks. */
    public Stream<RowExpression> values()
    {
        return Stream.of(
                Stream.concat(definitions.stream(), projections.stream()).map(Projection::expression),
                aggregates().stream().<RowExpression>map(Aggregate::call),
                aggregates().stream().flatMap(aggregate -> aggregate.mask().stream())).flatMap(values -> values);
    }

    /** What the leaf does, for people: about that many characters at the most. */
    public String text(int maxLength)
    {
        StringBuilder text = new StringBuilder();
        append(text, maxLength, "WHERE ", conjuncts);
        append(text, maxLength, " WITH ", definitions);
        append(text, maxLength, aggregation.isPresent() ? " GROUP BY " : " SELECT ", projections);
        append(text, maxLength, " AGGREGATE ", aggregates());
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
                    : part);
            separator = ", ";
        }
    }

    /** The leaf with other conjuncts, which let the same rows of some split through. */
    public Leaf withConjuncts(List<RowExpression> others)
    {
        return new Leaf(columns, others, definitions, projections, aggregation);
    }
}
