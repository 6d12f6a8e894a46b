package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;

import javax.annotation.PreDestroy;

/** The page cache from the catalog's start to its end, which airlift's life cycle announces. */
final class PageCacheLife
{
    private final PageCache cache;

    @Inject
    PageCacheLife(PageCacheConfig config)
    {
        cache = PageCaches.open(config);
    }

    PageCache cache()
    {
        return cache;
    }

    @PreDestroy
    void close()
    {
        cache.close();
    }
}
