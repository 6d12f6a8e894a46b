package io.eyrie.cache.disk;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.disk.FaultyVolume.Operation;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.ReadThroughPageCache;
import io.eyrie.cache.page.TestingSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Many readers, a cache that is too small, and two disks that fail at every turn: every byte is right, and no read fails. */
final class FaultyCacheTest
{
    private static final int PAGE = 64 << 10;
    private static final int THREADS = 8;
    private static final int STEPS = 1500;
    private static final int FILES = 6;
    private static final byte[][] CONTENTS = new byte[FILES][];

    static {
        for (int file = 0; file < FILES; file++) {
            CONTENTS[file] = randomBytes(file, 9 * PAGE + file * 1000);
        }
    }

    @Test
    void faultsOfTheDisksAreNeverSeenByReaders(@TempDir Path root)
            throws Exception
    {
        FaultyVolume volume = new FaultyVolume();
        long capacityBytes = 2 * 15L * (PAGE + PageFile.BLOCK_BYTES);
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(List.of(Files.createDirectory(root.resolve("a")), Files.createDirectory(root.resolve("b"))))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(PAGE)
                .maxFetchBytes(4 * PAGE)
                .writeBufferBytes(8 * PAGE)
                .fetchThreads(6)
                .fetchWaitMillis(5)
                .probeIntervalMillis(2)
                .minFreeSpaceBytes(0)
                .build();
        DiskPageStore store = DiskPageStore.open(config, volume);
        ReadThroughPageCache cache = new ReadThroughPageCache(store, config);
        AtomicInteger operations = new AtomicInteger();
        volume.setFault((operation, path) -> {
            if (operation != Operation.LOCK && operations.incrementAndGet() % 100 == 0) {
                throw new FileSystemException(path.toString(), null, "Input/output error");
            }
        });
        List<TestingSource> sources = readFromManyThreads(cache);
        volume.heal();
        cache.close();

        PageCacheStats stats = cache.stats();
        assertThat(stats.hits() + stats.misses() + stats.declined() + stats.errors()).isEqualTo(stats.lookups());
        assertThat(stats.hits()).isGreaterThan(100);
        assertThat(stats.deviceErrors()).isPositive();
        assertThat(stats.failedWrites()).isPositive();
        assertThat(stats.remoteReads()).isEqualTo(sources.stream().mapToLong(source -> source.takeRanges().size()).sum());
        assertThat(sources).allSatisfy(source -> assertThat(source.closes()).isEqualTo(1));
    }

    private static List<TestingSource> readFromManyThreads(ReadThroughPageCache cache)
            throws Exception
    {
        List<TestingSource> sources = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> readers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                readers.add(threads.submit(() -> {
                    for (int step = 0; step < STEPS; step++) {
                        int file = random.nextInt(FILES);
                        TestingSource source = new TestingSource(CONTENTS[file]);
                        sources.add(source);
                        read(cache, source, file, random);
                    }
                    return null;
                }));
            }
            for (Future<?> reader : readers) {
                reader.get(120, TimeUnit.SECONDS);
            }
        }
        finally {
            threads.shutdownNow();
        }
        return sources;
    }

    private static void read(ReadThroughPageCache cache, TestingSource source, int number, Random steps)
            throws IOException
    {
        byte[] content = CONTENTS[number];
        int position = steps.nextInt(content.length);
        int length = Math.min(content.length - position, 1 + steps.nextInt(steps.nextBoolean() ? 1000 : 6 * PAGE));
        boolean interrupted = steps.nextInt(10) == 0;
        CacheMode mode = steps.nextInt(10) == 0 ? CacheMode.READ_ONLY : CacheMode.READ_WRITE;
        FileVersion version = new FileVersion(StoreId.shared("s3"), "/file", content.length, number, Optional.empty());
        byte[] buffer = new byte[length];
        try (CachedFile file = cache.open(version, source, new ReadContext(Scope.NONE, mode, ReadListener.NOOP))) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            file.readFully(position, buffer, 0, length);
            assertThat(Arrays.equals(buffer, 0, length, content, position, position + length)).isTrue();
        }
        catch (InterruptedIOException e) {
            assertThat(interrupted).isTrue();
        }
        assertThat(Thread.interrupted()).isEqualTo(interrupted);
    }
}
