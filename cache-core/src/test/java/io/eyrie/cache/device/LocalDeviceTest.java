// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import com.sun.management.ThreadMXBean;
import io.eyrie.cache.device.Device.OpenMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

final class LocalDeviceTest
        extends DeviceContract
{
    private static final int BLOCK_BYTES = 16 << 10;
    private static final int BLOCKS = 64;
    private static final SpareChannels NO_SPARES = new SpareChannels(0, 0);

    private final Path temporary;

    LocalDeviceTest(@TempDir Path temporary)
    {
        this.temporary = temporary;
    }

    @Override
    protected Device device()
    {
        return new LocalDevice(2, () -> NO_SPARES);
    }

    @Override
    protected Path directory()
    {
        return temporary;
    }

    @Test
    void filesAndDirectoriesAreForTheirOwnerAlone()
            throws Exception
    {
        Path inner = temporary.resolve("inner");
        device().createDirectory(inner);
        write(inner.resolve("a"), "hello");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inner))).isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inner.resolve("a")))).isEqualTo("rw-------");
    }

    @Test
    @Timeout(120)
    void interruptStormHurtsNobodyElse()
            throws Exception
    {
        storm(device());
    }

    @Test
    @Timeout(120)
    void channelsAreClosedUnderNoReader()
            throws Exception
    {
        // each file that needs a second reader's channel closes that of another one
        storm(new LocalDevice(4, () -> new SpareChannels(1, 0)));
    }

    private void storm(Device device)
            throws Exception
    {
        try (DeviceFile file = blocks(device, "blocks"); DeviceFile other = blocks(device, "others")) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicReference<String> failure = new AtomicReference<>();
            AtomicLong interruptedReads = new AtomicLong();
            AtomicLong undisturbedReads = new AtomicLong();
            List<Thread> victims = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                boolean victim = i < 3;
                Random random = new Random(i);
                ByteBuffer target = ByteBuffer.allocateDirect(BLOCK_BYTES);
                Thread thread = new Thread(() -> {
                    while (!stop.get()) {
                        DeviceOutcome outcome = readBlock(random.nextBoolean() ? file : other, random.nextInt(BLOCKS), target, failure);
                        if (victim && outcome == DeviceOutcome.INTERRUPTED) {
                            if (!Thread.interrupted()) {
                                failure.set("the interrupt was lost");
                            }
                            interruptedReads.incrementAndGet();
                        }
                        else if (outcome != DeviceOutcome.OK) {
                            failure.set((victim ? "victim " : "bystander ") + outcome);
                        }
                        else if (!victim) {
                            undisturbedReads.incrementAndGet();
                        }
                    }
                });
                threads.add(thread);
                if (victim) {
                    victims.add(thread);
                }
            }
            threads.forEach(Thread::start);
            Random random = new Random(99);
            while (failure.get() == null && (interruptedReads.get() < 150 || undisturbedReads.get() < 2_000)) {
                victims.get(random.nextInt(victims.size())).interrupt();
                LockSupport.parkNanos(100_000);
            }
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            assertThat(read(file, 0, 1)).isEqualTo("\0");
        }
    }

    private DeviceFile blocks()
            throws Exception
    {
        return blocks(device(), "blocks");
    }

    private DeviceFile blocks(Device device, String name)
            throws Exception
    {
        DeviceFile file = device.open(temporary.resolve(name), OpenMode.READ_WRITE);
        for (int block = 0; block < BLOCKS; block++) {
            ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
            while (bytes.hasRemaining()) {
                bytes.put((byte) block);
            }
            assertThat(file.write((long) block * BLOCK_BYTES, bytes.flip())).isEqualTo(DeviceOutcome.OK);
        }
        return file;
    }

    private static DeviceOutcome readBlock(DeviceFile file, int block, ByteBuffer target, AtomicReference<String> failure)
    {
        DeviceOutcome outcome = file.read((long) block * BLOCK_BYTES, target.clear());
        if (outcome == DeviceOutcome.OK && (target.hasRemaining() || target.get(0) != block || target.get(BLOCK_BYTES - 1) != block)) {
            failure.set("wrong bytes of block " + block);
        }
        return outcome;
    }

    @Test
    void readIntoADirectBufferAllocatesNothing()
            throws Exception
    {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (DeviceFile file = blocks()) {
            ByteBuffer target = ByteBuffer.allocateDirect(BLOCK_BYTES);
            long allocated = Long.MAX_VALUE;
            // the first rounds load classes and are interpreted
            for (int round = 0; round < 20; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 1_000; i++) {
                    file.read(i % BLOCKS * (long) BLOCK_BYTES, target.clear());
                }
                allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
            }
            // less than a byte per read
            assertThat(allocated).isLessThan(1_000);
        }
    }

    @Test
    void readersOfOneFileDoNotKeepEachOtherOut()
            throws Exception
    {
        int readers = 64;
        CyclicBarrier warm = new CyclicBarrier(readers);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        AtomicLong blocked = new AtomicLong();
        List<FutureTask<?>> running = new ArrayList<>();
        try (DeviceFile file = new LocalDevice().open(temporary.resolve("hot"), OpenMode.REPLACE)) {
            assertThat(file.write(0, ByteBuffer.allocateDirect(BLOCK_BYTES))).isEqualTo(DeviceOutcome.OK);
            for (int i = 0; i < readers; i++) {
                FutureTask<?> reader = new FutureTask<>(() -> {
                    ByteBuffer target = ByteBuffer.allocateDirect(BLOCK_BYTES);
                    readOften(file, target);
                    warm.await();
                    long before = threads.getThreadInfo(Thread.currentThread().getId()).getBlockedCount();
                    readOften(file, target);
                    blocked.addAndGet(threads.getThreadInfo(Thread.currentThread().getId()).getBlockedCount() - before);
                    return null;
                });
                running.add(reader);
                new Thread(reader).start();
            }
            for (FutureTask<?> reader : running) {
                reader.get();
            }
        }
        // two threads that open another channel at once may block each other in the library
        assertThat(blocked.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void readersThatDoNotMeetShareAChannel()
            throws Exception
    {
        int files = 50;
        List<DeviceFile> opened = new ArrayList<>();
        try {
            LocalDevice device = new LocalDevice();
            for (int i = 0; i < files; i++) {
                DeviceFile file = device.open(temporary.resolve("file" + i), OpenMode.REPLACE);
                opened.add(file);
                assertThat(file.write(0, ByteBuffer.allocateDirect(BLOCK_BYTES))).isEqualTo(DeviceOutcome.OK);
            }
            for (int i = 0; i < 20; i++) {
                FutureTask<?> reader = new FutureTask<>(() -> {
                    ByteBuffer target = ByteBuffer.allocateDirect(BLOCK_BYTES);
                    opened.forEach(file -> assertThat(file.read(0, target.clear())).isEqualTo(DeviceOutcome.OK));
                    return null;
                });
                new Thread(reader).start();
                reader.get();
            }
            assertThat(descriptors()).isEqualTo(2 * files);
        }
        finally {
            opened.forEach(DeviceFile::close);
        }
        assertThat(descriptors()).isZero();
    }

    @Test
    void readersThatMeetHaveABoundedNumberOfChannels()
            throws Exception
    {
        SpareChannels spares = new SpareChannels(3, 0);
        try (LocalFile first = LocalFile.open(Files.createFile(temporary.resolve("first")), OpenMode.READ_WRITE, 9, spares);
                LocalFile second = LocalFile.open(Files.createFile(temporary.resolve("second")), OpenMode.READ_WRITE, 9, spares)) {
            assertThat(take(first, 5)).as("the last one shares the first").isEqualTo(List.of(1, 2, 3, 4, ~1));
            assertThat(take(second, 2)).as("those of the first file are in use").isEqualTo(List.of(1, ~1));
            assertThat(descriptors()).isEqualTo(2 + 3 + 2);
            first.giveBack(4);
            assertThat(take(second, 1)).isEqualTo(List.of(2));
            assertThat(descriptors()).isEqualTo(2 + 3 + 2);
            first.giveBack(3);
            assertThat(take(first, 1)).isEqualTo(List.of(3));
        }
        assertThat(descriptors()).isZero();
    }

    /** Begins reads, and returns the numbers of their channels, which are open then. */
    private static List<Integer> take(LocalFile file, int times)
    {
        List<Integer> stripes = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            int stripe = file.take();
            assertThat(file.read(stripe < 0 ? ~stripe : stripe, 0, ByteBuffer.allocateDirect(1))).isEqualTo(DeviceOutcome.END_OF_FILE);
            stripes.add(stripe);
        }
        return stripes;
    }

    /** Returns the number of open descriptors of files in the temporary directory. */
    private int descriptors()
            throws Exception
    {
        int descriptors = 0;
        try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path link : links) {
                descriptors += Files.isSymbolicLink(link) && isIn(temporary, link) ? 1 : 0;
            }
        }
        return descriptors;
    }

    private static boolean isIn(Path folder, Path link)
            throws Exception
    {
        try {
            return Files.readSymbolicLink(link).startsWith(folder);
        }
        catch (NoSuchFileException | NotLinkException e) {
            // closed meanwhile by another thread
            return false;
        }
    }

    private static void readOften(DeviceFile file, ByteBuffer target)
    {
        for (int i = 0; i < 5000; i++) {
            assertThat(file.read(0, target.clear()) == DeviceOutcome.OK).isTrue();
        }
    }

    @Test
    void fileThatLostItsNameIsNotMistakenForItsSuccessor()
            throws Exception
    {
        try (DeviceFile file = blocks()) {
            Path path = temporary.resolve("blocks");
            device().rename(path, temporary.resolve("moved"));
            write(path, "another");
            Thread reader = new Thread(() -> {
                while (file.read(0, ByteBuffer.allocateDirect(BLOCK_BYTES)) == DeviceOutcome.OK) {
                    Thread.onSpinWait();
                }
            });
            reader.start();
            reader.interrupt();
            reader.join();
            // either the channel survived, or it cannot be reopened; it never returns the other file's bytes
            DeviceOutcome outcome = file.read(0, ByteBuffer.allocateDirect(BLOCK_BYTES));
            assertThat(outcome).isIn(DeviceOutcome.OK, DeviceOutcome.MISSING);
        }
    }

    @Test
    void fullDiskIsToldAsSuch()
            throws Exception
    {
        // this is not a regular file, so the device would not open it
        try (DeviceFile file = LocalFile.open(Path.of("/dev/full"), OpenMode.READ_WRITE, 2, NO_SPARES)) {
            assertThat(file.write(0, bytes("hello"))).isEqualTo(DeviceOutcome.NO_SPACE);
        }
    }

    @Test
    void lockFileThatIsReplacedIsNoLongerHeld()
            throws Exception
    {
        try (DirectoryLock lock = device().lock(temporary)) {
            Files.delete(temporary.resolve(DirectoryLock.FILE_NAME));
            assertThat(lock.isHeld()).isFalse();
        }
    }
}
