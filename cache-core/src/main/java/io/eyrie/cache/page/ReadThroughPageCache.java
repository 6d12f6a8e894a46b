package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;

import java.util.concurrent.atomic.AtomicBoolean;

import static java.util.Objects.requireNonNull;

/** Reads through any {@link PageStore}: what it has is served, what it lacks is fetched once and handed to it. */
public final class ReadThroughPageCache
        implements PageCache
{
    private static final long FETCH_END_SECONDS = 10;
    private static final long WRITE_END_SECONDS = 60;

    private final PageStore store;
    private final PageCacheConfig config;
    private final CacheCounters counters = new CacheCounters();
    private final Fetches fetches;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Makes a cache over a store, which it closes. Of the configuration it uses what is not about directories. */
    public ReadThroughPageCache(PageStore store, PageCacheConfig config)
    {
        this.store = requireNonNull(store, "store is null");
        this.config = config;
        fetches = new Fetches(store, counters, config);
    }

    @Override
    public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
    {
        return new PagedFile(this, version, source, context);
    }

    @Override
    public long pageSizeBytes()
    {
        return config.pageSizeBytes();
    }

    @Override
    public PageCacheStats stats()
    {
        return counters.snapshot(store.stats());
    }

    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            fetches.close(FETCH_END_SECONDS, WRITE_END_SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        finally {
            store.close();
        }
    }

    PageStore store()
    {
        return store;
    }

    PageCacheConfig config()
    {
        return config;
    }

    CacheCounters counters()
    {
        return counters;
    }

    Fetches fetches()
    {
        return fetches;
    }
}
