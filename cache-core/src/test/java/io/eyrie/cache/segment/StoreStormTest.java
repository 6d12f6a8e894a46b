// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.device.LocalDevice;
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
import io.eyrie.cache.store.PageKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests many readers that are interrupted at any moment, while pages are evicted and invalidated, the store is resized, and disks fail. */
final class StoreStormTest
{
    private static final int READERS = 8;
    private static final int READS = Boolean.getBoolean("eyrie.stress") ? 200_000 : 2_000;
    private static final int FILES = 4;
    private static final int FILE_BYTES = 20 * TestingStore.PAGE + 1234;

    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong interrupts = new AtomicLong();
    private final List<Thread> readers = new ArrayList<>();

    private static PageCacheConfig config(Path... bases)
    {
        // capacity for half of the pages
        return TestingStore.config(bases)
                .capacityBytes(FILES * 10L * TestingStore.SLOT)
                .maxFetchBytes(4 * TestingStore.PAGE)
                .mergeGapBytes(0)
                .fetchThreads(4)
                .build();
    }

    private static FileVersion version(int file)
    {
        return new FileVersion(StoreId.shared("s3"), "/file" + file, FILE_BYTES, 1, Optional.empty());
    }

    private static Scope scope(int file)
    {
        return new Scope("hive", "web", "t" + file % 2, "");
    }

    /** Reads at random, and checks every byte. An interrupted read fails only with its interrupt. */
    private void readAtRandom(ReadThroughPageCache cache, long seed)
            throws IOException
    {
        Random random = new Random(seed);
        byte[][] contents = new byte[FILES][];
        CachedFile[] files = new CachedFile[FILES];
        for (int file = 0; file < FILES; file++) {
            contents[file] = TestingSource.randomBytes(file, FILE_BYTES);
            files[file] = cache.open(version(file), new TestingSource(contents[file]),
                    new ReadContext(scope(file), CacheMode.READ_WRITE, ReadListener.NOOP));
        }
        for (int read = 0; read < READS; read++) {
            int file = random.nextInt(FILES);
            int position = random.nextInt(FILE_BYTES);
            int length = 1 + random.nextInt(Math.min(3 * TestingStore.PAGE, FILE_BYTES - position));
            byte[] buffer = new byte[length];
            try {
                files[file].readFully(position, buffer, 0, length);
                assertThat(Arrays.equals(buffer, 0, length, contents[file], position, position + length)).isTrue();
            }
            catch (InterruptedIOException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                interrupts.incrementAndGet();
            }
            boolean unused = Thread.interrupted();
        }
    }

    private interface Body
    {
        void run()
                throws IOException;
    }

    private static FutureTask<Void> start(List<Thread> threads, Body body)
    {
        FutureTask<Void> task = new FutureTask<>(() -> {
            body.run();
            return null;
        });
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return task;
    }

    /** Runs readers with concurrent trouble until they have finished, and checks the counters all the time. */
    private PageCacheStats storm(ReadThroughPageCache cache, Runnable trouble)
            throws Exception
    {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int reader = 0; reader < READERS; reader++) {
            int seed = reader;
            tasks.add(start(readers, () -> readAtRandom(cache, seed)));
        }
        List<Thread> others = new ArrayList<>();
        FutureTask<Void> interrupter = start(others, () -> {
            Random random = new Random(1);
            while (!ended.get()) {
                readers.get(random.nextInt(READERS)).interrupt();
                Thread.onSpinWait();
            }
        });
        FutureTask<Void> troublemaker = start(others, () -> {
            while (!ended.get()) {
                trouble.run();
            }
        });
        FutureTask<Void> counter = start(others, () -> {
            long lookups = 0;
            while (!ended.get()) {
                lookups = checkSums(cache.stats(), lookups);
            }
        });
        try {
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
        }
        finally {
            ended.set(true);
        }
        interrupter.get();
        troublemaker.get();
        counter.get();
        return cache.stats();
    }

    private static long checkSums(PageCacheStats stats, long least)
    {
        assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(stats.lookup()
                .lookups());
        assertThat(stats.lookup().lookups()).isGreaterThanOrEqualTo(least);
        assertThat(stats.store().currentBytes()).isGreaterThanOrEqualTo(0);
        return stats.lookup().lookups();
    }

    private static SegmentPageStore open(PageCacheConfig config, Device device)
    {
        return SegmentPageStore.open(config, new StoreParts(device, System::currentTimeMillis, SequencePoint.NONE));
    }

    private static void change(SegmentPageStore store, Random random)
    {
        switch (random.nextInt(5)) {
            case 0 -> store.invalidate(scope(random.nextInt(FILES)));
            case 1 -> store.invalidateFile(PageKey.of(version(random.nextInt(FILES)), 0));
            case 2 -> store.resize((10 + random.nextInt(40)) * (long) TestingStore.SLOT);
            case 3 -> store.setQuotas(scope -> true, Map.of(scope(0), (5 + random.nextInt(20)) * (long) TestingStore.SLOT));
            default -> store.tend();
        }
    }

    @Test
    void interruptedReadersOfRealFilesHurtNobodyElse(@TempDir Path root)
            throws Exception
    {
        Path[] bases = {Files.createDirectory(root.resolve("a")), Files.createDirectory(root.resolve("b"))};
        Random random = new Random(7);
        SegmentPageStore store = open(config(bases), new LocalDevice());
        try (ReadThroughPageCache cache = new ReadThroughPageCache(store, config(bases))) {
            PageCacheStats stats = storm(cache, () -> change(store, random));
            assertThat(stats.lookup().corruptions()).isZero();
            assertThat(stats.lookup().deviceErrors()).isZero();
            assertThat(stats.write().failedWrites()).isZero();
            assertThat(stats.store().outages()).isZero();
            assertThat(stats.lookup().hits()).isPositive();
            assertThat(stats.lookup().lookups()).isGreaterThanOrEqualTo((long) READERS * READS);
        }
    }

    @Test
    void interruptedReadersBesideDisksThatFailReadWhatIsThere()
            throws Exception
    {
        FaultyDevice device = new FaultyDevice(1 << 30, TestingStore.A, TestingStore.B);
        PageCacheConfig config = config(TestingStore.A, TestingStore.B);
        Random random = new Random(8);
        SegmentPageStore store = open(config, device);
        try (ReadThroughPageCache cache = new ReadThroughPageCache(store, config)) {
            PageCacheStats stats = storm(cache, () -> {
                if (random.nextInt(4) == 0) {
                    breakDisk(device, random);
                }
                change(store, random);
                if (random.nextInt(4) == 0) {
                    device.heal();
                    store.tend();
                }
            });
            assertThat(stats.lookup().hits()).isPositive();
            assertThat(stats.store().outages()).isPositive();
            device.heal();
            store.tend();
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        }
    }

    private static void breakDisk(FaultyDevice device, Random random)
    {
        Path base = random.nextBoolean() ? TestingStore.A : TestingStore.B;
        DeviceOutcome fault = List.of(DeviceOutcome.IO_ERROR, DeviceOutcome.NO_SPACE, DeviceOutcome.END_OF_FILE, DeviceOutcome.READ_ONLY)
                .get(random.nextInt(4));
        int every = 1 + random.nextInt(50);
        AtomicLong operations = new AtomicLong();
        device.setFault((operation, path) -> operation != Operation.LOCK && path.startsWith(base) && operations.incrementAndGet() % every == 0
                ? fault
                : DeviceOutcome.OK);
    }
}
