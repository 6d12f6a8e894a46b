// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import com.sun.management.ThreadMXBean;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the cost of a hit other than copying, on a store that reads without a lock. */
final class HotPathTest
{
    private static final int PAGE = 1 << 20;
    private static final int PAGES = 4;
    private static final int READS = 200;
    private static final byte[] CONTENT = randomBytes(1, PAGES * PAGE);
    private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TestingPageStore store = new TestingPageStore();
    private final ReadThroughPageCache cache = new ReadThroughPageCache(store, PageCacheConfig.builder().build());
    private final CachedFile file = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context());

    @BeforeEach
    void warmUp()
            throws IOException
    {
        byte[] buffer = new byte[CONTENT.length];
        file.readFully(0, buffer, 0, buffer.length);
        assertThat(Arrays.equals(buffer, CONTENT)).isTrue();
        awaitWrites(cache, PAGES);
    }

    @AfterEach
    void close()
    {
        file.close();
        cache.close();
    }

    @Test
    void hitAllocatesNothingThatGrowsWithTheRead()
            throws IOException
    {
        byte[] buffer = new byte[CONTENT.length];
        long[] perRead = new long[PAGES + 1];
        int[] lengths = {100, PAGE, 2 * PAGE, 3 * PAGE, 4 * PAGE};
        for (int i = 0; i < lengths.length; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int read = 0; read < READS; read++) {
                file.readFully(0, buffer, 0, lengths[i]);
            }
            perRead[i] = (threads.getCurrentThreadAllocatedBytes() - before) / READS;
        }
        // the store of this test allocates a slice and an outcome per page
        assertThat(perRead[1]).as("bytes a read: %s", Arrays.toString(perRead)).isLessThanOrEqualTo(perRead[0] + 64).isLessThan(1024);
        assertThat(perRead[4] - perRead[1]).as("bytes a read: %s", Arrays.toString(perRead)).isLessThan(3 * 512);
        assertThat(cache.stats().lookup().hits()).isEqualTo((1 + 1 + 2 + 3 + 4) * READS);
    }

    @Test
    void hitWaitsForNoOther()
            throws Exception
    {
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        store.setReadFault(key -> {
            if (first.getAndSet(false)) {
                within.countDown();
                awaitUninterrupted(gate);
            }
            return Optional.empty();
        });
        FutureTask<Void> slow = startRead(file, CONTENT, 0, 100);
        awaitUninterrupted(within);
        // all pages, including the one that is being read
        get(startRead(file, CONTENT, 0, CONTENT.length));
        assertThat(slow.isDone()).isFalse();
        gate.countDown();
        get(slow);
        assertThat(cache.stats().lookup().hits()).isEqualTo(PAGES + 1);
        assertThat(cache.stats().lookup().misses()).isEqualTo(PAGES);
    }
}
