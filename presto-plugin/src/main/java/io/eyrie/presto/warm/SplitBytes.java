// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.store.WriteStats;
import io.eyrie.presto.ledger.MissReason;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Reads the bytes of a split chunk by chunk through the cache, and finds out whether they are cached then. For one thread. */
final class SplitBytes
{
    /*
     * Pace   Reads do not wait for fetches and writes of others: pages that find no free fetch, or the write buffer full, are not cached. A chunk
     *        during which that happens is read again after a pause, MOST_TRIES times in all; pages that are cached by then are not loaded again
     * Chunk  At least a page: the cache reads ahead of a stream of shorter reads, and what it reads ahead would count as found
     * End    Writes follow the reads. After the last read, up to MOST_WAITS pauses. If some data is not cached then, the disks declined it, or other
     *        data evicted it
     */
    private static final long CHUNK_BYTES = 2 << 20;
    private static final int MOST_TRIES = 20;
    private static final int MOST_WAITS = 100;

    private final Supplier<WarmedFile> opener;
    private final PageCache cache;
    private final long start;
    private final long end;
    private final byte[] buffer;
    private long position;
    private int tries;
    private int waits;
    private long declinedBefore;
    private @Nullable WarmedFile file;

    /** @param version the version in which the cache opened the file; empty if the file is not cached */
    record WarmedFile(FSDataInputStream stream, Optional<FileVersion> version)
    {}

    SplitBytes(Supplier<WarmedFile> opener, PageCache cache, long start, long length)
    {
        this.opener = requireNonNull(opener, "opener is null");
        this.cache = requireNonNull(cache, "cache is null");
        this.start = start;
        position = start;
        end = start + length;
        buffer = new byte[(int) Math.min(Math.max(CHUNK_BYTES, cache.pageSizeBytes()), length)];
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
            declinedBefore = declined();
            file = opener.get();
        }
        int length = (int) Math.min(buffer.length, end - position);
        long uncached = uncached();
        file.stream().readFully(position, buffer, 0, length);
        tries++;
        if (uncached() > uncached && tries < MOST_TRIES) {
            return false;
        }
        tries = 0;
        position += length;
        return true;
    }

    /** Returns whether to wait, and ask again after a pause, because bytes that were read are not cached yet. */
    boolean isSettling()
    {
        return isFinished() && !isCached() && waits++ < MOST_WAITS;
    }

    /** Returns why bytes that were read are not cached; empty if they are, or if the cache cannot know. */
    Optional<MissReason> lack()
    {
        return isCached() ? Optional.empty() : Optional.of(declined() > declinedBefore ? MissReason.NOT_WRITTEN : MissReason.EVICTED);
    }

    private boolean isCached()
    {
        WarmedFile read = file;
        return read == null || read.version().map(version -> cache.cachedBytes(version, start, end).orElse(Long.MAX_VALUE) >= end - start).orElse(
                true);
    }

    private long declined()
    {
        WriteStats writes = cache.stats().write();
        return writes.declinedWrites() + writes.busyWrites() + writes.failedWrites();
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
            file.stream().close();
        }
    }
}
