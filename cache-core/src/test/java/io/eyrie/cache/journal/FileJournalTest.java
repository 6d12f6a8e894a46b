// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.device.LocalDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import static io.eyrie.cache.journal.TestingOwner.stateAfter;
import static io.eyrie.cache.page.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
final class FileJournalTest
{
    private static final Path base = Path.of("/disk");
    private static final Path directory = base.resolve("journal");
    private static final JournalConfig config = config(1, 1 << 20, Duration.ofMillis(5), Duration.ofSeconds(10));

    private FaultyDevice device = new FaultyDevice(64 << 20, base);

    private static JournalConfig config(int ownerVersion, int pageSizeBytes, Duration flushInterval, Duration closeWait)
    {
        return new JournalConfig(ownerVersion, pageSizeBytes, 64 << 10, flushInterval, 64 << 10, closeWait);
    }

    private FileJournal open(TestingOwner owner)
    {
        return FileJournal.open(device, directory, config, Optional.empty(), owner);
    }

    /** Opens a journal that does nothing on its own for an hour. */
    private FileJournal openIdle(TestingOwner owner)
    {
        return FileJournal.open(device, directory, config(1, 1 << 20, Duration.ofHours(1), Duration.ofSeconds(10)), Optional.empty(), owner);
    }

    /** Opens a journal, expects the state after {@code changes} changes, and closes it. */
    private Recovery expectState(long changes)
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            assertThat(owner.state()).isEqualTo(stateAfter(changes));
            return journal.recovery();
        }
    }

    @Test
    void recordsAreReplayedInTheirOrder()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            assertThat(journal.recovery()).isEqualTo(new Recovery(0, 0, 0, true, 0, 0, 0, 0, DeviceOutcome.OK));
            owner.change(journal, 1, 120);
            assertThat(journal.stats().recordAppends()).isEqualTo(120);
        }
        assertThat(expectState(120)).isEqualTo(new Recovery(0, 120, 0, true, 0, 0, 0, 0, DeviceOutcome.OK));
        assertThat(expectState(120).logRecords()).isEqualTo(120);
    }

    @Test
    void localDiskKeepsRecordsAndSnapshots(@TempDir Path temporary)
    {
        TestingOwner owner = new TestingOwner();
        Path local = temporary.resolve("journal");
        try (FileJournal journal = FileJournal.open(new LocalDevice(), local, config, Optional.empty(), owner)) {
            owner.change(journal, 1, 1000);
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            owner.change(journal, 1001, 1010);
        }
        TestingOwner next = new TestingOwner();
        try (FileJournal journal = FileJournal.open(new LocalDevice(), local, config, Optional.empty(), next)) {
            assertThat(next.state()).isEqualTo(stateAfter(1010));
            assertThat(journal.recovery().snapshotRecords()).isEqualTo(TestingOwner.CELLS);
            assertThat(journal.recovery().logRecords()).isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void recordsOlderThanTheFlushIntervalSurviveAKill()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = open(owner);
        long written = journal.stats().diskWriteBytes();
        owner.change(journal, 1, 10);
        // without a request to flush
        eventually("the records are written", () -> journal.stats().diskWriteBytes() > written);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device = device.kill();
        journal.close();
        expectState(10);
    }

    @Test
    void snapshotTakesThePlaceOfLogs()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 120);
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            eventually("the logs before it are gone", () -> device.files().size() == 2);
        }
        Recovery recovery = expectState(120);
        assertThat(recovery.snapshotRecords()).isEqualTo(TestingOwner.CELLS);
        assertThat(recovery.logRecords()).isZero();
        assertThat(recovery.whole()).isTrue();
    }

    @Test
    void lastSnapshotTakesThePlaceOfTheLogs()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = openIdle(owner);
        owner.change(journal, 1, 120);
        journal.closeWithSnapshot();
        assertThat(journal.isWhole()).isTrue();
        assertThat(expectState(120)).isEqualTo(new Recovery(TestingOwner.CELLS, 0, 0, true, 0, 0, 0, 0, DeviceOutcome.OK));
    }

    @Test
    void lastSnapshotOnABadDiskLeavesTheLogs()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = openIdle(owner);
        owner.change(journal, 1, 120);
        device.setFault((operation, path) -> path.toString().endsWith(JournalReplay.TEMPORARY_SUFFIX) ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        journal.closeWithSnapshot();
        device.heal();
        assertThat(expectState(120).logRecords()).isEqualTo(120);
    }

    @Test
    void lastSnapshotEndsWithTheWaitForIt()
    {
        AppendBuffer patient = new AppendBuffer(config, System::nanoTime);
        patient.recovered(0);
        patient.complete();
        patient.close(true);
        assertThat(patient.isSnapshotInVain()).as("one that began before").isTrue();
        assertThat(patient.endsWithSnapshot()).isTrue();
        assertThat(patient.isSnapshotInVain()).isFalse();

        AppendBuffer hasty = new AppendBuffer(config(1, 1 << 20, Duration.ofMillis(5), Duration.ZERO), System::nanoTime);
        hasty.recovered(0);
        hasty.complete();
        hasty.close(true);
        assertThat(hasty.endsWithSnapshot()).isTrue();
        assertThat(hasty.isSnapshotInVain()).isTrue();
    }

    @Test
    void changesDuringASnapshotAreKept()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 120);
            owner.setDuringSnapshot(() -> owner.change(journal, 121, 133));
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
        }
        expectState(133);
    }

    @Test
    void logThatOutgrowsItsBoundIsReplaced()
    {
        TestingOwner owner = new TestingOwner();
        long highest = 0;
        try (FileJournal journal = open(owner)) {
            for (long change = 1; change <= 20_000; change++) {
                assertThat(owner.change(journal, change)).isEqualTo(AppendOutcome.ACCEPTED);
                if (change % 500 == 0) {
                    assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                    highest = Math.max(highest, device.contents().values().stream().mapToLong(content -> content.length).sum());
                }
            }
            assertThat(journal.stats().snapshots()).isPositive();
            assertThat(journal.stats().currentLogBytes()).isPositive();
        }
        // two logs at their limit plus one batch each, and two snapshots of one frame
        assertThat(highest).isLessThan(2 * (64 << 10) + 2 * (32 << 10) + 3 * (65 << 10));
        expectState(20_000);
    }

    @Test
    void fullBufferIsToldAndMadeUpForByASnapshot()
    {
        TestingOwner owner = new TestingOwner();
        CountDownLatch hang = new CountDownLatch(1);
        try (FileJournal journal = open(owner)) {
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            device.setFault((operation, path) -> {
                await(operation == Operation.WRITE ? hang : new CountDownLatch(0));
                return DeviceOutcome.OK;
            });
            long change = 1;
            while (owner.change(journal, change) == AppendOutcome.ACCEPTED) {
                change++;
            }
            assertThat(journal.stats().recordAppendsFull()).isEqualTo(1);
            hang.countDown();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            long refused = change;
            device = device.kill();
            expectState(refused);
        }
    }

    @Test
    void appendDoesNotWaitForAForceThatHangs()
    {
        TestingOwner owner = new TestingOwner();
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(1);
        try (FileJournal journal = open(owner)) {
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            device.setFault((operation, path) -> {
                if (operation == Operation.FORCE) {
                    reached.countDown();
                    await(hang);
                }
                return DeviceOutcome.OK;
            });
            owner.change(journal, 1);
            await(reached);
            assertThat(owner.change(journal, 2)).isEqualTo(AppendOutcome.ACCEPTED);
            hang.countDown();
        }
        expectState(2);
    }

    @Test
    void failingDiskIsToldAndHealsByASnapshot()
    {
        for (Operation failing : List.of(Operation.WRITE, Operation.FORCE)) {
            device = new FaultyDevice(64 << 20, base);
            TestingOwner owner = new TestingOwner();
            try (FileJournal journal = open(owner)) {
                owner.change(journal, 1, 60);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                device.setFault((operation, path) -> operation == failing ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
                owner.change(journal, 61);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
                assertThat(owner.change(journal, 62)).isEqualTo(AppendOutcome.DEVICE_ERROR);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
                assertThat(journal.stats().recordAppendsFailed()).isEqualTo(2);
                assertThat(journal.stats().writeFailures()).isGreaterThanOrEqualTo(2);
                assertThat(device.files()).as("failures pile nothing up").hasSizeLessThan(5);
                device.heal();
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                assertThat(owner.change(journal, 63)).isEqualTo(AppendOutcome.ACCEPTED);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                device = device.kill();
            }
            assertThat(expectState(63).whole()).isTrue();
        }
    }

    /** Kills the process just before the next snapshot takes effect, after a change that is only in the log after the gap. */
    private FaultyDevice killBeforeTheSnapshotCounts(TestingOwner owner, FileJournal journal, long change)
    {
        AtomicReference<FaultyDevice> killed = new AtomicReference<>();
        owner.setDuringSnapshot(() -> {
            AppendOutcome outcome = owner.change(journal, change);
            assertThat(outcome).isEqualTo(AppendOutcome.ACCEPTED);
        });
        device.setFault((operation, path) -> {
            if (operation == Operation.RENAME && killed.get() == null) {
                killed.set(device.kill());
            }
            return DeviceOutcome.OK;
        });
        assertThat(journal.flush()).isNotEqualTo(DeviceOutcome.OK);
        return requireNonNull(killed.get(), "not killed");
    }

    @Test
    void nothingIsReplayedOfAJournalThatLacksWhatAFailedWriteLost()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = open(owner);
        owner.change(journal, 1, 120);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device.setFault((operation, path) -> operation == Operation.WRITE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        assertThat(owner.change(journal, 121)).isEqualTo(AppendOutcome.ACCEPTED);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
        FaultyDevice left = killBeforeTheSnapshotCounts(owner, journal, 122);
        journal.close();
        device = left;
        assertThat(expectState(0).whole()).isFalse();
        assertThat(expectState(0).whole()).isTrue();
    }

    @Test
    void nothingIsReplayedOfAJournalThatLacksRefusedRecords()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = openIdle(owner);
        owner.change(journal, 1, 120);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device.setFault((operation, path) -> path.toString().endsWith(JournalReplay.TEMPORARY_SUFFIX) ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        // the failing snapshot loses no record, but later appends do
        journal.requestSnapshot();
        eventually("the snapshot fails", () -> !journal.isWhole());
        assertThat(owner.change(journal, 121)).isEqualTo(AppendOutcome.DEVICE_ERROR);
        FaultyDevice left = killBeforeTheSnapshotCounts(owner, journal, 122);
        journal.close();
        device = left;
        assertThat(expectState(0).whole()).isFalse();
        assertThat(expectState(0).whole()).isTrue();
    }

    @Test
    void closeMakesUpForWhatAFailedDiskLost()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = openIdle(owner);
        owner.change(journal, 1, 60);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device.setFault((operation, path) -> operation == Operation.WRITE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        owner.change(journal, 61);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
        assertThat(owner.change(journal, 62)).isEqualTo(AppendOutcome.DEVICE_ERROR);
        assertThat(journal.isWhole()).isFalse();
        device.heal();

        journal.close();

        assertThat(journal.isWhole()).isTrue();
        expectState(62);
    }

    @Test
    void closeMakesUpForWhatTheBufferRefused()
    {
        TestingOwner owner = new TestingOwner();
        FileJournal journal = openIdle(owner);
        CountDownLatch hang = new CountDownLatch(1);
        device.setFault((operation, path) -> {
            await(operation == Operation.WRITE ? hang : new CountDownLatch(0));
            return DeviceOutcome.OK;
        });
        long change = 1;
        while (owner.change(journal, change) == AppendOutcome.ACCEPTED) {
            change++;
        }
        assertThat(journal.isWhole()).isFalse();
        hang.countDown();

        journal.close();

        assertThat(journal.isWhole()).isTrue();
        expectState(change);
    }

    @Test
    void fullDiskIsToldAndHealsWhenThereIsRoom()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 60);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            device.setCapacityBytes(4 << 10);
            owner.change(journal, 61, 200);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.NO_SPACE);
            device.setCapacityBytes(64 << 20);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        }
        expectState(200);
    }

    @Test
    void diskThatFailsAtOpeningIsLeftAlone()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 60);
        }
        for (Operation failing : List.of(Operation.LIST, Operation.OPEN, Operation.READ)) {
            List<Path> before = device.files();
            device.setFault((operation, path) -> operation == failing ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
            try (FileJournal journal = open(new TestingOwner())) {
                assertThat(journal.recovery().outcome()).isEqualTo(DeviceOutcome.IO_ERROR);
                assertThat(journal.append(TestingOwner.record(1))).isEqualTo(AppendOutcome.DEVICE_ERROR);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
            }
            assertThat(device.files()).isEqualTo(before);
            device.heal();
        }
        expectState(60);
    }

    @Test
    void readThatEndsBeforeTheFileDoesIsAFailure()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 40);
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            owner.change(journal, 41, 60);
        }
        List<Path> before = device.files();
        assertThat(before).hasSize(2);
        // reads 0 and 1 read headers, later ones records
        for (int read = 0; read < 4; read++) {
            AtomicInteger left = new AtomicInteger(read);
            device.setFault((operation, path) -> operation == Operation.READ && left.getAndDecrement() == 0
                    ? DeviceOutcome.END_OF_FILE
                    : DeviceOutcome.OK);
            try (FileJournal journal = open(new TestingOwner())) {
                assertThat(journal.recovery().outcome()).as("read %s", read).isEqualTo(DeviceOutcome.IO_ERROR);
            }
            left.set(0);
            assertThatThrownBy(() -> new JournalReader(device, directory).format()).isInstanceOf(DeviceException.class);
            assertThat(device.files()).isEqualTo(before);
        }
        device.heal();
        expectState(60);
    }

    @Test
    void otherVersionOrPageSizeIsDroppedAndCounted()
    {
        for (JournalConfig other : List.of(
                config(2, 1 << 20, Duration.ofMillis(5), Duration.ofSeconds(10)),
                config(1, 1 << 18, Duration.ofMillis(5), Duration.ofSeconds(10)))) {
            TestingOwner owner = new TestingOwner();
            try (FileJournal journal = open(owner)) {
                owner.change(journal, 1, 60);
            }
            TestingOwner next = new TestingOwner();
            try (FileJournal journal = FileJournal.open(device, directory, other, Optional.empty(), next)) {
                assertThat(next.state()).isEmpty();
                assertThat(journal.recovery().incompatibleDrops()).isPositive();
                assertThat(journal.recovery().whole()).isFalse();
                next.change(journal, 1, 3);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                assertThat(device.files()).hasSize(1);
            }
            TestingOwner last = new TestingOwner();
            FileJournal.open(device, directory, other, Optional.empty(), last).close();
            assertThat(last.state()).isEqualTo(stateAfter(3));
        }
    }

    @Test
    void recordThatTheOwnerRefusesIsCounted()
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 60);
        }
        TestingOwner refusing = new TestingOwner();
        refusing.refuse();
        try (FileJournal journal = open(refusing)) {
            assertThat(journal.recovery().refusedRecords()).isEqualTo(60);
        }
    }

    @Test
    void ownerThatFailsDuringASnapshotFailsNothingElse()
    {
        TestingOwner owner = new TestingOwner();
        AtomicBoolean failed = new AtomicBoolean();
        try (FileJournal journal = open(owner)) {
            owner.change(journal, 1, 60);
            owner.setDuringSnapshot(() -> {
                if (failed.compareAndSet(false, true)) {
                    throw new IllegalStateException("the owner's mistake");
                }
            });
            journal.requestSnapshot();
            eventually("a snapshot after the failed one", () -> journal.stats().snapshots() > 0);
        }
        expectState(60);
    }

    @Test
    void restartsDoNotPileUpLogs()
    {
        for (int restart = 0; restart < 60; restart++) {
            TestingOwner owner = new TestingOwner();
            try (FileJournal journal = open(owner)) {
                assertThat(owner.state()).isEqualTo(stateAfter(restart));
                owner.change(journal, restart + 1);
                assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
                assertThat(device.files()).hasSizeLessThan(24);
            }
        }
    }

    @Test
    void interruptedCallersAreServed()
    {
        TestingOwner owner = new TestingOwner();
        Thread.currentThread().interrupt();
        try (FileJournal journal = open(owner)) {
            assertThat(owner.change(journal, 1)).isEqualTo(AppendOutcome.ACCEPTED);
            assertThat(journal.flush()).isIn(DeviceOutcome.OK, DeviceOutcome.INTERRUPTED);
        }
        assertThat(Thread.interrupted()).isTrue();
        expectState(1);
    }

    @Test
    void closeGivesUpADiskThatHangs()
    {
        CountDownLatch hang = new CountDownLatch(1);
        TestingOwner owner = new TestingOwner();
        FileJournal journal = FileJournal.open(
                device,
                directory,
                config(1, 1 << 20, Duration.ofMillis(5), Duration.ofMillis(50)),
                Optional.empty(),
                owner);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device.setFault((operation, path) -> {
            await(hang);
            return DeviceOutcome.OK;
        });
        owner.change(journal, 1);
        journal.close();
        assertThat(journal.append(TestingOwner.record(2))).isEqualTo(AppendOutcome.CLOSED);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.CLOSED);
        hang.countDown();
    }

    @Test
    void recordsOfAnyLengthUpToTheLongest()
    {
        byte[] longest = new byte[JournalConfig.maxRecordBytes()];
        long[] bytes = new long[2];
        try (FileJournal journal = open(new TestingOwner())) {
            assertThat(journal.append(ByteBuffer.wrap(longest))).isEqualTo(AppendOutcome.ACCEPTED);
            assertThat(journal.append(ByteBuffer.wrap(longest, 0, 1))).isEqualTo(AppendOutcome.ACCEPTED);
            assertThatThrownBy(() -> journal.append(ByteBuffer.allocate(0))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> journal.append(ByteBuffer.allocate(longest.length + 1))).isInstanceOf(IllegalArgumentException.class);
        }
        FileJournal.open(device, directory, config, Optional.empty(), new JournalOwner() {
            @Override
            public boolean replay(ByteBuffer record)
            {
                bytes[0]++;
                bytes[1] += record.remaining();
                return true;
            }

            @Override
            public void snapshot(RecordSink sink)
            {}
        }).close();
        assertThat(bytes).containsExactly(2, longest.length + 1);
    }

    static void await(CountDownLatch latch)
    {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            }
            catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
