package io.eyrie.presto.fragment;

import com.facebook.presto.hive.TransactionalMetadata;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import io.eyrie.presto.proxy.Proxies;
import io.eyrie.presto.warm.WarmHandle;

import java.util.Optional;
import java.util.function.Supplier;

/** Sees to it that layouts which Hive's metadata makes after the optimizers have run are of the resolver's class too, and keep their leaf; makes scans of {@code warm_cache}. */
public final class LayoutClass
{
    private LayoutClass()
    {}

    /** Metadata whose alternative layouts are Eyrie's. */
    public static Supplier<TransactionalMetadata> of(Supplier<TransactionalMetadata> hive)
    {
        return () -> wrapped(hive.get());
    }

    private static TransactionalMetadata wrapped(TransactionalMetadata hive)
    {
        return Proxies.of(TransactionalMetadata.class, (proxy, method, arguments) -> {
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
