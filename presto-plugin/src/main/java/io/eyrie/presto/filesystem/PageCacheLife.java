// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.eyrie.alluxio.AlluxioPageCache;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.config.CacheEngine;

import javax.annotation.PreDestroy;

import java.lang.System.Logger.Level;

/**
 * Opens the page cache when the catalog starts. Closes it when airlift's life cycle ends, or when the process exits, which a server does without
 * ending the life cycle.
 */
final class PageCacheLife
{
    private static final System.Logger logger = System.getLogger(PageCacheLife.class.getName());

    private final PageCache cache;
    private final Thread atExit;

    @Inject
    PageCacheLife(PageCacheConfig config, CacheEngine engine)
    {
        cache = switch (engine) {
            case EYRIE -> PageCaches.open(config);
            case ALLUXIO_CLIENT -> AlluxioPageCache.open(config);
        };
        // without this, pages that are not on the disks yet would be lost
        atExit = new Thread(null, cache::close, "eyrie-page-cache-exit", 0, false);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    PageCache cache()
    {
        return cache;
    }

    @PreDestroy
    void close()
    {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(atExit);
        }
        catch (IllegalStateException e) {
            logger.log(Level.DEBUG, "The process is already shutting down", e);
        }
        cache.close();
    }
}
