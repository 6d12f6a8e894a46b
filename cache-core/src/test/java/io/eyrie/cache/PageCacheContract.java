// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.TestingSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The contract of every page cache on local disks, whatever it fetches and caches. */
public abstract class PageCacheContract
{
    protected static final int PAGE = 64 << 10;
    private static final byte[] CONTENT = randomBytes(7, 5 * PAGE + 1000);
    private static final FileVersion VERSION = version(1, "e1");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private PageCache cache;

    /**
     * Opens a cache with pages of {@link #PAGE} bytes and capacity for a hundred. It must be ready to serve and to cache pages; the directory may
     * contain an earlier cache.
     */
    protected abstract PageCache open(Path existingDirectory)
            throws IOException;

    @BeforeEach
    void openCache()
            throws IOException
    {
        cache = open(directory);
    }

    @AfterEach
    void checkAndClose()
    {
        PageCacheStats stats = cache.stats();
        assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(stats.lookup()
                .lookups());
        cache.close();
        cache.close();
    }

    private static FileVersion version(long modifiedMillis, String etag)
    {
        return new FileVersion(StoreId.shared("s3"), "/t/1.orc", CONTENT.length, modifiedMillis, Optional.of(etag));
    }

    private static ReadContext context(CacheMode mode)
    {
        return new ReadContext(new Scope("hive", "s", "t", ""), mode, ReadListener.NOOP);
    }

    private CachedFile open(TestingSource source, CacheMode mode)
    {
        return cache.open(VERSION, source, context(mode));
    }

    private void fill()
            throws IOException
    {
        try (CachedFile file = open(new TestingSource(CONTENT), CacheMode.READ_WRITE)) {
            check(file, 0, CONTENT.length);
        }
        eventually("all pages are kept", () -> cache.stats().store().currentPages() == 6);
    }

    private static void check(CachedFile file, int position, int length)
            throws IOException
    {
        byte[] buffer = new byte[length + 2];
        int expected = Math.min(length, CONTENT.length - position);
        assertThat(file.read(position, buffer, 1, length)).isEqualTo(expected);
        assertThat(Arrays.equals(buffer, 1, 1 + expected, CONTENT, position, position + expected)).as("bytes of %s+%s", position, length).isTrue();
        assertThat(buffer[0]).isZero();
        assertThat(buffer[length + 1]).isZero();
    }

    @Test
    void anyRangeColdAndWarm()
            throws IOException
    {
        Random random = new Random(3);
        try (CachedFile file = open(new TestingSource(CONTENT), CacheMode.READ_WRITE)) {
            for (int i = 0; i < 300; i++) {
                check(file, random.nextInt(CONTENT.length), 1 + random.nextInt(3 * PAGE));
            }
        }
    }

    @Test
    void warmReadAsksNothing()
            throws IOException
    {
        fill();
        TestingSource source = new TestingSource(CONTENT);
        PageCacheStats before = cache.stats();
        try (CachedFile file = open(source, CacheMode.READ_WRITE)) {
            check(file, 0, CONTENT.length);
        }
        assertThat(source.takeRanges()).isEmpty();
        assertThat(source.closes()).isEqualTo(1);
        assertThat(cache.stats().lookup().hits() - before.lookup().hits()).isEqualTo(6);
        assertThat(cache.stats().lookup().hitBytes() - before.lookup().hitBytes()).isEqualTo(CONTENT.length);
    }

    @Test
    void restartedCacheAsksNothing()
            throws IOException
    {
        fill();
        cache.close();
        cache = open(directory);
        TestingSource source = new TestingSource(CONTENT);
        try (CachedFile file = open(source, CacheMode.READ_WRITE)) {
            check(file, 0, CONTENT.length);
        }
        assertThat(source.takeRanges()).isEmpty();
        assertThat(cache.stats().store().currentPages()).isEqualTo(6);
    }

    @Test
    void otherVersionIsAnotherFile()
            throws IOException
    {
        fill();
        byte[] changed = randomBytes(8, CONTENT.length);
        List<FileVersion> others = List.of(
                version(2, "e1"),
                version(1, "e2"),
                new FileVersion(StoreId.shared("s3"), "/t/1.orc", CONTENT.length, 1, Optional.empty()),
                new FileVersion(StoreId.shared("s3"), "/t/2.orc", CONTENT.length, 1, Optional.of("e1")),
                new FileVersion(new StoreId("s3", "alice"), "/t/1.orc", CONTENT.length, 1, Optional.of("e1")),
                new FileVersion(StoreId.shared("hdfs"), "/t/1.orc", CONTENT.length, 1, Optional.of("e1")));
        for (FileVersion other : others) {
            byte[] buffer = new byte[CONTENT.length];
            try (CachedFile file = cache.open(other, new TestingSource(changed), context(CacheMode.READ_WRITE))) {
                file.readFully(0, buffer, 0, buffer.length);
            }
            assertThat(Arrays.equals(buffer, changed)).as("%s", other).isTrue();
        }
    }

