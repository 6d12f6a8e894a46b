// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.alluxio.AlluxioPageCache;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The cache that is measured. */
public enum CacheVariant
{
    /** Eyrie's engine, as {@code cache.type=EYRIE} uses it. */
    EYRIE {
        @Override
        PageCache open(PageCacheConfig config)
        {
            return PageCaches.open(config);
        }
    },
    /** Alluxio's client cache, as {@code cache.type=ALLUXIO_CLIENT} uses it, after its restore. */
    ALLUXIO {
        @Override
        PageCache open(PageCacheConfig config)
        {
            AlluxioPageCache cache = AlluxioPageCache.open(config);
            while (!cache.isRestored()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            return cache;
        }
    },
    /** A local copy of the file, read by position from one open channel, unverified: no cache on a disk can be faster. */
    RAW {
        @Override
        PageCache open(PageCacheConfig config)
        {
            return new RawFiles(config.baseDirectories().get(0), config.pageSizeBytes());
        }
    };

    /* As long as Alluxio's client waits; on a machine that stalls, reads would otherwise be refused, and hits are to be measured. */
    private static final long DISK_TIMEOUT_MILLIS = TimeUnit.MINUTES.toMillis(1);

    abstract PageCache open(PageCacheConfig config);

    /** Opens a cache in an existing directory. */
    public PageCache open(Path directory, long capacityBytes, int pageSizeBytes)
    {
        return open(PageCacheConfig.builder()
                .baseDirectories(List.of(directory))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(pageSizeBytes)
                .minFreeSpaceBytes(0)
                .diskTimeoutMillis(DISK_TIMEOUT_MILLIS)
                .build());
    }

    /** Returns the peer's name in results. */
    String peerName()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
