// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.hive.CachingDirectoryLister;
import com.facebook.presto.hive.DirectoryLister;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.metastore.files.FileListStats;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.metastore.files.TableVersions;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.listing.PrefixListings;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
import static com.google.inject.multibindings.Multibinder.newSetBinder;

/** Binds the file lists into the connector, instead of Presto's own cache of them. */
public final class FileListModule
        implements Module
{
    /** With Presto's default of 4, the first listing of a table with a hundred partitions takes 25 times the store's latency. */
    private static final int SPLIT_LOADERS = 32;

    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(EyrieFileListConfig.class);
        configBinder(binder).bindConfigDefaults(HiveClientConfig.class, hive -> hive.setSplitLoaderConcurrency(SPLIT_LOADERS));
        binder.bind(SealedDirectoryLister.class).in(Scopes.SINGLETON);
        binder.bind(DirectoryLister.class).to(SealedDirectoryLister.class);
        binder.bind(CachingDirectoryLister.class).to(SealedDirectoryLister.class);
        binder.bind(PrefixListings.class).in(Scopes.SINGLETON);
        binder.bind(TransactionObserver.class).in(Scopes.SINGLETON);
        binder.bind(SteeredMetadata.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(SteeredMetadata.class);
    }

    @Provides
    @Singleton
    FileLists fileLists(EyrieFileListConfig config, HiveClientConfig presto, MemoryPlan memory, ExtendedHiveMetastore metastore)
    {
        FileListConfig lists = FileListSettings.of(config, presto, memory.bytes(MemoryLayer.FILE_LISTS));
        return metastore instanceof VersionedHiveMetastore cached
                ? new FileLists(lists, cached, cached)
                : new FileLists(lists, TableVersions.UNKNOWN, ListStore.NONE);
    }

    /** Only the counters of listings by prefix include directories of tables that the operator does not name. */
    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(FileLists lists, PrefixListings prefixes)
    {
        return mbeans -> mbeans.register(
                "FileListCache",
                CatalogMBeans.metrics().add(FileListStats.class, lists::stats).add("prefix", PrefixListings.class, () -> prefixes));
    }
}
