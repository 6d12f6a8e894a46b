// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.crypt.TestingKeys;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import static io.eyrie.cache.journal.TestingOwner.stateAfter;
import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Damages files of a journal in every way. The journal opens nevertheless, replays only written records, counts the missing ones, and continues to
 * work. The owner of these tests fails on a record that it did not write.
 */
final class DamageTest
{
    private static final Path base = Path.of("/disk");
    private static final Path directory = base.resolve("journal");
    private static final JournalConfig config = new JournalConfig(1, 1 << 20, 64 << 10, Duration.ofHours(1), 64 << 10, Duration.ofSeconds(10));
    private static final long CHANGES = 80;
    private static final int ROUNDS = 1_000;

    /** Returns a journal with a snapshot and two later logs, of several frames each. */
    private static Map<Path, byte[]> files(Optional<KeyRing> keys)
    {
        FaultyDevice device = new FaultyDevice(1 << 20, base);
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, keys, owner)) {
            owner.change(journal, 1, 40);
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            flushEach(journal, owner, 41, 45);
        }
        TestingOwner next = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, keys, next)) {
            flushEach(journal, next, 46, 50);
            next.change(journal, 51, CHANGES);
        }
        Map<Path, byte[]> files = new TreeMap<>();
        device.files().forEach(file -> files.put(file, device.content(file)));
        assertThat(files).hasSize(3);
        return files;
    }

    private static void flushEach(FileJournal journal, TestingOwner owner, long first, long last)
    {
        for (long change = first; change <= last; change++) {
            owner.change(journal, change);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        }
    }

    private static Recovery open(Map<Path, byte[]> files, Optional<KeyRing> keys, TestingOwner owner)
    {
        FaultyDevice device = new FaultyDevice(1 << 20, base, directory);
        files.forEach(device::setContent);
        Recovery recovery;
        try (FileJournal journal = FileJournal.open(device, directory, config, keys, owner)) {
            recovery = journal.recovery();
            assertThat(recovery.outcome()).isEqualTo(DeviceOutcome.OK);
            owner.change(journal, CHANGES + 1);
            assertThat(journal.flush()).isEqualTo(DeviceOutcome.OK);
        }
        TestingOwner next = new TestingOwner();
        FileJournal.open(device, directory, config, keys, next).close();
        assertThat(next.state()).isEqualTo(owner.state());
        return recovery;
    }

    /** Expects that either all changes are replayed, or fewer, and that recovery reports the latter. */
    private static void expectCounted(Map<Path, byte[]> files, Optional<KeyRing> keys, String what)
    {
        TestingOwner owner = new TestingOwner();
        Recovery recovery = open(files, keys, owner);
        Map<Integer, Long> all = new TreeMap<>(stateAfter(CHANGES));
        owner.state().forEach((cell, change) -> assertThat(change).as(what).isLessThanOrEqualTo(Math.max(CHANGES + 1, all.getOrDefault(cell, 0L))));
        all.put(TestingOwner.cell(CHANGES + 1), CHANGES + 1);
        if (!owner.state().equals(all)) {
            assertThat(!recovery.whole() || recovery.tornTails() > 0).as(what + " " + recovery).isTrue();
        }
    }

    @Test
    void everyFlippedByteIsCounted()
    {
        for (Optional<KeyRing> keys : List.of(Optional.<KeyRing>empty(), Optional.of(TestingKeys.ring(1)))) {
            Map<Path, byte[]> files = files(keys);
            Random random = new Random(1);
            files.forEach((path, content) -> {
                // the end of a snapshot's last frame is never read
                for (int position = 0; position < Math.min(content.length, 3_000); position += 1 + random.nextInt(5)) {
                    Map<Path, byte[]> damaged = copy(files);
                    Objects.requireNonNull(damaged.get(path))[position] ^= (byte) (1 << random.nextInt(8));
                    expectCounted(damaged, keys, "flip in " + path + " at " + position);
                }
            });
        }
    }

    @Test
    void logCutAnywhereReplaysWhatIsBefore()
    {
        Map<Path, byte[]> files = files(Optional.empty());
        Path newest = files.keySet().stream().filter(path -> path.toString().contains("log-")).reduce((first, second) -> second).orElseThrow();
        byte[] content = Objects.requireNonNull(files.get(newest));
        long longest = 45;
        for (int length = 0; length <= content.length; length++) {
            Map<Path, byte[]> damaged = copy(files);
            damaged.put(newest, Arrays.copyOf(content, length));
            TestingOwner owner = new TestingOwner();
            FaultyDevice device = new FaultyDevice(1 << 20, base, directory);
            damaged.forEach(device::setContent);
            FileJournal.open(device, directory, config, Optional.empty(), owner).close();
            assertThat(owner.lastChange()).as("length " + length).isGreaterThanOrEqualTo(longest);
            longest = owner.lastChange();
            assertThat(owner.state()).as("length " + length).isEqualTo(stateAfter(longest));
        }
        assertThat(longest).isEqualTo(CHANGES);
    }

    @Test
    void anythingDoneToTheFilesIsSurvived()
    {
        for (Optional<KeyRing> keys : List.of(Optional.<KeyRing>empty(), Optional.of(TestingKeys.ring(1)))) {
            Map<Path, byte[]> files = files(keys);
            for (int seed = 0; seed < ROUNDS; seed++) {
                Map<Path, byte[]> damaged = copy(files);
                Random random = new Random(seed * 0x9E3779B97F4A7C15L);
                int mutations = 1 + random.nextInt(3);
                for (int i = 0; i < mutations; i++) {
                    mutate(damaged, random);
                }
                open(damaged, keys, new TestingOwner());
            }
        }
    }

    private static Map<Path, byte[]> copy(Map<Path, byte[]> files)
    {
        Map<Path, byte[]> copy = new TreeMap<>();
        files.forEach((path, content) -> copy.put(path, content.clone()));
        return copy;
    }

    private static void mutate(Map<Path, byte[]> files, Random random)
    {
        List<Path> paths = List.copyOf(files.keySet());
        Path path = paths.get(random.nextInt(paths.size()));
        byte[] content = Objects.requireNonNull(files.get(path));
        int used = Math.min(content.length, 3_000);
        int from = used == 0 ? 0 : random.nextInt(used);
        int to = from + random.nextInt(used - from + 1);
        switch (random.nextInt(8)) {
            case 0 -> files.put(path, Arrays.copyOf(content, from));
            case 1 -> files.put(path, Arrays.copyOf(content, content.length + random.nextInt(100_000)));
            case 2 -> Arrays.fill(content, from, to, (byte) 0);
            case 3 -> {
                byte[] noise = new byte[to - from];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, content, from, noise.length);
            }
            // bytes of one position at another, as a misdirected write leaves them
            case 4 -> System.arraycopy(content, 0, content, from, to - from);
            // a file with another file's contents
            case 5 -> files.put(paths.get(random.nextInt(paths.size())), content.clone());
            case 6 -> files.put(directory.resolve("log-" + "0".repeat(15) + Integer.toHexString(random.nextInt(16))), content.clone());
            default -> {
                if (to > from) {
                    content[from] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
    }

    @Test
    void missingFilesAreSurvived()
    {
        Map<Path, byte[]> files = files(Optional.empty());
        for (Path path : files.keySet()) {
            Map<Path, byte[]> damaged = copy(files);
            damaged.remove(path);
            open(damaged, Optional.empty(), new TestingOwner());
        }
    }

    @Test
    void damagedFrameOfASnapshotCostsItsRecordsAlone()
    {
        // enough records for several frames
        FaultyDevice device = new FaultyDevice(8 << 20, base);
        int records = 10_000;
        long[] replayed = new long[1];
        JournalOwner owner = new JournalOwner() {
            @Override
            public void expect(long expected)
            {
                assertThat(expected).isEqualTo(records);
            }

            @Override
            public boolean replay(ByteBuffer record)
            {
                replayed[0]++;
                return true;
            }

            @Override
            public void snapshot(RecordSink sink)
            {
                for (int i = 1; i <= records; i++) {
                    sink.write(TestingOwner.record(i));
                }
            }
        };
        try (FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner)) {
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
        }
        Path snapshot = device.files().stream().filter(path -> path.toString().contains("snapshot")).findFirst().orElseThrow();
        device.flip(snapshot, FileHeader.BYTES + Frame.MAX_BYTES + 5_000, 1);
        try (FileJournal journal = FileJournal.open(device, directory, config, Optional.empty(), owner)) {
            int lost = Frame.MAX_RECORDS_BYTES / (TestingOwner.RECORD_BYTES + Frame.LENGTH_BYTES);
            assertThat(replayed[0]).isEqualTo(records - lost);
            assertThat(journal.recovery().damages()).isEqualTo(1);
            assertThat(journal.recovery().whole()).isFalse();
            eventually("what is left is written anew", () -> journal.stats().snapshots() > 0);
        }
    }
}
