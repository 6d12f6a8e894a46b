package io.eyrie.cache.page;

import com.sun.management.ThreadMXBean;
import io.eyrie.cache.config.PageCacheConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.start;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** What a hit costs beside the copying, over a store that reads without a lock. */
final class HotPathTest
{
    private static final int PAGE = 1 << 20;
    private static final int PAGES = 4;
    private static final int THREADS = 8;
    private static final int READS = 2000;
    private static final byte[] CONTENT = randomBytes(1, PAGES * PAGE);
    private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ReadThroughPageCache cache = new ReadThroughPageCache(new TestingPageStore(), PageCacheConfig.builder().build());
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
            for (int read = 0; read < READS / 10; read++) {
                file.readFully(0, buffer, 0, lengths[i]);
            }
            perRead[i] = (threads.getCurrentThreadAllocatedBytes() - before) / (READS / 10);
        }
        // the store that the test runs on makes a slice and an outcome a page of its own
        assertThat(perRead[1]).as("bytes a read: %s", Arrays.toString(perRead)).isLessThanOrEqualTo(perRead[0] + 64).isLessThan(1024);
        assertThat(perRead[4] - perRead[1]).as("bytes a read: %s", Arrays.toString(perRead)).isLessThan(3 * 512);
        assertThat(cache.stats().hits()).isEqualTo((1 + 1 + 2 + 3 + 4) * READS / 10);
    }

    @Test
    void hitsWaitForNobody()
            throws Exception
    {
        CountDownLatch ready = new CountDownLatch(THREADS);
        List<FutureTask<Long>> readers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread % PAGES;
            readers.add(start(() -> {
                byte[] buffer = new byte[8 << 10];
                ready.countDown();
                awaitUninterrupted(ready);
                // what the first hits load, link and stripe is not what a hit costs
                readHits(first, buffer);
                long before = waits();
                readHits(first, buffer);
                return waits() - before;
            }));
        }
        for (FutureTask<Long> reader : readers) {
            get(reader);
            assertThat(reader.get()).as("times that a reader waited").isZero();
        }
        assertThat(cache.stats().hits()).isEqualTo(2 * THREADS * READS);
        assertThat(cache.stats().misses()).isEqualTo(PAGES);
    }

    private void readHits(int firstPage, byte[] buffer)
            throws IOException
    {
        for (int read = 0; read < READS; read++) {
            file.readFully((long) (firstPage + read) % PAGES * PAGE + read, buffer, 0, buffer.length);
        }
    }

    private static long waits()
    {
        ThreadInfo info = threads.getThreadInfo(Thread.currentThread().getId());
        return info.getBlockedCount() + info.getWaitedCount();
    }
}
