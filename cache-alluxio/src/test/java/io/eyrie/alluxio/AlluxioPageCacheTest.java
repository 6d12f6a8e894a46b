// SPDX-License-Identifier: Apache-2.0
package io.eyrie.alluxio;

import io.eyrie.cache.PageCacheContract;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AlluxioPageCacheTest
        extends PageCacheContract
{
    private static PageCacheConfig config(long capacityBytes, Path... directories)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(directories))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(PAGE)
                .build();
    }

    private static AlluxioPageCache openRestored(PageCacheConfig config)
    {
        AlluxioPageCache cache = AlluxioPageCache.open(config);
        eventually("restored", cache::isRestored);
        return cache;
    }

    @Override
    protected PageCache open(Path existingDirectory)
    {
        return openRestored(config(110L * PAGE, existingDirectory));
    }

    private static void readAll(PageCache cache, byte[] content, int number)
            throws IOException
    {
        FileVersion version = new FileVersion(StoreId.shared("s3"), "/" + number, content.length, 1, Optional.empty());
        ReadContext context = new ReadContext(Scope.NONE, CacheMode.READ_WRITE, ReadListener.NOOP);
        try (CachedFile file = cache.open(version, new TestingSource(content), context)) {
            byte[] buffer = new byte[content.length];
            file.readFully(0, buffer, 0, buffer.length);
            assertThat(Arrays.equals(buffer, content)).isTrue();
        }
    }

    @Test
    void evictionKeepsTheCapacity(@TempDir Path a, @TempDir Path b)
            throws IOException
    {
        long capacityBytes = 20L * PAGE;
        try (AlluxioPageCache cache = openRestored(config(capacityBytes, a, b))) {
            long evictedBefore = cache.stats().evictions();
            for (int number = 0; number < 20; number++) {
                readAll(cache, randomBytes(number, 3 * PAGE), number);
            }
            PageCacheStats stats = cache.stats();
            assertThat(stats.writes()).isEqualTo(60);
            assertThat(stats.writtenBytes()).isEqualTo(60L * PAGE);
            assertThat(stats.currentBytes()).isEqualTo(stats.currentPages() * PAGE).isLessThanOrEqualTo(capacityBytes);
            assertThat(stats.evictions() - evictedBefore).isEqualTo(60 - stats.currentPages());
            assertThat(stats.capacityBytes()).isEqualTo(capacityBytes);
        }
        assertThat(pageFiles(a)).isPositive();
        assertThat(pageFiles(b)).isPositive();
    }

    @Test
    void shortPageIsAnErrorOnceAndIsFetchedAgain(@TempDir Path directory)
            throws IOException
    {
        byte[] content = randomBytes(1, 2 * PAGE);
        try (AlluxioPageCache cache = openRestored(config(20L * PAGE, directory))) {
            readAll(cache, content, 1);
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.write(file, new byte[10]);
                }
            }
            readAll(cache, content, 1);
            assertThat(cache.stats().deviceErrors()).isEqualTo(2);
            readAll(cache, content, 1);
            assertThat(cache.stats().hits()).isEqualTo(2);
        }
    }

    @Test
    void directoryOfAnotherCacheIsRefused(@TempDir Path directory)
    {
        PageCacheConfig config = config(20L * PAGE, directory);
        try (AlluxioPageCache cache = openRestored(config)) {
            assertThat(cache.isRestored()).isTrue();
            assertThatThrownBy(() -> AlluxioPageCache.open(config))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll(directory.toString(), "another cache", "its own directory");
        }
        openRestored(config).close();
    }

    @Test
    void missingDirectoryIsRefused(@TempDir Path directory)
    {
        assertThatThrownBy(() -> AlluxioPageCache.open(config(20L * PAGE, directory.resolve("gone"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("baseDirectories", "gone", "not a writable directory", "create it");
    }

    private static long pageFiles(Path directory)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).count();
        }
    }
}
