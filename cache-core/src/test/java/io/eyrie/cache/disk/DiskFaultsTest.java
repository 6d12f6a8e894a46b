package io.eyrie.cache.disk;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DirectoryLock;
import io.eyrie.cache.disk.FaultyVolume.Operation;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.ReadOutcome;
import io.eyrie.cache.page.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Disks that fail, fill up, go away and come back. */
final class DiskFaultsTest
{
    private static final int PAGE = 128 << 10;
    private static final int PAGE_BLOCKS = PAGE + PageFile.BLOCK_BYTES;
    private static final int PAGES = 12;

    private final FaultyVolume volume = new FaultyVolume();
    private final Path a;
    private final Path b;
    private final List<DiskPageStore> opened = new ArrayList<>();

    DiskFaultsTest(@TempDir Path root)
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

    @AfterEach
    void close()
    {
        opened.forEach(DiskPageStore::close);
    }

    private DiskPageStore open(Path... bases)
    {
        return open(64L * PAGE_BLOCKS, 0, bases);
    }

    private DiskPageStore open(long capacityBytes, long minFreeSpaceBytes, Path... bases)
    {
        DiskPageStore store = DiskPageStore.open(PageCacheConfig.builder()
                .baseDirectories(List.of(bases))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(PAGE)
                .minFreeSpaceBytes(minFreeSpaceBytes)
                .probeIntervalMillis(5)
                .build(), volume);
        opened.add(store);
        return store;
    }

    private static PageKey key(long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", 1L << 40, 0, Optional.empty()), page);
    }

    private static byte[] page(long page)
    {
        return randomBytes(page, PAGE);
    }

    private static WriteOutcome write(DiskPageStore store, long page)
    {
        return StoreFiles.write(store, key(page), page(page));
    }

    /** Reads a page, and checks what a hit gives. */
    private static ReadOutcome read(DiskPageStore store, long page)
    {
        ByteBuffer target = ByteBuffer.allocate(PAGE);
        ReadOutcome outcome = store.read(key(page), 0, target);
        assertThat(target.position()).isEqualTo(outcome == ReadOutcome.HIT ? PAGE : 0);
        if (outcome == ReadOutcome.HIT) {
            assertThat(target.array()).isEqualTo(page(page));
        }
        return outcome;
    }

    private static List<Long> hits(DiskPageStore store)
    {
        List<Long> hits = new ArrayList<>();
        for (long page = 0; page < PAGES; page++) {
            if (read(store, page) == ReadOutcome.HIT) {
                hits.add(page);
            }
        }
        return hits;
    }

    private static void fill(DiskPageStore store)
    {
        for (long page = 0; page < PAGES; page++) {
            assertThat(write(store, page)).isEqualTo(WriteOutcome.STORED);
        }
        assertThat(hits(store)).hasSize(PAGES);
    }

    private static void awaitService(DiskPageStore store)
    {
        eventually("all directories are in service", () -> store.stats().currentQuarantinedDirectories() == 0);
    }

    private void failIn(Path base, String reason, Operation... operations)
    {
        volume.setFault((operation, path) -> {
            if (List.of(operations).contains(operation) && path.startsWith(base)) {
                throw new FileSystemException(path.toString(), null, reason);
            }
        });
    }

