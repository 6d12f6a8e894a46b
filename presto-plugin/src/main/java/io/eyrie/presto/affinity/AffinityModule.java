// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.eyrie.presto.catalog.CatalogName;

import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.ObjectNames.generatedNameOf;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Binds the placement and packing of splits. */
public final class AffinityModule
        implements Module
{
    private final CatalogName catalog;

    public AffinityModule(CatalogName catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(SplitPlacer.class).in(Scopes.SINGLETON);
        binder.bind(SplitPacking.class).in(Scopes.SINGLETON);
        binder.bind(NodePlacements.class).in(Scopes.SINGLETON);
        binder.bind(SplitArrivals.class).in(Scopes.SINGLETON);
        newExporter(binder).export(SplitArrivals.class).as(generatedNameOf(SplitArrivals.class, catalog.name()));
    }
}
