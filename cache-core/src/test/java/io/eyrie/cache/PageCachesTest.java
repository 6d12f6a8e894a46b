package io.eyrie.cache;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.cache.page.TestingSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PageCachesTest
{
    private static final byte[] CONTENT = randomBytes(1, 3_000_000);
    private static final FileVersion VERSION = new FileVersion(StoreId.shared("s3"), "/a", CONTENT.length, 1, Optional.of("e1"));
    private static final ReadContext CONTEXT = new ReadContext(Scope.NONE, CacheMode.READ_WRITE, ReadListener.NOOP);

    private final Path a;
    private final Path b;

    PageCachesTest(@TempDir Path root)
    {
        a = root.resolve("a");
        b = root.resolve("b");
    }

    @BeforeEach
    void createDirectories()
            throws IOException
    {
        Files.createDirectory(a);
        Files.createDirectory(b);
    }

    private static PageCacheConfig.Builder config(Path... bases)
    {
        return PageCacheConfig.builder().baseDirectories(List.of(bases)).capacityBytes(64 << 20).minFreeSpaceBytes(0);
    }

    private static List<TestingSource.Range> readAll(PageCache cache)
            throws IOException
    {
        TestingSource source = new TestingSource(CONTENT);
        try (CachedFile file = cache.open(VERSION, source, CONTEXT)) {
            byte[] buffer = new byte[CONTENT.length];
            file.readFully(0, buffer, 0, buffer.length);
            assertThat(Arrays.equals(buffer, CONTENT)).isTrue();
        }
        return source.takeRanges();
    }

    @Test
    void restartedCacheAsksNothing()
            throws IOException
    {
        try (PageCache cache = PageCaches.open(config(a, b).build())) {
            assertThat(cache.pageSizeBytes()).isEqualTo(1 << 20);
            assertThat(readAll(cache)).hasSize(1);
        }
        try (PageCache cache = PageCaches.open(config(b, a).build())) {
            assertThat(readAll(cache)).isEmpty();
            assertThat(cache.stats().hits()).isEqualTo(3);
            assertThat(cache.stats().currentPages()).isEqualTo(3);
        }
    }

    @Test
    void callersOfOneDirectoryShareOneCache()
            throws IOException
    {
        Path link = Files.createSymbolicLink(a.resolveSibling("link"), a);
        PageCache first = PageCaches.open(config(a, b).build());
        PageCache second = PageCaches.open(config(b, link).build());
        assertThat(readAll(first)).hasSize(1);
        assertThat(readAll(second)).isEmpty();
        assertThat(second.stats().lookups()).isEqualTo(6);
        first.close();
        first.close();
        assertThat(readAll(second)).isEmpty();
        second.close();
        try (PageCache third = PageCaches.open(config(a).capacityBytes(32 << 20).build())) {
            assertThat(third.stats().lookups()).isZero();
        }
    }

    @Test
    void sameDirectoryWithOtherSettingsIsRefused()
    {
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThatThrownBy(() -> PageCaches.open(config(a).capacityBytes(32 << 20).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> {
                        assertThat(e.key()).isEqualTo("capacityBytes");
                        assertThat(e.value()).isEqualTo("33554432");
                        assertThat(e.allowed()).contains(a.toString(), "67108864");
                        assertThat(e.fix()).isNotEmpty();
                    });
            assertThatThrownBy(() -> PageCaches.open(config(a).fetchThreads(3).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("fetchThreads"));
            assertThatThrownBy(() -> PageCaches.open(config(a, b).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"));
            PageCaches.open(config(b).capacityBytes(32 << 20).build()).close();
            assertThat(cache.stats().currentQuarantinedDirectories()).isZero();
        }
    }

    @Test
    void blobsLiveWithThePagesAndSurviveARestart()
            throws IOException
    {
        BlobKey key = new BlobKey(1, 2);
        byte[] blob = randomBytes(2, 2_500_000);
        Scope table = new Scope("hive", "web", "hits", "");
        try (PageCache cache = PageCaches.open(config(a).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            blobs.put(key, new PageTags(table, StorageClass.FOOTER), ByteBuffer.wrap(blob), blobs.epoch());
            readAll(cache);
        }
        try (PageCache cache = PageCaches.open(config(a).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            assertThat(blobs.get(key)).hasValue(blob);
            assertThat(cache.stats().currentPages()).isEqualTo(6);
            cache.control().invalidate(table);
            assertThat(blobs.get(key)).isEmpty();
            assertThat(readAll(cache)).isEmpty();
        }
    }

    @Test
    void dataLeavesBeforeFooters()
            throws IOException
    {
        BlobKey key = new BlobKey(1, 2);
        byte[] blob = randomBytes(2, 2_500_000);
        try (PageCache cache = PageCaches.open(config(a).capacityBytes(8 << 20).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            blobs.put(key, new PageTags(Scope.NONE, StorageClass.FOOTER), ByteBuffer.wrap(blob), blobs.epoch());
            for (int file = 0; file < 10; file++) {
                byte[] content = randomBytes(file, 3_000_000);
                FileVersion version = new FileVersion(StoreId.shared("s3"), "/" + file, content.length, 1, Optional.of("e"));
                try (CachedFile cached = cache.open(version, new TestingSource(content), CONTEXT)) {
                    cached.readFully(0, new byte[content.length], 0, content.length);
                }
            }
        }
        try (PageCache cache = PageCaches.open(config(a).capacityBytes(8 << 20).build())) {
            assertThat(cache.blobs().orElseThrow().get(key)).hasValue(blob);
            assertThat(cache.stats().currentPages()).isBetween(4L, 8L);
        }
    }

    @Test
    void failedOpenLeavesNothingBehind()
            throws IOException
    {
        Files.delete(a);
        assertThatThrownBy(() -> PageCaches.open(config(a).build())).isInstanceOf(ConfigException.class);
        Files.createDirectory(a);
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThat(readAll(cache)).hasSize(1);
        }
    }

    @Test
    void directoryOfAnotherClassLoaderIsRefused()
            throws Exception
    {
        URL classes = PageCaches.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
                PageCache cache = PageCaches.open(config(a).build())) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> openIn(loader))
                        .isInstanceOf(InvocationTargetException.class)
                        .cause()
                        .hasMessageContaining(a.toString())
                        .hasMessageContaining("process " + ProcessHandle.current().pid())
                        .hasMessageContaining("(this process)");
            }
            assertThat(readAll(cache)).hasSize(1);
        }
    }

    private Object openIn(ClassLoader loader)
            throws ReflectiveOperationException
    {
        Class<?> configClass = loader.loadClass(PageCacheConfig.class.getName());
        Object builder = configClass.getMethod("builder").invoke(null);
        builder.getClass().getMethod("baseDirectories", List.class).invoke(builder, List.of(a));
        Object config = builder.getClass().getMethod("build").invoke(builder);
        return loader.loadClass(PageCaches.class.getName()).getMethod("open", configClass).invoke(null, config);
    }
}
