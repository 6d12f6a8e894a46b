// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests a directory that disappears while its store is open, like an unmounted disk. */
final class VanishedDirectoryTest
{
    private static final int PAGES = 20;

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

    private static WriteOutcome write(SegmentPageStore store, int page)
    {
        return store.write(
                StoreProcess.key(page),
                TestingStore.TAGS,
                StoreProcess.PAGE,
                0,
                ByteBuffer.wrap(randomBytes(page, StoreProcess.PAGE)),
                store.epoch());
    }

    private static int count(SegmentPageStore store, ReadOutcome expected)
    {
        int count = 0;
        for (int page = 0; page < PAGES; page++) {
            ByteBuffer target = ByteBuffer.allocate(StoreProcess.PAGE);
            ReadOutcome outcome = store.read(StoreProcess.key(page), 0, target);
            if (outcome == ReadOutcome.HIT) {
                assertThat(target.array()).isEqualTo(randomBytes(page, StoreProcess.PAGE));
            }
            count += outcome == expected ? 1 : 0;
        }
        return count;
    }

    @Test
    void directoryThatVanishesIsTakenOutThoughNobodyWritesAndComesBackWithItsPages(@TempDir Path root)
            throws IOException
    {
        Path a = Files.createDirectory(root.resolve("a"));
        Path b = Files.createDirectory(root.resolve("b"));
        try (SegmentPageStore store = SegmentPageStore.open(config(a, b))) {
            for (int page = 0; page < PAGES; page++) {
                assertThat(write(store, page)).isEqualTo(WriteOutcome.STORED);
            }
        }
        // reopened, so that the journal has all pages
        try (SegmentPageStore store = SegmentPageStore.open(config(a, b))) {
            Path away = Files.move(a, root.resolve("away"));
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
            assertThat(store.stats().outages()).isEqualTo(1);
            int declined = count(store, ReadOutcome.DECLINED);
            assertThat(declined).isBetween(1, PAGES - 1);
            assertThat(count(store, ReadOutcome.HIT)).isEqualTo(PAGES - declined);
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isEqualTo(1);
            Files.move(away, a);
            store.tend();
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
            assertThat(count(store, ReadOutcome.HIT)).isEqualTo(PAGES);
        }
    }

    @Test
    void emptyDirectoryInThePlaceOfTheOneThatVanishedIsFilledAnew(@TempDir Path root)
            throws IOException
    {
        Path a = Files.createDirectory(root.resolve("a"));
        try (SegmentPageStore store = SegmentPageStore.open(config(a))) {
            assertThat(write(store, 0)).isEqualTo(WriteOutcome.STORED);
            Files.move(a, root.resolve("away"));
            Files.createDirectory(a);
            store.tend();
            assertThat(count(store, ReadOutcome.HIT)).isZero();
            assertThat(store.stats().currentQuarantinedDirectories()).isZero();
            assertThat(write(store, 0)).isEqualTo(WriteOutcome.STORED);
            assertThat(count(store, ReadOutcome.HIT)).isEqualTo(1);
        }
    }
}
