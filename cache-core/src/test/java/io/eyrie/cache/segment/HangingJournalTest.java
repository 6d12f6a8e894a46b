// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a journal that hangs when its directory is taken out of service, and continues later. */
final class HangingJournalTest
{
    private static final PageKey PAGE = TestingStore.key(1, 0);
    private static final PageKey OTHER = TestingStore.key(2, 0);

    private final SimulatedThreads threads = new SimulatedThreads(new Random(1), 0);
    private final Random generations = new Random(2);
    private FaultyDevice device = new FaultyDevice(1 << 20, TestingStore.A);
    private SegmentPageStore store = open();

    private SegmentPageStore open()
    {
        return SegmentPageStore.open(
                TestingStore.config(TestingStore.A).build(),
                new StoreParts(device, () -> 1_800_000_000_000L, SequencePoint.NONE, threads, generations::nextLong));
    }

    private void write(PageKey key)
    {
        ByteBuffer content = ByteBuffer.wrap(TestingStore.content(key));
        assertThat(store.write(key, TestingStore.TAGS, TestingStore.PAGE, 0, content, store.epoch())).isEqualTo(WriteOutcome.STORED);
    }

    private ReadOutcome read(PageKey key)
    {
        return store.read(key, 0, ByteBuffer.allocate(TestingStore.PAGE));
    }

    private void flush()
    {
        threads.pass(TimeUnit.SECONDS.toNanos(1));
        threads.runAll(100);
    }

    @Test
    void journalThatGoesOnLateDoesNotWriteBesideTheNextOne()
    {
        write(PAGE);
        flush();
        // a record that the journal has not written yet
        write(OTHER);
        device.setFault((operation, path) -> operation == Operation.READ ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        assertThat(read(OTHER)).isEqualTo(ReadOutcome.DEVICE_ERROR);
        device.heal();

        threads.setPatience(1);
        store.tend();
        assertThat(store.stats().currentQuarantinedDirectories()).as("its journal hangs").isEqualTo(1);
        threads.setPatience(Integer.MAX_VALUE);
        threads.runAll(100);
        store.tend();
        assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        assertThat(read(PAGE)).isEqualTo(ReadOutcome.HIT);

        store.invalidateFile(PAGE);
        flush();
        device = device.kill();
        store = open();
        assertThat(read(PAGE)).isEqualTo(ReadOutcome.MISS);
    }
}
