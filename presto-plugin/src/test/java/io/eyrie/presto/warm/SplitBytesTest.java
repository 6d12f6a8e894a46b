// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class SplitBytesTest
{
    private static final long FILE_BYTES = 64 << 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void bytesThatWereNotCachedBeforeAreLoadedAndNotFound(int pageMegabytes, @TempDir Path directory)
            throws IOException
    {
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(List.of(directory))
                .capacityBytes(256 << 20)
                .minFreeSpaceBytes(0)
                .pageSizeBytes(pageMegabytes << 20)
                .build();
        WarmedBytes bytes = new WarmedBytes();
        FileVersion version = new FileVersion(StoreId.shared("s3://a"), "/f", FILE_BYTES, 1, Optional.of("tag"));
        try (PageCache cache = PageCaches.open(config);
                CachedFile file = cache.open(version, new Zeros(), new ReadContext(Scope.NONE, CacheMode.READ_WRITE, bytes))) {
            SplitBytes split = new SplitBytes(
                    () -> new SplitBytes.WarmedFile(new FSDataInputStream(new CachedStream(file)), Optional.of(version)), cache, 0, FILE_BYTES);
            while (!split.isFinished()) {
                split.next();
            }
        }
        assertThat(bytes.found()).isZero();
        assertThat(bytes.loaded()).isEqualTo(FILE_BYTES);
    }

    private static final class Zeros
            implements RangeSource
    {
        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
        {}

        @Override
        public void close()
        {}
    }

    private static final class CachedStream
            extends FSInputStream
    {
        private final CachedFile file;

        CachedStream(CachedFile file)
        {
            this.file = file;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            file.readFully(position, buffer, offset, length);
        }

        @Override
        public void seek(long position)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getPos()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean seekToNewSource(long position)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] buffer, int offset, int length)
        {
            throw new UnsupportedOperationException();
        }
    }
}
