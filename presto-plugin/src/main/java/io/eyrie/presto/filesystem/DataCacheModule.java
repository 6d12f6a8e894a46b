// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.DirectoryLister;
import com.facebook.presto.hive.ForCachingDirectoryLister;
import com.facebook.presto.hive.ForMetastoreHdfsEnvironment;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HiveCommonClientConfig;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.version.VersionedDirectoryLister;
import org.weakref.jmx.MBeanExporter;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.ObjectNames.generatedNameOf;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Binds the page cache into the connector, in place of Presto's bindings for file systems, directory listings and page sources. */
public final class DataCacheModule
        implements Module
{
    private final CatalogName catalog;
    private final PageCacheConfig config;
    private final CacheEngine engine;

    public DataCacheModule(CatalogName catalog, PageCacheConfig config, CacheEngine engine)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.config = requireNonNull(config, "config is null");
        this.engine = requireNonNull(engine, "engine is null");
    }

    @Override
    public void configure(Binder binder)
    {
        // affinity caches a file's pages on one worker; without it, each worker fetches and caches its own copy
        configBinder(binder).bindConfigDefaults(HiveCommonClientConfig.class, hive -> hive.setNodeSelectionStrategy(SOFT_AFFINITY));
        binder.bind(PageCacheConfig.class).toInstance(config);
        binder.bind(CacheEngine.class).toInstance(engine);
        binder.bind(PageCacheLife.class).in(Scopes.SINGLETON);
        binder.bind(FileHandles.class).in(Scopes.SINGLETON);
        newExporter(binder).export(FileHandles.class).as(generatedNameOf(FileHandles.class, catalog.name()));
        binder.bind(CachingHdfsConfiguration.Attendants.class).in(Scopes.SINGLETON);
        binder.bind(AccessChecks.class).in(Scopes.SINGLETON);
        newExporter(binder).export(AccessChecks.class).as(generatedNameOf(AccessChecks.class, catalog.name()));
        binder.bind(DataCache.class).in(Scopes.SINGLETON);
        newExporter(binder).export(DataCache.class).as(generatedNameOf(DataCache.class, catalog.name()));
        binder.bind(HdfsConfiguration.class).annotatedWith(ForMetastoreHdfsEnvironment.class).to(CachingHdfsConfiguration.class).in(Scopes.SINGLETON);
        binder.bind(DirectoryLister.class).annotatedWith(ForCachingDirectoryLister.class).to(VersionedDirectoryLister.class).in(Scopes.SINGLETON);
        binder.bind(CachingPageSourceProvider.class).in(Scopes.SINGLETON);
        binder.bind(OpenedFiles.class).to(OpenedSplits.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(SteeredPages.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    PageCache pageCache(PageCacheLife life, MBeanExporter exporter)
    {
        PageCache cache = life.cache();
        cache.disks().forEach(disk -> CacheDisk.export(exporter, catalog, cache, disk.directory()));
        return cache;
    }
}
