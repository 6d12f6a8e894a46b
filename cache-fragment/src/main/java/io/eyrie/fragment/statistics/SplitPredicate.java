// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.DoubleType;
import com.facebook.presto.common.type.RealType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.DomainTranslator.ExtractionResult;
import com.facebook.presto.spi.relation.ExpressionOptimizerProvider;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import static com.facebook.presto.expressions.LogicalRowExpressions.TRUE_CONSTANT;
import static com.facebook.presto.spi.relation.DomainTranslator.BASIC_COLUMN_EXTRACTOR;
import static java.util.Objects.requireNonNull;

/**
 * The conjuncts of a leaf. For each conjunct that only constrains the values of one column, it holds that column and the accepted values. Immutable;
 * created once per leaf, evaluated once per split.
 */
public final class SplitPredicate
{
    private final List<Conjunct> conjuncts;
    private final Consumer<RuntimeException> failures;

    private SplitPredicate(List<Conjunct> conjuncts, Consumer<RuntimeException> failures)
    {
        this.conjuncts = conjuncts;
        this.failures = failures;
    }

    /** The values of a column for which a conjunct is true. */
    private record Claim(VariableReferenceExpression column, AcceptedValues values)
    {}

    private record Conjunct(RowExpression expression, Optional<Claim> claim)
    {}

    /**
     * The part of the predicate that remains to be evaluated on rows.
     *
     * @param none whether no row satisfies the predicate
     * @param remaining the conjuncts that are not proved
     */
    public record Verdict(boolean none, List<RowExpression> remaining)
    {}

    /**
     * Creates the predicates of one engine. Thread-safe.
     *
     * @param translator the engine's, as are {@code functions} and {@code evaluators}
     * @param failures receives exceptions from the engine's translation, evaluation, or domains; nothing is proved then
     */
    public record Factory(
            DomainTranslator translator, StandardFunctionResolution functions, ExpressionOptimizerProvider evaluators,
            Consumer<RuntimeException> failures)
    {
        public Factory
        {
            requireNonNull(translator, "translator is null");
            requireNonNull(functions, "functions is null");
            requireNonNull(evaluators, "evaluators is null");
            requireNonNull(failures, "failures is null");
        }

        /** Returns the predicate of a leaf, by its conjuncts. */
        public SplitPredicate of(List<RowExpression> conjuncts, ConnectorSession session)
        {
            Moments moments = new Moments(functions, evaluators, session);
            return new SplitPredicate(
                    conjuncts.stream().map(conjunct -> new Conjunct(conjunct, claimOf(conjunct, moments, session))).toList(),
                    failures);
        }

        private Optional<Claim> claimOf(RowExpression conjunct, Moments moments, ConnectorSession session)
        {
            try {
                return claim(moments.withoutCasts(conjunct), translator, session);
            }
            catch (RuntimeException e) {
                failures.accept(e);
                return Optional.empty();
            }
        }
    }

    /** Whether a column's order matches that of its statistics. It does not for types with NaN, which statistics leave out. */
    public static boolean isProvable(Type type)
    {
        return type.isOrderable() && type.getTypeParameters().isEmpty() && !(type instanceof DoubleType) && !(type instanceof RealType);
    }

    /** Returns the columns that proofs can use. */
    public List<VariableReferenceExpression> columns()
    {
        return conjuncts.stream().flatMap(conjunct -> conjunct.claim().stream()).map(Claim::column).distinct().toList();
    }

    /** Returns the column of a conjunct that only constrains this one column in a provable way. */
    public Optional<VariableReferenceExpression> column(RowExpression conjunct)
    {
        return conjuncts.stream().filter(one -> one.expression().equals(conjunct)).findFirst().flatMap(Conjunct::claim).map(Claim::column);
    }

    /**
     * Evaluates the predicate against the known contents of a split's columns. Does not throw: on a failure, all conjuncts remain.
     *
     * @param known all values of a column in the split, including null; empty unless they are known for certain
     */
    public Verdict judge(Function<VariableReferenceExpression, Optional<Domain>> known)
    {
        try {
            return judgeAll(known);
        }
        catch (RuntimeException e) {
            failures.accept(e);
            return new Verdict(false, conjuncts.stream().map(Conjunct::expression).toList());
        }
    }

    private Verdict judgeAll(Function<VariableReferenceExpression, Optional<Domain>> known)
    {
        Map<VariableReferenceExpression, Optional<Domain>> held = columns().stream().collect(Collectors.toMap(Function.identity(), known));
        List<RowExpression> remaining = new ArrayList<>();
        for (Conjunct conjunct : conjuncts) {
            Optional<Claim> claim = conjunct.claim();
            Optional<Domain> domain = claim.flatMap(of -> held.getOrDefault(of.column(), Optional.empty())
                    .filter(values -> values.getType().equals(of.values().domain().getType())));
            if (domain.isPresent() && !claim.orElseThrow().values().overlaps(domain.get())) {
                return new Verdict(true, List.of());
            }
            // compare the whole domains, including null, not only their values
            if (domain.isEmpty() || !claim.orElseThrow().values().contains(domain.get())) {
                remaining.add(conjunct.expression());
            }
        }
        return new Verdict(false, List.copyOf(remaining));
    }

    private static Optional<Claim> claim(RowExpression conjunct, DomainTranslator translator, ConnectorSession session)
    {
        ExtractionResult<VariableReferenceExpression> extracted = translator.fromPredicate(session, conjunct, BASIC_COLUMN_EXTRACTOR);
        if (!extracted.getRemainingExpression().equals(TRUE_CONSTANT)) {
            return Optional.empty();
        }
        return extracted.getTupleDomain()
                .getDomains()
                .filter(domains -> domains.size() == 1)
                .map(domains -> domains.entrySet().iterator().next())
                // for IS DISTINCT FROM, the engine's translator returns the constant's type: varchar(3) for a varchar column
                .filter(entry -> isProvable(entry.getKey().getType()) && entry.getValue().getType().equals(entry.getKey().getType()))
                .map(entry -> new Claim(entry.getKey(), new AcceptedValues(entry.getValue())));
    }
}
