// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.rule.HivePlanOptimizerProvider;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.connector.ConnectorPlanOptimizerProvider;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Inject;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.ledger.Ledger;

import java.util.LinkedHashSet;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Provides Hive's optimizers, followed by {@link JoinOptimizer} or {@link FragmentOptimizer}. Constructible by injection only. */
public final class FragmentOptimizerProvider
        implements ConnectorPlanOptimizerProvider
{
    private final HivePlanOptimizerProvider hive;
    private final FragmentOptimizer leaves;
    private final JoinOptimizer joins;

    @Inject
    FragmentOptimizerProvider(
            HivePlanOptimizerProvider hive,
            FragmentParts parts,
            LeafReader reader,
            RowExpressionService expressions,
            Control control,
            Ledger ledger,
            JoinOptimizer joins)
    {
        this.hive = requireNonNull(hive, "hive is null");
        this.joins = requireNonNull(joins, "joins is null");
        this.leaves = new FragmentOptimizer(parts.engine(), reader, expressions.getDomainTranslator(), FragmentSessionProperties::isEnabled, parts
                .refusals(), control::packed, ledger);
    }

    @Override
    public Set<ConnectorPlanOptimizer> getLogicalPlanOptimizers()
    {
        return with(hive.getLogicalPlanOptimizers(), joins);
    }

    @Override
    public Set<ConnectorPlanOptimizer> getPhysicalPlanOptimizers()
    {
        return with(hive.getPhysicalPlanOptimizers(), leaves);
    }

    /* Preserves the order of Hive's, with Eyrie's last. */
    private static Set<ConnectorPlanOptimizer> with(Set<ConnectorPlanOptimizer> hive, ConnectorPlanOptimizer last)
    {
        Set<ConnectorPlanOptimizer> optimizers = new LinkedHashSet<>();
        hive.forEach(optimizer -> optimizers.add(new BesideJoins(optimizer)));
        optimizers.add(last);
        return optimizers;
    }
}
