// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests a base directory in which another user has left links. The store must not follow, overwrite or delete anything through them. */
final class HostileDirectoryTest
{
    private final Path root;
    private final Path base;
    private final Path precious;

    HostileDirectoryTest(@TempDir Path root)
    {
        this.root = root;
        base = root.resolve("base");
        precious = root.resolve("precious");
    }

    @BeforeEach
    void create()
            throws IOException
    {
        Files.createDirectory(base);
        Files.createDirectory(precious);
        Files.writeString(precious.resolve("file"), "precious");
    }

    private PageCacheConfig config()
    {
        return config(base);
    }

    private static PageCacheConfig config(Path... bases)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(bases))
                .capacityBytes(64 << 20)
                .pageSizeBytes(StoreProcess.PAGE)
                .minFreeSpaceBytes(0)
                .probeIntervalMillis(Integer.MAX_VALUE)
                .build();
    }

    private void isRefused(String problem, String fix)
    {
        assertThatThrownBy(() -> SegmentPageStore.open(config())).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.key()).isEqualTo("baseDirectories");
            assertThat(e.value()).isEqualTo(base.toString());
            assertThat(e.allowed()).contains(problem);
            assertThat(e.fix()).contains(fix);
        });
        assertThat(precious.resolve("file")).hasContent("precious");
        // the attempt leaves nothing behind, so that the next one succeeds once the directory is repaired
        assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.startsWith("io.eyrie.cache.owner."));
    }

    private void works()
    {
        try (SegmentPageStore store = SegmentPageStore.open(config())) {
            assertThat(store.write(
                    StoreProcess.key(1),
                    TestingStore.TAGS,
                    StoreProcess.PAGE,
                    0,
                    ByteBuffer.wrap(randomBytes(1, StoreProcess.PAGE)),
                    store.epoch())).isEqualTo(WriteOutcome.STORED);
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        }
        assertThat(precious.resolve("file")).hasContent("precious");
    }

    @Test
    void lockThatIsALinkIsRefused()
            throws IOException
    {
        Path lock = Files.createSymbolicLink(base.resolve("lock"), precious.resolve("file"));
        isRefused("lock is a symbolic link", "remove it");
        Files.delete(lock);
        works();
    }

    @Test
    void probeThatIsALinkIsReplaced()
            throws IOException
    {
        Files.createDirectory(base.resolve(StoreDirectory.FOLDER));
        Path probe = Files.createSymbolicLink(base.resolve(StoreDirectory.FOLDER).resolve("probe"), precious.resolve("file"));
        works();
        assertThat(Files.exists(probe, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void foldersThatAreLinksAreRefused()
            throws IOException
    {
        Files.writeString(precious.resolve("a.segment"), "precious");
        Path folder = Files.createSymbolicLink(base.resolve(StoreDirectory.FOLDER), precious);
        isRefused(StoreDirectory.FOLDER + " is a symbolic link", "put a directory in its place");
        assertThat(precious.resolve("a.segment")).hasContent("precious");
        Files.delete(folder);
        Files.createDirectory(folder);
        Path journal = Files.createSymbolicLink(folder.resolve(StoreContext.JOURNAL), precious);
        isRefused("journal is a symbolic link", "put a directory in its place");
        Files.delete(journal);
        works();
    }

    @Test
    void folderOfAnotherFormatThatIsALinkIsLeft()
            throws IOException
    {
        Files.createSymbolicLink(base.resolve("segments-v1"), precious);
        Path old = Files.createDirectory(base.resolve("pages-v1-1"));
        Files.createSymbolicLink(old.resolve("inner"), precious);
        works();
        assertThat(old).doesNotExist();
    }

    @Test
    void linksAmongSegmentsAndLogsAreNotFollowed()
            throws IOException
    {
        works();
        Path folder = base.resolve(StoreDirectory.FOLDER);
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
                Files.createSymbolicLink(file, precious.resolve("file"));
            }
        }
        Files.createSymbolicLink(folder.resolve("stray.segment"), precious.resolve("file"));
        works();
    }

    @Test
    void directoryThatOthersMayWriteToIsRefused()
            throws IOException
    {
        Files.setAttribute(base, "unix:mode", 0777);
        isRefused("every user may write to " + base, "chmod go-w " + base);
        Files.setAttribute(base, "unix:mode", 0775);
        isRefused("its group may write to " + base, "chmod g-w " + base);
        Files.setAttribute(base, "unix:mode", 0755);
        Path folder = Files.createDirectory(base.resolve(StoreDirectory.FOLDER));
        Files.setAttribute(folder, "unix:mode", 0777);
        isRefused("every user may write to " + folder, "chmod go-w " + folder);
        Files.setAttribute(folder, "unix:mode", 0700);
        works();
    }

    @Test
    void directoryThatBecomesUnsafeWhileItIsOutOfServiceDoesNotComeBack()
            throws IOException
    {
        try (SegmentPageStore store = SegmentPageStore.open(config())) {
            Path away = Files.move(base, root.resolve("away"));
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
            Files.createSymbolicLink(base, precious);
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
            Files.delete(base);
            Files.move(away, base);
            Files.setAttribute(base, "unix:mode", 0777);
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
            Files.setAttribute(base, "unix:mode", 0755);
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        }
        assertThat(precious).isDirectoryContaining(file -> file.endsWith("file"));
    }

    @Test
    void linksOnTheWayToADirectoryAreTheOperators()
            throws IOException
    {
        Path link = Files.createSymbolicLink(root.resolve("mnt"), root);
        Path direct = Files.createSymbolicLink(root.resolve("direct"), link.resolve("base"));
        for (Path named : List.of(link.resolve("base"), direct, base)) {
            try (PageCache cache = PageCaches.open(config(named))) {
                assertThat(cache.disks().get(0).directory()).isEqualTo(base.toRealPath());
            }
        }
    }

    @Test
    void linkToADirectoryThatIsMissingAtTheStartIsResolvedToo()
            throws IOException
    {
        Path other = Files.createDirectory(root.resolve("other"));
        Path link = Files.createSymbolicLink(root.resolve("late"), Path.of("mnt/late"));
        try (PageCache cache = PageCaches.open(config(other, link.resolve("base")))) {
            assertThat(cache.disks().get(1).directory()).isEqualTo(root.toRealPath().resolve("mnt/late/base"));
        }
    }
}
