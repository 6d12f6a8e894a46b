package io.eyrie.cache.disk;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DirectoryOwnedException;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageStore;
import io.eyrie.cache.page.PageStoreStats;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.ReadOutcome;
import io.eyrie.cache.page.WriteOutcome;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps each page in a file of its own, in one of several base directories, each of which fails alone. A page
 * survives the process, not necessarily the power. A granule is a whole page. Without invalidation, quotas and resizing.
 */
public final class DiskPageStore
        implements PageStore
{
    /*
     * Placement   rendezvous hashing of the page's key: a directory more or less moves its share of the pages alone. The
     *             directories out of service keep theirs.
     * Threads     a daemon a directory scans it at open and tries it again while it is out of service
     * Left out    moving pages, recency over restarts, anything less than a file a page
     */
    private static final System.Logger logger = System.getLogger(DiskPageStore.class.getName());
    private static final long LOAD_WAIT_MILLIS = 1000;
    private static final long LOAD_END_SECONDS = 10;

    private final PageDirectory[] directories;
    private final long[] seeds;
    private final int pageSizeBytes;
    private final long capacityBytes;
    private final ScheduledThreadPoolExecutor keeper;

    private DiskPageStore(List<PageDirectory> directories, PageCacheConfig config)
    {
        this.directories = directories.toArray(PageDirectory[]::new);
        seeds = directories.stream().mapToLong(directory -> seed(directory.base())).toArray();
        pageSizeBytes = config.pageSizeBytes();
        capacityBytes = config.capacityBytes();
        keeper = new ScheduledThreadPoolExecutor(directories.size(), task -> {
            Thread thread = new Thread(null, task, "eyrie-page-directories", 0, false);
            thread.setDaemon(true);
            return thread;
        });
        keeper.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Takes the base directories and finds the pages in them. Large ones are scanned in the background; until it is done,
     * reads are answered, and writes declined.
     *
     * @throws ConfigException if a directory is no directory, not writable or owned by someone else, or if all are missing
     */
    public static DiskPageStore open(PageCacheConfig config)
    {
        return open(config, new LocalVolume());
    }

    static DiskPageStore open(PageCacheConfig config, Volume volume)
    {
        config.validate();
        List<PageDirectory> directories = config.baseDirectories().stream()
                .map(base -> new PageDirectory(base, config, volume))
                .toList();
        boolean acquired = false;
        try {
            acquire(directories);
            acquired = true;
        }
        finally {
            if (!acquired) {
                directories.forEach(PageDirectory::close);
            }
        }
        DiskPageStore store = new DiskPageStore(directories, config);
        store.start(config.probeIntervalMillis());
        return store;
    }

    private static void acquire(List<PageDirectory> directories)
    {
        List<Path> missing = new ArrayList<>();
        for (PageDirectory directory : directories) {
            Path base = directory.base();
            try {
                directory.acquire();
            }
            catch (NoSuchFileException e) {
                missing.add(base);
            }
            catch (NotDirectoryException e) {
                throw configException(base, "it is not a directory", "name a directory");
            }
            catch (AccessDeniedException e) {
                throw configException(base, "user " + System.getProperty("user.name") + " may not write to it (" + e.getMessage() + ")",
                        "give that user the directory, or name another");
            }
            catch (DirectoryOwnedException e) {
                throw configException(base, "it is in use by " + e.owner(), "name a directory of its own for each process, or end that one");
            }
            catch (IOException e) {
                logger.log(Level.ERROR, "Page directory " + base + " is out of service: opening it failed. It is tried again", e);
            }
        }
        if (missing.size() == directories.size()) {
            throw configException(missing.get(0), "there is no such directory", "create it, or name another");
        }
        for (Path base : missing) {
            logger.log(Level.ERROR, () -> "Page directory " + base + " is out of service: there is no such directory. It is looked for again");
        }
    }

    private static ConfigException configException(Path base, String problem, String fix)
    {
        return new ConfigException("baseDirectories", base.toString(), problem, fix);
    }

    private void start(long probeIntervalMillis)
    {
        CountDownLatch loading = new CountDownLatch(directories.length);
        for (PageDirectory directory : directories) {
            keeper.execute(() -> {
                try {
                    if (!directory.isOutOfService()) {
                        directory.load();
                    }
                }
                finally {
                    loading.countDown();
                }
            });
        }
        for (PageDirectory directory : directories) {
            ScheduledFuture<?> unused = keeper.scheduleWithFixedDelay(directory::heal, probeIntervalMillis, probeIntervalMillis,
                    TimeUnit.MILLISECONDS);
        }
        try {
            // a small cache writes from the first read on
            if (!loading.await(LOAD_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                logger.log(Level.INFO, "Page directories are still being scanned; until then nothing new is cached");
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target)
    {
        if (offsetInPage < 0 || (long) offsetInPage + target.remaining() > pageSizeBytes) {
            throw new IllegalArgumentException("range " + offsetInPage + "+" + target.remaining() + " is not within a page of " + pageSizeBytes);
        }
        return directory(key).read(key, offsetInPage, target);
    }

    @Override
    public int granuleSizeBytes()
    {
        return pageSizeBytes;
    }

    @Override
    public int devices()
    {
        return directories.length;
    }

    @Override
    public int device(PageKey key)
    {
        int best = 0;
        if (directories.length > 1) {
            long page = mix(key.hashHigh() ^ mix(key.hashLow() ^ mix(key.pageNumber())));
            long bestScore = mix(page ^ seeds[0]);
            for (int i = 1; i < seeds.length; i++) {
                long score = mix(page ^ seeds[i]);
                if (score > bestScore) {
                    best = i;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    @Override
    public long presentGranules(PageKey key, int firstGranule)
    {
        return firstGranule == 0 && directory(key).contains(key) ? 1 : 0;
    }

    @Override
    public long epoch()
    {
        return 0;
    }

    @Override
    public WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, long epoch)
    {
        if (pageLengthBytes <= 0 || pageLengthBytes > pageSizeBytes || offsetInPage != 0 || granules.remaining() != pageLengthBytes) {
            throw new IllegalArgumentException(offsetInPage + "+" + granules.remaining() + " is not a whole page of " + pageLengthBytes);
        }
        return directory(key).write(key, tags.scope(), granules);
    }

    @Override
    public void invalidateFile(PageKey anyPageOfIt)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void invalidate(Scope scope)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setQuota(Scope scope, long bytes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeQuota(Scope scope)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<Scope, Long> quotas()
    {
        return Map.of();
    }

    @Override
    public void resize(long newCapacityBytes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void remove(PageKey key)
    {
        directory(key).remove(key);
    }

    @Override
    public PageStoreStats stats()
    {
        long evictions = 0;
        long incompatibleDrops = 0;
        long currentBytes = 0;
        long currentPages = 0;
        int outOfService = 0;
        for (PageDirectory directory : directories) {
            evictions += directory.evictions();
            incompatibleDrops += directory.incompatibleDrops();
            currentBytes += directory.currentBytes();
            currentPages += directory.currentPages();
            outOfService += directory.isOutOfService() ? 1 : 0;
        }
        return new PageStoreStats(evictions, incompatibleDrops, currentBytes, currentPages, capacityBytes, outOfService);
    }

    @Override
    public void close()
    {
        keeper.shutdown();
        for (PageDirectory directory : directories) {
            directory.close();
        }
        try {
            if (!keeper.awaitTermination(LOAD_END_SECONDS, TimeUnit.SECONDS)) {
                logger.log(Level.WARNING, "A scan of a page directory does not end");
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PageDirectory directory(PageKey key)
    {
        return directories[device(key)];
    }

    private static long seed(Path base)
    {
        long seed = 0;
        for (char c : base.toString().toCharArray()) {
            seed = mix(seed + c + 1);
        }
        return seed;
    }

    /** Spreads the bits of a number: the finalizer of Stafford's variant 13 of MurmurHash3's mixer. */
    private static long mix(long value)
    {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
