// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.DomainTranslator.ExtractionResult;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.Leaf;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Removes conditions from the leaves of dimensions if the fact's own conditions imply them through the keys of the joins: ranges, and any comparisons
 * that the choice of partitions implies. If a query asks for a window of days of the fact, the engine derives the same window for a calendar that is
 * joined by day. The rows of the calendar, and with them the keys of all results, would differ for each window. Rows outside of the window match no
 * row of the fact. Thread-safe.
 */
public record ImpliedConditions(DomainTranslator domains, Conditions conditions)
{
    /**
     * Returns the same rows of the fact, joined with dimensions that lack the implied conditions.
     *
     * @param small whether all rows of a dimension may be read
     */
    public JoinTree without(JoinTree tree, Predicate<TableScanNode> small, ConnectorSession session)
    {
        JoinInput fact = tree.inputs().get(0);
        Map<ColumnHandle, Domain> chosen = fact.scan().getCurrentConstraint().getDomains().orElse(Map.of());
        Map<VariableReferenceExpression, Domain> partitions = new HashMap<>();
        fact.leaf().columns().forEach((variable, column) -> put(partitions, variable, chosen.get(column)));
        Map<VariableReferenceExpression, Domain> all = new HashMap<>(partitions);
        read(LogicalRowExpressions.and(fact.leaf().conjuncts()), session).getTupleDomain().getDomains().orElse(Map.of())
                .forEach((column, domain) -> put(all, column, domain));
        List<JoinInput> inputs = new ArrayList<>(tree.inputs());
        new Removal(inputs, small, conditions::isWindow, session).joined(tree.rows(), outputs(fact.leaf(), all));
        // a condition on partitions never needs to be proved
        new Removal(inputs, small, conditions::cannotFail, session).joined(tree.rows(), outputs(fact.leaf(), partitions));
        return new JoinTree(inputs, tree.rows());
    }

    private static Map<VariableReferenceExpression, Domain> outputs(Leaf leaf, Map<VariableReferenceExpression, Domain> ofColumns)
    {
        Map<VariableReferenceExpression, Domain> outputs = new HashMap<>();
        forEachColumn(leaf, (output, column) -> put(outputs, output, ofColumns.get(column)));
        return outputs;
    }

    private ExtractionResult<VariableReferenceExpression> read(RowExpression condition, ConnectorSession session)
    {
        return domains.fromPredicate(session, condition, DomainTranslator.BASIC_COLUMN_EXTRACTOR);
    }

    /** The removal of some conditions from one tree. */
    private final class Removal
    {
        private final List<JoinInput> inputs;
        private final Predicate<TableScanNode> small;
        private final Predicate<RowExpression> removable;
        private final ConnectorSession session;

        Removal(List<JoinInput> inputs, Predicate<TableScanNode> small, Predicate<RowExpression> removable, ConnectorSession session)
        {
            this.inputs = inputs;
            this.small = small;
            this.removable = removable;
            this.session = session;
        }

        /* The joins with rows of an input. No other rows of the input than those within the domains are needed. */
        private void joined(JoinRows rows, Map<VariableReferenceExpression, Domain> ofInput)
        {
            Map<VariableReferenceExpression, Domain> domains = new HashMap<>(ofInput);
            for (JoinStage stage : rows.stages()) {
                // the rows of a semi-join's build side decide whether its flag is false or NULL, even if they match no row
                if (stage.kind().filter(kind -> kind != JoinKind.SEMI).isPresent()) {
                    Map<VariableReferenceExpression, Domain> ofKeys = new HashMap<>();
                    for (int i = 0; i < stage.probeKeys().size(); i++) {
                        put(ofKeys, stage.buildKeys().get(i), domains.get(stage.probeKeys().get(i)));
                    }
                    built(stage.build().get(0), ofKeys);
                    if (stage.kind().orElseThrow() == JoinKind.INNER) {
                        domains.putAll(ofKeys);
                    }
                }
                else {
                    for (int i = 0; i < stage.expressions().size(); i++) {
                        put(domains, stage.outputs().get(i), domains.get(stage.expressions().get(i)));
                    }
                }
            }
        }

        /* A build side, of which no other rows are needed than those within the domains. */
        private void built(JoinRows rows, Map<VariableReferenceExpression, Domain> ofOutputs)
        {
            // an expression might fail for the other rows; an aggregation would read all of them
            if (ofOutputs.isEmpty() || rows.stages().stream().anyMatch(stage -> stage.isGroup() || !expressions(stage).allMatch(
                    conditions::cannotFail))) {
                return;
            }
            Map<VariableReferenceExpression, Domain> domains = new HashMap<>(ofOutputs);
            for (int i = rows.stages().size() - 1; i >= 0; i--) {
                JoinStage stage = rows.stages().get(i);
                for (int j = 0; j < stage.expressions().size(); j++) {
                    if (stage.expressions().get(j) instanceof VariableReferenceExpression variable) {
                        put(domains, variable, domains.get(stage.outputs().get(j)));
                    }
                }
            }
            domains.keySet().retainAll(rows.variables());
            widen(rows.input(), domains);
            joined(rows, domains);
        }

        private static Stream<RowExpression> expressions(JoinStage stage)
        {
            return Stream.concat(stage.conjuncts().stream(), stage.expressions().stream());
        }

        private void widen(int input, Map<VariableReferenceExpression, Domain> ofOutputs)
        {
            JoinInput dimension = inputs.get(input);
            Leaf leaf = dimension.leaf();
            if (!small.test(dimension.scan()) || !Stream.concat(leaf.conjuncts().stream(), leaf.values()).allMatch(conditions::cannotFail)) {
                return;
            }
            Map<VariableReferenceExpression, Domain> needed = new HashMap<>();
            forEachColumn(leaf, (output, column) -> put(needed, column, ofOutputs.get(output)));
            List<RowExpression> others = leaf.conjuncts().stream().filter(conjunct -> !isImplied(conjunct, needed)).toList();
            inputs.set(input, new JoinInput(dimension.scan(), leaf.withConjuncts(others), dimension.grouped()));
        }

        private boolean isImplied(RowExpression conjunct, Map<VariableReferenceExpression, Domain> needed)
        {
            if (!removable.test(conjunct)) {
                return false;
            }
            ExtractionResult<VariableReferenceExpression> asked = read(conjunct, session);
            return asked.getRemainingExpression().equals(LogicalRowExpressions.TRUE_CONSTANT) && asked.getTupleDomain().getDomains()
                    .filter(values -> values.entrySet().stream().allMatch(of -> conditions.isIdentified(of.getValue().getType())
                            && needed.containsKey(of.getKey())
                            && of.getValue().contains(requireNonNull(needed.get(of.getKey())).intersect(Domain.notNull(of.getKey().getType())))))
                    .isPresent();
        }
    }

    /* For IS DISTINCT FROM, the engine's translator returns the constant's type, which may differ from the variable's. */
    private static void put(Map<VariableReferenceExpression, Domain> domains, VariableReferenceExpression variable, @Nullable Domain domain)
    {
        if (domain != null && domain.getType().equals(variable.getType())) {
            domains.merge(variable, domain, Domain::intersect);
        }
    }

    private static void forEachColumn(Leaf leaf, BiConsumer<VariableReferenceExpression, VariableReferenceExpression> outputAndColumn)
    {
        leaf.projections().forEach(output -> {
            if (output.expression() instanceof VariableReferenceExpression column && leaf.columns().containsKey(column)) {
                outputAndColumn.accept(output.variable(), column);
            }
        });
    }
}
