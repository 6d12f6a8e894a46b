// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.crypt.TestingKeys;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.eyrie.cache.journal.TestingOwner.stateAfter;
import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates a power loss at every disk operation in a journal's life; unforced writes and names are lost, retained and reordered. Recovery finds the
 * state after some number of changes, at least as many as were flushed.
 */
final class PowerLossTest
{
    private static final Path base = Path.of("/disk");
    private static final Path directory = base.resolve("journal");
    // longer than the test, so that the order of operations is that of the calls
    private static final JournalConfig config = new JournalConfig(1, 1 << 20, 64 << 10, Duration.ofHours(1), 64 << 10, Duration.ofSeconds(10));
    private static final int SEEDS = 12;

    /** The changes that were appended, and flushed, before the power loss. */
    private static final class Life
    {
        private long appended;
        private long flushed;

        void run(FaultyDevice device, Optional<KeyRing> keys)
        {
            TestingOwner owner = new TestingOwner();
            try (FileJournal journal = FileJournal.open(device, directory, config, keys, owner)) {
                if (journal.recovery().outcome() != DeviceOutcome.OK) {
                    return;
                }
                changeAndFlush(journal, owner, 30);
                changeAndFlush(journal, owner, 1);
                snapshot(journal);
                changeAndFlush(journal, owner, 7);
                owner.setDuringSnapshot(() -> change(journal, owner, 3));
                snapshot(journal);
                change(journal, owner, 2);
            }
        }

        private void change(FileJournal journal, TestingOwner owner, int count)
        {
            for (int i = 0; i < count; i++) {
                appended++;
                owner.change(journal, appended);
            }
        }

        private void changeAndFlush(FileJournal journal, TestingOwner owner, int count)
        {
            change(journal, owner, count);
            long before = appended;
            if (journal.flush() == DeviceOutcome.OK) {
                flushed = before;
            }
        }

        private static void snapshot(FileJournal journal)
        {
            JournalStats before = journal.stats();
            journal.requestSnapshot();
            eventually("a snapshot or a failure", () -> {
                JournalStats now = journal.stats();
                return now.snapshots() > before.snapshots() || now.writeFailures() > 0;
            });
        }
    }

    @Test
    void powerLossAtEveryStep()
    {
        loseAtEveryStep(Optional.empty());
    }

    @Test
    void powerLossAtEveryStepWithKeys()
    {
        loseAtEveryStep(Optional.of(TestingKeys.ring(1)));
    }

    private static void loseAtEveryStep(Optional<KeyRing> keys)
    {
        FaultyDevice measured = new FaultyDevice(1 << 20, base);
        new Life().run(measured, keys);
        long steps = measured.operations();
        assertThat(steps).isGreaterThan(40);
        for (long step = 0; step <= steps; step++) {
            FaultyDevice device = new FaultyDevice(1 << 20, base);
            device.failAfter(step);
            Life life = new Life();
            life.run(device, keys);
            for (long seed = 0; seed < SEEDS; seed++) {
                expect(device.crash(step * SEEDS + seed), keys, life, "step " + step + " seed " + (step * SEEDS + seed));
            }
        }
    }

    /** Recovers, continues, loses power again, and recovers again. */
    private static void expect(FaultyDevice crashed, Optional<KeyRing> keys, Life before, String what)
    {
        TestingOwner owner = new TestingOwner();
        long recovered;
        try (FileJournal journal = FileJournal.open(crashed, directory, config, keys, owner)) {
            recovered = owner.lastChange();
            assertThat(recovered).as(what).isBetween(before.flushed, before.appended);
            assertThat(owner.state()).as(what).isEqualTo(stateAfter(recovered));
            assertThat(journal.recovery().outcome()).as(what).isEqualTo(DeviceOutcome.OK);
            owner.change(journal, recovered + 1);
            assertThat(journal.flush()).as(what).isEqualTo(DeviceOutcome.OK);
            owner.change(journal, recovered + 2);
            FaultyDevice again = crashed.crash(recovered + before.appended);
            TestingOwner last = new TestingOwner();
            FileJournal.open(again, directory, config, keys, last).close();
            assertThat(last.lastChange()).as(what).isBetween(recovered + 1, recovered + 2);
            assertThat(last.state()).as(what).isEqualTo(stateAfter(last.lastChange()));
        }
    }

