// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.orc.DwrfAwareStripeMetadataSourceFactory;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.cache.StorageOrcFileTailSource;
import com.facebook.presto.parquet.cache.MetadataReader;
import com.facebook.presto.parquet.cache.ParquetCacheConfig;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.airlift.units.DataSize;
import io.eyrie.cache.metric.MetricsMBean;
import io.eyrie.cache.page.PageCache;
import io.eyrie.footer.FooterStats;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.footer.orc.CachedOrcFileTailSource;
import io.eyrie.footer.orc.CachedStripeMetadataSourceFactory;
import io.eyrie.footer.orc.StripeCaches;
import io.eyrie.footer.parquet.CachedParquetMetadataSource;
import io.eyrie.footer.parquet.PageIndexCaches;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.FooterDefaults;
import io.eyrie.presto.control.Steerable;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.units.DataSize.succinctBytes;
import static java.lang.Math.toIntExact;

/**
 * Binds Eyrie's footer caches into the connector, in place of Presto's. Presto's properties configure them. Needs {@link OpenedFiles}, which the
 * page cache's file system provides.
 */
public final class FooterModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        bindDefaults(binder);
        binder.bind(FooterCaches.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(FooterCaches.class);
    }

    static void bindDefaults(Binder binder)
    {
        configBinder(binder).bindConfigDefaults(OrcCacheConfig.class, FooterModule::orcDefaults);
        configBinder(binder).bindConfigDefaults(ParquetCacheConfig.class, FooterModule::parquetDefaults);
    }

    @Provides
    @Singleton
    FooterStore store(PageCache cache)
    {
        return new FooterStore(cache.blobs(), cache.pageSizeBytes());
    }

    @Provides
    @Singleton
    OrcFileTailSource orcFileTails(OrcCacheConfig config, OpenedFiles files, FooterCaches caches, FooterStore store)
    {
        int firstBytes = toIntExact(config.getExpectedFileTailSize().toBytes());
        OrcFileTailSource parsing = new StorageOrcFileTailSource(firstBytes, config.isDwrfStripeCacheEnabled());
        return new CachedOrcFileTailSource(parsing, files, caches.orcFileTails(), store);
    }

    @Provides
    @Singleton
    StripeMetadataSourceFactory stripes(OrcCacheConfig config, OpenedFiles files, FooterCaches caches, FooterStore store)
    {
        StripeCaches stripes = new StripeCaches(caches.orcStripeFooters(), caches.orcStripeStreams(), caches.orcRowGroupIndexes(), store);
        StripeMetadataSourceFactory cached = new CachedStripeMetadataSourceFactory(files, stripes);
        return config.isDwrfStripeCacheEnabled() ? new DwrfAwareStripeMetadataSourceFactory(cached) : cached;
    }

    @Provides
    @Singleton
    ParquetMetadataSource parquetFooters(OpenedFiles files, FooterCaches caches, FooterStore store)
    {
        return new CachedParquetMetadataSource(new MetadataReader(), files, caches.parquetFooters(), new PageIndexCaches(
                caches.parquetColumnIndexes(),
                caches.parquetOffsetIndexes(),
                store));
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(FooterCaches caches)
    {
        MetricsMBean metrics = CatalogMBeans.metrics();
        caches.all().forEach((kind, cache) -> metrics.add(MetricsMBean.join("", kind) + ".", FooterStats.class, cache::stats));
        return mbeans -> mbeans.register("FooterCaches", metrics);
    }

    /** Sets the defaults of the RaptorX guide, limited by the heap size. */
    private static void orcDefaults(OrcCacheConfig config)
    {
        DataSize size = succinctBytes(FooterDefaults.bytes(heapBytes()));
        config.setFileTailCacheEnabled(true)
                .setFileTailCacheSize(size)
                .setFileTailCacheTtlSinceLastAccess(FooterDefaults.TTL)
                .setStripeMetadataCacheEnabled(true)
                .setStripeFooterCacheSize(size)
                .setStripeFooterCacheTtlSinceLastAccess(FooterDefaults.TTL)
                .setStripeStreamCacheSize(succinctBytes(FooterDefaults.streamBytes(heapBytes())))
                .setStripeStreamCacheTtlSinceLastAccess(FooterDefaults.TTL)
                .setRowGroupIndexCacheEnabled(true)
                .setRowGroupIndexCacheSize(size)
                .setRowGroupIndexCacheTtlSinceLastAccess(FooterDefaults.TTL);
    }

    private static void parquetDefaults(ParquetCacheConfig config)
    {
        config.setMetadataCacheEnabled(true).setMetadataCacheSize(succinctBytes(FooterDefaults.bytes(heapBytes())))
                .setMetadataCacheTtlSinceLastAccess(FooterDefaults.TTL);
    }

    private static long heapBytes()
    {
        return Runtime.getRuntime().maxMemory();
    }
}
