// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.hive.s3select.S3SelectRecordCursorProvider;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.eyrie.presto.catalog.CatalogName;

import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.ObjectNames.generatedNameOf;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Replaces Presto's S3 Select provider with Eyrie's. */
public final class SelectModule
        implements Module
{
    private final CatalogName catalog;

    public SelectModule(CatalogName catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(S3SelectRecordCursorProvider.class).to(SelectCursorProvider.class).in(Scopes.SINGLETON);
        binder.bind(SelectStats.class).in(Scopes.SINGLETON);
        newExporter(binder).export(SelectStats.class).as(generatedNameOf(SelectStats.class, catalog.name()));
    }
}
