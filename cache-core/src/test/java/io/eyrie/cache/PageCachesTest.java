// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.TestingSource;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.trace.TraceReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PageCachesTest
{
    private static final byte[] CONTENT = randomBytes(1, 3_000_000);
    /** One per MiB. */
    private static final int FETCHES = 3;
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
            assertThat(readAll(cache)).hasSize(FETCHES);
        }
        try (PageCache cache = PageCaches.open(config(b, a).build())) {
            assertThat(readAll(cache)).isEmpty();
            assertThat(cache.stats().lookup().hits()).isEqualTo(3);
            assertThat(cache.stats().store().currentPages()).isEqualTo(3);
        }
    }

    @Test
    void callersOfOneDirectoryShareOneCache()
            throws IOException
    {
        Path link = Files.createSymbolicLink(a.resolveSibling("link"), a);
        PageCache first = PageCaches.open(config(a, b).build());
        PageCache second = PageCaches.open(config(b, link).build());
        assertThat(readAll(first)).hasSize(FETCHES);
        assertThat(readAll(second)).isEmpty();
        assertThat(second.stats().lookup().lookups()).isEqualTo(6);
        first.close();
        first.close();
        assertThat(readAll(second)).isEmpty();
        second.close();
        try (PageCache third = PageCaches.open(config(a).capacityBytes(32 << 20).build())) {
            assertThat(third.stats().lookup().lookups()).isZero();
        }
    }

    @Test
    void sameDirectoryWithOtherSettingsIsRefused()
    {
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThatThrownBy(() -> PageCaches.open(config(a).capacityBytes(32 << 20).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> {
                        assertThat(e.key()).isEqualTo("capacityBytes");
                        assertThat(e.value()).isEqualTo("32MB");
                        assertThat(e.allowed()).contains(a.toString(), "64MB");
                        assertThat(e.fix()).isNotEmpty();
                    });
            assertThatThrownBy(() -> PageCaches.open(config(a).fetchThreads(3).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("fetchThreads"));
            assertThatThrownBy(() -> PageCaches.open(config(a, b).build()))
                    .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"));
            PageCaches.open(config(b).capacityBytes(32 << 20).build()).close();
            assertThat(cache.stats().store().currentQuarantinedDirectories()).isZero();
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
            // a blob that is not completely written when the cache closes is lost
            eventually("blob is written", () -> blobs.stats().write().writes() == 1);
            readAll(cache);
        }
        try (PageCache cache = PageCaches.open(config(a).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            assertThat(blobs.get(key)).hasValue(blob);
            assertThat(cache.stats().store().currentPages()).isEqualTo(6);
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
            eventually("blob is written", () -> blobs.stats().write().writes() == 1);
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
            assertThat(cache.stats().store().currentPages()).isBetween(4L, 8L);
        }
    }

    @Test
    void whatIsDeniedIsReadAndNotKept()
            throws IOException
    {
        AdmissionConfig denied = new AdmissionConfig(List.of(), List.of(TablePattern.parse("*.*.*")), 0, OptionalLong.empty(), false);
        try (PageCache cache = PageCaches.open(config(a).admission(denied).build())) {
            readAll(cache);
            assertThat(readAll(cache)).isNotEmpty();
            assertThat(cache.stats().store().currentPages()).isZero();
            assertThat(cache.admissions().count(Admission.DENIED_BY_RULE)).isPositive();
            assertThat(cache.admissions().count(Admission.ADMITTED)).isZero();
        }
    }

    @Test
    void blobOfADeniedTableIsNotKept()
    {
        AdmissionConfig denied = new AdmissionConfig(List.of(), List.of(TablePattern.parse("hive.web.*")), 0, OptionalLong.empty(), false);
        try (PageCache cache = PageCaches.open(config(a).admission(denied).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            putBlob(blobs, 1, new Scope("hive", "web", "hits", ""), 600);
            putBlob(blobs, 2, new Scope("hive", "shop", "orders", ""), 600);
            eventually("the other is kept", () -> blobs.get(blobKey(2)).isPresent());
            assertThat(blobs.get(blobKey(1))).isEmpty();
            assertThat(blobs.stats().write().declinedWrites()).isEqualTo(1);
            assertThat(cache.admissions().count(Admission.DENIED_BY_RULE)).isEqualTo(1);
            assertThat(cache.admissions().count(Admission.ADMITTED)).isEqualTo(1);
        }
    }

    @Test
    void blobsAreOfTheBytesOfTheDay()
    {
        AdmissionConfig daily = new AdmissionConfig(List.of(), List.of(), 0, OptionalLong.of(1000), false);
        try (PageCache cache = PageCaches.open(config(a).admission(daily).build())) {
            BlobCache blobs = cache.blobs().orElseThrow();
            eventually("a busy machine has opened the directory", () -> cache.disks().get(0).health() == DiskStatus.Health.SERVING);
            putBlob(blobs, 1, Scope.NONE, 600);
            eventually("the first is kept", () -> blobs.get(blobKey(1)).isPresent());
            putBlob(blobs, 2, Scope.NONE, 600);
            assertThat(blobs.stats().write().declinedWrites()).isEqualTo(1);
            assertThat(cache.admissions().count(Admission.OVER_DAILY_BUDGET)).isEqualTo(1);
        }
    }

    private static BlobKey blobKey(int number)
    {
        return BlobKey.of(ByteBuffer.wrap(new byte[] {(byte) number}));
    }

    private static void putBlob(BlobCache blobs, int number, Scope scope, int bytes)
    {
        blobs.put(blobKey(number), new PageTags(scope, StorageClass.DATA), ByteBuffer.allocate(bytes), blobs.epoch());
    }

    @Test
    void diskThatHasGotItsBytesOfTheDayGetsNoMoreAfterARestart()
            throws IOException
    {
        AdmissionConfig daily = new AdmissionConfig(List.of(), List.of(), 0, OptionalLong.of(3_500_000), false);
        try (PageCache cache = PageCaches.open(config(a).admission(daily).build())) {
            assertThat(readAll(cache)).hasSize(FETCHES);
            // bytes that are invalidated before they reach the disk do not count towards its budget
            eventually("all fetches have ended", () -> cache.stats().fetch().currentFetchBytes() == 0);
            cache.control().invalidate(VERSION);
        }
        try (PageCache cache = PageCaches.open(config(a).admission(daily).build())) {
            readAll(cache);
            assertThat(cache.admissions().count(Admission.OVER_DAILY_BUDGET)).isPositive();
            assertThat(cache.stats().write().writes()).isZero();
        }
    }

    @Test
    void quotasStayUnlessOthersAreNamed()
    {
        Scope web = new Scope("hive", "web", "", "");
        Scope hits = new Scope("hive", "web", "hits", "");
        try (PageCache cache = PageCaches.open(config(a).quotas(Optional.of(Map.of(web, 5L, hits, 3L))).build())) {
            assertThat(cache.control().quotas()).isEqualTo(Map.of(web, 5L, hits, 3L));
            PageCaches.open(config(a).quotas(Optional.of(new LinkedHashMap<>(Map.of(hits, 3L, web, 5L)))).build()).close();
        }
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThat(cache.control().quotas()).isEqualTo(Map.of(web, 5L, hits, 3L));
        }
        PageCaches.open(config(a).quotas(Optional.of(Map.of(hits, 4L))).build()).close();
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThat(cache.control().quotas()).isEqualTo(Map.of(hits, 4L));
        }
        PageCaches.open(config(a).quotas(Optional.of(Map.of())).build()).close();
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThat(cache.control().quotas()).isEmpty();
        }
    }

    @Test
    void traceOfEachStartIsItsOwnersAlone()
            throws IOException
    {
        Path traces = Files.createDirectory(a.resolveSibling("traces"));
        for (int start = 1; start <= 2; start++) {
            try (PageCache cache = PageCaches.open(config(a).traceDirectory(Optional.of(traces)).build())) {
                readAll(cache);
            }
            try (Stream<Path> files = Files.list(traces)) {
                List<Path> all = files.toList();
                assertThat(all).hasSize(start);
                for (Path file : all) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
                    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
                        for (int page = 0; page < 3; page++) {
                            assertThat(requireNonNull(reader.next()).page()).isEqualTo(PageKey.of(VERSION, page));
                        }
                        assertThat(reader.next()).isNull();
                    }
                }
            }
        }
    }

    @Test
    void tracesOfAnEncryptedCacheAreEncrypted()
            throws IOException
    {
        Path traces = Files.createDirectory(a.resolveSibling("traces"));
        Path key = a.resolveSibling("key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, "7".repeat(64));
        PageCacheConfig config = config(a).traceDirectory(Optional.of(traces)).encryptionKey(Optional.of("file:" + key)).build();
        try (PageCache cache = PageCaches.open(config)) {
            readAll(cache);
        }
        try (Stream<Path> files = Files.list(traces)) {
            Path file = files.findFirst().orElseThrow();
            assertThatThrownBy(() -> new TraceReader(Files.newInputStream(file))).isInstanceOf(IOException.class);
            try (TraceReader reader = new TraceReader(Files.newInputStream(file), KeyRing.load(config).orElseThrow())) {
                assertThat(requireNonNull(reader.next()).page()).isEqualTo(PageKey.of(VERSION, 0));
            }
        }
    }

    @Test
    void traceThatCannotBeWrittenLeavesTheDirectoryFree()
    {
        assertThatThrownBy(() -> PageCaches.open(config(a).traceDirectory(Optional.of(a.resolve("none"))).build()))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("traceDirectory"));
        PageCaches.open(config(a).build()).close();
    }

    /* Neither may the name of a directory be looked up on the thread that starts the process. */
    @Test
    void nameOnADiskThatHangs()
            throws IOException
    {
        CountDownLatch healed = new CountDownLatch(1);
        Path hanging = (Path) Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("forEach")) {
                awaitUninterrupted(healed);
            }
            return method.getName().equals("toAbsolutePath") ? proxy : method.invoke(b, arguments);
        });
        try (PageCache cache = PageCaches.open(config(a, hanging).diskTimeoutMillis(200).build())) {
            assertThat(cache.disks()).extracting(DiskStatus::directory).containsExactly(a, b);
        }
        finally {
            healed.countDown();
        }
    }

    /* One of them may be about to raise the capacity. */
    @Test
    void limitsWaitForAllWhoShareACache()
            throws IOException
    {
        try (PageCache cache = PageCaches.open(config(a).build())) {
            assertThat(readAll(cache)).hasSize(FETCHES);
        }
        PageCacheConfig smaller = config(a).capacityBytes(2 << 20).limitsWait(true).build();
        try (PageCache one = PageCaches.open(smaller);
                PageCache other = PageCaches.open(smaller)) {
            one.enforceLimits();
            one.enforceLimits();
            assertThat(one.stats().store().currentPages()).isEqualTo(3);
            other.enforceLimits();
            assertThat(one.stats().store().currentPages()).isLessThan(3);
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
            assertThat(readAll(cache)).hasSize(FETCHES);
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
            assertThat(readAll(cache)).hasSize(FETCHES);
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
