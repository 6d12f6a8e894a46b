// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.crypt.TestingKeys;
import io.eyrie.cache.device.FaultyDevice;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

import static io.eyrie.cache.journal.TestingOwner.stateAfter;
import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

final class EncryptedJournalTest
{
    private static final Path base = Path.of("/disk");
    private static final Path directory = base.resolve("journal");
    private static final JournalConfig config = JournalConfig.of(1, 1 << 20);

    private final FaultyDevice device = new FaultyDevice(64 << 20, base);

    /** Opens a journal, writes a snapshot, and appends after it. */
    private Recovery live(Optional<KeyRing> keys, long expected, long changes)
    {
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, keys, owner)) {
            assertThat(owner.state()).isEqualTo(stateAfter(expected));
            owner.change(journal, expected + 1, expected + changes);
            journal.requestSnapshot();
            eventually("a snapshot", () -> journal.stats().snapshots() > 0);
            owner.change(journal, expected + changes + 1);
            return journal.recovery();
        }
    }

    private boolean showsPlainBytes()
    {
        String marker = TestingOwner.MARKER.substring(4, 12);
        return device.contents().values().stream().anyMatch(content -> new String(content, StandardCharsets.ISO_8859_1).contains(marker));
    }

    private static Optional<KeyRing> ring(int... numbers)
    {
        return Optional.of(TestingKeys.ring(numbers));
    }

    @Test
    void noPlainByteIsOnTheDiskWithKeys()
    {
        live(ring(1), 0, 100);
        assertThat(showsPlainBytes()).isFalse();
        assertThat(live(ring(1), 101, 5).whole()).isTrue();
        assertThat(showsPlainBytes()).isFalse();
    }

    @Test
    void plainJournalIsDroppedAndDeletedOnceThereAreKeys()
    {
        live(Optional.empty(), 0, 100);
        assertThat(showsPlainBytes()).isTrue();
        Recovery recovery = live(ring(1), 0, 10);
        assertThat(recovery.keyDrops()).isPositive();
        assertThat(recovery.whole()).isFalse();
        assertThat(showsPlainBytes()).isFalse();
    }

    @Test
    void journalWithAnotherKeyOrWithoutIsDroppedAndCounted()
    {
        live(ring(1), 0, 100);
        assertThat(live(ring(2), 0, 10).keyDrops()).isPositive();
        assertThat(live(Optional.empty(), 0, 10).keyDrops()).isPositive();
    }

    @Test
    void rotatedKeyCanBeDroppedAfterASnapshot()
    {
        live(ring(1), 0, 100);
        TestingOwner owner = new TestingOwner();
        try (FileJournal journal = FileJournal.open(device, directory, config, ring(2, 1), owner)) {
            assertThat(owner.state()).isEqualTo(stateAfter(101));
            // without a request
            eventually("a snapshot with the new key", () -> journal.stats().snapshots() > 0);
        }
        assertThat(live(ring(2), 101, 1).whole()).isTrue();
    }
}
