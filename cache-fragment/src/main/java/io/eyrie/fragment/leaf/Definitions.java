// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Projection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/** The expressions that a chain of projections computes, in order. Used by one thread. */
final class Definitions
{
    private final Set<String> taken = new HashSet<>();
    private final List<Projection> made = new ArrayList<>();
    private final List<Integer> levels = new ArrayList<>();

    /** @param columns the scan's variables, whose names are taken */
    Definitions(Set<VariableReferenceExpression> columns)
    {
        columns.forEach(column -> taken.add(column.getName()));
    }

    /**
     * Returns a new variable for an expression over the scan's variables and earlier definitions. Plans may reuse a variable name, so definitions get
     * names of their own.
     *
     * @param level the number of the projection that computes the expression, counted from the scan
     */
    VariableReferenceExpression define(RowExpression expression, int level)
    {
        int number = made.size();
        while (!taken.add("$" + number)) {
            number++;
        }
        VariableReferenceExpression variable = new VariableReferenceExpression(expression.getSourceLocation(), "$" + number, expression.getType());
        made.add(new Projection(variable, expression));
        levels.add(level);
        return variable;
    }

    /**
     * Returns a leaf with these definitions, without unused ones. A definition with a single use, in a projection or an aggregate, is inlined there.
     *
     * @param leaf its values consist only of variables and constants
     * @param used receives each used definition, inlined or not, with its level
     */
    Leaf of(Leaf leaf, ObjIntConsumer<RowExpression> used)
    {
        Map<VariableReferenceExpression, Integer> uses = new HashMap<>();
        leaf.values().forEach(value -> count(value, uses));
        Set<VariableReferenceExpression> outside = Set.copyOf(uses.keySet());
        Map<VariableReferenceExpression, RowExpression> moved = new HashMap<>();
        Deque<Projection> left = new ArrayDeque<>();
        for (int i = made.size() - 1; i >= 0; i--) {
            Projection definition = made.get(i);
            int count = uses.getOrDefault(definition.variable(), 0);
            if (count == 1 && outside.contains(definition.variable())) {
                moved.put(definition.variable(), definition.expression());
            }
            else if (count > 0) {
                left.addFirst(definition);
            }
            if (count > 0) {
                used.accept(definition.expression(), levels.get(i));
                count(definition.expression(), uses);
            }
        }
        return new Leaf(
                leaf.columns(),
                leaf.conjuncts(),
                List.copyOf(left),
                leaf.projections().stream().map(projection -> new Projection(projection.variable(), replaced(projection.expression(), moved)))
                        .toList(),
                leaf.aggregation().map(aggregates -> aggregates.stream().map(aggregate -> replaced(aggregate, moved)).toList()));
    }

    private static Aggregate replaced(Aggregate aggregate, Map<VariableReferenceExpression, RowExpression> moved)
    {
        return new Aggregate(
                aggregate.variable(),
                LeafReader.withArguments(aggregate.call(), argument -> replaced(argument, moved)),
                aggregate.mask().map(mask -> replaced(mask, moved)));
    }

    private static RowExpression replaced(RowExpression expression, Map<VariableReferenceExpression, RowExpression> moved)
    {
        return Substitution.replace(expression, moved);
    }

    private static void count(RowExpression expression, Map<VariableReferenceExpression, Integer> uses)
    {
        if (expression instanceof VariableReferenceExpression variable) {
            uses.merge(variable, 1, Integer::sum);
        }
        expression.getChildren().forEach(child -> count(child, uses));
    }
}
