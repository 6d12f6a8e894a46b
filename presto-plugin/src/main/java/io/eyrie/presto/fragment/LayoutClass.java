// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableHandle;
import com.facebook.presto.spi.ConnectorTableLayout;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.ConnectorTableLayoutResult;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import io.eyrie.presto.handle.FragmentLayoutHandle;
import io.eyrie.presto.handle.LeafColumns;
import io.eyrie.presto.proxy.Proxies;
import io.eyrie.presto.warm.WarmHandle;

import java.util.List;
import java.util.Optional;

/**
 * Converts every layout from Hive's metadata to the class that the handle resolver names, because the engine requests some layouts after the
 * optimizers have run: for temporary tables and for other bucket counts. Also resolves the columns of leaves, and creates the scans of
 * {@code warm_cache}.
 */
public final class LayoutClass
{
    private LayoutClass()
    {}

    /** Returns the connector with converted layouts, for use by the engine only: Hive's own optimizers expect {@code HiveMetadata}. */
    public static Connector of(Connector hive)
    {
        return Proxies.of(Connector.class, (proxy, method, arguments) -> {
            Object answer = Proxies.invoke(hive, method, arguments);
            return answer instanceof ConnectorMetadata metadata ? wrapped(metadata) : answer;
        });
    }

    static ConnectorMetadata wrapped(ConnectorMetadata hive)
    {
        return Proxies.of(ConnectorMetadata.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "metadataDelete" -> {
                if (FragmentLayoutHandle.isLeaf(arguments[2])) {
                    throw new IllegalStateException("The plan lacks the filter of a leaf fragment: the DELETE would remove too many rows");
                }
                yield Proxies.invoke(hive, method, arguments);
            }
            case "applyTableFunction" -> arguments[1] instanceof WarmHandle warm ? Optional.of(warm.scan()) : Proxies.invoke(hive, method, arguments);
            case "getAlternativeLayoutHandle" -> FragmentLayoutHandle.like(
                    (ConnectorTableLayoutHandle) arguments[1],
                    (ConnectorTableLayoutHandle) Proxies.invoke(hive, method, arguments));
            case "getTableLayout" -> ours((ConnectorTableLayout) Proxies.invoke(hive, method, arguments));
            case "getTableLayoutForConstraint" -> ours((ConnectorTableLayoutResult) Proxies.invoke(hive, method, arguments));
            case "getTableLayouts" -> ((List<?>) Proxies.invoke(hive, method, arguments)).stream().map(ConnectorTableLayoutResult.class::cast).map(
                    LayoutClass::ours).toList();
            case "getColumnMetadata" -> hive.getColumnMetadata(
                    (ConnectorSession) arguments[0],
                    (ConnectorTableHandle) arguments[1],
                    LeafColumns.reported((ColumnHandle) arguments[2]));
            case "getTableStatistics" -> {
                arguments[3] = ((List<?>) arguments[3]).stream().filter(column -> !LeafColumns.isComputed((ColumnHandle) column)).toList();
                yield Proxies.invoke(hive, method, arguments);
            }
            default -> Proxies.invoke(hive, method, arguments);
        });
    }

    private static ConnectorTableLayoutResult ours(ConnectorTableLayoutResult result)
    {
        return new ConnectorTableLayoutResult(ours(result.getTableLayout()), result.getUnenforcedConstraint());
    }

    private static ConnectorTableLayout ours(ConnectorTableLayout layout)
    {
        ConnectorTableLayoutHandle handle = FragmentLayoutHandle.own(layout.getHandle());
        return new ConnectorTableLayout(
                handle,
                layout.getColumns(),
                layout.getPredicate(),
                layout.getTablePartitioning(),
                layout.getStreamPartitioningColumns(),
                layout.getDiscretePredicates(),
                handle instanceof FragmentLayoutHandle own ? own.localProperties(layout.getLocalProperties()) : layout.getLocalProperties(),
                layout.getRemainingPredicate(),
                layout.getUniqueColumn());
    }
}
