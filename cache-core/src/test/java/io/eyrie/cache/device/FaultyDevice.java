// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An in-memory disk with faults that a test sets: failing, slow and hanging operations, torn writes, flipped bits, a disk that is full or read-only,
 * a process that is killed, and power losses. Thread-safe.
 */
public final class FaultyDevice
        implements Device
{
    /** An operation on a file or directory. */
    public enum Operation
    {
        OPEN,
        READ,
        WRITE,
        FORCE,
        TRUNCATE,
        CREATE_DIRECTORY,
        LIST,
        RENAME,
        DELETE,
        FORCE_DIRECTORY,
        MEASURE,
        LOCK;

        /** Returns whether the operation can change the contents of the disk, so that a read-only disk fails it. */
        public boolean changes()
        {
            return switch (this) {
                case WRITE, TRUNCATE, CREATE_DIRECTORY, RENAME, DELETE -> true;
                default -> false;
            };
        }
    }

    /**
     * Decides about an operation before it is performed, on the thread that performs it: to let it pass, to fail it, or, by not returning, to delay
     * it. A write that fails leaves half of its bytes behind. A read that ends as {@link DeviceOutcome#END_OF_FILE} is a short one.
     */
    public interface Fault
    {
        DeviceOutcome before(Operation operation, Path path);
    }

    private static final int BLOCK_BYTES = 4 << 10;

    private final TreeMap<Path, FaultyInode> names = new TreeMap<>();
    private final TreeMap<Path, FaultyInode> forcedNames = new TreeMap<>();
    private final List<NameChange> nameChanges = new ArrayList<>();
    private final Set<Path> locked = new HashSet<>();
    private final Map<Path, Long> totalBytes = new HashMap<>();
    private long capacityBytes;
    private boolean freesLate;
    private long lateBytes;
    private long operations;
    private int openFiles;
    private boolean off;
    private volatile Fault fault = (operation, path) -> DeviceOutcome.OK;

    /** @param directories exist from the start, with their parents */
    public FaultyDevice(long capacityBytes, Path... directories)
    {
        this.capacityBytes = capacityBytes;
        for (Path directory : directories) {
            for (Path path = directory; path != null; path = path.getParent()) {
                FaultyInode inode = FaultyInode.directory();
                names.put(path, inode);
                forcedNames.put(path, inode);
            }
        }
    }

    /** A change of a name since its directory was forced: it came to refer to a file, or was deleted, or a file was renamed to it. */
    private record NameChange(Path path, @Nullable Path from, @Nullable FaultyInode inode)
    {
        boolean isIn(Path directory)
        {
            return directory.equals(path.getParent());
        }

        void apply(Map<Path, FaultyInode> to)
        {
            if (from != null) {
                FaultyInode moved = to.remove(from);
                if (moved != null) {
                    to.put(path, moved);
                }
            }
            else if (inode != null) {
                to.put(path, inode);
            }
            else {
                to.remove(path);
            }
        }
    }

    public void setFault(Fault newFault)
    {
        fault = newFault;
    }

    public void heal()
    {
        setFault((operation, path) -> DeviceOutcome.OK);
    }

    /** Lets {@code operationCount} operations pass and fails all later ones, like a disk that loses power. */
    public void failAfter(long operationCount)
    {
        long[] left = {operationCount};
        setFault((operation, path) -> {
            synchronized (left) {
                left[0]--;
                return left[0] < 0 ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK;
            }
        });
    }

    /** Returns how many operations have begun. */
    public synchronized long operations()
    {
        return operations;
    }

    /** Returns how many files are open. */
    public synchronized int openFiles()
    {
        return openFiles;
    }

    /** Returns the free space, without counting an operation. */
    public synchronized long freeBytes()
    {
        return usableBytes();
    }

    /** Returns the space of the files whose names end with {@code suffix}. */
    public synchronized long usedBytes(String suffix)
    {
        long bytes = 0;
        for (Map.Entry<Path, FaultyInode> entry : names.entrySet()) {
            bytes += entry.getKey().toString().endsWith(suffix) ? entry.getValue().usedBytes() : 0;
        }
        return bytes;
    }

    /** Sets whether the space of deleted files is not yet reported as free, as on file systems that free blocks late; false reports it now. */
    public synchronized void freeLate(boolean late)
    {
        freesLate = late;
        lateBytes = late ? lateBytes : 0;
    }

    public synchronized void setCapacityBytes(long bytes)
    {
        capacityBytes = bytes;
    }

    /** Returns the files, without directories. */
    public synchronized List<Path> files()
    {
        return names.entrySet().stream().filter(entry -> !entry.getValue().isDirectory()).map(Map.Entry::getKey).toList();
    }

    /** Returns the contents of all files at one moment. */
    public synchronized Map<Path, byte[]> contents()
    {
        return files().stream().collect(Collectors.toMap(file -> file, this::content));
    }

    public synchronized byte[] content(Path file)
    {
        return Objects.requireNonNull(names.get(file), "no such file").content();
    }

    /** Replaces the contents of a file, as if they had always been there. Creates the file if it does not exist. */
    public synchronized void setContent(Path file, byte[] content)
    {
        FaultyInode before = names.get(file);
        FaultyInode inode = before == null ? FaultyInode.of(content) : before.withContent(content);
        names.put(file, inode);
        forcedNames.put(file, inode);
    }

    /** Changes a byte of a file, whether it was forced or not. */
    public synchronized void flip(Path file, int position, int mask)
    {
        byte[] content = content(file);
        content[position] ^= (byte) mask;
        setContent(file, content);
    }

    /** Returns the disk after its process was killed: nothing is lost. This object fails all operations from now on. */
    public synchronized FaultyDevice kill()
    {
        off = true;
        FaultyDevice next = new FaultyDevice(capacityBytes);
        names.forEach((path, inode) -> next.names.put(path, inode));
        forcedNames.forEach((path, inode) -> next.forcedNames.put(path, inode));
        next.nameChanges.addAll(nameChanges);
        next.totalBytes.putAll(totalBytes);
        return next;
    }

    /**
     * Returns the disk after a power loss. Any part of the unforced writes, and of the unforced names in directories, survived, in any order. The
     * seed determines which, and whether all, none or some. This object fails all operations from now on.
     */
    public synchronized FaultyDevice crash(long seed)
    {
        off = true;
        // otherwise, adjacent seeds would begin alike
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        double survival = List.of(0.0, 0.5, 0.9, 1.0).get(random.nextInt(4));
        FaultyDevice next = new FaultyDevice(capacityBytes);
        next.names.putAll(forcedNames);
        next.totalBytes.putAll(totalBytes);
        for (NameChange change : nameChanges) {
            if (random.nextDouble() < survival) {
                change.apply(next.names);
            }
        }
        // the contents of a directory that did not survive are lost with it
        next.names.keySet().removeIf(path -> hasLostParent(next.names, path));
        Map<FaultyInode, FaultyInode> survivors = new HashMap<>();
        next.names.replaceAll((path, inode) -> survivors.computeIfAbsent(inode, file -> file.crash(random, survival)));
        next.forcedNames.putAll(next.names);
        return next;
    }

    private static boolean hasLostParent(Map<Path, FaultyInode> among, Path path)
    {
        for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
            if (!among.containsKey(parent)) {
                return true;
            }
        }
        return false;
    }

    private DeviceOutcome begin(Operation operation, Path path)
    {
        synchronized (this) {
            operations++;
        }
        DeviceOutcome outcome = fault.before(operation, path);
        synchronized (this) {
            return off ? DeviceOutcome.IO_ERROR : outcome;
        }
    }

    private void check(Operation operation, Path path)
            throws DeviceException
    {
        fail(begin(operation, path), operation, path);
    }

    private static void fail(DeviceOutcome outcome, Operation operation, Path path)
            throws DeviceException
    {
        if (outcome != DeviceOutcome.OK) {
            throw new DeviceException(outcome, operation + " of " + path + " failed");
        }
    }

    private FaultyInode directory(@Nullable Path path, Operation operation, Path of)
            throws DeviceException
    {
        FaultyInode inode = path == null ? null : names.get(path);
        fail(inode == null || !inode.isDirectory() ? DeviceOutcome.MISSING : DeviceOutcome.OK, operation, of);
        return Objects.requireNonNull(inode);
    }

    private void change(NameChange change)
            throws DeviceException
    {
        // the process may have been killed after the operation began
        fail(off ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK, Operation.WRITE, change.path());
        change.apply(names);
        nameChanges.add(change);
    }

    @Override
    public DeviceFile open(Path file, OpenMode mode)
            throws DeviceException
    {
        check(Operation.OPEN, file);
        synchronized (this) {
            directory(file.getParent(), Operation.OPEN, file);
            FaultyInode inode = names.get(file);
            if (inode == null) {
                fail(mode == OpenMode.READ ? DeviceOutcome.MISSING : DeviceOutcome.OK, Operation.OPEN, file);
                inode = FaultyInode.of(new byte[0]);
                change(new NameChange(file, null, inode));
            }
            fail(inode.isDirectory() ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK, Operation.OPEN, file);
            if (mode == OpenMode.REPLACE) {
                inode.truncate(0);
            }
            return new OpenFile(file, inode, mode);
        }
    }

    @Override
    public void createDirectory(Path directory)
            throws DeviceException
    {
        check(Operation.CREATE_DIRECTORY, directory);
        synchronized (this) {
            directory(directory.getParent(), Operation.CREATE_DIRECTORY, directory);
            FaultyInode inode = names.get(directory);
            if (inode == null) {
                change(new NameChange(directory, null, FaultyInode.directory()));
            }
            else {
                directory(directory, Operation.CREATE_DIRECTORY, directory);
            }
        }
    }

    @Override
    public List<Entry> list(Path directory)
            throws DeviceException
    {
        check(Operation.LIST, directory);
        synchronized (this) {
            directory(directory, Operation.LIST, directory);
            List<Entry> entries = new ArrayList<>();
            names.forEach((path, inode) -> {
                if (directory.equals(path.getParent())) {
                    entries.add(new Entry(path, inode.isDirectory(), inode.lengthBytes(), 0));
                }
            });
            Collections.reverse(entries);
            return entries;
        }
    }

    @Override
    public void rename(Path from, Path to)
            throws DeviceException
    {
        check(Operation.RENAME, from);
        synchronized (this) {
            fail(names.containsKey(from) ? DeviceOutcome.OK : DeviceOutcome.MISSING, Operation.RENAME, from);
            change(new NameChange(to, from, null));
        }
    }

    @Override
    public void delete(Path path)
            throws DeviceException
    {
        check(Operation.DELETE, path);
        synchronized (this) {
            boolean empty = names.keySet().stream().noneMatch(other -> path.equals(other.getParent()));
            fail(empty ? DeviceOutcome.OK : DeviceOutcome.IO_ERROR, Operation.DELETE, path);
            FaultyInode deleted = names.get(path);
            if (deleted != null) {
                lateBytes += freesLate ? deleted.usedBytes() : 0;
                change(new NameChange(path, null, null));
            }
        }
    }

    @Override
    public void forceDirectory(Path directory)
            throws DeviceException
    {
        check(Operation.FORCE_DIRECTORY, directory);
        synchronized (this) {
            directory(directory, Operation.FORCE_DIRECTORY, directory);
            for (NameChange change : nameChanges) {
                if (change.isIn(directory)) {
                    change.apply(forcedNames);
                }
            }
            nameChanges.removeIf(change -> change.isIn(directory));
        }
    }

    @Override
    public long usableBytes(Path directory)
            throws DeviceException
    {
        check(Operation.MEASURE, directory);
        synchronized (this) {
            directory(directory, Operation.MEASURE, directory);
            return usableBytes();
        }
    }

    private long usableBytes()
    {
        long bytes = 0;
        for (FaultyInode inode : names.values()) {
            bytes += inode.usedBytes();
        }
        return Math.max(0, capacityBytes - lateBytes - bytes);
    }

    /** Sets the total size of a directory's disk. */
    public synchronized void setTotalBytes(Path directory, long bytes)
    {
        totalBytes.put(directory, bytes);
    }

    @Override
    public long totalBytes(Path directory)
            throws DeviceException
    {
        check(Operation.MEASURE, directory);
        synchronized (this) {
            return totalBytes.getOrDefault(directory, 0L);
        }
    }

    @Override
    public long blockSizeBytes(Path directory)
    {
        return BLOCK_BYTES;
    }

    @Override
    public DirectoryLock lock(Path directory)
            throws DeviceException,
            DirectoryOwnedException
    {
        check(Operation.LOCK, directory);
        synchronized (this) {
            directory(directory, Operation.LOCK, directory);
            if (!locked.add(directory)) {
                throw new DirectoryOwnedException(directory, "this process");
            }
            return new Lock(directory);
        }
    }

    private final class Lock
            implements DirectoryLock
    {
        private final Path directory;
        private boolean closed;

        Lock(Path directory)
        {
            this.directory = directory;
        }

        @Override
        public boolean isHeld()
        {
            synchronized (FaultyDevice.this) {
                return !closed && !off && names.containsKey(directory);
            }
        }

        @Override
        public void close()
        {
            synchronized (FaultyDevice.this) {
                if (!closed) {
                    closed = true;
                    locked.remove(directory);
                }
            }
        }
    }

    private final class OpenFile
            implements DeviceFile
    {
        private final Path path;
        private final FaultyInode inode;
        private final OpenMode mode;
        private boolean closed;

        OpenFile(Path path, FaultyInode inode, OpenMode mode)
        {
            this.path = path;
            this.inode = inode;
            this.mode = mode;
            openFiles++;
        }

        private DeviceOutcome beginHere(Operation operation)
        {
            if (Thread.currentThread().isInterrupted()) {
                return DeviceOutcome.INTERRUPTED;
            }
            DeviceOutcome outcome = begin(operation, path);
            synchronized (FaultyDevice.this) {
                if (closed) {
                    return DeviceOutcome.CLOSED;
                }
                if (operation.changes() && mode == OpenMode.READ) {
                    throw new NonWritableChannelException();
                }
                return outcome;
            }
        }

        @Override
        public DeviceOutcome read(long positionBytes, ByteBuffer target)
        {
            DeviceOutcome outcome = beginHere(Operation.READ);
            synchronized (FaultyDevice.this) {
                return outcome == DeviceOutcome.OK && !inode.read(positionBytes, target) ? DeviceOutcome.END_OF_FILE : outcome;
            }
        }

        @Override
        public DeviceOutcome write(long positionBytes, ByteBuffer source)
        {
            DeviceOutcome outcome = beginHere(Operation.WRITE);
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            synchronized (FaultyDevice.this) {
                if (off) {
                    return DeviceOutcome.IO_ERROR;
                }
                if (outcome == DeviceOutcome.OK && inode.growthBytes(positionBytes, bytes.length) > usableBytes()) {
                    outcome = DeviceOutcome.NO_SPACE;
                }
                boolean torn = outcome == DeviceOutcome.IO_ERROR || outcome == DeviceOutcome.NO_SPACE;
                int length = torn ? bytes.length / 2 : bytes.length;
                if ((torn || outcome == DeviceOutcome.OK) && inode.growthBytes(positionBytes, length) <= usableBytes()) {
                    inode.write(positionBytes, Arrays.copyOf(bytes, length));
                }
                return outcome;
            }
        }

        @Override
        public DeviceOutcome force()
        {
            DeviceOutcome outcome = beginHere(Operation.FORCE);
            synchronized (FaultyDevice.this) {
                if (outcome == DeviceOutcome.OK) {
                    inode.force();
                }
                return outcome;
            }
        }

        @Override
        public DeviceOutcome allocate(long positionBytes, long lengthBytes)
        {
            return write(positionBytes, ByteBuffer.allocate(Math.toIntExact(lengthBytes)));
        }

        @Override
        public DeviceOutcome truncate(long lengthBytes)
        {
            DeviceOutcome outcome = beginHere(Operation.TRUNCATE);
            synchronized (FaultyDevice.this) {
                if (outcome == DeviceOutcome.OK && !off && lengthBytes < inode.lengthBytes()) {
                    inode.truncate(lengthBytes);
                }
                return outcome;
            }
        }

        @Override
        public long lengthBytes()
                throws DeviceException
        {
            fail(beginHere(Operation.MEASURE), Operation.MEASURE, path);
            synchronized (FaultyDevice.this) {
                return inode.lengthBytes();
            }
        }

        @Override
        public void close()
        {
            synchronized (FaultyDevice.this) {
                openFiles -= closed ? 0 : 1;
                closed = true;
            }
        }
    }
}
