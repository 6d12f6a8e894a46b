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
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.handle.HandlePool;
import io.eyrie.cache.metric.MetricsMBean;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.version.VersionedDirectoryLister;

import java.nio.file.Path;
import java.util.Map;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static java.util.Objects.requireNonNull;

/** Binds the page cache into the connector, in place of Presto's bindings for file systems, directory listings and page sources. */
public final class DataCacheModule
        implements Module
{
    private static final Map<Admission, String> REFUSALS = Map.of(
            Admission.DENIED_BY_RULE, "ranges not cached because a rule denies their table",
            Admission.SEEN_ONCE, "ranges not cached because their page was missed for the first time",
            Admission.OVER_QUERY_BUDGET, "ranges not cached because the write budget of their query was used up",
            Admission.OVER_DAILY_BUDGET, "ranges not cached because the daily write budget was used up");

    private final PageCacheConfig config;
    private final CacheEngine engine;

    public DataCacheModule(PageCacheConfig config, CacheEngine engine)
    {
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
        binder.bind(CachingHdfsConfiguration.Attendants.class).in(Scopes.SINGLETON);
        binder.bind(HdfsConfiguration.class).annotatedWith(ForMetastoreHdfsEnvironment.class).to(CachingHdfsConfiguration.class).in(Scopes.SINGLETON);
        binder.bind(DirectoryLister.class).annotatedWith(ForCachingDirectoryLister.class).to(VersionedDirectoryLister.class).in(Scopes.SINGLETON);
        binder.bind(OpenedFiles.class).to(OpenedSplits.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(SteeredPages.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    PageCache pageCache(PageCacheLife life)
    {
        return life.cache();
    }

    /** Catalogs that share a store show the same values. */
    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(PageCache cache, FileHandles handles, AccessChecks checks)
    {
        MetricsMBean data = CatalogMBeans.metrics().add(PageCacheStats.class, cache::stats);
        REFUSALS.forEach((refusal, description) -> data.add(
                MetricsMBean.join("", refusal), description + "; a dry run only counts them", () -> cache.admissions().count(refusal)));
        return mbeans -> {
            mbeans.register("DataCache", data);
            mbeans.register("FileHandles", CatalogMBeans.metrics().add(HandlePool.Stats.class, handles::stats));
            mbeans.register("AccessChecks", CatalogMBeans.metrics().add(AccessChecks.class, () -> checks));
            cache.disks().stream().map(DiskStatus::directory).forEach(directory -> mbeans.register(
                    "CacheDisk",
                    "directory",
                    directory.toString(),
                    CatalogMBeans.metrics().add(DiskStatus.class, () -> status(cache, directory))));
        };
    }

    private static DiskStatus status(PageCache cache, Path directory)
    {
        return cache.disks().stream().filter(disk -> disk.directory().equals(directory)).findFirst().orElseThrow();
    }
}
