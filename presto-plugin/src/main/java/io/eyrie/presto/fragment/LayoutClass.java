package io.eyrie.presto.fragment;

import com.facebook.presto.hive.TransactionalMetadata;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** Sees to it that layouts which Hive's metadata makes after the optimizers have run are of the resolver's class too, and keep their leaf. */
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
        return (TransactionalMetadata) Proxy.newProxyInstance(
                LayoutClass.class.getClassLoader(),
                new Class<?>[] {TransactionalMetadata.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("metadataDelete") && FragmentLayoutHandle.isLeaf(arguments[2])) {
                        throw new IllegalStateException("A leaf's filter is gone from the plan: this would delete more");
                    }
                    try {
                        Object result = method.invoke(hive, arguments);
                        return method.getName().equals("getAlternativeLayoutHandle")
                                ? FragmentLayoutHandle.like((ConnectorTableLayoutHandle) arguments[1], (ConnectorTableLayoutHandle) result)
                                : result;
                    }
                    catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
