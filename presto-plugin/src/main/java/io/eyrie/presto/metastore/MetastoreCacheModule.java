// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.airlift.configuration.AbstractConfigurationAwareModule;
import com.facebook.presto.hive.ForCachingHiveMetastore;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.InvalidateMetastoreCacheProcedure;
import com.facebook.presto.hive.metastore.MetastoreConfig;
import com.facebook.presto.hive.metastore.file.FileHiveMetastoreConfig;
import com.facebook.presto.hive.metastore.glue.GlueHiveMetastore;
import com.facebook.presto.hive.metastore.thrift.HiveCluster;
import com.google.inject.Binder;
import com.google.inject.Inject;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.Scopes;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheCounters;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.log.HiveEventLog;
import io.eyrie.metastore.version.FileMetastoreVersions;
import io.eyrie.metastore.version.GlueVersions;
import io.eyrie.metastore.version.VersionSource;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.EyrieMetastoreConfig;
import io.eyrie.presto.config.StoredMetadataConfig;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static java.util.Objects.requireNonNull;

/** Binds the connector's metastore: the cache if it is configured, otherwise the uncached metastore that Presto would cache. */
public final class MetastoreCacheModule
        extends AbstractConfigurationAwareModule
{
    private static final Map<String, Class<? extends Provider<VersionedHiveMetastore>>> PROVIDERS = Map.of(
            "thrift",
            OverHive.class,
            "file",
            OverFiles.class,
            "glue",
            OverGlue.class);

    private final MemoryPlan memory;

    public MetastoreCacheModule(MemoryPlan memory)
    {
        this.memory = requireNonNull(memory, "memory is null");
    }

    @Override
    protected void setup(Binder binder)
    {
        Optional<MetastoreCacheConfig> config = MetastoreSettings.of(
                buildConfigObject(EyrieMetastoreConfig.class),
                buildConfigObject(MetastoreClientConfig.class),
                memory.bytes(MemoryLayer.METASTORE));
        Class<? extends Provider<VersionedHiveMetastore>> provider = PROVIDERS.get(buildConfigObject(MetastoreConfig.class).getMetastoreType()
                .toLowerCase(Locale.ENGLISH));
        buildConfigObject(StoredMetadataConfig.class).validate();
        newSetBinder(binder, StoredBesideMetadata.class);
        if (config.isPresent() && provider != null) { // Presto rejects any other metastore
            binder.bind(MetastoreCacheConfig.class).toInstance(config.get());
            binder.bind(VersionedHiveMetastore.class).toProvider(provider).in(Scopes.SINGLETON);
            binder.bind(ExtendedHiveMetastore.class).to(VersionedHiveMetastore.class);
            binder.bind(InvalidateMetastoreCacheProcedure.class).to(MetadataProcedure.class);
            binder.bind(StoredMetadata.Life.class).asEagerSingleton();
            return;
        }
        binder.bind(ExtendedHiveMetastore.class).to(Key.get(ExtendedHiveMetastore.class, ForCachingHiveMetastore.class));
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(Optional<VersionedHiveMetastore> metastore)
    {
        return mbeans -> metastore.ifPresent(cache -> mbeans.register(
                "MetastoreCache",
                CatalogMBeans.metrics().add(MetastoreCacheCounters.class, cache::counters)));
    }

    private static final class OverHive
            implements Provider<VersionedHiveMetastore>
    {
        private final ExtendedHiveMetastore delegate;
        private final HiveCluster cluster;
        private final MetastoreCacheConfig config;

        @Inject
        OverHive(@ForCachingHiveMetastore ExtendedHiveMetastore delegate, HiveCluster cluster, MetastoreCacheConfig config)
        {
            this.delegate = requireNonNull(delegate, "delegate is null");
            this.cluster = requireNonNull(cluster, "cluster is null");
            this.config = requireNonNull(config, "config is null");
        }

        @Override
        public VersionedHiveMetastore get()
        {
            return new VersionedHiveMetastore(delegate, new HiveEventLog(cluster), config);
        }
    }

    private static final class OverFiles
            implements Provider<VersionedHiveMetastore>
    {
        private final ExtendedHiveMetastore delegate;
        private final HdfsEnvironment files;
        private final FileHiveMetastoreConfig metastore;
        private final MetastoreCacheConfig config;

        @Inject
        OverFiles(
                @ForCachingHiveMetastore ExtendedHiveMetastore delegate,
                HdfsEnvironment files,
                FileHiveMetastoreConfig metastore,
                MetastoreCacheConfig config)
        {
            this.delegate = requireNonNull(delegate, "delegate is null");
            this.files = requireNonNull(files, "files is null");
            this.metastore = requireNonNull(metastore, "metastore is null");
            this.config = requireNonNull(config, "config is null");
        }

        @Override
        public VersionedHiveMetastore get()
        {
            VersionSource versions = new FileMetastoreVersions(files, metastore.getCatalogDirectory(), metastore.getMetastoreUser());
            return new VersionedHiveMetastore(delegate, versions, config);
        }
    }

    private static final class OverGlue
            implements Provider<VersionedHiveMetastore>
    {
        private final GlueHiveMetastore delegate;
        private final MetastoreCacheConfig config;

        @Inject
        OverGlue(GlueHiveMetastore delegate, MetastoreCacheConfig config)
        {
            this.delegate = requireNonNull(delegate, "delegate is null");
            this.config = requireNonNull(config, "config is null");
        }

        @Override
        public VersionedHiveMetastore get()
        {
            return new VersionedHiveMetastore(delegate, new GlueVersions(delegate), config);
        }
    }
}
