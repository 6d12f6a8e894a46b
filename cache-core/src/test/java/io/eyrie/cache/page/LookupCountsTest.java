// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.checkSums;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that hits and misses of a reader are pages, and that their bytes add up to what it requested. */
final class LookupCountsTest
{
    private static final int PAGES = 16;
    private static final byte[] CONTENT = randomBytes(1, PAGES * PAGE);

    private final ReadThroughPageCache cache = new ReadThroughPageCache(new TestingPageStore(), config().maxFetchBytes(PAGES * PAGE).build());

    /** The sums of a reader's notifications. */
    private static final class Sums
            implements ReadListener
    {
        private long hits;
        private long hitBytes;
        private long misses;
        private long missBytes;

        @Override
        public synchronized void onCacheRead(int pages, long bytes, long nanos)
        {
            hits += pages;
            hitBytes += bytes;
        }

        @Override
        public synchronized void onMiss(MissCause cause, long bytes)
        {
            misses++;
            missBytes += bytes;
        }

        private synchronized void expect(long expectedHits, long expectedHitBytes, long expectedMisses, long expectedMissBytes)
        {
            assertThat(new long[] {hits, hitBytes, misses, missBytes}).containsExactly(expectedHits, expectedHitBytes, expectedMisses,
                    expectedMissBytes);
        }
    }

    @AfterEach
    void close()
    {
        cache.close();
        checkSums(cache.stats());
    }

    private void read(Sums sums, int position, int length)
            throws IOException
    {
        try (CachedFile file = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context(CacheMode.READ_WRITE, sums))) {
            readAndCheck(file, CONTENT, position, length);
        }
    }

    @Test
    void readOfManyPages()
            throws IOException
    {
        Sums sums = new Sums();
        read(sums, 0, CONTENT.length);
        awaitWrites(cache, PAGES);
        for (int i = 0; i < 9; i++) {
            read(sums, 0, CONTENT.length);
        }
        sums.expect(9 * PAGES, 9L * CONTENT.length, PAGES, CONTENT.length);
        assertThat(cache.stats().lookup().hits()).isEqualTo(9 * PAGES);
    }

    @Test
    void readThatBeginsAndEndsWithinPages()
            throws IOException
    {
        Sums sums = new Sums();
        read(sums, GRANULE, 2 * PAGE);
        awaitWrites(cache, 3);
        sums.expect(0, 0, 3, 2 * PAGE);
        read(sums, GRANULE + 1, 2 * PAGE - 2);
        sums.expect(3, 2 * PAGE - 2, 3, 2 * PAGE);
        assertThat(cache.stats().lookup().hits()).isEqualTo(3);
    }

    @Test
    void pagesOfWhichAPartIsPresent()
            throws IOException
    {
        Sums first = new Sums();
        read(first, PAGE, PAGE + GRANULE);
        awaitWrites(cache, 2);
        Sums sums = new Sums();
        read(sums, PAGE, 3 * PAGE);
        sums.expect(1, PAGE + GRANULE, 2, 2 * PAGE - GRANULE);
    }

    @Test
    void readersOfTheSameColdPage()
            throws Exception
    {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> {
            arrived.countDown();
            awaitUninterrupted(gate);
        });
        Sums first = new Sums();
        Sums second = new Sums();
        try (CachedFile file = cache.open(version(CONTENT, 1), gated, context(CacheMode.READ_WRITE, first));
                CachedFile other = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context(CacheMode.READ_WRITE, second))) {
            FutureTask<Void> loading = startRead(file, CONTENT, 0, PAGE);
            awaitUninterrupted(arrived);
            FutureTask<Void> waiting = startRead(other, CONTENT, 0, PAGE);
            eventually("the second reader waits", () -> cache.stats().fetch().coalescedWaits() == 1);
            gate.countDown();
            get(loading);
            get(waiting);
        }
        first.expect(0, 0, 1, PAGE);
        second.expect(0, PAGE, 1, 0);
    }
}