    @Test
    void failingReadTakesOneDirectoryOutUntilItHeals()
    {
        DiskPageStore store = open(a, b);
        fill(store);
        failIn(a, "Input/output error", Operation.READ);
        List<Long> left = hits(store);
        assertThat(left).hasSizeBetween(1, PAGES - 1);
        assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
        for (long page = 0; page < PAGES; page++) {
            assertThat(read(store, page)).isEqualTo(left.contains(page) ? ReadOutcome.HIT : ReadOutcome.DECLINED);
            assertThat(write(store, page)).isEqualTo(left.contains(page) ? WriteOutcome.STORED : WriteOutcome.DECLINED);
        }
        volume.heal();
        awaitService(store);
        // all but the page whose read failed
        assertThat(hits(store)).hasSize(PAGES - 1);
        fill(store);
        StoreFiles.check(store, a, b);
    }

    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Read-only file system", "Input/output error"})
    void failingWriteTakesOneDirectoryOutUntilItHeals(String reason)
    {
        DiskPageStore store = open(a, b);
        fill(store);
        failIn(a, reason, Operation.WRITE, Operation.CREATE_DIRECTORY, Operation.LOCK);
        int failed = 0;
        for (long page = PAGES; page < 2 * PAGES; page++) {
            failed += write(store, page) == WriteOutcome.DEVICE_ERROR ? 1 : 0;
        }
        assertThat(failed).isEqualTo(1);
        assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
        assertThat(hits(store)).hasSizeBetween(1, PAGES - 1);
        volume.heal();
        awaitService(store);
        assertThat(hits(store)).hasSize(PAGES);
        StoreFiles.check(store, a, b);
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"WRITE", "MOVE"})
    void failedWriteLeavesNothing(Operation operation)
    {
        DiskPageStore store = open(a);
        fill(store);
        failIn(a, "Input/output error", operation);
        assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.DEVICE_ERROR);
        assertThat(StoreFiles.pages(a)).hasSize(PAGES);
        volume.heal();
        awaitService(store);
        assertThat(read(store, PAGES)).isEqualTo(ReadOutcome.MISS);
        assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.STORED);
        StoreFiles.check(store, a);
    }

    @Test
    void pageBearsItsNameOnlyWhenWhole()
    {
        DiskPageStore store = open(a);
        List<Path> written = new ArrayList<>();
        volume.setFault((operation, path) -> {
            if (operation == Operation.WRITE || operation == Operation.MOVE) {
                assertThat(StoreFiles.pages(a)).noneMatch(file -> PageFile.parseName(String.valueOf(file.getFileName())) != null);
            }
            if (operation == Operation.MOVE) {
                written.add(path);
                assertThat(Files.size(path)).isEqualTo(PAGE_BLOCKS);
            }
        });
        assertThat(write(store, 0)).isEqualTo(WriteOutcome.STORED);
        assertThat(written).singleElement().asString().endsWith(".tmp");
        StoreFiles.check(store, a);
    }

    @Test
    void failingEvictionTakesTheDirectoryOut()
    {
        DiskPageStore store = open((long) PAGES * PAGE_BLOCKS, 0, a);
        fill(store);
        failIn(a, "Input/output error", Operation.DELETE);
        assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.DEVICE_ERROR);
        volume.heal();
        awaitService(store);
        assertThat(write(store, PAGES)).isEqualTo(WriteOutcome.STORED);
        StoreFiles.check(store, a);
    }

    @Test
    void fullVolumeEvictsAndDeclinesButServes()
    {
        DiskPageStore store = open(64L * PAGE_BLOCKS, 10L * PAGE_BLOCKS, a);
        volume.setUsableBytes(OptionalLong.of(100L * PAGE_BLOCKS));
        fill(store);
        // three pages must go so that one fits
        volume.setUsableBytes(OptionalLong.of(8L * PAGE_BLOCKS));
        write(store, PAGES);
        assertThat(store.stats().evictions()).isEqualTo(3);
        assertThat(hits(store)).hasSize(PAGES - 3);
        volume.setUsableBytes(OptionalLong.of(0));
        assertThat(write(store, PAGES + 1)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        volume.setUsableBytes(OptionalLong.of(100L * PAGE_BLOCKS));
        assertThat(write(store, PAGES + 1)).isEqualTo(WriteOutcome.STORED);
        StoreFiles.check(store, a);
    }

    @Test
    void directoryThatVanishesAndComesBack()
            throws IOException
    {
        DiskPageStore store = open(a, b);
        fill(store);
        Path away = a.resolveSibling("away");
        Files.move(a, away);
        List<Long> left = hits(store);
        assertThat(left).hasSizeBetween(1, PAGES - 1);
        assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
        // an empty mount point
        assertThat(a).doesNotExist();
        Files.move(away, a);
        awaitService(store);
        assertThat(hits(store)).hasSize(PAGES);
        StoreFiles.check(store, a, b);
    }

    @Test
    void directoryThatIsReplacedByAnEmptyOne()
            throws IOException
    {
        DiskPageStore store = open(a);
        fill(store);
        Files.move(a, a.resolveSibling("away"));
        Files.createDirectory(a);
        assertThat(read(store, 0)).isNotEqualTo(ReadOutcome.HIT);
        awaitService(store);
        eventually("the new directory is owned", () -> Files.exists(a.resolve(DirectoryLock.FILE_NAME)));
        eventually("pages are written", () -> write(store, 0) == WriteOutcome.STORED);
        assertThat(hits(store)).containsExactly(0L);
        StoreFiles.check(store, a);
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"LOCK", "CREATE_DIRECTORY", "LIST", "WRITE", "READ"})
    void opensDegradedAndHeals(Operation operation)
    {
        failIn(a, "Read-only file system", operation);
        DiskPageStore store = open(a, b);
        eventually("one directory is out of service", () -> store.stats().currentQuarantinedDirectories() == 1);
        int stored = 0;
        for (long page = 0; page < PAGES; page++) {
            stored += write(store, page) == WriteOutcome.STORED ? 1 : 0;
        }
        assertThat(stored).isBetween(1, PAGES - 1);
        volume.heal();
        awaitService(store);
        fill(store);
    }

    @Test
    void opensWithOneOfTwoDirectoriesMissingAndHeals()
            throws IOException
    {
        Files.delete(a);
        DiskPageStore store = open(a, b);
        assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
        Files.createDirectory(a);
        awaitService(store);
        fill(store);
        StoreFiles.check(store, a, b);
    }

    @Test
    void opensFullAndEvicts()
    {
        fill(open(a));
        opened.get(0).close();
        volume.setUsableBytes(OptionalLong.of(7L * PAGE_BLOCKS));
        DiskPageStore store = open(64L * PAGE_BLOCKS, 10L * PAGE_BLOCKS, a);
        assertThat(store.stats().currentPages()).isEqualTo(PAGES - 3);
        assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        StoreFiles.check(store, a);
    }

    @Test
    void permissionIsTheOperatorsMatter()
    {
        for (Operation denied : List.of(Operation.LOCK, Operation.CREATE_DIRECTORY, Operation.WRITE)) {
            volume.setFault((operation, path) -> {
                if (operation == denied && path.startsWith(b)) {
                    throw new AccessDeniedException(path.toString());
                }
            });
            assertThatThrownBy(() -> open(a, b))
                    .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"))
                    .hasMessageContaining(b.toString())
                    .hasMessageContaining("may not write");
        }
        volume.heal();
        // what was taken before the failure has been given back
        fill(open(a, b));
    }

    @Test
    void missingDirectoriesAreTheOperatorsMatter()
            throws IOException
    {
        Files.delete(a);
        assertThatThrownBy(() -> open(a)).isInstanceOf(ConfigException.class).hasMessageContaining(a.toString()).hasMessageContaining("create it");
        Files.writeString(a, "a file");
        assertThatThrownBy(() -> open(a, b)).isInstanceOf(ConfigException.class).hasMessageContaining("not a directory");
        Files.delete(b);
        Files.delete(a);
        assertThatThrownBy(() -> open(a, b)).isInstanceOf(ConfigException.class);
    }

    @Test
    void everyFlippedBitIsFound()
            throws IOException
    {
        DiskPageStore store = open(a);
        write(store, 0);
        Path file = StoreFiles.pages(a).get(0);
        byte[] good = Files.readAllBytes(file);
        int corruptions = 0;
        for (int offset = 0; offset < good.length; offset += offset < 100 ? 1 : 331) {
            byte[] bad = good.clone();
            bad[offset] ^= (byte) (1 << (offset % 8));
            Files.createDirectories(file.getParent());
            Files.write(file, bad);
            assertThat(read(store, 0)).as("bit flipped at %s", offset).isEqualTo(ReadOutcome.CORRUPT);
            assertThat(file).doesNotExist();
            assertThat(read(store, 0)).isEqualTo(ReadOutcome.MISS);
            assertThat(write(store, 0)).isEqualTo(WriteOutcome.STORED);
            assertThat(read(store, 0)).isEqualTo(ReadOutcome.HIT);
            corruptions++;
        }
        assertThat(corruptions).isGreaterThan(400);
        StoreFiles.check(store, a);
    }

    @Test
    void damageIsFoundWhereItIsRead()
            throws IOException
    {
        DiskPageStore store = open(a);
        write(store, 0);
        byte[] bad = Files.readAllBytes(StoreFiles.pages(a).get(0));
        bad[PageFile.BLOCK_BYTES + PageFile.GRANULE_BYTES] ^= 1;
        Files.write(StoreFiles.pages(a).get(0), bad);
        assertThat(store.read(key(0), 0, ByteBuffer.allocate(PageFile.GRANULE_BYTES))).isEqualTo(ReadOutcome.HIT);
        assertThat(store.read(key(0), PageFile.GRANULE_BYTES - 1, ByteBuffer.allocate(2))).isEqualTo(ReadOutcome.CORRUPT);
    }

    @Test
    void truncatedFileIsCorrupt()
            throws IOException
    {
        DiskPageStore store = open(a);
        for (int length : new int[] {0, 1, PageFile.BLOCK_BYTES - 1, PageFile.BLOCK_BYTES, PageFile.BLOCK_BYTES + PAGE - 1}) {
            write(store, 0);
            Path file = StoreFiles.pages(a).get(0);
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
            assertThat(read(store, 0)).isEqualTo(ReadOutcome.CORRUPT);
            assertThat(store.stats().currentPages()).isZero();
        }
    }

    @Test
    void fileOfAnotherPageIsCorrupt()
            throws IOException
    {
        DiskPageStore store = open(a);
        write(store, 0);
        byte[] other = Files.readAllBytes(StoreFiles.pages(a).get(0));
        store.remove(key(0));
        write(store, 1);
        Files.write(StoreFiles.pages(a).get(0), other, StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(read(store, 1)).isEqualTo(ReadOutcome.CORRUPT);
    }

    @Test
    void deletedFileIsAMiss()
            throws IOException
    {
        DiskPageStore store = open(a);
        fill(store);
        for (Path file : StoreFiles.pages(a)) {
            Files.delete(file);
        }
        assertThat(hits(store)).isEmpty();
        assertThat(store.stats().currentBytes()).isZero();
        assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        fill(store);
    }
}
