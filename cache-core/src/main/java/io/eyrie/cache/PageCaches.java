// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheControl;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.thread.Threads;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens page caches, and shares one among all callers in this process that use the same directories. */
public final class PageCaches
{
    /** In disk timeouts. */
    private static final int PATIENCE = 2;
    private static final Object lock = new Object();
    // guarded by lock
    private static final List<SharedCache> open = new ArrayList<>();

    private PageCaches()
    {}

    /**
     * Opens the cache of a configuration, or returns another handle of it if it is already open in this process. The cache closes with its last
     * handle.
     *
     * @throws ConfigException if the operator has to change something: a setting out of range, or a directory that is missing, not writable, in
     *         use by another process, or in use by this process with other settings. A disk that is full, read-only or failing is not an error:
     *         it is taken out of service and tried again
     */
    public static PageCache open(PageCacheConfig config)
    {
        PageCacheConfig resolved = resolve(config);
        resolved.validate();
        synchronized (lock) {
            for (SharedCache shared : open) {
                if (shared.matches(resolved)) {
                    shared.acquire();
                    return new Handle(shared);
                }
            }
            SharedCache shared = SharedCache.open(resolved);
            open.add(shared);
            return new Handle(shared);
        }
    }

    private static void release(SharedCache shared, Handle handle)
    {
        synchronized (lock) {
            // closed under the lock, so that the next caller that opens the directories finds them free
            if (shared.release(handle)) {
                open.remove(shared);
            }
        }
    }

    private static void enforceLimits(SharedCache shared, Handle handle)
    {
        boolean all;
        synchronized (lock) {
            all = shared.isLastToEnforce(handle);
        }
        if (all) {
            shared.enforceLimits();
        }
    }

    /** Replaces different names of one directory by a single one. */
    private static PageCacheConfig resolve(PageCacheConfig config)
    {
        List<LinkedPath> paths = config.baseDirectories().stream().map(LinkedPath::new).toList();
        CountDownLatch resolving = new CountDownLatch(paths.size());
        for (LinkedPath path : paths) {
            Threads.SYSTEM.start("eyrie-page-directory-resolve", () -> {
                try {
                    path.follow();
                }
                finally {
                    resolving.countDown();
                }
            });
        }
        boolean unused = Threads.awaitUninterrupted(Threads.SYSTEM, resolving, PATIENCE * TimeUnit.MILLISECONDS.toNanos(config.diskTimeoutMillis()));
        return config.toBuilder().baseDirectories(paths.stream().map(LinkedPath::known).toList()).build();
    }

    /** Returns the real path of a cache directory; of one that is missing, the path that it had. */
    public static Path resolve(Path directory)
    {
        LinkedPath path = new LinkedPath(directory);
        path.follow();
        return path.known();
    }

    /** One caller's handle of a shared cache. */
    private static final class Handle
            implements PageCache
    {
        private final SharedCache shared;
        private final AtomicBoolean closed = new AtomicBoolean();

        Handle(SharedCache shared)
        {
            this.shared = shared;
        }

        @Override
        public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
        {
            return shared.cache().open(version, source, context);
        }

        @Override
        public PageCacheControl control()
        {
            return shared.cache().control();
        }

        @Override
        public void enforceLimits()
        {
            PageCaches.enforceLimits(shared, this);
        }

        @Override
        public Optional<BlobCache> blobs()
        {
            return Optional.of(shared.blobs());
        }

        @Override
        public boolean mayCache(Scope scope)
        {
            return shared.mayCache(scope);
        }

        @Override
        public AdmissionStats admissions()
        {
            return shared.admissions();
        }

        @Override
        public Map<PageTags, ScopeUsage> contents()
        {
            return shared.cache().contents();
        }

        @Override
        public List<DiskStatus> disks()
        {
            return shared.cache().disks();
        }

        @Override
        public OptionalLong cachedBytes(FileVersion version, long start, long end)
        {
            return shared.cache().cachedBytes(version, start, end);
        }

        @Override
        public long pageSizeBytes()
        {
            return shared.cache().pageSizeBytes();
        }

        @Override
        public PageCacheStats stats()
        {
            return shared.cache().stats();
        }

        @Override
        public void close()
        {
            if (closed.compareAndSet(false, true)) {
                release(shared, this);
            }
        }
    }
}
