// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the cost of invalidating a file in a store with many pages, and that the invalidation lasts. */
final class InvalidFilesTest
{
    private static final int PAGES = 5000;
    private static final int FILE = 1;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A).capacityBytes((long) PAGES * TestingStore.SLOT)
            .build());

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    private void fill(int file, int pages)
    {
        for (int page = 0; page < pages; page++) {
            assertThat(testing.write(TestingStore.key(file, page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    private boolean isSweeping()
    {
        boolean[] sweeping = new boolean[1];
        testing.store().directories().forEach(directory -> {
            PageTable table = directory.table();
            if (table != null) {
                table.inspect(space -> sweeping[0] = space.isSweeping());
            }
        });
        return sweeping[0];
    }

    @Test
    void fileOfWhichNothingIsThereIsNotLookedFor()
    {
        fill(FILE, PAGES);
        for (int file = 2; file < 1000; file++) {
            testing.store().invalidateFile(TestingStore.key(file, 0));
            assertThat(isSweeping()).isFalse();
        }
        assertThat(testing.hits(FILE, PAGES)).isEqualTo(PAGES);
    }

    @Test
    void smallFileIsDroppedAtOnceAndNotLookedFor()
    {
        fill(FILE, PAGES - 3);
        fill(2, 3);
        testing.store().invalidateFile(TestingStore.key(2, 1));
        assertThat(isSweeping()).isFalse();
        assertThat(testing.store().stats().currentPages()).isEqualTo(PAGES - 3);
        assertThat(testing.hits(2, 3)).isZero();
    }

    @Test
    void replacedBlobIsNoInvalidation()
    {
        // of each file one page, as of blobs
        for (int file = 1; file < PAGES; file++) {
            assertThat(testing.write(TestingStore.key(file, 0))).isEqualTo(WriteOutcome.STORED);
        }
        SegmentPageStore store = testing.store();
        BlobCache blobs = new StoreBlobCache(store, new PageWriter(store, 1 << 20, TestingStore.PAGE), TestingStore.PAGE, 1 << 20);
        long epoch = store.epoch();
        for (int blob = 1; blob < 100; blob++) {
            int written = blob;
            byte[] bytes = randomBytes(blob, 10 * blob);
            blobs.replace(new BlobKey(7, 7), TestingStore.TAGS, ByteBuffer.wrap(bytes), epoch);
            eventually("the blob is written", () -> blobs.stats().write().writes() == written);
            assertThat(blobs.get(new BlobKey(7, 7))).hasValue(bytes);
            assertThat(isSweeping()).isFalse();
        }
        assertThat(store.epoch()).isEqualTo(epoch);
    }

    @Test
    void writeOfAFullStoreLooksAtFewPagesAlone()
    {
        fill(FILE, PAGES - 10);
        // with a gap, so that its pages are not found through their neighbors
        for (int page = 100; page < 110; page++) {
            assertThat(testing.write(TestingStore.key(2, page))).isEqualTo(WriteOutcome.STORED);
        }
        testing.store().invalidateFile(TestingStore.key(2, 0));
        assertThat(isSweeping()).isTrue();
        assertThat(testing.read(TestingStore.key(2, 100))).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.write(TestingStore.key(3, 0))).isEqualTo(WriteOutcome.STORED);
        assertThat(isSweeping()).isTrue();
        testing.store().tend();
        assertThat(isSweeping()).isFalse();
        assertThat(testing.store().stats().currentPages()).isEqualTo(PAGES - 10);
    }

    @Test
    void roundOfTheSweepEndsAlthoughFilesAreInvalidatedMeanwhile()
    {
        fill(FILE, PAGES - 20);
        for (int page = 100; page < 110; page++) {
            assertThat(testing.write(TestingStore.key(2, page))).isEqualTo(WriteOutcome.STORED);
        }
        testing.store().invalidateFile(TestingStore.key(2, 0));
        int steps = 0;
        do {
            steps++;
            // its own page remains, so each invalidation requires a sweep
            assertThat(testing.write(TestingStore.key(3, 100 + steps))).isEqualTo(WriteOutcome.STORED);
            testing.store().invalidateFile(TestingStore.key(3, 0));
        }
        while (sweep() && steps < 100);
        assertThat(steps).isLessThan(10);
        assertThat(isSweeping()).as("the pages that the round had passed").isTrue();
        testing.store().tend();
        assertThat(isSweeping()).isFalse();
        assertThat(testing.store().stats().currentPages()).isEqualTo(PAGES - 20);
    }

    @Test
    void fileInvalidatedDuringARoundIsNotForgottenAtItsEnd()
    {
        // the first entry, which the round passes first
        PageKey invalidated = TestingStore.key(2, 100);
        assertThat(testing.write(invalidated)).isEqualTo(WriteOutcome.STORED);
        fill(FILE, PAGES - 20);
        assertThat(testing.write(TestingStore.key(3, 100))).isEqualTo(WriteOutcome.STORED);
        testing.store().invalidateFile(TestingStore.key(3, 0));
        assertThat(sweep()).isTrue();
        testing.clockMillis.addAndGet(2000);
        testing.store().invalidateFile(TestingStore.key(2, 0));
        testing.clockMillis.addAndGet(2000);
        while (sweep()) {
            assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
        }
        assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
        testing.store().tend();
        assertThat(isSweeping()).isFalse();
        assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.store().stats().currentPages()).isEqualTo(PAGES - 20);
    }

    /** Takes one step of the sweep; returns whether the round goes on. */
    private boolean sweep()
    {
        boolean[] more = new boolean[1];
        requireNonNull(testing.store().directories().get(0).table()).inspect(space -> more[0] = space.sweep());
        return more[0];
    }

    @Test
    void filesInvalidatedWithinASecondAreBounded()
    {
        InvalidFiles files = new InvalidFiles();
        for (int file = 0; file < InvalidFiles.MOST; file++) {
            assertThat(files.isFull()).isFalse();
            assertThat(files.add(file, 100)).isEqualTo(100);
        }
        assertThat(files.isFull()).isTrue();
        files.forget(100);
        assertThat(files.isFull()).isFalse();
        assertThat(files.stamp(0, 100)).as("forgotten").isEqualTo(100);
        assertThat(files.add(0, 100)).isEqualTo(100);
        files.forget(100);
        assertThat(files.stamp(0, 100)).as("not forgotten within the second").isEqualTo(101);
    }

    @Test
    void tooManyInvalidFilesCompleteTheSweep()
    {
        fill(FILE, PAGES - 11);
        // with a gap, so that its pages are not found by their neighbours
        for (int page = 100; page < 110; page++) {
            assertThat(testing.write(TestingStore.key(2, page))).isEqualTo(WriteOutcome.STORED);
        }
        testing.store().invalidateFile(TestingStore.key(2, 0));
        assertThat(isSweeping()).isTrue();
        int invalidated = 1;
        while (isSweeping()) {
            testing.store().invalidateFile(TestingStore.key(2 + invalidated, 0));
            invalidated++;
        }
        // a few files share a tag
        assertThat(invalidated).isBetween(InvalidFiles.MOST, InvalidFiles.MOST + 20);
        assertThat(testing.store().stats().currentPages()).isEqualTo(PAGES - 11);
        for (int page = 100; page < 110; page++) {
            assertThat(testing.read(TestingStore.key(2, page))).isEqualTo(ReadOutcome.MISS);
        }
        assertThat(testing.write(TestingStore.key(2, 100))).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(TestingStore.key(2, 100))).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.hits(FILE, PAGES - 11)).isEqualTo(PAGES - 11);
    }

    @Test
    void invalidationsInARowDoNotKeepTheSweepFromItsEnd()
    {
        fill(FILE, PAGES - 10);
        for (int page = 100; page < 110; page++) {
            assertThat(testing.write(TestingStore.key(2, page))).isEqualTo(WriteOutcome.STORED);
        }
        testing.store().invalidateFile(TestingStore.key(2, 0));
        for (int i = 0; i < 10; i++) {
            assertThat(testing.write(TestingStore.key(3, i))).isEqualTo(WriteOutcome.STORED);
            testing.store().invalidateFile(TestingStore.key(2, 0));
        }
        assertThat(testing.store().contents().values().stream().mapToLong(held -> held.pages()).sum()).isEqualTo(testing.store().stats()
                .currentPages());
    }

    @Test
    void pagesThatComeDuringASweepDoNotKeepItFromPagesThatWereThere()
    {
        // pages without a neighbor are left to the sweep
        PageKey invalidated = TestingStore.key(2, 100);
        fill(FILE, 4);
        assertThat(testing.write(invalidated)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.write(TestingStore.key(3, 100))).isEqualTo(WriteOutcome.STORED);
        testing.store().invalidateFile(TestingStore.key(3, 0));
        testing.store().tend();
        // the next sweep begins in the middle
        fill(4, 2);
        testing.store().invalidateFile(TestingStore.key(2, 0));
        assertThat(isSweeping()).isTrue();
        fill(5, 2);
        testing.clockMillis.addAndGet(2000);
        testing.store().tend();
        assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void fileThatWasInvalidatedDoesNotComeBackAfterAKill()
    {
        PageKey old = TestingStore.key(2, 0);
        PageKey far = TestingStore.key(2, 300);
        PageKey again = TestingStore.key(2, 301);
        fill(2, 3);
        assertThat(testing.write(far)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.write(again)).isEqualTo(WriteOutcome.STORED);
        fill(FILE, 100);
        awaitWritten();
        testing.kill();
        assertThat(testing.hits(2, 3)).isEqualTo(3);

        testing.store().invalidateFile(old);
        assertThat(testing.write(again)).isEqualTo(WriteOutcome.STORED);
        awaitWritten();
        testing.kill();
        assertThat(testing.hits(2, 3)).isZero();
        assertThat(testing.read(far)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.read(again)).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.hits(FILE, 100)).isEqualTo(100);
    }

    @Test
    void fileThatWasInvalidatedAfterAFailedWriteDoesNotComeBackAfterAKill()
    {
        fill(2, 3);
        awaitWritten();
        AtomicReference<@Nullable FaultyDevice> killed = new AtomicReference<>();
        AtomicBoolean failed = new AtomicBoolean();
        testing.device().setFault((operation, path) -> {
            if (operation == Operation.WRITE && String.valueOf(path.getFileName()).startsWith("log-") && failed.compareAndSet(false, true)) {
                return DeviceOutcome.IO_ERROR;
            }
            // the log after the gap exists, the snapshot has not taken effect yet
            if (operation == Operation.RENAME && killed.get() == null) {
                killed.set(testing.device().kill());
            }
            return DeviceOutcome.OK;
        });
        testing.store().invalidateFile(TestingStore.key(2, 0));
        eventually("the process ends", () -> killed.get() != null);
        testing.reopen(requireNonNull(killed.get()));
        assertThat(testing.hits(2, 3)).isZero();
    }

    /** Waits until the journal has written all earlier changes to disk. */
    private void awaitWritten()
    {
        Set<Integer> flushes = Set.of(1, 2);
        flushes.forEach(unused -> {
            long operations = testing.device().operations();
            testing.store().remove(TestingStore.key(99, 0));
            testing.store().invalidateFile(TestingStore.key(99, 0));
            eventually("the journal is flushed", () -> testing.device().operations() > operations + 1);
        });
    }
}
