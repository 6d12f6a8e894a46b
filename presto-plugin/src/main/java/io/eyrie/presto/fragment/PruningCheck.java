// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.handle.EyrieLayoutHandle;

import static java.util.Objects.requireNonNull;

/** Compares the rows that a leaf asks for with those that its layout skips. */
record PruningCheck(DomainTranslator domains)
{
    TupleDomain<VariableReferenceExpression> asked(Leaf leaf, ConnectorSession session)
    {
        return domains.fromPredicate(session, LogicalRowExpressions.and(leaf.conjuncts()), DomainTranslator.BASIC_COLUMN_EXTRACTOR).getTupleDomain();
    }

    boolean asksForWhatIsPruned(Leaf leaf, TableScanNode scan, ConnectorSession session)
    {
        return asksForWhatIsPruned(leaf, asked(leaf, session), scan);
    }

    static boolean asksForWhatIsPruned(Leaf leaf, TupleDomain<VariableReferenceExpression> asked, TableScanNode scan)
    {
        return FragmentOptimizer.impliesWhatIsPruned(
                asked.transform(variable -> ((HiveColumnHandle) requireNonNull(leaf.columns().get(variable), "no column")).getName()),
                EyrieLayoutHandle.layout(scan));
    }
}
