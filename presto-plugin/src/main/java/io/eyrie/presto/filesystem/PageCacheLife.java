// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.eyrie.alluxio.AlluxioPageCache;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.Savings;

import javax.annotation.PreDestroy;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Opens the page cache when the catalog starts. Closes it when airlift's life cycle ends, or when the process exits, which a server does without
 * ending the life cycle.
 */
final class PageCacheLife
{
    private static final System.Logger logger = System.getLogger(PageCacheLife.class.getName());
    private static final LimitedLog failures = new LimitedLog(PageCacheLife.class, Level.WARNING);

    private final PageCache cache;
    private final Savings savings;
    private final ScheduledExecutorService maintenance = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(null, task, "eyrie-savings", 0, false);
        thread.setDaemon(true);
        return thread;
    });
    private final Thread atExit;

    @Inject
    PageCacheLife(PageCacheConfig config, CacheEngine engine, Ledger ledger, CatalogName catalog)
    {
        savings = ledger.savings();
        cache = switch (engine) {
            case EYRIE -> PageCaches.open(config);
            case ALLUXIO_CLIENT -> AlluxioPageCache.open(config);
        };
        long openedNanos = System.nanoTime();
        cache.blobs().ifPresent(blobs -> savings.storeIn(
                blobs, catalog.name(), () -> DiskStatus.areRecovered(cache.disks(), Duration.ofNanos(System.nanoTime() - openedNanos))));
        Future<?> unused = maintenance.scheduleWithFixedDelay(this::maintain, 1, 1, TimeUnit.SECONDS);
        // without this, pages that are not on the disks yet would be lost
        atExit = new Thread(null, this::end, "eyrie-page-cache-exit", 0, false);
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
        end();
    }

    private void maintain()
    {
        try {
            savings.maintain();
        }
        catch (RuntimeException e) {
            failures.log("The savings cannot be stored in the cache, or restored from it", e);
        }
    }

    private void end()
    {
        maintenance.shutdown();
        try {
            savings.save();
        }
        catch (RuntimeException e) {
            failures.log("The latest savings are lost: they cannot be stored in the cache", e);
        }
        finally {
            cache.close();
        }
    }
}
