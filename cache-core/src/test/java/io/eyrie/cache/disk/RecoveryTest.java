package io.eyrie.cache.disk;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.disk.FaultyVolume.Operation;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.ReadOutcome;
import io.eyrie.cache.page.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** What a store finds when it opens. */
final class RecoveryTest
{
    private static final int PAGE = 64 << 10;
    private static final long PAGE_BLOCKS = PAGE + PageFile.BLOCK_BYTES;
    private static final int PAGES = 20;

    private final Path base;

    RecoveryTest(@TempDir Path base)
    {
        this.base = base;
    }

    private DiskPageStore open(long capacityPages, int pageSizeBytes, Volume volume)
    {
        return DiskPageStore.open(PageCacheConfig.builder()
                .baseDirectories(List.of(base))
                .capacityBytes(capacityPages * PAGE_BLOCKS)
                .pageSizeBytes(pageSizeBytes)
                .minFreeSpaceBytes(0)
                .build(), volume);
    }

    private DiskPageStore open(long capacityPages)
    {
        return open(capacityPages, PAGE, new LocalVolume());
    }

    private static PageKey key(long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", 1L << 40, 0, Optional.empty()), page);
    }

    private static WriteOutcome write(DiskPageStore store, long page)
    {
        return StoreFiles.write(store, key(page), randomBytes(page, PAGE));
    }

    private static ReadOutcome read(DiskPageStore store, long page)
    {
        ByteBuffer target = ByteBuffer.allocate(PAGE);
        ReadOutcome outcome = store.read(key(page), 0, target);
        if (outcome == ReadOutcome.HIT) {
            assertThat(target.array()).isEqualTo(randomBytes(page, PAGE));
        }
        return outcome;
    }

    private static long[] hits(DiskPageStore store)
    {
        return LongStream.range(0, PAGES + 1).filter(page -> read(store, page) == ReadOutcome.HIT).toArray();
    }

    private void writeAll()
            throws IOException
    {
        try (DiskPageStore store = open(PAGES)) {
            for (long page = 0; page < PAGES; page++) {
                assertThat(write(store, page)).isEqualTo(WriteOutcome.STORED);
                Files.setLastModifiedTime(file(page), FileTime.fromMillis(1_000_000 + page * 1000));
            }
        }
    }

    private Path file(long page)
    {
        return new PageFolder(base, PAGE, new LocalVolume()).file(key(page));
    }

    @Test
    void restartKeepsPages()
            throws IOException
    {
        writeAll();
        try (DiskPageStore store = open(PAGES)) {
            assertThat(store.stats().currentPages()).isEqualTo(PAGES);
            assertThat(hits(store)).hasSize(PAGES);
            StoreFiles.check(store, base);
        }
    }

    @Test
    void smallerCapacityKeepsTheLatest()
            throws IOException
    {
        writeAll();
        try (DiskPageStore store = open(7)) {
            StoreFiles.check(store, base);
            assertThat(store.stats().evictions()).isEqualTo(PAGES - 7);
            assertThat(hits(store)).containsExactly(13, 14, 15, 16, 17, 18, 19);
            assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.STORED);
            StoreFiles.check(store, base);
        }
    }

    @Test
    void leastRecentlyUsedLeavesFirst()
            throws IOException
    {
        writeAll();
        try (DiskPageStore store = open(PAGES)) {
            assertThat(read(store, 0)).isEqualTo(ReadOutcome.HIT);
            assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.STORED);
            assertThat(hits(store)).hasSize(PAGES).contains(0).doesNotContain(1);
        }
    }

    @Test
    void leftOverFilesAreRemovedAndForeignOnesStay()
            throws IOException
    {
        writeAll();
        Path temporary = file(3).resolveSibling(file(3).getFileName() + ".17.tmp");
        Path foreign = base.resolve("notes.txt");
        Path foreignInside = file(3).resolveSibling("notes.txt");
        Files.writeString(temporary, "half a page");
        Files.writeString(foreign, "mine");
        Files.writeString(foreignInside, "mine too");
        try (DiskPageStore store = open(PAGES)) {
            assertThat(temporary).doesNotExist();
            assertThat(foreign).exists();
            assertThat(foreignInside).exists();
            assertThat(hits(store)).hasSize(PAGES);
        }
    }

    @Test
    void otherPageSizeDropsPages()
            throws IOException
    {
        writeAll();
        try (DiskPageStore store = open(PAGES, 2 * PAGE, new LocalVolume())) {
            assertThat(store.stats().incompatibleDrops()).isEqualTo(PAGES);
            assertThat(hits(store)).isEmpty();
            StoreFiles.check(store, base);
        }
    }

    @Test
    void otherFormatDropsPages()
            throws IOException
    {
        writeAll();
        Path newer = base.resolve("pages-v2-" + PAGE);
        Files.createDirectories(newer.resolve("deep/er"));
        Files.writeString(newer.resolve("deep/er/file"), "of the future");
        try (DiskPageStore store = open(PAGES)) {
            assertThat(store.stats().incompatibleDrops()).isEqualTo(1);
            assertThat(newer).doesNotExist();
            assertThat(hits(store)).hasSize(PAGES);
        }
    }

    @Test
    void readsAreServedWhileTheDirectoryIsScanned()
            throws Exception
    {
        writeAll();
        FaultyVolume volume = new FaultyVolume();
        CountDownLatch scanning = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        volume.setFault((operation, path) -> {
            if (operation == Operation.LIST) {
                scanning.countDown();
                try {
                    assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
                }
                catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        try (DiskPageStore store = open(PAGES + 1, PAGE, volume)) {
            assertThat(scanning.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(hits(store)).hasSize(PAGES);
            assertThat(read(store, PAGES)).isEqualTo(ReadOutcome.DECLINED);
            assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.DECLINED);
            Files.writeString(file(5), "damaged");
            assertThat(read(store, 5)).isEqualTo(ReadOutcome.CORRUPT);
            assertThat(file(5)).doesNotExist();
            gate.countDown();
            eventually("scan ends", () -> write(store, PAGES) == WriteOutcome.STORED);
            assertThat(hits(store)).hasSize(PAGES);
            StoreFiles.check(store, base);
        }
        finally {
            gate.countDown();
        }
    }

    @Test
    void pagesAreForTheOwnerAlone()
            throws IOException
    {
        writeAll();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base.resolve("pages-v1-" + PAGE)))).isEqualTo("rwx------");
    }
}
