package io.eyrie.cache.disk;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.ReadOutcome;
import io.eyrie.cache.page.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Many threads on a store that is always full. */
final class CapacityTest
{
    private static final int PAGE = 64 << 10;
    private static final int THREADS = 8;
    private static final int STEPS = 600;
    private static final int FILE_PAGES = 60;

    @Test
    void capacityIsNeverExceededAndNoByteIsWrong(@TempDir Path base)
            throws Exception
    {
        FaultyVolume volume = new FaultyVolume();
        long capacityBytes = 20L * (PAGE + PageFile.BLOCK_BYTES) + 1000;
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(List.of(base))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(PAGE)
                .minFreeSpaceBytes(0)
                .build();
        LongAdder hits = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DiskPageStore store = DiskPageStore.open(config, volume)) {
            List<Future<?>> workers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                workers.add(threads.submit(() -> {
                    for (int step = 0; step < STEPS; step++) {
                        step(store, random, hits);
                    }
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(120, TimeUnit.SECONDS);
            }
            StoreFiles.check(store, base);
            assertThat(volume.highestBytes()).isLessThanOrEqualTo(capacityBytes).isGreaterThan(capacityBytes / 2);
            assertThat(store.stats().evictions()).isGreaterThan(100);
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
            assertThat(hits.sum()).isGreaterThan(100);
        }
        finally {
            threads.shutdownNow();
        }
    }

    private static void step(DiskPageStore store, Random random, LongAdder hits)
    {
        int page = random.nextInt(FILE_PAGES);
        PageKey key = PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", (long) FILE_PAGES * PAGE, 0, Optional.empty()), page);
        byte[] content = randomBytes(page, PAGE);
        ByteBuffer target = ByteBuffer.allocate(PAGE);
        ReadOutcome outcome = store.read(key, 0, target);
        assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS);
        if (outcome == ReadOutcome.HIT) {
            hits.increment();
            assertThat(target.array()).isEqualTo(content);
        }
        else if (random.nextInt(20) == 0) {
            store.remove(key);
        }
        else {
            assertThat(StoreFiles.write(store, key, content)).isNotEqualTo(WriteOutcome.DEVICE_ERROR);
        }
    }
}
