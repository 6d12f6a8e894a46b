package io.eyrie.cache;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheControl;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadThroughPageCache;
import io.eyrie.cache.segment.SegmentPageStore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens page caches, and shares one among all callers of this process that name the same directories. */
public final class PageCaches
{
    private static final int BLOBS_IN_WRITE_BUFFER = 8;
    private static final int MAX_BLOB_BYTES = 64 << 20;
    private static final Object lock = new Object();
    // guarded by lock
    private static final List<Shared> open = new ArrayList<>();

    private PageCaches()
    {}

    /**
     * Opens the cache that a configuration describes, or another handle of it if it is open already in this process.
     * It closes when the last of its handles does.
     *
     * @throws ConfigException about what the operator has to change: a setting out of its range,
     *         a directory that is missing, not writable, in use by another process, or in use by this one with
     *         other settings. A disk that is full, read-only or failing is no error: it is taken out of service and tried again.
     */
    public static PageCache open(PageCacheConfig config)
    {
        PageCacheConfig resolved = resolve(config);
        resolved.validate();
        synchronized (lock) {
            for (Shared shared : open) {
                if (shared.matches(resolved)) {
                    shared.handles++;
                    return new Handle(shared);
                }
            }
            Shared shared = new Shared(resolved, new ReadThroughPageCache(SegmentPageStore.open(resolved), resolved));
            open.add(shared);
            return new Handle(shared);
        }
    }

    private static void release(Shared shared)
    {
        synchronized (lock) {
            shared.handles--;
            if (shared.handles == 0) {
                // closed under the lock, so that whoever opens the directories next finds them free
                open.remove(shared);
                shared.cache.close();
            }
        }
    }

    /** Two names of one directory become one. */
    private static PageCacheConfig resolve(PageCacheConfig config)
    {
        return config.toBuilder()
                .baseDirectories(config.baseDirectories().stream().map(PageCaches::resolve).toList())
                .build();
    }

    private static Path resolve(Path directory)
    {
        try {
            return directory.toRealPath();
        }
        catch (IOException e) {
            // missing, which opening it will say
            return directory.toAbsolutePath().normalize();
        }
    }

    private static final class Shared
    {
        private final PageCacheConfig config;
        private final PageCache cache;
        private final BlobCache blobs;
        private int handles = 1;

        Shared(PageCacheConfig config, ReadThroughPageCache cache)
        {
            this.config = config;
            this.cache = cache;
            blobs = new StoreBlobCache(
                    cache.store(),
                    cache.writer(),
                    config.pageSizeBytes(),
                    (int) Math.min(MAX_BLOB_BYTES, config.writeBufferBytes() / BLOBS_IN_WRITE_BUFFER));
        }

        /** Whether this is the cache that another configuration means; a failure if it cannot be, but has a directory of it. */
        boolean matches(PageCacheConfig other)
        {
            List<Path> common = config.baseDirectories().stream().filter(other.baseDirectories()::contains).toList();
            if (common.isEmpty()) {
                return false;
            }
            if (!new HashSet<>(config.baseDirectories()).equals(new HashSet<>(other.baseDirectories()))) {
                throw conflict(common.get(0), "baseDirectories", config.baseDirectories(), other.baseDirectories());
            }
            Map<String, String> ours = config.settings();
            other.settings().forEach((key, value) -> {
                String ourValue = ours.get(key);
                if (!value.equals(ourValue)) {
                    throw conflict(common.get(0), key, String.valueOf(ourValue), value);
                }
            });
            return true;
        }

        private static ConfigException conflict(Path directory, String key, Object value, Object otherValue)
        {
            return new ConfigException(
                    key,
                    otherValue.toString(),
                    directory + " is in use in this process with " + key + " = " + value,
                    "set the same value wherever that directory is named, or name different directories");
        }
    }

    /** What one caller holds of a shared cache. */
    private static final class Handle
            implements PageCache
    {
        private final Shared shared;
        private final AtomicBoolean closed = new AtomicBoolean();

        Handle(Shared shared)
        {
            this.shared = shared;
        }

        @Override
        public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
        {
            return shared.cache.open(version, source, context);
        }

        @Override
        public PageCacheControl control()
        {
            return shared.cache.control();
        }

        @Override
        public Optional<BlobCache> blobs()
        {
            return Optional.of(shared.blobs);
        }

        @Override
        public long pageSizeBytes()
        {
            return shared.cache.pageSizeBytes();
        }

        @Override
        public PageCacheStats stats()
        {
            return shared.cache.stats();
        }

        @Override
        public void close()
        {
            if (closed.compareAndSet(false, true)) {
                release(shared);
            }
        }
    }
}
