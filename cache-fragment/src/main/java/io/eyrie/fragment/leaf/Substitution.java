// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.expressions.RowExpressionRewriter;
import com.facebook.presto.expressions.RowExpressionTreeRewriter;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import org.jspecify.annotations.Nullable;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Replaces variables in expressions. It looks up nothing but variables, unlike the engine's {@code RowExpressionNodeInliner}, which also looks up each
 * call, and hashes the signatures of all functions within it.
 */
public final class Substitution
        extends RowExpressionRewriter<@Nullable Void>
{
    private final Map<VariableReferenceExpression, RowExpression> values;

    private Substitution(Map<VariableReferenceExpression, RowExpression> values)
    {
        this.values = requireNonNull(values, "values is null");
    }

    /** Returns the expression with its variables replaced by their values, as far as they have one. */
    public static RowExpression replace(RowExpression expression, Map<VariableReferenceExpression, RowExpression> values)
    {
        return RowExpressionTreeRewriter.rewriteWith(new Substitution(values), expression);
    }

    /* null means that the variable stays */
    @Override
    public @Nullable RowExpression rewriteVariableReference(VariableReferenceExpression variable, @Nullable Void context,
            RowExpressionTreeRewriter<@Nullable Void> rewriter)
    {
        return values.get(variable);
    }
}
