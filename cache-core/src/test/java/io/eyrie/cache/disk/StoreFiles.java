package io.eyrie.cache.disk;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageStore;
import io.eyrie.cache.page.PageStoreStats;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.cache.page.WriteOutcome;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The files of a store, looked at from outside. */
final class StoreFiles
{
    private StoreFiles()
    {}

    /** Writes a whole page. */
    static WriteOutcome write(PageStore store, PageKey key, byte[] page)
    {
        return store.write(key, new PageTags(Scope.NONE, StorageClass.DATA), page.length, 0, ByteBuffer.wrap(page), store.epoch());
    }

    static List<Path> pages(Path base)
    {
        return files(base).filter(file -> base.relativize(file).getNameCount() == 3).toList();
    }

    static long blockBytes(Path base)
    {
        return pages(base).stream().mapToLong(StoreFiles::fileBlockBytes).sum();
    }

    private static long fileBlockBytes(Path file)
    {
        try {
            return PageFile.blockBytes(Files.size(file));
        }
        catch (IOException e) {
            // deleted since it was listed
            return 0;
        }
    }

    /** Checks that a store at rest knows exactly the files that are there, and keeps to its capacity. */
    static void check(DiskPageStore store, Path... bases)
    {
        PageStoreStats stats = store.stats();
        List<Path> pages = Stream.of(bases).flatMap(base -> pages(base).stream()).toList();
        assertThat(pages).allSatisfy(page -> assertThat(PageFile.parseName(String.valueOf(page.getFileName()))).isNotNull());
        assertThat(stats.currentPages()).isEqualTo(pages.size());
        assertThat(stats.currentBytes()).isEqualTo(Stream.of(bases).mapToLong(StoreFiles::blockBytes).sum());
        assertThat(stats.currentBytes()).isLessThanOrEqualTo(stats.capacityBytes());
    }

    private static Stream<Path> files(Path base)
    {
        try (Stream<Path> files = Files.walk(base)) {
            return files.filter(Files::isRegularFile).toList().stream();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
