package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import io.eyrie.presto.affinity.AffinityHandleResolver;

/** Resolves Eyrie's handle classes: splits with a place, and layouts with a leaf. */
public final class FragmentHandleResolver
        extends AffinityHandleResolver
{
    @Override
    public Class<? extends ConnectorTableLayoutHandle> getTableLayoutHandleClass()
    {
        return FragmentLayoutHandle.class;
    }
}
