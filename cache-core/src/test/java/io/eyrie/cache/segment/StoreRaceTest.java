// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.Readers;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests reads and writes that are paused at a sequence point while another operation acts on their page. */
@Timeout(120)
final class StoreRaceTest
{
    private static final PageKey A = TestingStore.key(1, 0);
    private static final PageKey B = TestingStore.key(2, 0);
    private static final int HALF = TestingStore.PAGE / 2;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final TestingStore testing = new TestingStore();

    @AfterEach
    void checkAndClose()
    {
        gate.countDown();
        testing.point = SequencePoint.NONE;
        testing.check();
        StoreChecker.checkHeaders(testing.store());
        testing.close();
    }

    /** Starts an action on its own thread, and returns when it has reached a sequence point, where it waits until {@link #goOn}. */
    private <T> FutureTask<T> heldUp(String point, Callable<T> action)
    {
        CountDownLatch reached = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        testing.point = name -> {
            if (name.equals(point) && first.compareAndSet(true, false)) {
                reached.countDown();
                awaitUninterrupted(gate);
            }
        };
        FutureTask<T> task = Readers.start(action);
        awaitUninterrupted(reached);
        return task;
    }

    private <T> T goOn(FutureTask<T> task)
            throws Exception
    {
        gate.countDown();
        return task.get();
    }

    private void write(PageKey key)
    {
        assertThat(testing.write(key)).isEqualTo(WriteOutcome.STORED);
    }

    private WriteOutcome writeHalf(PageKey key, int offset)
    {
        ByteBuffer half = ByteBuffer.wrap(TestingStore.content(key), offset, HALF);
        return testing.store().write(key, TestingStore.TAGS, TestingStore.PAGE, offset, half, testing.store().epoch());
    }

