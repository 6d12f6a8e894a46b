// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.DirectoryOwnedException;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.Readers;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests a disk whose operations hang while readers continue. */
@Timeout(120)
final class HungDiskTest
{
    private static final int TIMEOUT_MILLIS = 200;

    private final CountDownLatch healed = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A, TestingStore.B)
            .diskTimeoutMillis(TIMEOUT_MILLIS)
            .build());

    @AfterEach
    void close()
    {
        healed.countDown();
        testing.close();
    }

    /** From now on, these operations on a directory's segments hang. */
    private void hang(Path base, Set<Operation> operations)
    {
        testing.device().setFault((operation, path) -> {
            if (path.startsWith(base) && operations.contains(operation)) {
                hanging.incrementAndGet();
                awaitUninterrupted(healed);
            }
            return DeviceOutcome.OK;
        });
    }

    private void heal()
    {
        testing.device().heal();
        healed.countDown();
        eventually("all is in service", () -> {
            testing.store().tend();
            return testing.store().stats().currentQuarantinedDirectories() == 0;
        });
    }

    /** Returns a written page in a directory, with a number of at least {@code from}. */
    private PageKey pageIn(Path base, int from)
    {
        int device = base.equals(TestingStore.A) ? 0 : 1;
        int page = from;
        while (testing.store().device(TestingStore.key(1, page)) != device) {
            page++;
        }
        return TestingStore.key(1, page);
    }

    @Test
    void workOnTheTableIsNoHungDisk()
            throws Exception
    {
        PageKey key = pageIn(TestingStore.A, 0);
        assertThat(testing.write(key)).isEqualTo(WriteOutcome.STORED);
        CountDownLatch working = new CountDownLatch(1);
        FutureTask<Boolean> work = new FutureTask<>(() -> {
            PageTable table = requireNonNull(testing.store().directories().get(0).table());
            table.inspect(space -> {
                working.countDown();
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3 * TIMEOUT_MILLIS);
                while (System.nanoTime() < end) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            });
            return true;
        });
        new Thread(work).start();
        working.await();
        testing.store().invalidateFile(key);
        testing.setQuota(TestingStore.TAGS.scope(), 1 << 20);
        testing.store().tend();
        assertThat(work.get()).isTrue();
        assertThat(testing.store().stats().outages()).isZero();
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.MISS);
    }

    /** Waits for a hit; a busy machine may be too late for a healthy disk, too. */
    private void awaitHit(PageKey key)
    {
        eventually("a hit", () -> testing.read(key) == ReadOutcome.HIT);
    }

    private void fill()
    {
        for (int page = 0; page < 10; page++) {
            assertThat(testing.write(TestingStore.key(1, page))).isEqualTo(WriteOutcome.STORED);
        }
        // recently written pages are in memory, where reads do not wait for a disk
        testing.restart();
    }

    private static FutureTask<?> inBackground(Runnable action)
    {
        return Readers.start(Executors.callable(action));
    }

    @Test
    void readThatHangsEndsInTimeAndTheOtherDiskServesOn()
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.READ));
        PageKey hung = pageIn(TestingStore.A, 0);
        assertThat(testing.read(hung)).isEqualTo(ReadOutcome.DEVICE_ERROR);
        // readers do not wait for a disk after another reader's wait has timed out
        assertThat(testing.read(hung)).isIn(ReadOutcome.BUSY, ReadOutcome.DECLINED);
        awaitHit(pageIn(TestingStore.B, 0));
        eventually("the disk is taken out", () -> testing.store().stats().currentQuarantinedDirectories() == 1);
        assertThat(testing.read(hung)).isEqualTo(ReadOutcome.DECLINED);
        assertThat(testing.write(hung)).isEqualTo(WriteOutcome.DECLINED);
        awaitHit(pageIn(TestingStore.B, 0));
        heal();
        eventually("what hung has ended, and nobody is turned away", () -> testing.hits(1, 10) == 10);
        testing.check();
    }

    @Test
    void manyReadersOfADiskThatHangsEndInTime()
            throws Exception
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.READ));
        PageKey hung = pageIn(TestingStore.A, 0);
        FutureTask<?>[] readers = new FutureTask<?>[100];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = inBackground(() -> assertThat(testing.read(hung)).isNotEqualTo(ReadOutcome.HIT));
        }
        for (FutureTask<?> reader : readers) {
            reader.get();
        }
        // no more threads than the guard has wait for the disk
        assertThat(hanging.get()).isBetween(1, 16);
        assertThat(testing.store().stats().diskTimeouts()).isPositive();
        heal();
        eventually("what hung has ended, and nobody is turned away", () -> testing.hits(1, 10) == 10);
    }

    @Test
    void interruptedReaderOfADiskThatHangsStaysInterrupted()
            throws Exception
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.READ));
        FutureTask<?> reader = inBackground(() -> {
            Thread.currentThread().interrupt();
            assertThat(testing.read(pageIn(TestingStore.A, 0))).isEqualTo(ReadOutcome.DEVICE_ERROR);
            assertThat(Thread.interrupted()).isTrue();
        });
        reader.get();
    }

    @Test
    void writeThatHangsTakesItsDiskOutAndComesBack()
            throws Exception
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.WRITE));
        PageKey key = pageIn(TestingStore.A, 20);
        FutureTask<?> writer = inBackground(() -> {
            WriteOutcome unused = testing.write(key);
        });
        eventually("the disk is taken out", () -> testing.store().stats().currentQuarantinedDirectories() == 1);
        assertThat(testing.read(pageIn(TestingStore.A, 0))).isEqualTo(ReadOutcome.DECLINED);
        assertThat(testing.write(pageIn(TestingStore.B, 20))).isEqualTo(WriteOutcome.STORED);
        // while the write hangs, no other operation is sent to that disk
        testing.store().tend();
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isEqualTo(1);
        heal();
        writer.get();
        assertThat(testing.write(key)).isEqualTo(WriteOutcome.STORED);
        awaitHit(key);
        testing.check();
    }

    @Test
    void diskThatHangsUnderTheLockHangsNeitherReadersNorStatsNorInvalidations()
            throws Exception
    {
        fill();
        eventually("all have been read", () -> testing.hits(1, 10) == 10);
        // a new segment is created under the lock
        hang(TestingStore.A, EnumSet.of(Operation.OPEN, Operation.MEASURE));
        FutureTask<?> writer = inBackground(() -> {
            WriteOutcome unused = testing.write(pageIn(TestingStore.A, 20));
        });
        eventually("the writer hangs", () -> hanging.get() > 0);
        // still in memory
        assertThat(testing.read(pageIn(TestingStore.A, 0))).isIn(ReadOutcome.HIT, ReadOutcome.DECLINED);
        assertThat(testing.store().stats().capacityBytes()).isPositive();
        testing.store().invalidateFile(TestingStore.key(1, 0));
        testing.store().invalidate(new Scope("hive", "web", "other", ""));
        testing.setQuota(new Scope("hive", "web", "other", ""), 1 << 20);
        testing.store().resize(testing.config().capacityBytes());
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isEqualTo(1);
        heal();
        writer.get();
        assertThat(testing.hits(1, 10)).as("pages that were invalidated meanwhile").isZero();
        assertThat(testing.store().quotas()).hasSize(1);
        testing.check();
    }

    @Test
    void storeClosesThoughItsDiskHangs()
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.READ));
        assertThat(testing.read(pageIn(TestingStore.A, 0))).isEqualTo(ReadOutcome.DEVICE_ERROR);
        testing.store().close();
        assertThat(testing.read(pageIn(TestingStore.A, 0))).isEqualTo(ReadOutcome.DECLINED);
    }

    @Test
    void directoryThatIsStillBeingOpenedIsNotReleased()
            throws Exception
    {
        fill();
        hang(TestingStore.A, EnumSet.of(Operation.READ));
        testing.restart();
        FutureTask<?> closing = inBackground(testing.store()::close);
        eventually("the other directory is released", () -> isFree(TestingStore.B));
        assertThat(isFree(TestingStore.A)).as("what opens it may write to it").isFalse();
        healed.countDown();
        closing.get();
        assertThat(isFree(TestingStore.A)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "CREATE_DIRECTORY", "MEASURE"})
    void diskThatHangsAtAStartPreventsNeitherTheStartNorTheOtherDisk(Operation operation)
    {
        fill();
        testing.store().close();
        hang(TestingStore.A, EnumSet.of(operation));
        testing.restart();
        assertThat(hanging.get()).isPositive();
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isEqualTo(1);
        assertThat(testing.read(pageIn(TestingStore.A, 0))).isEqualTo(ReadOutcome.DECLINED);
        awaitHit(pageIn(TestingStore.B, 0));
        int attempts = hanging.get();
        testing.store().tend();
        assertThat(hanging.get()).as("while it hangs, nothing else tries it").isEqualTo(attempts);
        heal();
        eventually("all pages are found", () -> testing.hits(1, 10) == 10);
        testing.check();
    }

    @Test
    void onlyDiskThatHangsAtAStart()
    {
        fill();
        testing.restart(testing.config().toBuilder().baseDirectories(List.of(TestingStore.A)).build());
        PageKey key = TestingStore.key(2, 0);
        assertThat(testing.write(key)).isEqualTo(WriteOutcome.STORED);
        testing.store().close();
        hang(TestingStore.A, EnumSet.of(Operation.LOCK));
        testing.restart();
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.DECLINED);
        heal();
        awaitHit(key);
    }

    @Test
    void lockThatIsAcquiredTooLateIsReleased()
            throws Exception
    {
        testing.store().close();
        hang(TestingStore.A, EnumSet.of(Operation.CREATE_DIRECTORY));
        testing.restart();
        FutureTask<?> closing = inBackground(testing.store()::close);
        eventually("the other directory is released", () -> isFree(TestingStore.B));
        assertThat(isFree(TestingStore.A)).as("what acquires it may write to it").isFalse();
        healed.countDown();
        closing.get();
        assertThat(isFree(TestingStore.A)).isTrue();
    }

    private boolean isFree(Path base)
    {
        try {
            testing.device().lock(base).close();
            return true;
        }
        catch (DirectoryOwnedException | DeviceException e) {
            return false;
        }
    }

    @Test
    void threadsThatReadForReadersSurviveALackOfMemory()
    {
        fill();
        testing.restart(testing.config().toBuilder().diskTimeoutMillis(60_000).build());
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.set(failure));
        try {
            testing.device().setFault((operation, path) -> {
                if (operation == Operation.READ) {
                    throw new OutOfMemoryError("Cannot reserve direct buffer memory");
                }
                return DeviceOutcome.OK;
            });
            // the page cache counts it and reads from the remote store
            assertThatThrownBy(() -> testing.read(pageIn(TestingStore.A, 0))).isInstanceOf(OutOfMemoryError.class);
            testing.device().heal();
            awaitHit(pageIn(TestingStore.A, 0));
            testing.store().close();
            assertThat(uncaught).hasNullValue();
        }
        finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void slowDiskServesAll()
    {
        fill();
        testing.restart(testing.config().toBuilder().diskTimeoutMillis(60_000).build());
        testing.device().setFault((operation, path) -> {
            if (operation == Operation.READ) {
                long end = System.nanoTime() + 2_000_000;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
            return DeviceOutcome.OK;
        });
        assertThat(testing.hits(1, 10)).isEqualTo(10);
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
    }
}
