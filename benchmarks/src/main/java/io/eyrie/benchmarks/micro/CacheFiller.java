// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cli.console.ReportedException;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Fills a cache with data until reading it sends no requests to the remote store. */
final class CacheFiller
{
    private static final int STEP_BYTES = 1 << 20;
    private static final int MOST_ROUNDS = 100;
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SMALL_BATCH = 1024;

    private CacheFiller()
    {}

    /** Reads a file through repeatedly until two rounds sent no requests, so that all background writes have ended. Checks every byte. */
    static void fill(CachedFile cached, SyntheticFile file)
            throws IOException
    {
        int quietRounds = 0;
        for (int round = 0; quietRounds < 2; round++) {
            if (round == MOST_ROUNDS) {
                throw new ReportedException("The cache does not keep " + cached.version().path());
            }
            long before = file.requests();
            readThrough(cached, file);
            quietRounds = file.requests() == before ? quietRounds + 1 : 0;
            LockSupport.parkNanos(SETTLE_NANOS);
        }
    }

    static void readThrough(CachedFile cached, SyntheticFile file)
            throws IOException
    {
        byte[] buffer = new byte[Math.min(STEP_BYTES, file.lengthBytes())];
        for (int position = 0; position < file.lengthBytes(); position += buffer.length) {
            int length = Math.min(buffer.length, file.lengthBytes() - position);
            if (cached.read(position, buffer, 0, length) != length || !file.has(position, buffer, length)) {
                throw new ReportedException("Wrong bytes at " + position + " of " + cached.version().path());
            }
        }
    }

    /** Returns the small file of a number: one page, a few hundred bytes. */
    static SyntheticFile small(int number)
    {
        return new SyntheticFile("/small/" + number, 512);
    }

    /** Reads {@code count} small files of one page each into a cache. */
    static void fillSmall(PageCache cache, int count)
            throws IOException
    {
        byte[] buffer = new byte[small(0).lengthBytes()];
        for (int round = 0; cache.stats().store().currentPages() < count; round++) {
            if (round == MOST_ROUNDS) {
                throw new ReportedException("The cache keeps " + cache.stats().store().currentPages() + " of " + count + " pages");
            }
            for (int number = 0; number < count; number++) {
                try (CachedFile cached = small(number).open(cache)) {
                    cached.readFully(0, buffer, 0, buffer.length);
                }
                if (number % SMALL_BATCH == 0) {
                    awaitPages(cache, round == 0 ? number : count);
                }
            }
            awaitPages(cache, count);
        }
    }

    /** Waits until {@code count} pages are cached or their number stops growing. */
    private static void awaitPages(PageCache cache, long count)
    {
        long before = -1;
        for (long now = cache.stats().store().currentPages(); now < count && now > before; now = cache.stats().store().currentPages()) {
            before = now;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