    @Test
    void readIntoBuffers()
            throws IOException
    {
        fill();
        for (CacheMode mode : CacheMode.values()) {
            for (ByteBuffer buffer : List.of(ByteBuffer.allocate(3 * PAGE), ByteBuffer.allocateDirect(3 * PAGE))) {
                try (CachedFile file = open(new TestingSource(CONTENT), mode)) {
                    buffer.position(5).limit(2 * PAGE);
                    assertThat(file.read(7, buffer)).isEqualTo(2 * PAGE - 5);
                    assertThat(buffer.position()).isEqualTo(2 * PAGE);
                    assertThat(buffer.flip().position(5)).isEqualTo(ByteBuffer.wrap(CONTENT, 7, 2 * PAGE - 5));
                    buffer.clear();
                    assertThat(file.read(CONTENT.length - 10, buffer)).isEqualTo(10);
                    assertThat(buffer.position()).isEqualTo(10);
                }
            }
        }
    }

    @Test
    void readOnlyServesHitsAndKeepsNothing()
            throws IOException
    {
        TestingSource cold = new TestingSource(CONTENT);
        try (CachedFile file = open(cold, CacheMode.READ_ONLY)) {
            check(file, 10, 100);
        }
        assertThat(cold.takeRanges()).containsExactly(new TestingSource.Range(10, 100));
        assertThat(cache.stats().store().currentPages()).isZero();
        fill();
        TestingSource warm = new TestingSource(CONTENT);
        try (CachedFile file = open(warm, CacheMode.READ_ONLY)) {
            check(file, 0, CONTENT.length);
        }
        assertThat(warm.takeRanges()).isEmpty();
    }

    @Test
    void bypassTouchesNothing()
            throws IOException
    {
        fill();
        PageCacheStats before = cache.stats();
        TestingSource source = new TestingSource(CONTENT);
        try (CachedFile file = open(source, CacheMode.BYPASS)) {
            check(file, 10, 3 * PAGE);
        }
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(10, 3 * PAGE));
        assertThat(cache.stats().lookup().lookups()).isEqualTo(before.lookup().lookups());
    }

    @Test
    void readsAtTheEndOfTheFile()
            throws IOException
    {
        byte[] buffer = new byte[100];
        try (CachedFile file = open(new TestingSource(CONTENT), CacheMode.READ_WRITE)) {
            assertThat(file.read(CONTENT.length, buffer, 0, 100)).isEqualTo(-1);
            assertThat(file.read(Long.MAX_VALUE, buffer, 0, 100)).isEqualTo(-1);
            assertThat(file.read(CONTENT.length, buffer, 0, 0)).isZero();
            check(file, CONTENT.length - 1, 100);
            assertThatThrownBy(() -> file.readFully(CONTENT.length - 99, buffer, 0, 100)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> file.read(0, buffer, 50, 51)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> file.read(-1, buffer, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void failureOfTheSourceReachesTheReader()
            throws IOException
    {
        IOException failure = new IOException("the store says no");
        TestingSource source = new TestingSource(CONTENT).withHook((position, length) -> {
            throw failure;
        });
        try (CachedFile file = open(source, CacheMode.READ_WRITE)) {
            assertThatThrownBy(() -> file.read(0, new byte[10], 0, 10)).isSameAs(failure);
            source.withHook((position, length) -> {});
            check(file, 0, 10);
        }
        assertThat(cache.stats().fetch().remoteReadFailures()).isEqualTo(1);
    }

    @Test
    void closedFileDoesNotRead()
            throws IOException
    {
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = open(source, CacheMode.READ_WRITE);
        check(file, 0, 1);
        file.close();
        file.close();
        eventually("the source is closed", () -> source.closes() == 1);
        assertThatThrownBy(() -> file.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    @Test
    void closedCacheReadsRemote()
            throws IOException
    {
        fill();
        TestingSource source = new TestingSource(CONTENT);
        try (CachedFile file = open(source, CacheMode.READ_WRITE)) {
            cache.close();
            check(file, 10, PAGE);
        }
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(10, PAGE));
    }
}
