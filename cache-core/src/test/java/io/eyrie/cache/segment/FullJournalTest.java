// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a journal whose buffer is full when an invalidation is to be recorded. */
final class FullJournalTest
{
    private static final long FLUSH_SECONDS = 10;
    /** Larger than the buffer, so that a full buffer does not make the log so long that the journal writes a snapshot. */
    private static final long LOG_BYTES = 1 << 20;
    private static final PageKey PAGE = TestingStore.key(1, 0);
    private static final PageKey LATER = TestingStore.key(2, 0);
    private static final PageTags OF_OTHERS = new PageTags(Scope.NONE, StorageClass.FOOTER);

    private final SimulatedThreads threads = new SimulatedThreads(new Random(1), 0);
    private final Random generations = new Random(2);
    private FaultyDevice device = new FaultyDevice(1 << 26, TestingStore.A);
    private SegmentPageStore store = open();

    private SegmentPageStore open()
    {
        return SegmentPageStore.open(
                TestingStore.config(TestingStore.A).flushIntervalMillis(TimeUnit.SECONDS.toMillis(FLUSH_SECONDS)).capacityBytes(LOG_BYTES * 64)
                        .build(),
                new StoreParts(device, () -> 1_800_000_000_000L, SequencePoint.NONE, threads, generations::nextLong));
    }

    private WriteOutcome write(PageKey key, PageTags tags)
    {
        return store.write(key, tags, TestingStore.PAGE, 0, ByteBuffer.wrap(TestingStore.content(key)), store.epoch());
    }

    private ReadOutcome read(PageKey key)
    {
        return store.read(key, 0, ByteBuffer.allocate(TestingStore.PAGE));
    }

    private void pass(int flushes)
    {
        threads.pass(TimeUnit.SECONDS.toNanos(flushes * FLUSH_SECONDS));
        threads.runAll(100);
    }

    private void kill()
    {
        device = device.kill();
        store = open();
    }

    private void invalidateWhileTheJournalIsFull()
    {
        PageTags other = new PageTags(new Scope("hive", "web", "views", ""), StorageClass.DATA);
        assertThat(write(PAGE, TestingStore.TAGS)).isEqualTo(WriteOutcome.STORED);
        assertThat(write(TestingStore.key(3, 0), other)).isEqualTo(WriteOutcome.STORED);
        pass(1);
        for (int i = 0; store.stats().journalDrops() == 0; i++) {
            store.invalidateFile(TestingStore.key(100 + i, 0));
        }
        // a record that still fits
        store.invalidate(other.scope());
        long drops = store.stats().journalDrops();
        store.invalidate(TestingStore.TAGS.scope());
        assertThat(store.stats().journalDrops()).isGreaterThan(drops);
    }

    @Test
    void pageThatAKilledProcessLeavesIsNoOlderThanTheInvalidationThatItLost()
    {
        invalidateWhileTheJournalIsFull();
        pass(1);
        WriteOutcome whileTheJournalLacksIt = write(LATER, OF_OTHERS);
        pass(1);
        kill();
        assertThat(read(PAGE)).as("the journal has not recorded the invalidation").isEqualTo(ReadOutcome.HIT);
        assertThat(read(LATER)).as("as if it had").isEqualTo(ReadOutcome.MISS);
        assertThat(whileTheJournalLacksIt).isEqualTo(WriteOutcome.DECLINED);
    }

    @Test
    void pagesAreWrittenAgainOnceTheJournalHasMadeUpForTheInvalidation()
    {
        invalidateWhileTheJournalIsFull();
        pass(10);
        pass(1);
        assertThat(write(LATER, OF_OTHERS)).isEqualTo(WriteOutcome.STORED);
        pass(1);
        kill();
        assertThat(read(PAGE)).isEqualTo(ReadOutcome.MISS);
        assertThat(read(LATER)).isEqualTo(ReadOutcome.HIT);
    }
}
