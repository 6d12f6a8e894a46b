// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import io.eyrie.cache.device.Device.Entry;
import io.eyrie.cache.device.Device.OpenMode;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The contract of every {@link Device}. */
public abstract class DeviceContract
{
    /** Returns the device under test, the same one throughout a test. */
    protected abstract Device device();

    /** Returns an empty directory on it. */
    protected abstract Path directory();

    @Test
    void writesAreReadBack()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            assertThat(file.write(0, bytes("hello"))).isEqualTo(DeviceOutcome.OK);
            assertThat(file.write(5, bytes(" world"))).isEqualTo(DeviceOutcome.OK);
            assertThat(file.force()).isEqualTo(DeviceOutcome.OK);
            assertThat(read(file, 0, 11)).isEqualTo("hello world");
            assertThat(read(file, 4, 3)).isEqualTo("o w");
            assertThat(file.lengthBytes()).isEqualTo(11);
        }
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ)) {
            assertThat(read(file, 6, 5)).isEqualTo("world");
        }
    }

    @Test
    void readsFillHeapAndDirectBuffersBetweenPositionAndLimit()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            file.write(0, bytes("0123456789"));
            for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8)}) {
                assertThat(file.read(3, target.position(2).limit(6))).isEqualTo(DeviceOutcome.OK);
                assertThat(target.position()).isEqualTo(6);
                assertThat(target.flip().position(2)).isEqualTo(bytes("3456"));
            }
        }
    }

    @Test
    void readBeyondTheEndSaysSo()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            file.write(0, bytes("hello"));
            assertThat(file.read(3, ByteBuffer.allocate(3))).isEqualTo(DeviceOutcome.END_OF_FILE);
            assertThat(file.read(300, ByteBuffer.allocate(1))).isEqualTo(DeviceOutcome.END_OF_FILE);
        }
    }

    @Test
    void writeBehindTheEndLeavesZerosBetween()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            file.write(3, bytes("x"));
            assertThat(read(file, 0, 4)).isEqualTo("\0\0\0x");
        }
    }

    @Test
    void allocateAndTruncateSetTheLength()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            assertThat(file.allocate(0, 700_000)).isEqualTo(DeviceOutcome.OK);
            assertThat(file.lengthBytes()).isEqualTo(700_000);
            assertThat(read(file, 699_999, 1)).isEqualTo("\0");
            assertThat(file.truncate(10)).isEqualTo(DeviceOutcome.OK);
            assertThat(file.lengthBytes()).isEqualTo(10);
            assertThat(file.truncate(20)).isEqualTo(DeviceOutcome.OK);
            assertThat(file.lengthBytes()).isEqualTo(10);
        }
    }

    @Test
    void replaceEmptiesAndReadWriteKeeps()
            throws Exception
    {
        Path path = directory().resolve("a");
        write(path, "hello");
        try (DeviceFile file = device().open(path, OpenMode.READ_WRITE)) {
            assertThat(file.lengthBytes()).isEqualTo(5);
        }
        try (DeviceFile file = device().open(path, OpenMode.REPLACE)) {
            assertThat(file.lengthBytes()).isZero();
        }
    }

    @Test
    void missingFilesAndDirectoriesAreToldAsSuch()
    {
        Path missing = directory().resolve("missing");
        assertThatThrownBy(() -> device().open(missing, OpenMode.READ)).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().open(missing.resolve("a"), OpenMode.READ_WRITE)).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().createDirectory(missing.resolve("a"))).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().list(missing)).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().forceDirectory(missing)).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().usableBytes(missing)).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().rename(missing, directory().resolve("b"))).satisfies(DeviceContract::isMissing);
        assertThatThrownBy(() -> device().lock(missing)).satisfies(DeviceContract::isMissing);
    }

    private static void isMissing(Throwable failure)
    {
        assertThat(failure).isInstanceOf(DeviceException.class);
        assertThat(((DeviceException) failure).outcome()).isEqualTo(DeviceOutcome.MISSING);
    }

    @Test
    void renameReplacesAndDeleteRemoves()
            throws Exception
    {
        Path a = directory().resolve("a");
        Path b = directory().resolve("b");
        write(a, "new");
        write(b, "older");
        device().rename(a, b);
        device().forceDirectory(directory());
        assertThat(device().list(directory())).extracting(Entry::path).containsExactly(b);
        try (DeviceFile file = device().open(b, OpenMode.READ)) {
            assertThat(read(file, 0, 3)).isEqualTo("new");
        }
        device().delete(b);
        device().delete(b);
        assertThat(device().list(directory())).isEmpty();
    }

    @Test
    void directoriesAreListedWithWhatIsInThem()
            throws Exception
    {
        Path inner = directory().resolve("inner");
        device().createDirectory(inner);
        device().createDirectory(inner);
        write(inner.resolve("a"), "hello");
        assertThat(device().list(directory())).singleElement().satisfies(entry -> assertThat(entry.directory()).isTrue());
        assertThat(device().list(inner)).singleElement().satisfies(entry -> {
            assertThat(entry.directory()).isFalse();
            assertThat(entry.lengthBytes()).isEqualTo(5);
        });
        assertThatThrownBy(() -> device().delete(inner)).isInstanceOf(DeviceException.class);
    }

    @Test
    void closedFileSaysSo()
            throws Exception
    {
        DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE);
        file.close();
        file.close();
        assertThat(file.read(0, ByteBuffer.allocate(1))).isEqualTo(DeviceOutcome.CLOSED);
        assertThat(file.write(0, bytes("a"))).isEqualTo(DeviceOutcome.CLOSED);
        assertThat(file.force()).isEqualTo(DeviceOutcome.CLOSED);
    }

    @Test
    void interruptedThreadEndsItsOwnOperationAlone()
            throws Exception
    {
        try (DeviceFile file = device().open(directory().resolve("a"), OpenMode.READ_WRITE)) {
            file.write(0, bytes("hello"));
            Thread.currentThread().interrupt();
            assertThat(file.read(0, ByteBuffer.allocate(1))).isEqualTo(DeviceOutcome.INTERRUPTED);
            assertThat(file.write(0, bytes("a"))).isEqualTo(DeviceOutcome.INTERRUPTED);
            device().createDirectory(directory().resolve("b"));
            device().forceDirectory(directory());
            device().lock(directory()).close();
            device().open(directory().resolve("c"), OpenMode.READ_WRITE).close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read(file, 0, 5)).isEqualTo("hello");
        }
        finally {
            // a failed assertion must not leave the interrupt to the next test
            Thread.interrupted();
        }
    }

    @Test
    void lockExcludesOthersUntilClosed()
            throws Exception
    {
        DirectoryLock lock = device().lock(directory());
        assertThat(lock.isHeld()).isTrue();
        assertThatThrownBy(() -> device().lock(directory())).isInstanceOf(DirectoryOwnedException.class).hasMessageContaining("in use by");
        lock.close();
        device().lock(directory()).close();
    }

    @Test
    void roomAndBlocksAreKnown()
            throws Exception
    {
        assertThat(device().usableBytes(directory())).isPositive();
        assertThat(device().blockSizeBytes(directory())).isBetween(512L, 1L << 20);
    }

    protected void write(Path path, String content)
            throws Exception
    {
        try (DeviceFile file = device().open(path, OpenMode.READ_WRITE)) {
            assertThat(file.write(0, bytes(content))).isEqualTo(DeviceOutcome.OK);
            assertThat(file.force()).isEqualTo(DeviceOutcome.OK);
        }
    }

    protected static ByteBuffer bytes(String text)
    {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    protected static String read(DeviceFile file, long position, int length)
    {
        ByteBuffer target = ByteBuffer.allocate(length);
        assertThat(file.read(position, target)).isEqualTo(DeviceOutcome.OK);
        return new String(target.array(), StandardCharsets.US_ASCII);
    }
}
