// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.cache.ForCachingFileSystem;
import com.facebook.presto.hive.CopyOnFirstWriteConfiguration;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.cache.HiveCachingHdfsConfiguration.CachingJobConf;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.google.inject.Inject;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_FILESYSTEM_ERROR;
import static java.util.Objects.requireNonNull;

/**
 * Provides the connector's Hadoop configuration, with a file system factory that puts the page cache in front of every remote file system. Presto
 * requests it at least once per split.
 *
 * <p>The delegate always returns the same object to a thread. Presto's writers and Hive's SerDes write the table's schema into their configuration
 * (Presto does not copy a configuration that is a file system factory), so every caller gets a separate view, which is copied at its first write.
 */
public final class CachingHdfsConfiguration
        implements HdfsConfiguration
{
    private static final Logger log = Logger.get(CachingHdfsConfiguration.class);

    /** Maximum number of stores that are logged: users can name stores in the locations of tables. */
    private static final int MOST_LOGGED = 1_000;

    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final HdfsConfiguration delegate;
    private final PageCache cache;
    private final FileHandles handles;
    private final StoreIds storeIds;
    private final CatalogName catalog;
    private final Attendants attendants;

    /** The parts that limit, record and authorize reads. */
    public record Attendants(QueryBudgets budgets, Ledger ledger, AccessChecks access)
    {
        @Inject
        public Attendants
        {
            requireNonNull(budgets, "budgets is null");
            requireNonNull(ledger, "ledger is null");
            requireNonNull(access, "access is null");
        }
    }

    @Inject
    public CachingHdfsConfiguration(
            @ForCachingFileSystem HdfsConfiguration delegate,
            PageCache cache,
            FileHandles handles,
            StoreIds storeIds,
            CatalogName catalog,
            Attendants attendants)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.cache = requireNonNull(cache, "cache is null");
        this.handles = requireNonNull(handles, "handles is null");
        this.storeIds = requireNonNull(storeIds, "storeIds is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.attendants = requireNonNull(attendants, "attendants is null");
    }

    @Override
    public Configuration getConfiguration(HdfsContext context, URI uri)
    {
        Configuration remote = remote(delegate, context, uri);
        if (!context.getSession().map(HiveSessionProperties::isCacheEnabled).orElse(true)) {
            return remote instanceof CopyOnFirstWriteConfiguration ? remote : new Configuration(remote);
        }
        return new CachingJobConf(
                (ignored, fileSystemUri) -> create(
                        context,
                        fileSystemUri,
                        fileSystemUri.equals(uri) ? remote : remote(delegate, context, fileSystemUri)),
                copiedWhenWritten(remote));
    }

    /**
     * Returns Presto's own configuration, in which a thread's first call determines the class loader of the thread's file systems. The engine's threads have another one
     * while they plan a query.
     */
    @SuppressWarnings("try") // the resource is the thread's class loader
    public static Configuration remote(HdfsConfiguration configurations, HdfsContext context, URI uri)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(CachingHdfsConfiguration.class.getClassLoader())) {
            return configurations.getConfiguration(context, uri);
        }
    }

    /* Unwraps first, because Presto's class does not copy another instance of itself. */
    private static Configuration copiedWhenWritten(Configuration remote)
    {
        return new CopyOnFirstWriteConfiguration(remote instanceof CopyOnFirstWriteConfiguration wrapper ? wrapper.getConfig() : remote);
    }

    private FileSystem create(HdfsContext context, URI uri, Configuration remote)
    {
        try {
            ExtendedFileSystem fileSystem = (ExtendedFileSystem) new Path(uri).getFileSystem(remote);
            if (!StoreIds.isCacheable(fileSystem.getUri(), remote)) {
                if (StoreIds.mayDecrypt(fileSystem.getUri(), remote) && logged.size() < MOST_LOGGED && logged.add(
                        fileSystem.getUri().toString())) {
                    log.warn(
                            "Catalog %s: files of %s are not cached, because they may be decrypted files of encryption zones. To cache them, use hdfs:// "
                                    + "and remove dfs.encryption.key.provider.uri from Hadoop's configuration of the catalog", catalog.name(),
                            fileSystem.getUri());
                }
                return fileSystem;
            }
            Scope scope = new Scope(catalog.name(), context.getSchemaName().orElse(""), context.getTableName().orElse(""), "");
            WriteBudget budget = context.getQueryId().map(attendants.budgets()::of).orElse(WriteBudget.UNLIMITED);
            StoreId store = storeIds.of(fileSystem.getUri(), remote, context.getIdentity().getUser());
            if (!StoreIds.isS3(fileSystem.getUri()) && logged.size() < MOST_LOGGED && logged.add(store.endpoint())) {
                log.info(
                        "Catalog %s: files of %s have no entity tags. Eyrie identifies their versions by path, length and modification time, "
                                + "and does not cache files that are younger than two seconds", catalog.name(), fileSystem.getUri());
            }
            PageCacheFileSystem.ReadOrigin asker = new PageCacheFileSystem.ReadOrigin(context.getQueryId().orElse(""), StoreIds.credential(remote),
                    scope, budget, attendants
                            .ledger(),
                    attendants.access(),
                    context.getSession().map(session -> CacheModes.of(session, CacheLayer.DATA)).orElse(CacheMode.READ_WRITE));
            return new PageCacheFileSystem(fileSystem, cache, handles, store, asker);
        }
        catch (IOException e) {
            throw new PrestoException(HIVE_FILESYSTEM_ERROR, "Cannot create the file system of " + uri, e);
        }
    }
}
