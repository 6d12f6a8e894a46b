// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests all failures of one of two disks: served bytes are right, the other disk continues to serve, the cause is counted, and the disk comes back. */
final class StoreFaultTest
{
    private static final int PAGES = 12;
    private static final int STEPS = 60;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A, TestingStore.B).build());

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    private static PageKey key(int page)
    {
        return TestingStore.key(1, page);
    }

    private void fill()
    {
        for (int page = 0; page < PAGES; page++) {
            assertThat(testing.write(key(page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    private PageStoreStats stats()
    {
        return testing.store().stats();
    }

    private boolean isOnA(PageKey key)
    {
        return testing.store().device(key) == 0;
    }

    private PageKey onA(int from)
    {
        int page = from;
        while (!isOnA(key(page))) {
            page++;
        }
        return key(page);
    }

    private void heal()
    {
        testing.device().heal();
        testing.store().tend();
        testing.store().tend();
        assertThat(stats().currentQuarantinedDirectories()).isZero();
        assertThat(testing.write(onA(100))).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(onA(100))).isEqualTo(ReadOutcome.HIT);
    }

    @ParameterizedTest
    @EnumSource(value = DeviceOutcome.class, names = {"END_OF_FILE", "MISSING", "DENIED", "NO_SPACE", "READ_ONLY", "IO_ERROR"})
    void diskOfWhichOneOperationFailsCostsItsPagesAlone(DeviceOutcome fault)
    {
        Random random = new Random(1);
        for (Operation failing : Operation.values()) {
            testing.device().heal();
            fill();
            testing.device().setFault((operation, path) -> operation == failing && path.startsWith(TestingStore.A) ? fault : DeviceOutcome.OK);
            for (int step = 0; step < STEPS; step++) {
                int page = random.nextInt(2 * PAGES);
                step(random, page);
                if (!isOnA(key(page)) && page < PAGES / 2) {
                    assertThat(testing.read(key(page))).as("%s of %s: the other disk", fault, failing).isIn(ReadOutcome.HIT, ReadOutcome.MISS);
                }
            }
            assertThat(stats().currentQuarantinedDirectories()).as("%s of %s", fault, failing).isLessThanOrEqualTo(1);
            heal();
            testing.check();
            testing.restart();
            testing.check();
        }
    }

    private void step(Random random, int page)
    {
        switch (random.nextInt(6)) {
            case 0, 1 -> assertThat(testing.write(key(page))).isNotEqualTo(WriteOutcome.STALE);
            case 2, 3 -> {
                // checks the bytes that it reads
                ReadOutcome unused = testing.read(key(page));
            }
            case 4 -> testing.store().resize((20 + random.nextInt(12)) * (long) TestingStore.SLOT);
            default -> testing.store().tend();
        }
    }

    @Test
    void failingReadTakesItsDiskOutAndIsCountedOnce()
    {
        fill();
        PageKey key = onA(0);
        testing.device().setFault((operation, path) -> operation == Operation.READ && path.startsWith(TestingStore.A)
                ? DeviceOutcome.IO_ERROR
                : DeviceOutcome.OK);
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.DEVICE_ERROR);
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.DECLINED);
        assertThat(stats().outages()).isEqualTo(1);
        assertThat(stats().currentQuarantinedDirectories()).isEqualTo(1);
        // a probe of the disk fails
        testing.store().tend();
        assertThat(stats().currentQuarantinedDirectories()).isEqualTo(1);
        heal();
        assertThat(stats().outages()).isEqualTo(1);
        assertThat(stats().recoveredPages()).isPositive();
    }

    private void takeAOut()
    {
        fill();
        testing.device().setFault((operation, path) -> operation == Operation.READ && path.startsWith(TestingStore.A)
                ? DeviceOutcome.IO_ERROR
                : DeviceOutcome.OK);
        assertThat(testing.read(onA(0))).isEqualTo(ReadOutcome.DEVICE_ERROR);
    }

    @Test
    void diskThatTurnedReadOnlyIsNotAskedForItsJournal()
    {
        takeAOut();
        AtomicLong journalReads = new AtomicLong();
        testing.device().setFault((operation, path) -> {
            boolean journal = path.startsWith(TestingStore.A) && path.toString().contains(StoreContext.JOURNAL);
            journalReads.addAndGet(journal && (operation == Operation.READ || operation == Operation.LIST) ? 1 : 0);
            return operation == Operation.WRITE && path.startsWith(TestingStore.A) ? DeviceOutcome.READ_ONLY : DeviceOutcome.OK;
        });
        for (int probe = 0; probe < 20; probe++) {
            testing.store().tend();
        }
        assertThat(stats().currentQuarantinedDirectories()).isOne();
        assertThat(journalReads).hasValue(0);
        heal();
    }

    @Test
    void replayThatTakesLongAndFailsIsRepeatedEverLessOften()
    {
        testing.restart(testing.config().toBuilder().probeIntervalMillis(10_000).build());
        takeAOut();
        Path folder = TestingStore.A.resolve(StoreDirectory.FOLDER);
        AtomicLong replays = new AtomicLong();
        testing.device().setFault((operation, path) -> {
            if (operation == Operation.LIST && path.equals(folder)) {
                // after the journal was read
                replays.incrementAndGet();
                testing.clockMillis.addAndGet(8_000);
                return DeviceOutcome.IO_ERROR;
            }
            return DeviceOutcome.OK;
        });
        long start = testing.clockMillis.get();
        while (testing.clockMillis.get() - start < 3_600_000) {
            testing.clockMillis.addAndGet(10_000);
            testing.store().tend();
        }
        // after 16, 32, 64, 128, 256, 512 seconds, then every 10 minutes
        assertThat(replays.get()).isBetween(9L, 12L);
        testing.device().heal();
        for (int probe = 0; probe < 60; probe++) {
            testing.clockMillis.addAndGet(10_000);
            testing.store().tend();
        }
        assertThat(stats().currentQuarantinedDirectories()).isZero();
    }

    @Test
    void tornWriteIsNeverFound()
    {
        fill();
        PageKey key = onA(PAGES);
        // leaves half of the bytes
        testing.device().setFault((operation, path) -> operation == Operation.WRITE && path.toString().endsWith(".segment")
                ? DeviceOutcome.IO_ERROR
                : DeviceOutcome.OK);
        assertThat(testing.write(key)).isEqualTo(WriteOutcome.DEVICE_ERROR);
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.DECLINED);
        heal();
        assertThat(testing.read(key)).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void fullDiskServesWhatItHasAndStaysInService()
    {
        fill();
        testing.device().setCapacityBytes((1 << 30) - usableBytes());
        for (int page = PAGES; page < 2 * PAGES; page++) {
            assertThat(testing.write(key(page))).isIn(WriteOutcome.DECLINED, WriteOutcome.STORED);
        }
        testing.store().tend();
        assertThat(stats().currentQuarantinedDirectories()).isZero();
        assertThat(testing.hits(1, 2 * PAGES)).isPositive();
        testing.device().setCapacityBytes(1 << 30);
        fill();
        assertThat(testing.hits(1, PAGES)).isEqualTo(PAGES);
    }

    @Test
    void spaceThatSomethingElseTakesIsGivenBackToIt()
    {
        testing.restart(testing.config().toBuilder().minFreeSpaceBytes(8 * TestingStore.SLOT).build());
        fill();
        long taken = (1 << 30) - usableBytes();
        for (int free = 12; free >= 0; free--) {
            testing.device().setCapacityBytes(taken + free * (long) TestingStore.SLOT);
            // occasional failures of the disk do not prevent this
            AtomicBoolean failed = new AtomicBoolean();
            testing.device().setFault((operation, path) -> operation == Operation.DELETE && failed.compareAndSet(false, true)
                    ? DeviceOutcome.IO_ERROR
                    : DeviceOutcome.OK);
            testing.store().tend();
            heal(free);
        }
        assertThat(stats().spaceDeclines()).isPositive();
        testing.device().setCapacityBytes(1 << 30);
        fill();
        assertThat(testing.hits(1, PAGES)).isEqualTo(PAGES);
    }

    private void heal(int free)
    {
        testing.device().heal();
        testing.store().tend();
        testing.store().tend();
        WriteOutcome unused = testing.write(key(free));
        // the journal may have taken some of the space since
        eventually("room that must stay free, or nothing left to give up", () -> {
            testing.store().tend();
            return usableBytes() >= 8 * TestingStore.SLOT || stats().currentBytes() == 0;
        });
    }

    private long usableBytes()
    {
        try {
            return testing.device().usableBytes(TestingStore.A);
        }
        catch (DeviceException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void journalThatFailsIsCountedAndMadeUpFor()
    {
        testing.device().setFault((operation, path) -> path.toString().contains(StoreContext.JOURNAL) && operation == Operation.WRITE
                ? DeviceOutcome.IO_ERROR
                : DeviceOutcome.OK);
        eventually("the journal takes no more", () -> {
            fill();
            testing.store().invalidate(Scope.NONE);
            return stats().journalDrops() > 0;
        });
        fill();
        testing.device().heal();
        eventually("a restart finds the pages", () -> {
            // many flush intervals, after each of which the journal tries again
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            testing.kill();
            boolean found = testing.hits(1, PAGES) == PAGES;
            fill();
            return found;
        });
    }

    private static DeviceOutcome failOf(Set<Thread> broken)
    {
        broken.add(Thread.currentThread());
        return DeviceOutcome.IO_ERROR;
    }

    @Test
    void invalidationThatTheJournalLostHoldsWhenItsDirectoryComesBack()
    {
        fill();
        PageKey other = Stream.iterate(0, page -> page + 1).map(page -> TestingStore.key(2, page)).filter(this::isOnA).findFirst().orElseThrow();
        assertThat(testing.write(other)).isEqualTo(WriteOutcome.STORED);
        // every page is in the journal
        testing.restart();
        PageKey invalidated = onA(0);
        Set<Thread> broken = ConcurrentHashMap.newKeySet();
        testing.device().setFault((operation, path) -> path.startsWith(TestingStore.A) && path.toString().contains(StoreContext.JOURNAL)
                ? failOf(broken)
                : DeviceOutcome.OK);
        eventually("the journal loses it", () -> {
            testing.store().invalidateFile(invalidated);
            return stats().journalDrops() > 0;
        });
        assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.write(onA(50))).isEqualTo(WriteOutcome.STORED);
        testing.device().setFault((operation, path) -> path.startsWith(TestingStore.A) ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        assertThat(testing.read(onA(50))).isEqualTo(ReadOutcome.DEVICE_ERROR);
        assertThat(stats().currentQuarantinedDirectories()).isOne();

        // the disk is healthy only for the next journal, so that this one cannot recover its lost records
        testing.device().setFault((operation, path) -> broken.contains(Thread.currentThread()) ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        testing.store().tend();
        assertThat(stats().currentQuarantinedDirectories()).isZero();
        assertThat(testing.read(other)).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(invalidated)).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void capacityAndQuotaAndAgeAndMemoryAreCountedByCause()
    {
        testing.restart(testing.config().toBuilder().ttlMillis(60_000).build());
        for (int page = 0; page < 5 * PAGES; page++) {
            assertThat(testing.write(key(page))).isEqualTo(WriteOutcome.STORED);
        }
        assertThat(stats().evictions()).isPositive();
        long pages = stats().currentPages();
        testing.clockMillis.addAndGet(61_000);
        testing.store().tend();
        assertThat(stats().expirations()).isEqualTo(pages);
        assertThat(stats().currentIndexBytes()).isZero();
        testing.restart();
        assertThat(stats().recoveredPages()).isZero();
    }
}
