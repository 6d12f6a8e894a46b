// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.airlift.configuration.AbstractConfigurationAwareModule;
import com.facebook.presto.cache.CacheConfig;
import com.facebook.presto.hive.ForMetastoreHdfsEnvironment;
import com.facebook.presto.hive.HadoopDirectoryLister;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HiveHdfsConfiguration;
import com.google.inject.Binder;
import com.google.inject.Scopes;
import com.google.inject.multibindings.OptionalBinder;
import io.eyrie.presto.affinity.AffinityModule;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.EyrieAdmissionConfig;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.PriceConfig;
import io.eyrie.presto.console.ConsoleModule;
import io.eyrie.presto.control.ControlModule;
import io.eyrie.presto.filesystem.AccessChecks;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.filesystem.DataCacheModule;
import io.eyrie.presto.filesystem.QueryBudgets;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.footer.FooterModule;
import io.eyrie.presto.footer.UncachedFooterModule;
import io.eyrie.presto.fragment.FragmentModule;
import io.eyrie.presto.fragment.FragmentReadModule;
import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.metastore.FileListModule;
import io.eyrie.presto.metastore.MetastoreCacheModule;
import io.eyrie.presto.select.SelectModule;
import io.eyrie.presto.statistics.FilePruning;
import io.eyrie.presto.statistics.FileStatisticsModule;
import io.eyrie.presto.warm.WarmFunction;

import static java.util.Objects.requireNonNull;

/** Binds Eyrie's classes in place of Presto's, for every layer. */
final class CacheModule
        extends AbstractConfigurationAwareModule
{
    private final String catalogName;
    private final CatalogSettings settings;

    CacheModule(String catalogName, CatalogSettings settings)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    @Override
    protected void setup(Binder binder)
    {
        EyrieCacheConfig config = buildConfigObject(EyrieCacheConfig.class);
        binder.bind(CatalogName.class).toInstance(new CatalogName(catalogName));
        binder.bind(CatalogMBeans.class).asEagerSingleton();
        binder.bind(CacheConfig.class).toInstance(sessionDefault(config));
        buildConfigObject(AffinityConfig.class).validate();
        buildConfigObject(FileHandlesConfig.class).validate();
        buildConfigObject(AccessCheckConfig.class).validate();
        buildConfigObject(PriceConfig.class).validate();
        binder.install(new AffinityModule());
        CatalogFile file = new CatalogFile(catalogName, settings.forConnector());
        binder.bind(StartedCatalog.class).toInstance(new StartedCatalog(file));
        MemoryPlan memory = MemoryPlan.of(file, Runtime.getRuntime().maxMemory());
        binder.bind(MemoryPlan.class).toInstance(memory);
        install(new MetastoreCacheModule(memory));
        binder.bind(StoreIds.class).in(Scopes.SINGLETON);
        binder.bind(AccessChecks.class).in(Scopes.SINGLETON);
        binder.bind(CachingPageSourceProvider.class).in(Scopes.SINGLETON);
        binder.install(new FileListModule());
        binder.install(new SelectModule());
        buildConfigObject(FragmentConfig.class).validate();
        binder.bind(CatalogSettings.class).toInstance(settings);
        binder.install(new FragmentModule());
        // without a cache, too: a coordinator that caches plans leaves for all workers
        binder.install(new FragmentReadModule());
        binder.install(new ConsoleModule(catalogName));
        binder.install(new ControlModule(catalogName));
        binder.bind(CacheModes.class).in(Scopes.SINGLETON);
        binder.bind(WarmFunction.class).in(Scopes.SINGLETON);
        OptionalBinder.newOptionalBinder(binder, FilePruning.class);
        buildConfigObject(FileStatisticsConfig.class).validate();
        binder.bind(HiveHdfsConfiguration.class).to(LeftOutFileSystems.class);
        binder.bind(SplitChain.SplitSteps.class).in(Scopes.SINGLETON);
        binder.bind(SplitChain.class).in(Scopes.SINGLETON);
        if (config.isEnabled()) {
            // the delegate of Eyrie's lister; Presto binds it behind an interface that is now bound to Eyrie's
            binder.bind(HadoopDirectoryLister.class).in(Scopes.SINGLETON);
            EyrieAdmissionConfig admission = buildConfigObject(EyrieAdmissionConfig.class);
            binder.bind(QueryBudgets.class).toInstance(new QueryBudgets(admission.queryWriteBytes()));
            binder.install(new DataCacheModule(memory.shared(config.pageCache(admission)), config.engine()));
            binder.install(new FooterModule());
            binder.install(new FileStatisticsModule());
        }
        else {
            binder.install(new UncachedFooterModule());
            binder.bind(HdfsConfiguration.class).annotatedWith(ForMetastoreHdfsEnvironment.class).to(HiveHdfsConfiguration.class).in(
                    Scopes.SINGLETON);
        }
    }

    /** Returns the default of Presto's session property {@code cache_enabled}, which, if false, disables Eyrie for a query. */
    private static CacheConfig sessionDefault(EyrieCacheConfig config)
    {
        return new CacheConfig().setCachingEnabled(config.isEnabled());
    }
}
