// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.hive.s3select.S3SelectRecordCursorProvider;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.presto.catalog.CatalogMBeans;

/** Replaces Presto's S3 Select provider with Eyrie's. */
public final class SelectModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(S3SelectRecordCursorProvider.class).to(SelectCursorProvider.class).in(Scopes.SINGLETON);
        binder.bind(SelectStats.class).in(Scopes.SINGLETON);
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(SelectStats stats)
    {
        return mbeans -> mbeans.register("SelectStats", CatalogMBeans.metrics().add(SelectStats.class, () -> stats));
    }
}
