// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Arranges definitions into stacked projections. Each definition is computed once per row, in the first projection whose input has everything that it
 * reads, as in the engine's own plans.
 */
final class Levels
{
    private final List<VariableReferenceExpression> columns;
    private final Map<VariableReferenceExpression, RowExpression> definitions;
    // 0 for the scan's columns
    private final Map<VariableReferenceExpression, Integer> levels = new HashMap<>();

    /** @param definitions each over columns and earlier definitions */
    Levels(List<VariableReferenceExpression> columns, Map<VariableReferenceExpression, RowExpression> definitions)
    {
        this.columns = columns;
        this.definitions = definitions;
        columns.forEach(column -> levels.put(column, 0));
        definitions.forEach((variable, expression) -> levels.put(variable, levelOf(expression)));
    }

    /** @param input the variables of the input channels, which {@code output} reads */
    record Level(List<VariableReferenceExpression> input, List<RowExpression> output)
    {}

    /** Returns the projections, at least one; the last produces the outputs. */
    List<Level> of(List<RowExpression> outputs)
    {
        int last = outputs.stream()
                .mapToInt(output -> output instanceof VariableReferenceExpression variable ? level(variable) : levelOf(output))
                .reduce(1, Math::max);
        List<Level> made = new ArrayList<>();
        List<VariableReferenceExpression> input = columns;
        for (int level = 1; level < last; level++) {
            List<VariableReferenceExpression> read = readAfter(level, outputs);
            made.add(new Level(input, expressions(level, read)));
            input = read;
        }
        made.add(new Level(input, expressions(last, outputs)));
        return made;
    }

    private List<RowExpression> expressions(int level, List<? extends RowExpression> values)
    {
        return values.stream()
                .<RowExpression>map(value -> value instanceof VariableReferenceExpression variable && level(variable) == level
                        ? definitions.get(variable)
                        : value)
                .toList();
    }

    /* Returns the variables available after a level, without those that nothing above reads. */
    private List<VariableReferenceExpression> readAfter(int level, List<RowExpression> outputs)
    {
        Set<VariableReferenceExpression> read = new HashSet<>();
        outputs.forEach(output -> collect(output, read));
        definitions.forEach((variable, expression) -> {
            if (level(variable) > level) {
                collect(expression, read);
            }
        });
        Set<VariableReferenceExpression> present = new LinkedHashSet<>(columns);
        definitions.keySet().stream().filter(variable -> level(variable) <= level).forEach(present::add);
        present.retainAll(read);
        return List.copyOf(present);
    }

    private int levelOf(RowExpression expression)
    {
        Set<VariableReferenceExpression> read = new HashSet<>();
        collect(expression, read);
        return 1 + read.stream().mapToInt(this::level).reduce(0, Math::max);
    }

    private int level(VariableReferenceExpression variable)
    {
        Integer level = levels.get(variable);
        if (level == null) {
            throw new IllegalArgumentException(variable + " is neither a variable of the scan nor defined before its use");
        }
        return level;
    }

    private static void collect(RowExpression expression, Set<VariableReferenceExpression> variables)
    {
        if (expression instanceof VariableReferenceExpression variable) {
            variables.add(variable);
        }
        expression.getChildren().forEach(child -> collect(child, variables));
    }
}
