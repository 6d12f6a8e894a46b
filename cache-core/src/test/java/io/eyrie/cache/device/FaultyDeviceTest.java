// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import io.eyrie.cache.device.Device.OpenMode;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the faults: unforced writes can be lost in every way, forced ones cannot. */
final class FaultyDeviceTest
        extends DeviceContract
{
    private static final Path directory = Path.of("/disk");
    private static final int SEEDS = 200;

    private final FaultyDevice device = new FaultyDevice(1 << 20, directory);

    @Override
    protected Device device()
    {
        return device;
    }

    @Override
    protected Path directory()
    {
        return directory;
    }

    @Test
    void crashKeepsWhatWasForced()
            throws Exception
    {
        write(directory.resolve("a"), "hello");
        device.forceDirectory(directory);
        for (long seed = 0; seed < SEEDS; seed++) {
            FaultyDevice after = device.crash(seed);
            assertThat(after.content(directory.resolve("a"))).isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void crashLosesKeepsAndReordersWhatWasNotForced()
            throws Exception
    {
        Path path = directory.resolve("a");
        write(path, "....");
        device.forceDirectory(directory);
        try (DeviceFile file = device.open(path, OpenMode.READ_WRITE)) {
            file.write(0, bytes("a"));
            file.write(1, bytes("b"));
            file.write(0, bytes("c"));
        }
        Set<String> seen = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            try (DeviceFile file = device.crash(seed).open(path, OpenMode.READ)) {
                seen.add(read(file, 0, 2));
            }
        }
        // nothing, all in order, the later write without the earlier one, and two writes of one byte in the reverse order
        assertThat(seen).contains("..", "cb", ".b", "ab", "a.");
    }

    @Test
    void crashLosesKeepsAndReordersNames()
            throws Exception
    {
        write(directory.resolve("old"), "old");
        device.forceDirectory(directory);
        write(directory.resolve("new"), "new");
        device.rename(directory.resolve("new"), directory.resolve("old"));
        write(directory.resolve("later"), "later");
        Set<String> seen = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            FaultyDevice after = device.crash(seed);
            boolean renamed = after.content(directory.resolve("old"))[0] == 'n';
            seen.add((renamed ? "renamed " : "") + (after.files().contains(directory.resolve("later")) ? "later" : ""));
        }
        assertThat(seen).containsExactlyInAnyOrder("", "later", "renamed ", "renamed later");
    }

    @Test
    void crashAndKillEndTheDeviceForItsProcess()
            throws Exception
    {
        write(directory.resolve("a"), "hello");
        DeviceFile file = device.open(directory.resolve("a"), OpenMode.READ_WRITE);
        device.lock(directory);
        FaultyDevice after = device.kill();
        assertThat(file.write(0, bytes("x"))).isEqualTo(DeviceOutcome.IO_ERROR);
        assertThatThrownBy(() -> device.delete(directory.resolve("a"))).isInstanceOf(DeviceException.class);
        after.lock(directory).close();
        try (DeviceFile found = after.open(directory.resolve("a"), OpenMode.READ)) {
            assertThat(read(found, 0, 5)).isEqualTo("hello");
        }
    }

    @Test
    void fullDiskTearsTheWriteThatItFails()
            throws Exception
    {
        device.setCapacityBytes(8 << 10);
        try (DeviceFile file = device.open(directory.resolve("a"), OpenMode.READ_WRITE)) {
            assertThat(file.write(0, ByteBuffer.allocate(12 << 10))).isEqualTo(DeviceOutcome.NO_SPACE);
            assertThat(file.lengthBytes()).isEqualTo(6 << 10);
            assertThat(device.usableBytes(directory)).isZero();
        }
    }

    @Test
    void faultsFailTheOperationsTheyAreSetFor()
            throws Exception
    {
        try (DeviceFile file = device.open(directory.resolve("a"), OpenMode.READ_WRITE)) {
            device.setFault((operation, path) -> operation.changes() ? DeviceOutcome.READ_ONLY : DeviceOutcome.OK);
            assertThat(file.write(0, bytes("hello"))).isEqualTo(DeviceOutcome.READ_ONLY);
            assertThat(file.lengthBytes()).isZero();
            device.failAfter(1);
            assertThat(file.force()).isEqualTo(DeviceOutcome.OK);
            assertThat(file.force()).isEqualTo(DeviceOutcome.IO_ERROR);
            device.heal();
            assertThat(file.write(0, bytes("hello"))).isEqualTo(DeviceOutcome.OK);
            device.flip(directory.resolve("a"), 0, 1);
            try (DeviceFile flipped = device.open(directory.resolve("a"), OpenMode.READ)) {
                assertThat(read(flipped, 0, 5)).isEqualTo("iello");
            }
        }
    }
}
