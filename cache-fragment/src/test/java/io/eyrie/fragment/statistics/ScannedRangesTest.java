// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.fragment.InterruptedBlobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests scanned ranges with a real store. */
final class ScannedRangesTest
{
    private static final Scope SCOPE = new Scope("hive", "web", "clicks", "ds=1");
    private static final BlobKey KEY = new BlobKey(1, 2);
    private static final ValueRange RANGE = new ValueRange(true, -5, 7);

    private final PageCacheConfig config;
    private PageCache cache;

    ScannedRangesTest(@TempDir Path directory)
    {
        config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        cache = PageCaches.open(config);
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    @Test
    void rangeIsGivenBackAtOnceAndAfterARestart()
    {
        ScannedRanges ranges = new ScannedRanges(blobs(), 1 << 20);
        assertThat(ranges.get(KEY)).isEmpty();
        ranges.keep(KEY, RANGE, ranges.epoch(), SCOPE);
        assertThat(ranges.get(KEY)).contains(RANGE);
        assertThat(ranges.scanned()).isEqualTo(1);
        restart();
        assertThat(new ScannedRanges(blobs(), 1 << 20).get(KEY)).contains(RANGE);
        assertThat(new ScannedRanges(blobs(), 0).get(new BlobKey(1, 3))).isEmpty();
    }

    @Test
    void invalidatedWhileTheColumnWasReadIsNotKept()
    {
        ScannedRanges ranges = new ScannedRanges(blobs(), 1 << 20);
        long epoch = ranges.epoch();
        cache.control().invalidate(SCOPE);
        ranges.keep(KEY, RANGE, epoch, SCOPE);
        assertThat(ranges.get(KEY)).isEmpty();
        restart();
        assertThat(new ScannedRanges(blobs(), 1 << 20).get(KEY)).isEmpty();
    }

    @Test
    void isInMemoryAtOnceEvenIfAnythingElseWasInvalidatedMeanwhile()
    {
        ScannedRanges ranges = new ScannedRanges(blobs(), 1 << 20);
        long epoch = ranges.epoch();
        blobs().invalidate(new BlobKey(7, 7));
        ranges.keep(KEY, RANGE, epoch, SCOPE);
        // from now on, nothing is read from the disk
        cache.close();
        assertThat(ranges.get(KEY)).contains(RANGE);
    }

    @Test
    void invalidatedScopeTakesItsRangesAlong()
    {
        ScannedRanges ranges = new ScannedRanges(blobs(), 1 << 20);
        ranges.keep(KEY, RANGE, ranges.epoch(), SCOPE);
        restart();
        ScannedRanges restarted = new ScannedRanges(blobs(), 1 << 20);
        assertThat(restarted.get(KEY)).contains(RANGE);
        cache.control().invalidate(SCOPE);
        restarted.forgetMemory();
        assertThat(restarted.get(KEY)).isEmpty();
    }

    @Test
    void rangeThatIsInvalidatedWhileTheDiskReadsItIsForgotten()
    {
        new ScannedRanges(blobs(), 1 << 20).keep(KEY, RANGE, blobs().epoch(), SCOPE);
        restart();
        InterruptedBlobs interrupted = new InterruptedBlobs(blobs());
        ScannedRanges ranges = new ScannedRanges(interrupted, 1 << 20);
        interrupted.afterGet = () -> {
            cache.control().invalidate(SCOPE);
            ranges.forgetMemory();
        };
        assertThat(ranges.get(KEY)).as("the lookup began before").contains(RANGE);
        assertThat(ranges.get(KEY)).isEmpty();
    }

    @Test
    void rangeThatIsInvalidatedWhileItIsStoredIsForgotten()
            throws InterruptedException
    {
        InterruptedBlobs interrupted = new InterruptedBlobs(blobs());
        ScannedRanges ranges = new ScannedRanges(interrupted, 1 << 20);
        Thread invalidation = new Thread(() -> {
            cache.control().invalidate(SCOPE);
            ranges.forgetMemory();
        });
        interrupted.afterIsStale = () -> {
            invalidation.start();
            // until it waits for the store, or has invalidated before it
            while (invalidation.isAlive() && invalidation.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        };
        ranges.keep(KEY, RANGE, ranges.epoch(), SCOPE);
        invalidation.join();
        assertThat(ranges.get(KEY)).isEmpty();
    }

    @Test
    void otherBytesAreDropped()
    {
        blobs().put(KEY, new PageTags(SCOPE, StorageClass.RESULT), ByteBuffer.wrap(new byte[] {1, 2, 3}), blobs().epoch());
        restart();
        assertThat(new ScannedRanges(blobs(), 1 << 20).get(KEY)).isEmpty();
        assertThat(blobs().get(KEY)).isEmpty();
    }

    private BlobCache blobs()
    {
        return cache.blobs().orElseThrow();
    }

    private void restart()
    {
        cache.close();
        cache = PageCaches.open(config);
    }
}
