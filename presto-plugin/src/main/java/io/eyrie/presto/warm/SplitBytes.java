// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Reads the bytes of a split chunk by chunk through the cache. For one thread. */
final class SplitBytes
{
    /*
     * Pace   Reads do not wait for fetches and writes of others: pages that find no free fetch, or the write buffer full, are not cached. A chunk
     *        during which that happens is read again after a pause, MOST_TRIES times in all; pages that are cached by then are not loaded again
     */
    private static final int CHUNK_BYTES = 2 << 20;
    private static final int MOST_TRIES = 20;

    private final Supplier<FSDataInputStream> opener;
    private final PageCache cache;
    private final long end;
    private final byte[] buffer;
    private long position;
    private int tries;
    private @Nullable FSDataInputStream file;

    SplitBytes(Supplier<FSDataInputStream> opener, PageCache cache, long start, long length)
    {
        this.opener = requireNonNull(opener, "opener is null");
        this.cache = requireNonNull(cache, "cache is null");
        position = start;
        end = start + length;
        buffer = new byte[(int) Math.min(CHUNK_BYTES, length)];
    }

    boolean isFinished()
    {
        return position >= end;
    }

    /** Reads the next chunk; false if it must be read again after a pause, because not all of it was cached. */
    boolean next()
            throws IOException
    {
        if (file == null) {
            file = opener.get();
        }
        int length = (int) Math.min(buffer.length, end - position);
        long uncached = uncached();
        file.readFully(position, buffer, 0, length);
        tries++;
        if (uncached() > uncached && tries < MOST_TRIES) {
            return false;
        }
        tries = 0;
        position += length;
        return true;
    }

    /* Returns how often data was read and not cached for lack of resources. */
    private long uncached()
    {
        PageCacheStats stats = cache.stats();
        return stats.write().busyWrites() + stats.fetch().fetchRejections() + stats.fetch().fileFetchRejections() + stats.fetch()
                .fetchMemoryRejections();
    }

    int bufferBytes()
    {
        return buffer.length;
    }

    void close()
            throws IOException
    {
        if (file != null) {
            file.close();
        }
    }
}
