// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.orc.DwrfAwareStripeMetadataSourceFactory;
import com.facebook.presto.orc.StorageStripeMetadataSource;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.cache.StorageOrcFileTailSource;
import com.facebook.presto.parquet.cache.MetadataReader;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;

import static java.lang.Math.toIntExact;

/**
 * Binds footer sources without a cache. Without the data cache's file systems, no file's version is known, and Presto's own footer caches can return
 * stale footers.
 */
public final class UncachedFooterModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {}

    @Provides
    @Singleton
    OrcFileTailSource orcFileTails(OrcCacheConfig config)
    {
        return new StorageOrcFileTailSource(toIntExact(config.getExpectedFileTailSize().toBytes()), config.isDwrfStripeCacheEnabled());
    }

    @Provides
    @Singleton
    StripeMetadataSourceFactory stripes(OrcCacheConfig config)
    {
        StripeMetadataSourceFactory storage = StripeMetadataSourceFactory.of(new StorageStripeMetadataSource());
        return config.isDwrfStripeCacheEnabled() ? new DwrfAwareStripeMetadataSourceFactory(storage) : storage;
    }

    @Provides
    @Singleton
    ParquetMetadataSource parquetFooters()
    {
        return new MetadataReader();
    }
}
