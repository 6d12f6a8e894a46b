// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.rule.HivePlanOptimizerProvider;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.connector.ConnectorPlanOptimizerProvider;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Inject;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.ledger.Ledger;

import java.util.LinkedHashSet;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Provides Hive's optimizers, followed by {@link FragmentOptimizer}. */
public final class FragmentOptimizerProvider
        implements ConnectorPlanOptimizerProvider
{
    private final HivePlanOptimizerProvider hive;
    private final FragmentOptimizer leaves;

    @Inject
    public FragmentOptimizerProvider(
            HivePlanOptimizerProvider hive,
            FragmentParts parts,
            FunctionMetadataManager functions,
            RowExpressionService expressions,
            Control control,
            Ledger ledger)
    {
        this.hive = requireNonNull(hive, "hive is null");
        LeafReader reader = new LeafReader(functions, function -> parts.engine().filter(engine -> engine.isOwn(function)).isPresent());
        this.leaves = new FragmentOptimizer(parts.engine(), reader, expressions.getDomainTranslator(), FragmentSessionProperties::isEnabled, parts
                .refusals(), control::packed, ledger);
    }

    @Override
    public Set<ConnectorPlanOptimizer> getLogicalPlanOptimizers()
    {
        return hive.getLogicalPlanOptimizers();
    }

    @Override
    public Set<ConnectorPlanOptimizer> getPhysicalPlanOptimizers()
    {
        // preserves their order, with this one last
        Set<ConnectorPlanOptimizer> optimizers = new LinkedHashSet<>(hive.getPhysicalPlanOptimizers());
        optimizers.add(leaves);
        return optimizers;
    }
}
