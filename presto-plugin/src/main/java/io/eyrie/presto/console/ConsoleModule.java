// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.PriceConfig;
import io.eyrie.presto.config.PriceConfig.Prices;
import io.eyrie.presto.footer.FooterCaches;
import io.eyrie.presto.ledger.Ledger;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
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

    @Provides
    @Singleton
    Prices prices(PriceConfig config)
    {
        return config.prices();
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(Ledger ledger, Prices prices)
    {
        return mbeans -> mbeans.register("Savings", CatalogMBeans.metrics().add(SavingsMetrics.class, () -> new SavingsMetrics(ledger.savings(),
                prices)));
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(Ledger.class).toInstance(new Ledger(catalogName));
        binder.bind(LayerStatuses.PlannedLayers.class).in(Scopes.SINGLETON);
        binder.bind(LayerStatuses.class).in(Scopes.SINGLETON);
        binder.bind(Settings.class).in(Scopes.SINGLETON);
        binder.bind(CacheTables.class).in(Scopes.SINGLETON);
        binder.bind(Verdicts.class).in(Scopes.SINGLETON);
        binder.bind(Advisor.class).in(Scopes.SINGLETON);
        binder.bind(VerdictTables.class).in(Scopes.SINGLETON);
        configBinder(binder).bindConfig(PriceConfig.class);
        OptionalBinder.newOptionalBinder(binder, FooterCaches.class);
        OptionalBinder.newOptionalBinder(binder, VersionedHiveMetastore.class);
    }
}
