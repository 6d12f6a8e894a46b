// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.InterruptedBlobs;
import io.eyrie.fragment.key.Grouping;
import io.eyrie.fragment.key.OutputId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

final class GroupingsTest
{
    private static final Scope TABLE = new Scope("hive", "web", "clicks", "");

    private final PageCacheConfig config;
    private PageCache cache;
    private Groupings groupings;

    GroupingsTest(@TempDir Path directory)
    {
        config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        cache = PageCaches.open(config);
        groupings = new Groupings(cache.blobs().orElseThrow());
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    @Test
    void latestGroupingsOutliveTheProcess()
    {
        List<Grouping> all = List.of(
                new Grouping(Optional.of(new BlobKey(1, 2)), Set.of(), Set.of(new BlobKey(3, 4)), Set.of(new OutputId(5, 6)), Set.of("ds", "hö")),
                grouping(1, 3),
                grouping(2, 0));
        LongStream.range(0, 50).forEach(number -> groupings.add(TABLE, grouping(100 + number, 1)));
        all.forEach(grouping -> groupings.add(TABLE, grouping));
        // two groupings of one table may have the same place
        all.forEach(grouping -> groupings.add(table(all.indexOf(grouping)), grouping));
        cache.close();
        cache = PageCaches.open(config);
        groupings = new Groupings(cache.blobs().orElseThrow());
        assertThat(groupings.of(TABLE)).hasSizeBetween(10, 20).contains(all.get(2)).doesNotHaveDuplicates();
        all.forEach(grouping -> assertThat(groupings.of(table(all.indexOf(grouping)))).containsExactly(grouping));
        assertThat(groupings.of(new Scope("hive", "web", "unknown", ""))).isEmpty();
    }

    @Test
    void groupingIsStoredAgainAfterAnInvalidation()
    {
        groupings.add(TABLE, grouping(1, 1));
        cache.control().invalidate(TABLE);
        groupings.forgetMemory();
        assertThat(groupings.of(TABLE)).isEmpty();
        groupings.add(TABLE, grouping(1, 1));
        cache.close();
        cache = PageCaches.open(config);
        assertThat(new Groupings(cache.blobs().orElseThrow()).of(TABLE)).containsExactly(grouping(1, 1));
    }

    @Test
    void latestGroupingsOfATableAreRemembered()
    {
        LongStream.range(0, 1000).forEach(number -> groupings.add(TABLE, grouping(number, 1)));
        groupings.add(TABLE, grouping(990, 1));
        assertThat(groupings.of(TABLE)).hasSizeBetween(10, 100).startsWith(grouping(990, 1), grouping(999, 1), grouping(998, 1))
                .doesNotHaveDuplicates();
        assertThat(groupings.of(new Scope("hive", "web", "other", ""))).isEmpty();
    }

    @Test
    void slowDiskBlocksNeitherOtherTablesNorAnInvalidation()
            throws Exception
    {
        groupings.add(TABLE, grouping(1, 1));
        cache.close();
        cache = PageCaches.open(config);
        InterruptedBlobs disk = new InterruptedBlobs(cache.blobs().orElseThrow());
        Groupings restarted = new Groupings(disk);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch slow = new CountDownLatch(1);
        disk.afterGet = () -> {
            reading.countDown();
            await(slow);
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<List<Grouping>> blocked = threads.submit(() -> restarted.of(TABLE));
            reading.await();
            // so many that some share locks with the first one, if it holds any
            Future<?> others = threads.submit(() -> {
                LongStream.range(0, 1000).forEach(number -> restarted.of(table(number)));
                restarted.forgetMemory();
            });
            assertThat(others).succeedsWithin(Duration.ofSeconds(20));
            slow.countDown();
            assertThat(blocked.get()).isNotNull();
            assertThat(restarted.currentTables()).as("an invalidated grouping is not remembered").isZero();
        }
        finally {
            slow.countDown();
            threads.shutdown();
        }
    }

    @Test
    void groupingOfVeryManyPartsIsNotRemembered()
    {
        groupings.add(TABLE, grouping(1, 100));
        assertThat(groupings.of(TABLE)).isEmpty();
    }

    @Test
    void memoryOfManyTablesIsBounded()
    {
        LongStream.range(0, 1000).mapToObj(GroupingsTest::table).forEach(table -> LongStream.range(0, 10).forEach(
                number -> groupings.add(table, grouping(number, 20))));
        assertThat(groupings.currentTables()).isBetween(100L, 500L);
    }

    private static Scope table(long number)
    {
        return new Scope("hive", "web", "table" + number, "");
    }

    private static Grouping grouping(long number, int keys)
    {
        return new Grouping(
                Optional.empty(),
                Set.of(new BlobKey(number, 0)),
                LongStream.range(0, keys).mapToObj(key -> new BlobKey(number, key)).collect(Collectors.toSet()),
                Set.of(),
                Set.of());
    }

    private static void await(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
