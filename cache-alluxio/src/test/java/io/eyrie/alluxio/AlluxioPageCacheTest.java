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
import java.nio.file.attribute.PosixFilePermissions;
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
            long evictedBefore = cache.stats().store().evictions();
            for (int number = 0; number < 20; number++) {
                readAll(cache, randomBytes(number, 3 * PAGE), number);
            }
            PageCacheStats stats = cache.stats();
            assertThat(stats.write().writes()).isEqualTo(60);
            assertThat(stats.write().writtenBytes()).isEqualTo(60L * PAGE);
            assertThat(stats.store().currentBytes()).isEqualTo(stats.store().currentPages() * PAGE).isLessThanOrEqualTo(capacityBytes);
            assertThat(stats.store().evictions() - evictedBefore).isEqualTo(60 - stats.store().currentPages());
            assertThat(stats.store().capacityBytes()).isEqualTo(capacityBytes);
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
            assertThat(cache.stats().lookup().deviceErrors()).isEqualTo(2);
            readAll(cache, content, 1);
            assertThat(cache.stats().lookup().hits()).isEqualTo(2);
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

    private static void isRefused(Path directory, String problem, String fix)
    {
        assertThatThrownBy(() -> AlluxioPageCache.open(config(20L * PAGE, directory))).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.key()).isEqualTo("baseDirectories");
            assertThat(e.value()).isEqualTo(directory.toString());
            assertThat(e.allowed()).contains(problem);
            assertThat(e.fix()).contains(fix);
        });
    }

    @Test
    void directoryThatOthersMayWriteToIsRefused(@TempDir Path root)
            throws IOException
    {
        Path directory = Files.createDirectory(root.toRealPath().resolve("pages"));
        Files.setAttribute(directory, "unix:mode", 0777);
        isRefused(directory, "every user may write to " + directory, "chmod go-w " + directory);
        Files.setAttribute(directory, "unix:mode", 0775);
        isRefused(directory, "its group may write to " + directory, "chmod g-w " + directory);
        Files.setAttribute(directory, "unix:mode", 0755);
        Path folder = Files.createDirectory(directory.resolve("LOCAL"));
        Files.setAttribute(folder, "unix:mode", 0777);
        isRefused(directory, "every user may write to " + folder, "chmod go-w " + folder);
        Files.delete(folder);
        Path precious = Files.createDirectory(root.resolve("precious"));
        Files.writeString(precious.resolve("file"), "precious");
        Files.createSymbolicLink(folder, precious);
        isRefused(directory, folder + " is a symbolic link", "put a directory in its place");
        assertThat(precious.resolve("file")).hasContent("precious");
        Files.delete(folder);
        try (AlluxioPageCache cache = openRestored(config(20L * PAGE, directory))) {
            readAll(cache, randomBytes(1, PAGE), 1);
            assertThat(cache.stats().write().writes()).isEqualTo(1);
        }
        assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(pageFiles(folder)).isEqualTo(1);
    }

    @Test
    void linksOnTheWayToADirectoryAreTheOperators(@TempDir Path root)
            throws IOException
    {
        Path directory = Files.createDirectory(root.resolve("pages"));
        Path link = Files.createSymbolicLink(root.resolve("link"), directory);
        try (AlluxioPageCache cache = openRestored(config(20L * PAGE, link))) {
            readAll(cache, randomBytes(1, PAGE), 1);
        }
        assertThat(pageFiles(directory)).isEqualTo(1);
    }

    @Test
    void smallPagesDoNotGrowTheIndexWithoutBound(@TempDir Path a, @TempDir Path b)
            throws IOException
    {
        int indexMemoryBytes = 256 << 10;
        int most = indexMemoryBytes / AlluxioPageCache.BYTES_PER_PAGE;
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(List.of(a, b))
                .capacityBytes(1L << 30)
                .pageSizeBytes(PAGE)
                .indexMemoryBytes(indexMemoryBytes)
                .build();
        try (AlluxioPageCache cache = openRestored(config)) {
            for (int number = 0; number < 3 * most; number++) {
                readAll(cache, randomBytes(number, 10), number);
                assertThat(cache.stats().store().currentPages()).isLessThanOrEqualTo(most);
            }
            assertThat(cache.stats().store().currentPages()).isEqualTo(most);
            assertThat(cache.stats().store().indexEvictions()).isEqualTo(2L * most);
            assertThat(cache.stats().write().writes()).isEqualTo(3L * most);
            readAll(cache, randomBytes(3 * most - 1, 10), 3 * most - 1);
            assertThat(cache.stats().lookup().hits()).as("the newest page").isEqualTo(1);
        }
        assertThat(pageFiles(a) + pageFiles(b)).isEqualTo(most);
    }

    private static long pageFiles(Path directory)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).count();
        }
    }
}
