// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.presto.catalog.CatalogMBeans;

/** Binds the placement and packing of splits. */
public final class AffinityModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(SplitPlacer.class).in(Scopes.SINGLETON);
        binder.bind(SplitPacking.class).in(Scopes.SINGLETON);
        binder.bind(NodePlacements.class).in(Scopes.SINGLETON);
        binder.bind(SplitArrivals.class).in(Scopes.SINGLETON);
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(SplitArrivals arrivals)
    {
        return mbeans -> mbeans.register(
                "SplitArrivals",
                CatalogMBeans.metrics().add(SplitArrivals.class, () -> arrivals));
    }
}
