// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that a granule is published as a whole and verified by sector: a read verifies the sectors that it touches, and no sector passes unverified. */
final class SectorTest
{
    private static final Layout LAYOUT = Layout.of(TestingStore.PAGE, TestingStore.GRANULE, false);
    private static final PageKey KEY = TestingStore.key(1, 0);

    private final TestingStore testing = new TestingStore();

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    /** Flips a bit of each frame in turn, and reads the previous sector, the sector itself and the next one separately. */
    @Test
    void damageIsFoundByReadsOfItsSectorAlone()
    {
        int sectors = TestingStore.PAGE / LAYOUT.sectorBytes();
        for (int sector = 1; sector < sectors - 1; sector++) {
            assertThat(testing.write(KEY)).isEqualTo(WriteOutcome.STORED);
            flip(testing.device(), sector * LAYOUT.frameBytes() + sector % LAYOUT.frameBytes());
            // opens the changed file
            testing.restart();
            assertThat(read((sector - 1) * LAYOUT.sectorBytes(), LAYOUT.sectorBytes())).isEqualTo(ReadOutcome.HIT);
            assertThat(read((sector + 1) * LAYOUT.sectorBytes(), LAYOUT.sectorBytes())).isEqualTo(ReadOutcome.HIT);
            assertThat(read(sector * LAYOUT.sectorBytes(), 1)).isEqualTo(ReadOutcome.CORRUPT);
            assertThat(testing.store().stats().currentPages()).isZero();
        }
    }

    @Test
    void everyRangeIsServedWhole()
    {
        assertThat(testing.write(KEY)).isEqualTo(WriteOutcome.STORED);
        for (int offset = 0; offset < TestingStore.PAGE; offset += 37) {
            for (int length = 1; offset + length <= TestingStore.PAGE; length += 61) {
                assertThat(read(offset, length)).isEqualTo(ReadOutcome.HIT);
            }
        }
    }

    /** The operating system caches the page in one piece. */
    @Test
    void firstPageOfASegmentIsAligned()
    {
        DeviceFile file = new ReadOnlyFile(testing.device(), TestingStore.A.resolve("segment"));
        int slotBytes = Layout.of(1 << 20, 64 << 10, false).slotBytes(1 << 20);
        assertThat(new Segment(1, 1, slotBytes, 10, file, null).framesPosition(0)).isEqualTo(1 << 20);
    }

    @Test
    void smallPageTakesOneBlock()
    {
        Layout layout = Layout.of(1 << 20, 16 << 10, false);
        assertThat(layout.slotBytes(512)).isEqualTo(Layout.BLOCK_BYTES);
        assertThat(layout.slotBytes(4090)).isEqualTo(2 * Layout.BLOCK_BYTES);
        assertThat(layout.slotBytes(1 << 20)).isEqualTo((1 << 20) + Layout.BLOCK_BYTES);
    }

    private ReadOutcome read(int offset, int length)
    {
        ByteBuffer target = ByteBuffer.allocate(length);
        ReadOutcome outcome = testing.store().read(KEY, offset, target);
        if (outcome == ReadOutcome.HIT) {
            assertThat(target.array()).isEqualTo(Arrays.copyOfRange(TestingStore.content(KEY), offset, offset + length));
        }
        return outcome;
    }

    private static void flip(FaultyDevice device, int position)
    {
        Path segment = device.files().stream().filter(path -> path.toString().endsWith(".segment")).findFirst().orElseThrow();
        // the first slot starts at its size, which is a power of two here
        device.flip(segment, TestingStore.SLOT + position, 4);
    }
}