    @Test
    void powerLossBetweenTwoKillsLosesNothingFlushed()
    {
        // the next process finds data that a killed process left in the page cache, and must force it before it relies on it
        for (long seed = 0; seed < 300; seed++) {
            FaultyDevice device = new FaultyDevice(1 << 20, base);
            TestingOwner owner = new TestingOwner();
            FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner);
            owner.change(journal, 1, 5);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            device.setFault((operation, path) -> operation == FaultyDevice.Operation.FORCE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
            owner.change(journal, 6, 9);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
            FaultyDevice killed = device.kill();
            journal.close();
            TestingOwner next = new TestingOwner();
            FaultyDevice crashed;
            long flushed;
            try (FileJournal reopened = FileJournal.open(killed, directory, config, Optional.empty(), next)) {
                flushed = next.lastChange() + 1;
                next.change(reopened, flushed);
                assertThat(reopened.flush()).isEqualTo(DeviceOutcome.OK);
                crashed = killed.crash(seed);
            }
            TestingOwner last = new TestingOwner();
            FileJournal.open(crashed, directory, config, Optional.empty(), last).close();
            assertThat(last.state()).as("seed " + seed).isEqualTo(stateAfter(flushed));
        }
    }

    @Test
    void whatABrokenJournalHoldsNeverComesBack()
    {
        // otherwise, an invalidation among the missing records would be undone
        Map<Path, byte[]> files = brokenJournal();
        FaultyDevice measured = device(files);
        assertThat(liveOnceMore(measured)).isTrue();
        long steps = measured.operations();
        assertThat(steps).isGreaterThan(10);
        for (long step = 0; step <= steps; step++) {
            for (long seed = 0; seed < SEEDS; seed++) {
                FaultyDevice device = device(files);
                device.failAfter(step);
                boolean flushed = liveOnceMore(device);
                TestingOwner last = new TestingOwner();
                FileJournal.open(device.crash(step * SEEDS + seed), directory, config, Optional.empty(), last).close();
                Map<Integer, Long> change = Map.of(TestingOwner.cell(100), 100L);
                assertThat(last.state()).as("step " + step + " seed " + (step * SEEDS + seed)).isIn(change, flushed ? change : Map.of());
            }
        }
    }

    @Test
    void failuresAfterABrokenJournalPileNothingUp()
    {
        FaultyDevice device = device(brokenJournal());
        int before = device.files().size();
        // the log is written, but not forced
        device.setFault((operation, path) -> operation == FaultyDevice.Operation.FORCE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner)) {
            for (int i = 0; i < 5; i++) {
                assertThat(journal.flush()).isNotEqualTo(DeviceOutcome.OK);
            }
            assertThat(device.files().size()).isLessThanOrEqualTo(before + 1);
            device.heal();
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            assertThat(device.files().size()).isLessThan(before);
        }
    }

    @Test
    void failuresDoNotHideAGap()
    {
        FaultyDevice device = new FaultyDevice(1 << 20, base);
        List<Map<Path, byte[]>> kills = Collections.synchronizedList(new ArrayList<>());
        TestingOwner owner = new TestingOwner();
        FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner);
        owner.change(journal, 1, 35);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        device.setFault((operation, path) -> operation == FaultyDevice.Operation.WRITE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
        owner.change(journal, 36);
        assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
        // at the first rename of a snapshot, the log after the gap exists; that rename and all later ones fail
        device.setFault((operation, path) -> {
            if (operation == FaultyDevice.Operation.RENAME || !kills.isEmpty()) {
                kills.add(device.contents());
            }
            return operation == FaultyDevice.Operation.RENAME ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK;
        });
        for (int i = 0; i < 3; i++) {
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
        }
        journal.close();
        assertThat(kills).hasSizeGreaterThan(10);
        for (Map<Path, byte[]> left : kills) {
            TestingOwner next = new TestingOwner();
            FileJournal.open(device(left), directory, config, Optional.empty(), next).close();
            assertThat(next.state()).isEmpty();
        }
    }

    private static FaultyDevice device(Map<Path, byte[]> files)
    {
        FaultyDevice device = new FaultyDevice(1 << 20, base, directory);
        files.forEach(device::setContent);
        return device;
    }

    /** Returns a log that lacks the records of a failed write, and the log after it. */
    private static Map<Path, byte[]> brokenJournal()
    {
        FaultyDevice device = new FaultyDevice(1 << 20, base);
        Map<Path, byte[]> files = new HashMap<>();
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner)) {
            owner.change(journal, 1, 30);
            Life.snapshot(journal);
            owner.change(journal, 31, 35);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
            device.setFault((operation, path) -> operation == FaultyDevice.Operation.WRITE ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
            owner.change(journal, 36);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.IO_ERROR);
            device.setFault((operation, path) -> {
                if (operation == FaultyDevice.Operation.RENAME && files.isEmpty()) {
                    files.putAll(device.contents());
                }
                return DeviceOutcome.OK;
            });
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        }
        return files;
    }

    /** Appends a change to a journal that starts empty; returns whether it was flushed. */
    private static boolean liveOnceMore(FaultyDevice device)
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner)) {
            assertThat(owner.state()).isEmpty();
            owner.change(journal, 100);
            return journal.flush() == DeviceOutcome.OK;
        }
    }
}
