// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobCacheStats;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.store.PageWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests blobs that are replaced in a real store. */
final class ReplacedBlobsTest
{
    private static final BlobKey KEY = new BlobKey(7, 7);
    private static final List<Path> BASES = List.of(TestingStore.A, TestingStore.B);
    private static final int SEVERAL_PAGES = 3 * TestingStore.PAGE;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A, TestingStore.B).build());
    private BlobCache blobs = newBlobs();

    private BlobCache newBlobs()
    {
        return new StoreBlobCache(testing.store(), new PageWriter(testing.store(), 1 << 20, TestingStore.PAGE), TestingStore.PAGE, 1 << 20);
    }

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    private long ended()
    {
        BlobCacheStats stats = blobs.stats();
        return stats.write().writes() + stats.write().staleWrites() + stats.write().declinedWrites() + stats.write().failedWrites();
    }

    private byte[] replace(int seed, int length)
    {
        byte[] blob = randomBytes(seed, length);
        long before = ended();
        blobs.replace(KEY, TestingStore.TAGS, ByteBuffer.wrap(blob), blobs.epoch());
        eventually("the write has ended", () -> ended() > before);
        return blob;
    }

    /** Runs an action while the write of a blob is held at a point, and lets the write go on afterwards. */
    private void whileWriting(String point, int length, Runnable action)
    {
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        testing.point = name -> {
            if (name.equals(point) && first.getAndSet(false)) {
                reached.countDown();
                await(gate);
            }
        };
        blobs.put(KEY, TestingStore.TAGS, ByteBuffer.wrap(randomBytes(1, length)), blobs.epoch());
        await(reached);
        action.run();
        gate.countDown();
        eventually("the write has ended", () -> blobs.stats().write().staleWrites() == 1);
    }

    @ParameterizedTest
    @CsvSource({"write.begun, 100", "write.written, 100", "write.begun, 10000", "write.written, 10000"})
    void blobThatIsBeingWrittenDoesNotComeAfterItsReplacement(String point, int length)
    {
        byte[] later = randomBytes(2, length);
        whileWriting(point, length, () -> assertThat(replace(2, length)).isEqualTo(later).isEqualTo(blobs.get(KEY).orElseThrow()));
        assertThat(blobs.get(KEY)).hasValue(later);
        assertThat(blobs.stats().lookup().corruptions()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"write.begun, 100", "write.written, 100", "write.begun, 10000", "write.written, 10000"})
    void blobThatIsBeingWrittenDoesNotComeAfterItsRemoval(String point, int length)
    {
        whileWriting(point, length, () -> blobs.remove(KEY));
        assertThat(blobs.get(KEY)).isEmpty();
    }

    /* Of more than 1,024 invalidations, a store does not know the keys. */
    @ParameterizedTest
    @ValueSource(ints = {100, SEVERAL_PAGES})
    void removedBlobsMakeNoOtherStale(int length)
    {
        byte[] blob = replace(1, length);
        assertThat(blobs.get(KEY)).hasValue(blob);
        long epoch = blobs.epoch();
        blobs.remove(KEY);
        for (int other = 0; other < 2_000; other++) {
            blobs.remove(new BlobKey(8, other));
        }
        assertThat(blobs.get(KEY)).isEmpty();
        assertThat(testing.store().stats().currentPages()).isZero();
        assertThat(blobs.isStale(KEY, TestingStore.TAGS.scope(), epoch)).isFalse();
    }

    @Test
    void replacementOutlivesAKill()
    {
        for (int length : new int[] {100, SEVERAL_PAGES, 200}) {
            replace(1, length);
            byte[] later = replace(2, length);
            awaitWritten();
            testing.kill();
            blobs = newBlobs();
            assertThat(blobs.get(KEY)).hasValue(later);
        }
    }

    @Test
    void directoryThatMissedAReplacementIsNotMixedWithTheOther()
    {
        for (int round = 0; round < 20; round++) {
            Path lost = BASES.get(round % 2);
            byte[] earlier = replace(2 * round, SEVERAL_PAGES);
            assertThat(blobs.get(KEY)).hasValue(earlier);
            testing.device().setFault((operation, path) -> path.startsWith(lost) ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
            byte[] later = replace(2 * round + 1, SEVERAL_PAGES);
            testing.device().heal();
            testing.clockMillis.addAndGet(TimeUnit.HOURS.toMillis(1));
            testing.store().tend();
            assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
            blobs.get(KEY).ifPresent(found -> assertThat(List.of(ByteBuffer.wrap(earlier), ByteBuffer.wrap(later))).contains(ByteBuffer.wrap(found)));
            byte[] next = replace(1000 + round, SEVERAL_PAGES);
            assertThat(blobs.get(KEY)).hasValue(next);
        }
    }

    private void awaitWritten()
    {
        eventually("the journals are written", () -> testing.store().directories().stream().allMatch(directory -> requireNonNull(directory.table())
                .isWhole()));
    }

    private static void await(CountDownLatch latch)
    {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        }
        catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