    @Test
    void slotGivenToAnotherPageDuringAReadIsAMissAndNoDamage()
            throws Exception
    {
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        testing.store().remove(A);
        write(B);
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.read(B)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void pageThatLeftAndCameBackElsewhereDuringAReadIsFound()
            throws Exception
    {
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        testing.store().remove(A);
        write(B);
        write(A);
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void pageEvictedForAnotherDuringAReadIsAMiss()
            throws Exception
    {
        testing.restart(testing.config().toBuilder().evictionPolicy(EvictionKind.LRU).build());
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        for (int page = 0; page < 40; page++) {
            write(TestingStore.key(3, page));
        }
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.store().stats().currentPages()).isPositive();
    }

    @Test
    void pageWrittenAnewAfterAFailedReadIsNotDroppedForIt()
            throws Exception
    {
        write(A);
        AtomicBoolean once = new AtomicBoolean(true);
        testing.device().setFault((operation, path) -> operation == Operation.READ && once.compareAndSet(true, false)
                ? DeviceOutcome.END_OF_FILE
                : DeviceOutcome.OK);
        FutureTask<ReadOutcome> reader = heldUp("read.failed", () -> testing.read(A));
        testing.store().remove(A);
        write(A);
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void damagedPageIsDroppedOnceByManyReaders()
            throws Exception
    {
        write(A);
        testing.device().setFault((operation, path) -> operation == Operation.READ ? DeviceOutcome.END_OF_FILE : DeviceOutcome.OK);
        FutureTask<ReadOutcome> reader = heldUp("read.failed", () -> testing.read(A));
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.CORRUPT);
        testing.device().heal();
        write(A);
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.HIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write.begun", "write.written"})
    void scopeInvalidatedDuringAWriteIsNotPublished(String point)
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp(point, () -> testing.write(A));
        testing.store().invalidate(TestingStore.TAGS.scope());
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.STALE);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        write(A);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write.begun", "write.written"})
    void fileInvalidatedDuringAWriteIsNotPublished(String point)
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp(point, () -> testing.write(A));
        testing.store().invalidateFile(TestingStore.key(1, 5));
        write(B);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.STALE);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.read(B)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void slotOfAPageThatIsRemovedWhileItIsWrittenGoesToNobodyBeforeTheWriteHasEnded()
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp("write.begun", () -> testing.write(A));
        testing.store().remove(A);
        int stored = 0;
        for (int page = 0; page < 40; page++) {
            stored += testing.write(TestingStore.key(3, page)) == WriteOutcome.STORED ? 1 : 0;
        }
        assertThat(stored).isEqualTo(40);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.hits(3, 40)).isEqualTo(testing.store().stats().currentPages());
        write(A);
    }

    @Test
    void secondWriterOfTheSameGranulesWaitsForNobody()
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp("write.begun", () -> testing.write(A));
        assertThat(testing.write(A)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void writersOfDifferentGranulesBothPublish()
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp("write.written", () -> writeHalf(A, 0));
        assertThat(writeHalf(A, HALF)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void writerThatFailsLeavesThePageToTheOther()
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp("write.begun", () -> writeHalf(A, 0));
        assertThat(writeHalf(A, HALF)).isEqualTo(WriteOutcome.STORED);
        testing.device().setFault((operation, path) -> operation == Operation.WRITE && path.toString().endsWith(".segment")
                ? DeviceOutcome.NO_SPACE
                : DeviceOutcome.OK);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.DECLINED);
        testing.device().heal();
        assertThat(testing.store().presentGranules(A, 0)).isEqualTo(0xF0);
        assertThat(writeHalf(A, 0)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void segmentDroppedByAResizeDuringAReadIsAMiss()
            throws Exception
    {
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        testing.store().resize(0);
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
        testing.store().resize(testing.config().capacityBytes());
        write(A);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write.begun", "write.written"})
    void segmentDroppedByAResizeDuringAWriteIsNotWrittenTo(String point)
            throws Exception
    {
        FutureTask<WriteOutcome> writer = heldUp(point, () -> testing.write(A));
        testing.store().resize(0);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        testing.store().resize(testing.config().capacityBytes());
        write(A);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void storeClosedDuringAReadDeclines()
            throws Exception
    {
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        testing.store().close();
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.DECLINED);
        testing.restart();
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write.begun", "write.written"})
    void pageOfADirectoryThatLeftServiceDuringAWriteHarmsNoOther(String point)
            throws Exception
    {
        write(TestingStore.key(3, 0));
        FutureTask<WriteOutcome> writer = heldUp(point, () -> testing.write(A));
        breakAndHeal();
        // according to the journal, the writer's slot is free
        write(B);
        WriteOutcome unused = goOn(writer);
        assertThat(testing.read(B)).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.read(TestingStore.key(3, 0))).isEqualTo(ReadOutcome.HIT);
    }

    private void breakAndHeal()
    {
        testing.device().setFault((operation, path) -> operation == Operation.READ ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        // costs the page that is read
        write(TestingStore.key(4, 0));
        assertThat(testing.read(TestingStore.key(4, 0))).isEqualTo(ReadOutcome.DEVICE_ERROR);
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isEqualTo(1);
        testing.device().heal();
        testing.store().tend();
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
    }

    @Test
    void readOfADirectoryThatLeftServiceAndCameBackIsNoError()
            throws Exception
    {
        write(A);
        FutureTask<ReadOutcome> reader = heldUp("read.found", () -> testing.read(A));
        breakAndHeal();
        assertThat(goOn(reader)).isEqualTo(ReadOutcome.DECLINED);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void lastPageOfAScopeThatLeavesWhileAnotherIsWrittenLeavesTheScope()
            throws Exception
    {
        PageTags tags = new PageTags(new Scope("hive", "web", "views", "ds=7"), StorageClass.DATA);
        assertThat(testing.write(B, tags)).isEqualTo(WriteOutcome.STORED);
        FutureTask<WriteOutcome> writer = heldUp("write.begun", () -> testing.write(A, tags));
        testing.store().remove(B);
        assertThat(goOn(writer)).isEqualTo(WriteOutcome.STORED);
        testing.restart();
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
        testing.store().invalidate(tags.scope());
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void agedPageDuringItsWriteIsNotFound()
            throws Exception
    {
        testing.restart(testing.config().toBuilder().ttlMillis(60_000).build());
        FutureTask<WriteOutcome> writer = heldUp("write.written", () -> testing.write(A));
        testing.clockMillis.addAndGet(61_000);
        testing.store().tend();
        WriteOutcome unused = goOn(writer);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.MISS);
        write(A);
        assertThat(testing.read(A)).isEqualTo(ReadOutcome.HIT);
        List<PageKey> rest = List.of(B, TestingStore.key(3, 0));
        rest.forEach(this::write);
    }
}
