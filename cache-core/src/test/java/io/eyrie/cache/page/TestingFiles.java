// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.store.TestingPageStore;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Small pages, files to read through them, and checks that hold for every idle cache. */
final class TestingFiles
{
    static final int PAGE = 64 << 10;
    static final int GRANULE = TestingPageStore.GRANULE_BYTES;
    static final int FETCH_PAGES = 4;
    static final Scope SCOPE = new Scope("hive", "web", "clicks", "ds=2026-11-20");

    private TestingFiles()
    {}

    static PageCacheConfig.Builder config()
    {
        return PageCacheConfig.builder()
                .pageSizeBytes(PAGE)
                .maxFetchBytes(FETCH_PAGES * PAGE)
                .mergeGapBytes(0)
                .writeBufferBytes(16 << 20)
                .fetchThreads(8)
                .fetchWaitMillis(60_000);
    }

    static FileVersion version(byte[] bytes, long modifiedMillis)
    {
        return new FileVersion(StoreId.shared("s3://bucket"), "/web/clicks/1.orc", bytes.length, modifiedMillis, Optional.empty());
    }

    static ReadContext context(CacheMode mode, ReadListener listener)
    {
        return new ReadContext(SCOPE, mode, listener);
    }

    static ReadContext context()
    {
        return context(CacheMode.READ_WRITE, ReadListener.NOOP);
    }

    static TestingSource.Range pages(int first, int count)
    {
        return new TestingSource.Range((long) first * PAGE, count * PAGE);
    }

    static TestingSource.Range granules(int first, int count)
    {
        return new TestingSource.Range((long) first * GRANULE, count * GRANULE);
    }

    /** Reads a range and checks every byte of it. */
    static void readAndCheck(CachedFile file, byte[] content, int position, int length)
            throws IOException
    {
        byte[] buffer = new byte[length + 2];
        int expected = Math.min(length, content.length - position);
        assertThat(file.read(position, buffer, 1, length)).isEqualTo(expected);
        assertThat(Arrays.equals(buffer, 1, 1 + expected, content, position, position + expected)).as("bytes of %s+%s", position, length).isTrue();
        assertThat(buffer[0]).isZero();
        assertThat(buffer[length + 1]).isZero();
    }

    /** Waits until {@code count} ranges of granules have been written, or declined for any reason. */
    static void awaitWrites(PageCache cache, long count)
    {
        eventually(count + " ranges written", () -> endedWrites(cache) >= count);
        assertThat(endedWrites(cache)).isEqualTo(count);
    }

    private static long endedWrites(PageCache cache)
    {
        PageCacheStats stats = cache.stats();
        return stats.write().writes() + stats.write().declinedWrites() + stats.write().staleWrites() + stats.write().busyWrites() + stats.write()
                .failedWrites();
    }

    static void checkSums(PageCacheStats stats)
    {
        assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(stats.lookup()
                .lookups());
    }
}
