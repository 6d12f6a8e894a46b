package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.eyrie.alluxio.AlluxioPageCache;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.config.CacheEngine;

import javax.annotation.PreDestroy;

/** The page cache from the catalog's start to its end, which airlift's life cycle announces. */
final class PageCacheLife
{
    private final PageCache cache;

    @Inject
    PageCacheLife(PageCacheConfig config, CacheEngine engine)
    {
        cache = switch (engine) {
            case EYRIE -> PageCaches.open(config);
            case ALLUXIO_CLIENT -> AlluxioPageCache.open(config);
        };
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
