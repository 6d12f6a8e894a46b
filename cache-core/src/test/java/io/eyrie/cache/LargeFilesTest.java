// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests files larger than 2 GiB with several page sizes, plain and encrypted: every byte is right, cold, warm and after a restart. */
final class LargeFilesTest
{
    private static final long GIB = 1L << 30;
    private static final long[] LENGTHS = {2 * GIB - 1, 2 * GIB, 2 * GIB + 1, 4 * GIB + 1, 5 * GIB + 12_345, 1L << 46};
    private static final int RANGE_BYTES = 150_000;
    private static final ReadContext CONTEXT = new ReadContext(Scope.NONE, CacheMode.READ_WRITE, ReadListener.NOOP);

    private final Path base;
    private final Path key;
    private final AtomicInteger remoteReads = new AtomicInteger();

    LargeFilesTest(@TempDir Path root)
            throws IOException
    {
        base = Files.createDirectory(root.resolve("base"));
        key = Files.createFile(root.resolve("key"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, Base64.getEncoder().encodeToString(new byte[32]));
    }

    /** A file whose bytes are computed from their positions. */
    private final class Source
            implements RangeSource
    {
        private final long length;

        Source(long length)
        {
            this.length = length;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int count)
        {
            assertThat(position).isBetween(0L, length - count);
            remoteReads.incrementAndGet();
            for (int i = 0; i < count; i++) {
                buffer[offset + i] = byteAt(length, position + i);
            }
        }

        @Override
        public void close()
        {
            // nothing is open
        }
    }

    private static byte byteAt(long length, long position)
    {
        return (byte) ((position * 0x9E3779B97F4A7C15L + length) >>> 56);
    }

    private static void read(PageCache cache, long length, Source source)
            throws IOException
    {
        FileVersion version = new FileVersion(StoreId.shared("s3"), "/" + length, length, 1, Optional.of("e"));
        try (CachedFile file = cache.open(version, source, CONTEXT)) {
            for (long middle : new long[] {1, 2 * GIB, 4 * GIB, length / 2, length}) {
                long start = Math.max(0, Math.min(middle - RANGE_BYTES / 2, length - RANGE_BYTES));
                byte[] bytes = new byte[RANGE_BYTES];
                file.readFully(start, bytes, 0, RANGE_BYTES);
                for (int i = 0; i < RANGE_BYTES; i++) {
                    if (bytes[i] != byteAt(length, start + i)) {
                        throw new AssertionError("byte " + (start + i) + " of " + length);
                    }
                }
            }
            assertThat(file.read(length, new byte[1], 0, 1)).isEqualTo(-1);
        }
    }

    private void readAll(PageCache cache)
            throws IOException
    {
        for (long length : LENGTHS) {
            read(cache, length, new Source(length));
        }
    }

    private PageCache open(int pageSizeBytes, boolean encrypted)
    {
        PageCacheConfig.Builder config = PageCacheConfig.builder()
                .baseDirectories(List.of(base))
                .capacityBytes(1 << 30)
                .pageSizeBytes(pageSizeBytes)
                .minFreeSpaceBytes(0);
        return PageCaches.open(config.encryptionKey(encrypted ? Optional.of("file:" + key) : Optional.empty()).build());
    }

    @ParameterizedTest
    @CsvSource({"65536, false", "1048576, false", "1048576, true", "16777216, false"})
    void everyByteIsTheRightOne(int pageSizeBytes, boolean encrypted)
            throws IOException
    {
        try (PageCache cache = open(pageSizeBytes, encrypted)) {
            readAll(cache);
            assertThat(remoteReads).hasPositiveValue();
            // pages that a busy fetch pool refused are cached in a later round
            eventually("all is served", () -> servesAll(cache));
        }
        try (PageCache cache = open(pageSizeBytes, encrypted)) {
            assertThat(servesAll(cache)).isTrue();
        }
    }

    private boolean servesAll(PageCache cache)
    {
        remoteReads.set(0);
        try {
            readAll(cache);
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
        return remoteReads.get() == 0;
    }
}
