// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

final class StoreBlobCacheTest
        extends BlobCacheContract
{
    private static final int PAGE = 64 << 10;
    private static final int GRANULE = 4 << 10;

    private final TestingPageStore store = new TestingPageStore(GRANULE);
    private final BlobCache blobs = new StoreBlobCache(store, new PageWriter(store, 1 << 20, PAGE), PAGE, 300_000);

    @Override
    protected BlobCache createCache()
    {
        TestingPageStore empty = new TestingPageStore(GRANULE);
        return new StoreBlobCache(empty, new PageWriter(empty, 1 << 20, PAGE), PAGE, 300_000);
    }

    @Test
    void blobThatLostAnyGranuleIsAMissAndIsDropped()
    {
        byte[] blob = randomBytes(1, 2 * PAGE + 100);
        for (int page = 0; page < 3; page++) {
            for (int granule : new int[] {0, page < 2 ? PAGE / GRANULE - 1 : 0}) {
                put(blobs, key(1), blob);
                assertThat(blobs.get(key(1))).hasValue(blob);
                long misses = blobs.stats().lookup().misses();
                store.dropGranule(key(1).page(page), granule);
                assertThat(blobs.get(key(1))).isEmpty();
                assertThat(blobs.stats().lookup().misses()).isEqualTo(misses + 1);
                assertThat(store.tags()).doesNotContainKey(key(1).page(0));
            }
        }
        put(blobs, key(1), blob);
        assertThat(blobs.get(key(1))).hasValue(blob);
    }

    @Test
    void remainsOfAnotherBlobAreFoundOut()
    {
        byte[] first = randomBytes(1, 3 * PAGE - StoreBlobCache.HEADER_BYTES);
        byte[] second = randomBytes(2, first.length);
        put(blobs, key(1), first);
        store.remove(key(1).page(0));
        put(blobs, key(1), second);
        assertThat(blobs.get(key(1))).isEmpty();
        assertThat(blobs.stats().lookup().corruptions()).isEqualTo(1);
        assertThat(store.tags()).isEmpty();
        put(blobs, key(1), second);
        assertThat(blobs.get(key(1))).hasValue(second);
    }

    @Test
    void headerIsThereOnlyAfterAllElse()
    {
        CountDownLatch gate = new CountDownLatch(1);
        store.setWriteFault(page -> {
            eventually("the gate opens", () -> gate.getCount() == 0);
            return page.equals(key(2).page(2)) ? Optional.of(WriteOutcome.DEVICE_ERROR) : Optional.empty();
        });
        byte[] blob = randomBytes(1, 3 * PAGE);
        blobs.put(key(1), TAGS, ByteBuffer.wrap(blob), blobs.epoch());
        blobs.put(key(2), TAGS, ByteBuffer.wrap(blob), blobs.epoch());
        assertThat(blobs.get(key(1))).isEmpty();
        gate.countDown();
        eventually("both have ended", () -> puts(blobs) == 2);
        assertThat(blobs.get(key(1))).hasValue(blob);
        assertThat(blobs.get(key(2))).isEmpty();
        assertThat(store.tags()).doesNotContainKey(key(2).page(0));
        assertThat(blobs.stats().write().failedWrites()).isEqualTo(1);
    }

    @Test
    void blobOnItsWayToTheDiskIsReplaced()
    {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        store.setWriteFault(page -> {
            boolean first = begun.getCount() == 1;
            begun.countDown();
            eventually("the writes end in their order", () -> first ? replaced.getCount() == 0 : puts(blobs) == 1);
            return Optional.empty();
        });
        blobs.put(key(1), TAGS, ByteBuffer.wrap(randomBytes(1, 100)), blobs.epoch());
        eventually("the first write has begun", () -> begun.getCount() == 0);
        byte[] later = randomBytes(2, 100);
        blobs.replace(key(1), TAGS, ByteBuffer.wrap(later), blobs.epoch());
        replaced.countDown();
        eventually("both have ended", () -> puts(blobs) == 2);
        assertThat(blobs.get(key(1))).hasValue(later);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 2 * PAGE})
    void blobThatIsReplacedBeforeItsWriteBeginsDoesNotComeAfterTheOther(int length)
    {
        AtomicBoolean begins = new AtomicBoolean(true);
        CountDownLatch begun = new CountDownLatch(1);
        store.setWriteFault(page -> {
            boolean first = begins.getAndSet(false);
            begun.countDown();
            eventually("the later blob is written", () -> !first || blobs.stats().write().writes() == 1);
            return Optional.empty();
        });
        blobs.put(key(1), TAGS, ByteBuffer.wrap(randomBytes(1, length)), blobs.epoch());
        eventually("the first write has begun", () -> begun.getCount() == 0);
        byte[] later = randomBytes(2, length);
        blobs.replace(key(1), TAGS, ByteBuffer.wrap(later), blobs.epoch());
        eventually("both have ended", () -> puts(blobs) == 2);
        assertThat(blobs.stats().write().staleWrites()).isEqualTo(1);
        assertThat(blobs.get(key(1))).hasValue(later);
    }

    /* The header is written after all other pages. */
    @Test
    void wholeBlobIsWrittenBeforeTheWriterCloses()
            throws InterruptedException
    {
        PageWriter writer = new PageWriter(store, 1 << 20, PAGE);
        BlobCache closed = new StoreBlobCache(store, writer, PAGE, 300_000);
        Thread closing = new Thread(() -> {
            try {
                writer.close(60);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        store.setWriteFault(page -> {
            eventually("the writer waits", () -> closing.getState() == Thread.State.TIMED_WAITING);
            return Optional.empty();
        });
        byte[] blob = randomBytes(1, 3 * PAGE);
        closed.put(key(1), TAGS, ByteBuffer.wrap(blob), closed.epoch());
        closing.start();
        closing.join();
        assertThat(blobs.get(key(1))).hasValue(blob);
    }

    @Test
    void blobOfWhichOnlyTheHeaderIsMissingIsReplaced()
    {
        byte[] later = randomBytes(2, 2 * PAGE);
        AtomicBoolean first = new AtomicBoolean(true);
        store.setWriteFault(page -> {
            if (page.equals(key(1).page(0)) && first.getAndSet(false)) {
                blobs.replace(key(1), TAGS, ByteBuffer.wrap(later), blobs.epoch());
            }
            return Optional.empty();
        });
        blobs.put(key(1), TAGS, ByteBuffer.wrap(randomBytes(1, 3 * PAGE)), blobs.epoch());
        eventually("both have ended", () -> puts(blobs) == 2);
        assertThat(blobs.get(key(1))).hasValue(later);
        assertThat(blobs.stats().write().staleWrites()).isEqualTo(1);
    }

    @Test
    void lookupDuringAReplacementFindsNoMixtureAndDropsNothing()
    {
        put(blobs, key(1), randomBytes(1, 3 * PAGE - StoreBlobCache.HEADER_BYTES));
        byte[] later = randomBytes(2, 3 * PAGE - StoreBlobCache.HEADER_BYTES);
        int second = PAGE - StoreBlobCache.HEADER_BYTES;
        store.setWriteFault(page -> {
            if (page.equals(key(1).page(2))) {
                ByteBuffer target = ByteBuffer.allocate(PAGE);
                eventually("the second page is written", () -> store.read(key(1).page(1), 0, target.clear()) == ReadOutcome.HIT
                        && Arrays.equals(target.array(), 0, PAGE, later, second, second + PAGE));
                assertThat(blobs.get(key(1))).isEmpty();
            }
            return Optional.empty();
        });
        blobs.replace(key(1), TAGS, ByteBuffer.wrap(later), blobs.epoch());
        eventually("both have ended", () -> puts(blobs) == 2);
        assertThat(blobs.get(key(1))).hasValue(later);
        assertThat(blobs.stats().lookup().corruptions()).isZero();
    }

    @Test
    void replacementOfAnotherLengthLeavesNoPageOfTheEarlierBlob()
    {
        for (int pages : new int[] {3, 1, 4, 2, 1}) {
            byte[] blob = randomBytes(pages, pages * PAGE - StoreBlobCache.HEADER_BYTES);
            long before = puts(blobs);
            blobs.replace(key(1), TAGS, ByteBuffer.wrap(blob), blobs.epoch());
            eventually("it is written", () -> puts(blobs) > before);
            assertThat(blobs.get(key(1))).hasValue(blob);
            assertThat(store.tags()).hasSize(pages);
        }
        assertThat(blobs.stats().lookup().corruptions()).isZero();
    }

    @Test
    void replacementThatIsNotStoredLeavesTheEarlierBlob()
    {
        byte[] blob = randomBytes(1, 100);
        put(blobs, key(1), blob);
        AdmissionPolicy none = (page, scope, bytes, budget) -> Admission.DENIED_BY_RULE;
        BlobCache denied = new StoreBlobCache(store, new PageWriter(store, 1 << 20, PAGE), PAGE, 300_000, none);
        denied.replace(key(1), TAGS, ByteBuffer.wrap(randomBytes(2, 100)), denied.epoch());
        assertThat(denied.wasNotWritten(key(1))).isTrue();
        assertThat(blobs.get(key(1))).hasValue(blob);
    }

    @Test
    void fullBufferDropsAndDoesNotWait()
    {
        CountDownLatch gate = new CountDownLatch(1);
        store.setWriteFault(page -> {
            eventually("the gate opens", () -> gate.getCount() == 0);
            return Optional.empty();
        });
        byte[] blob = randomBytes(1, 60_000);
        for (int i = 0; i < 20; i++) {
            blobs.put(key(i), TAGS, ByteBuffer.wrap(blob), blobs.epoch());
        }
        assertThat(blobs.stats().write().busyWrites()).isEqualTo(3);
        gate.countDown();
        eventually("the others are written", () -> puts(blobs) == 20);
        assertThat(blobs.stats().write().writes()).isEqualTo(17);
        assertThat(IntStream.range(0, 20).filter(i -> blobs.wasNotWritten(key(i)))).hasSize(3);
        for (int i = 0; i < 20; i++) {
            put(blobs, key(i), blob);
        }
        assertThat(IntStream.range(0, 20).filter(i -> blobs.wasNotWritten(key(i)))).as("written meanwhile").isEmpty();
    }

    @Test
    void blobThatIsTooLongOrNotAdmittedIsNotWritten()
    {
        put(blobs, key(1), randomBytes(1, 300_001));
        assertThat(blobs.wasNotWritten(key(1))).isTrue();
        assertThat(blobs.wasNotWritten(key(2))).isFalse();
        AdmissionPolicy none = (page, scope, bytes, budget) -> Admission.DENIED_BY_RULE;
        BlobCache denied = new StoreBlobCache(store, new PageWriter(store, 1 << 20, PAGE), PAGE, 300_000, none);
        put(denied, key(2), randomBytes(1, 100));
        assertThat(denied.wasNotWritten(key(2))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(value = ReadOutcome.class, names = "HIT", mode = EnumSource.Mode.EXCLUDE)
    void everyOtherOutcomeIsCountedByCause(ReadOutcome outcome)
    {
        put(blobs, key(1), new byte[10]);
        store.setReadFault(page -> Optional.of(outcome));
        assertThat(blobs.get(key(1))).isEmpty();
        BlobCacheStats stats = blobs.stats();
        assertThat(List.of(stats.lookup().misses(), stats.lookup().declined(), stats.lookup().busy(), stats.lookup().corruptions(), stats.lookup()
                .deviceErrors()))
                .containsExactlyInAnyOrder(1L, 0L, 0L, 0L, 0L);
        assertThat(stats.lookup().lookups()).isEqualTo(1);
        assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(1);
    }

    @Test
    void writeThatGetsNoMemoryIsADeviceError()
    {
        store.setWriteFault(page -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        put(blobs, key(1), new byte[10]);
        put(blobs, key(2), new byte[3 * PAGE]);
        assertThat(blobs.stats().write().failedWrites()).isEqualTo(2);
        assertThat(blobs.stats().write().writes()).isZero();
        assertThat(blobs.wasNotWritten(key(1))).isTrue();
        assertThat(blobs.wasNotWritten(key(2))).isTrue();
    }

    @Test
    void storeThatThrowsIsADeviceError()
    {
        put(blobs, key(1), new byte[10]);
        store.setReadFault(page -> {
            throw new IllegalStateException("broken");
        });
        assertThat(blobs.get(key(1))).isEmpty();
        assertThat(blobs.stats().lookup().deviceErrors()).isEqualTo(1);
        store.setReadFault(page -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        assertThat(blobs.get(key(1))).isEmpty();
        assertThat(blobs.stats().lookup().deviceErrors()).isEqualTo(2);
    }
}
