// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.TableScanNode;
import io.eyrie.presto.handle.EyrieLayoutHandle;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * One of Hive's optimizers, applied to the parts of a plan without scans that stand for joins. It would rebuild their layouts as Hive's own, which lack
 * the joins.
 */
final class BesideJoins
        implements ConnectorPlanOptimizer
{
    private final ConnectorPlanOptimizer hive;

    BesideJoins(ConnectorPlanOptimizer hive)
    {
        this.hive = requireNonNull(hive, "hive is null");
    }

    @Override
    public PlanNode optimize(PlanNode plan, ConnectorSession session, VariableAllocator variables, PlanNodeIdAllocator ids)
    {
        if (!hasJoined(plan)) {
            return hive.optimize(plan, session, variables, ids);
        }
        return plan instanceof TableScanNode
                ? plan
                : plan.replaceChildren(plan.getSources().stream().map(source -> optimize(source, session, variables, ids)).toList());
    }

    private static boolean hasJoined(PlanNode node)
    {
        return node instanceof TableScanNode scan
                ? scan.getTable().getLayout().filter(EyrieLayoutHandle::isJoined).isPresent()
                : node.getSources().stream().anyMatch(BesideJoins::hasJoined);
    }

    @Override
    public List<ConnectorId> getSupportedConnectorIds()
    {
        return hive.getSupportedConnectorIds();
    }
}
