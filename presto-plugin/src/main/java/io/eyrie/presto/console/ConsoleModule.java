// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import com.google.inject.multibindings.OptionalBinder;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.presto.footer.FooterCaches;
import io.eyrie.presto.ledger.Ledger;

import static java.util.Objects.requireNonNull;

/** Binds the tables of the schema {@code cache}, for the layers that are configured. */
public final class ConsoleModule
        implements Module
{
    private final String catalogName;

    public ConsoleModule(String catalogName)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(Ledger.class).toInstance(new Ledger(catalogName));
        binder.bind(LayerStatuses.class).in(Scopes.SINGLETON);
        binder.bind(Settings.class).in(Scopes.SINGLETON);
        binder.bind(CacheTables.class).in(Scopes.SINGLETON);
        OptionalBinder.newOptionalBinder(binder, FooterCaches.class);
        OptionalBinder.newOptionalBinder(binder, VersionedHiveMetastore.class);
    }
}
