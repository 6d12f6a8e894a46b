package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import io.eyrie.presto.proxy.Proxies;
import io.eyrie.presto.warm.WarmHandle;

import java.util.Optional;

/** Sees to it that layouts which Hive's metadata makes after the optimizers have run are of the resolver's class too, and keep their leaf; makes scans of {@code warm_cache}. */
public final class LayoutClass
{
    private LayoutClass()
    {}

    /** The same connector, whose metadata's alternative layouts are Eyrie's, for the engine alone: Hive's own optimizers want to find {@code HiveMetadata}. */
    public static Connector of(Connector hive)
    {
        return Proxies.of(Connector.class, (proxy, method, arguments) -> {
            Object answer = Proxies.invoke(hive, method, arguments);
            return answer instanceof ConnectorMetadata metadata ? wrapped(metadata) : answer;
        });
    }

    private static ConnectorMetadata wrapped(ConnectorMetadata hive)
    {
        return Proxies.of(ConnectorMetadata.class, (proxy, method, arguments) -> {
            if (method.getName().equals("metadataDelete") && FragmentLayoutHandle.isLeaf(arguments[2])) {
                throw new IllegalStateException("A leaf's filter is gone from the plan: this would delete more");
            }
            if (method.getName().equals("applyTableFunction") && arguments[1] instanceof WarmHandle warm) {
                return Optional.of(warm.scan());
            }
            Object result = Proxies.invoke(hive, method, arguments);
            return method.getName().equals("getAlternativeLayoutHandle")
                    ? FragmentLayoutHandle.like((ConnectorTableLayoutHandle) arguments[1], (ConnectorTableLayoutHandle) result)
                    : result;
        });
    }
}
