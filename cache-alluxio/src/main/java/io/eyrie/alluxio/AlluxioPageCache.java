// SPDX-License-Identifier: Apache-2.0
package io.eyrie.alluxio;

import alluxio.client.file.CacheContext;
import alluxio.client.file.cache.CacheManager;
import alluxio.client.file.cache.CacheManagerOptions;
import alluxio.client.file.cache.PageId;
import alluxio.client.file.cache.PageInfo;
import alluxio.client.file.cache.PageMetaStore;
import alluxio.client.file.cache.store.PageStoreDir;
import alluxio.conf.AlluxioProperties;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

/**
 * Alluxio's client cache, configured like Presto's default configuration of it. The module's README lists the guarantees of Eyrie's own engine that
 * it lacks.
 */
public final class AlluxioPageCache
        implements PageCache
{
    /* The defaults of Presto's AlluxioCacheConfig, where they differ from Alluxio's. */
    private static final long TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(60);
    private static final int TIMEOUT_THREADS = 64;
    /** The folder of a directory in which Alluxio stores pages. */
    private static final String PAGES = "LOCAL";
    /** Estimated memory that Alluxio uses for a page, if the page is its file's only one. */
    static final int BYTES_PER_PAGE = 640;
    /* More than one, so that a cache that was restored with too many pages shrinks. */
    private static final int EVICTIONS_PER_WRITE = 2;

    /* Alluxio has no lock on its directories. */
    private static final Set<Path> DIRECTORIES_IN_USE = Collections.synchronizedSet(new HashSet<>());

    private final List<Path> directories;
    private final CacheManager manager;
    private final PageMetaStore index;
    private final long pageSizeBytes;
    private final long capacityBytes;
    private final long mostPages;
    private final Counters counters = new Counters();
    private final AtomicBoolean closed = new AtomicBoolean();

    private AlluxioPageCache(List<Path> directories, PageCacheConfig config)
            throws IOException
    {
        this.directories = directories;
        pageSizeBytes = config.pageSizeBytes();
        capacityBytes = config.capacityBytes();
        mostPages = config.indexMemoryBytes() / BYTES_PER_PAGE;
        InstancedConfiguration alluxio = configuration(directories, config);
        CacheManagerOptions options = CacheManagerOptions.create(alluxio);
        index = PageMetaStore.create(options);
        manager = CacheManager.Factory.create(alluxio, options, index);
    }

    /**
     * Opens a cache and starts to restore the contents of an earlier one from its directories. Only the configuration's directories, capacity, page
     * size and index memory are used.
     *
     * @throws ConfigException if a setting is out of its range, or a directory is missing, used by another cache of this process, or could be changed
     *         by another user
     */
    public static AlluxioPageCache open(PageCacheConfig config)
    {
        config.validate();
        List<Path> directories = config.baseDirectories().stream().map(AlluxioPageCache::existing).distinct().toList();
        synchronized (DIRECTORIES_IN_USE) {
            for (Path directory : directories) {
                if (DIRECTORIES_IN_USE.contains(directory)) {
                    throw new ConfigException(
                            "baseDirectories",
                            directory.toString(),
                            "another cache of this process uses it",
                            "give every catalog with Alluxio's client its own directory");
                }
            }
            try {
                AlluxioPageCache cache = new AlluxioPageCache(directories, config);
                DIRECTORIES_IN_USE.addAll(directories);
                return cache;
            }
            catch (IOException | RuntimeException e) {
                throw new ConfigException("baseDirectories", directories.toString(), "Alluxio's client cannot use them: " + e, "make them writable");
            }
        }
    }

    @Override
    public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
    {
        return new AlluxioFile(this, version, source, context);
    }

    @Override
    public long pageSizeBytes()
    {
        return pageSizeBytes;
    }

    @Override
    public PageCacheStats stats()
    {
        return counters.snapshot(index.bytes(), index.numPages(), capacityBytes);
    }

    /** Whether all pages of an earlier run can be found. Until then some of them are misses, and no new pages are cached. */
    public boolean isRestored()
    {
        return manager.state() == CacheManager.State.READ_WRITE;
    }

    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            manager.close();
        }
        catch (Exception e) {
            throw new IllegalStateException("Alluxio's client failed to close", e);
        }
        finally {
            directories.forEach(DIRECTORIES_IN_USE::remove);
        }
    }

    boolean isClosed()
    {
        return closed.get();
    }

    /** Has Alluxio write a page. Alluxio bounds the bytes of its pages, but not their number: the least recently used ones are dropped for new ones. */
    boolean put(PageId id, byte[] page, CacheContext context)
    {
        boolean more = isRestored();
        for (int i = 0; more && i < EVICTIONS_PER_WRITE && index.numPages() >= mostPages; i++) {
            more = evict();
        }
        return manager.put(id, page, context);
    }

    private boolean evict()
    {
        PageStoreDir fullest = Collections.max(index.getStoreDirs(), Comparator.comparingLong(PageStoreDir::getCachedBytes));
        PageInfo victim;
        Lock lock = index.getLock().readLock();
        lock.lock();
        try {
            victim = index.evict(fullest);
        }
        finally {
            lock.unlock();
        }
        if (victim == null || !manager.delete(victim.getPageId())) {
            return false;
        }
        counters.indexEviction();
        return true;
    }

    CacheManager manager()
    {
        return manager;
    }

    Counters counters()
    {
        return counters;
    }

    private static InstancedConfiguration configuration(List<Path> directories, PageCacheConfig config)
    {
        String capacities = String.join(",", Collections.nCopies(directories.size(), Long.toString(config.capacityBytes() / directories.size())));
        Map<PropertyKey, Object> settings = Map.of(
                PropertyKey.USER_CLIENT_CACHE_ENABLED, true,
                PropertyKey.USER_CLIENT_CACHE_DIRS, directories.stream().map(Path::toString).collect(Collectors.joining(",")),
                PropertyKey.USER_CLIENT_CACHE_SIZE, capacities,
                PropertyKey.USER_CLIENT_CACHE_PAGE_SIZE, Integer.toString(config.pageSizeBytes()),
                PropertyKey.USER_CLIENT_CACHE_TIMEOUT_DURATION, Long.toString(TIMEOUT_MILLIS),
                PropertyKey.USER_CLIENT_CACHE_TIMEOUT_THREADS, TIMEOUT_THREADS);
        InstancedConfiguration alluxio = new InstancedConfiguration(new AlluxioProperties());
        settings.forEach((key, value) -> alluxio.set(key, value));
        return alluxio;
    }

    private static Path existing(Path directory)
    {
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new ConfigException("baseDirectories", directory.toString(), "it is not a writable directory",
                    "create it, or name another");
        }
        try {
            Path real = OwnPaths.resolveDirectory(directory);
            // accessible only by its owner, so that no other user reaches what Alluxio creates in it
            OwnPaths.createDirectory(real.resolve(PAGES));
            return real;
        }
        catch (UnsafePathException e) {
            throw new ConfigException("baseDirectories", directory.toString(), e.problem(), e.fix());
        }
        catch (IOException e) {
            throw new ConfigException("baseDirectories", directory.toString(), "it cannot be read: " + e.getMessage(), "name another");
        }
    }
}
