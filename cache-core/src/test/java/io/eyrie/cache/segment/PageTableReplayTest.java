// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.file.Scope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that invalid records are refused and change nothing. */
final class PageTableReplayTest
{
    private static final Path BASE = Path.of("/disk");
    private static final int LENGTH_BYTES = 3 * TestingStore.GRANULE;

    private final Layout layout = Layout.of(TestingStore.PAGE, TestingStore.GRANULE, false);
    private final FaultyDevice device = new FaultyDevice(1 << 20, BASE);
    private final PageIndex index = new PageIndex();
    private final Segments segments = new Segments();
    private final PageTableReplay replay = new PageTableReplay(layout, 1000, this::open, index, segments, new Scopes(Optional::empty),
            StoreState.UNORDERED);
    private int slotBytes;

    private Segment open(int id, long generation, int segmentSlotBytes, int slots, byte[] wrappedKey)
    {
        try {
            return new Segment(id, generation, segmentSlotBytes, slots, device.open(BASE.resolve("segment"), OpenMode.READ_WRITE), null);
        }
        catch (DeviceException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void describe()
    {
        slotBytes = layout.slotBytes(LENGTH_BYTES);
        ByteBuffer segment = ByteBuffer.allocate(100).put(Records.SEGMENT).putInt(0).putLong(7).putInt(slotBytes).putInt(4).putInt(0).flip();
        assertThat(replay.apply(segment)).isTrue();
        assertThat(replay.apply(new Records().scope(0, Scope.NONE))).isTrue();
    }

    private boolean page(int slot, long granules, int lengthBytes)
    {
        return page(slot, granules, lengthBytes, 100);
    }

    private static long fingerprint(int slot)
    {
        return 0x1234_5678_9abcL + slot;
    }

    private boolean page(int slot, long granules, int lengthBytes, int stamp)
    {
        return replay.apply(ByteBuffer.allocate(100)
                .put(Records.PAGE)
                .putInt(Segment.location(0, slot))
                .putLong(fingerprint(slot))
                .putLong(granules)
                .putInt(0)
                .putInt(stamp)
                .putInt(lengthBytes)
                .put((byte) Records.DATA)
                .put((byte) 0)
                .flip());
    }

    @Test
    void granulesBeyondTheLengthOfAUnit()
    {
        for (long beyond : new long[] {0b1000, 0b1111, 1L << 7, 1L << 63, -1}) {
            assertThat(page(0, beyond, LENGTH_BYTES)).as(Long.toBinaryString(beyond)).isFalse();
            // one byte less still has the same number of granules, two granules have fewer
            assertThat(page(0, beyond, LENGTH_BYTES - 1)).isFalse();
        }
        assertThat(page(0, 0b100, 2 * TestingStore.GRANULE)).isFalse();
        assertThat(index.size()).isZero();
        assertThat(page(0, 0b111, LENGTH_BYTES)).isTrue();
        assertThat(page(1, 0b101, LENGTH_BYTES - 1)).isTrue();
        assertThat(index.size()).isEqualTo(2);
    }

    @Test
    void invalidationsBeyondTheBoundAreCarriedOutAndForgotten()
    {
        assertThat(page(0, 1, LENGTH_BYTES, 100)).isTrue();
        assertThat(page(1, 1, LENGTH_BYTES, 101)).isTrue();
        Records records = new Records();
        assertThat(replay.apply(records.fileGone(Layout.fileTag(fingerprint(0)), 100))).isTrue();
        for (int file = 1; file < 3 * InvalidFiles.MOST; file++) {
            assertThat(replay.apply(records.fileGone(-file, 100))).isTrue();
            assertThat(replay.invalidFiles()).hasSizeLessThan(InvalidFiles.MOST);
        }
        assertThat(index.find(fingerprint(0))).as("the page from before the invalidation").isEqualTo(PageIndex.NONE);
        assertThat(index.find(fingerprint(1))).as("the page from after it").isNotEqualTo(PageIndex.NONE);
        assertThat(page(2, 1, LENGTH_BYTES, 100)).isTrue();
        assertThat(replay.youngest()).isEqualTo(101);
    }

    @Test
    void pageOfASlotOrALengthThatTheSegmentDoesNotHave()
    {
        assertThat(page(4, 1, LENGTH_BYTES)).isFalse();
        assertThat(page(0, 0, LENGTH_BYTES)).isFalse();
        assertThat(page(0, 1, 0)).isFalse();
        assertThat(page(0, 1, -1)).isFalse();
        assertThat(page(0, 1, layout.unitBytes() + 1)).isFalse();
        assertThat(index.size()).isZero();
    }
}
