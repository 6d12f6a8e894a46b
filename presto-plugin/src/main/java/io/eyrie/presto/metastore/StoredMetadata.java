// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.spi.NodeManager;
import com.google.inject.Inject;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus.Health;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.entry.CrashMark;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.StoredMetadataConfig;
import org.jspecify.annotations.Nullable;

import javax.annotation.PreDestroy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * Stores cached metadata in a directory of the coordinator, and closes the store when airlift's life cycle ends, or when the process exits, which a server does
 * without ending the life cycle. Neither the start of the catalog nor a query waits for it: if the directory cannot be used, one log line says so, and nothing is stored.
 */
final class StoredMetadata
{
    /*
     * Start   opens the store and waits until its pages are recovered; a query that begins earlier finds nothing cached
     * Flush   every FLUSH_NANOS, sooner if one flush could not write everything, and at the end
     */
    private static final Logger log = Logger.get(StoredMetadata.class);
    private static final long RECOVERED_MILLIS = 20;
    private static final long MAINTAINED_MILLIS = 1000;
    private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String catalog;
    private final String root;
    private final VersionedHiveMetastore metastore;
    private final Set<StoredBesideMetadata> beside;
    private final ScheduledExecutorService maintenance;
    private final Thread atExit = new Thread(null, this::end, "eyrie-metadata-exit", 0, false);

    // all below: guarded by this
    private @Nullable PageCache store;
    private @Nullable CrashMark mark;
    private boolean stores;
    private boolean ended;
    private long flushedNanos = System.nanoTime();

    private StoredMetadata(String catalog, CatalogSettings settings, VersionedHiveMetastore metastore, Set<StoredBesideMetadata> beside)
    {
        // after a change of one of these, what was stored is not found; after a change back, it is, and is validated as after any restart
        this.root = "metadata " + new TreeMap<>(settings.selectingMetadata());
        this.beside = Set.copyOf(beside);
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.metastore = requireNonNull(metastore, "metastore is null");
        this.maintenance = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(null, task, "eyrie-metadata", 0, false);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts and ends with a catalog. */
    static final class Life
    {
        private final Optional<StoredMetadata> stored;

        @Inject
        Life(Optional<VersionedHiveMetastore> metastore, Set<StoredBesideMetadata> beside, StoredMetadataConfig config, EyrieCacheConfig pages,
                NodeManager nodes, CatalogName catalog, CatalogSettings settings)
        {
            Optional<Path> directory = config.directory();
            stored = metastore.filter(cache -> directory.isPresent() && cache.mayStore() && nodes.getCurrentNode().isCoordinator())
                    .map(cache -> new StoredMetadata(catalog.name(), settings, cache, beside));
            stored.ifPresent(starting -> {
                Path ofCatalog = directory.orElseThrow().resolve(catalog.name());
                starting.start(ofCatalog, config.store(ofCatalog, pages), pages.directories());
            });
        }

        @PreDestroy
        void close()
        {
            stored.ifPresent(StoredMetadata::close);
        }
    }

    private void start(Path directory, PageCacheConfig config, List<Path> cacheDirectories)
    {
        maintenance.execute(() -> open(directory, config, cacheDirectories));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private void open(Path directory, PageCacheConfig config, List<Path> cacheDirectories)
    {
        try {
            Path common = requireNonNull(directory.getParent());
            Path parent = common.getParent();
            // a missing cache directory is perhaps a disk that is not mounted; if it were created, the store would use the volume below
            if (parent != null && cacheDirectories.contains(parent) && !Files.isDirectory(parent)) {
                throw new NoSuchFileException(parent.toString());
            }
            if (parent != null) {
                Files.createDirectories(parent, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                OwnPaths.createDirectory(common);
            }
            OwnPaths.createDirectory(directory);
            opened(new MarkFile(directory, config.diskTimeoutMillis()), PageCaches.open(config));
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Catalog %s: cached metadata is not stored in %s, and none is cached after a restart", catalog, directory);
        }
    }

    private synchronized void opened(CrashMark listsMark, PageCache opened)
    {
        if (ended) {
            opened.close();
            return;
        }
        store = opened;
        mark = listsMark;
        maintenance.execute(this::maintain);
    }

    private synchronized void maintain()
    {
        PageCache opened = store;
        if (ended || opened == null) {
            return;
        }
        try {
            var unused = maintenance.schedule(this::maintain, stores ? MAINTAINED_MILLIS : RECOVERED_MILLIS, TimeUnit.MILLISECONDS);
            if (!stores) {
                if (opened.disks().stream().noneMatch(disk -> disk.health() == Health.OPENING)) {
                    stores = true;
                    metastore.storeIn(opened.blobs().orElseThrow(), root, requireNonNull(mark));
                    beside.forEach(part -> part.storeIn(opened.blobs().orElseThrow()));
                }
            }
            else if (System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
                flush(false);
            }
        }
        catch (RuntimeException e) {
            log.warn(e, "Catalog %s: cached metadata could not be stored", catalog);
        }
    }

    private void flush(boolean last)
    {
        boolean more = metastore.flush(last);
        for (StoredBesideMetadata part : beside) {
            more |= part.flush();
        }
        flushedNanos = System.nanoTime() - (more ? FLUSH_NANOS : 0);
    }

    private void close()
    {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(atExit);
        }
        catch (IllegalStateException e) {
            log.debug(e, "The process is already shutting down");
        }
        end();
    }

    private void end()
    {
        maintenance.shutdown();
        synchronized (this) {
            PageCache opened = store;
            if (ended || opened == null) {
                ended = true;
                return;
            }
            ended = true;
            try {
                if (stores) {
                    flush(true);
                }
            }
            catch (RuntimeException e) {
                log.warn(e, "Catalog %s: the latest cached metadata could not be stored", catalog);
            }
            finally {
                opened.close();
            }
        }
    }
}
