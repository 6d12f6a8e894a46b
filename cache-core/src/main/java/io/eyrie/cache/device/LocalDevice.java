// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The local file system. */
public final class LocalDevice
        implements Device
{
    private static final int MAX_CHANNELS = 65;
    private static final int MAX_SPARE_CHANNELS = 512;
    private static final long MIN_AGE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int channelsPerFile;
    private final Supplier<SpareChannels> newSpares;
    // by folder, so that no reader closes a file of a disk that hangs, unless it reads from this disk
    private final Map<Path, SpareChannels> spares = new ConcurrentHashMap<>();

    /**
     * Creates a device that opens each file with one file descriptor for writes, one for readers, and further ones for threads that read the file at
     * the same time: up to 64 for a file, and 512 more for all files of a folder.
     */
    public LocalDevice()
    {
        this(MAX_CHANNELS, () -> new SpareChannels(MAX_SPARE_CHANNELS, MIN_AGE_NANOS));
    }

    /** @param channelsPerFile maximum number of file descriptors for one file */
    LocalDevice(int channelsPerFile, Supplier<SpareChannels> newSpares)
    {
        this.channelsPerFile = channelsPerFile;
        this.newSpares = newSpares;
    }

    @Override
    public DeviceFile open(Path file, OpenMode mode)
            throws DeviceException
    {
        return call("Opening", file, () -> {
            if (mode != OpenMode.REPLACE) {
                OwnPaths.checkRegular(file);
            }
            return LocalFile.open(file, mode, channelsPerFile, sparesOf(file));
        });
    }

    private SpareChannels sparesOf(Path file)
    {
        return spares.computeIfAbsent(Objects.requireNonNullElse(file.getParent(), file), folder -> newSpares.get());
    }

    @Override
    public void createDirectory(Path directory)
            throws DeviceException
    {
        call("Creating", directory, () -> {
            OwnPaths.createDirectory(directory);
            return directory;
        });
    }

    @Override
    public List<Entry> list(Path directory)
            throws DeviceException
    {
        return call("Listing", directory, () -> {
            if (OwnPaths.attributes(directory).isSymbolicLink()) {
                throw new NotDirectoryException(directory.toString());
            }
            List<Entry> entries = new ArrayList<>();
            try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
                for (Path path : paths) {
                    addEntry(entries, path);
                }
            }
            catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            return entries;
        });
    }

    private static void addEntry(List<Entry> entries, Path path)
            throws IOException
    {
        try {
            BasicFileAttributes attributes = OwnPaths.attributes(path);
            entries.add(new Entry(path, attributes.isDirectory(), attributes.size(), attributes.lastModifiedTime().toMillis()));
        }
        catch (NoSuchFileException e) {
            // deleted after the directory was read, so it is not part of it
        }
    }

    @Override
    public void rename(Path from, Path to)
            throws DeviceException
    {
        call("Renaming", from, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
    }

    @Override
    public void delete(Path path)
            throws DeviceException
    {
        call("Deleting", path, () -> Files.deleteIfExists(path));
    }

    @Override
    public void forceDirectory(Path directory)
            throws DeviceException
    {
        call("Forcing", directory, () -> {
            try (FileChannel channel = OwnPaths.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
            return directory;
        });
    }

    @Override
    public long usableBytes(Path directory)
            throws DeviceException
    {
        return call("Measuring", directory, () -> {
            long usableBytes = directory.toFile().getUsableSpace();
            // 0 may also mean a failure; the file store distinguishes the two, but has to read the mount table
            return usableBytes > 0 ? usableBytes : Files.getFileStore(directory).getUsableSpace();
        });
    }

    @Override
    public long totalBytes(Path directory)
    {
        return directory.toFile().getTotalSpace();
    }

    @Override
    public long blockSizeBytes(Path directory)
            throws DeviceException
    {
        return call("Measuring", directory, () -> Files.getFileStore(directory).getBlockSize());
    }

    @Override
    public DirectoryLock lock(Path directory)
            throws DeviceException,
            DirectoryOwnedException
    {
        return lock(directory, DirectoryLock.FILE_NAME);
    }

    /**
     * Takes another right to a directory, represented by a file of this name. It excludes the other processes, and the other class loaders of this
     * one.
     */
    public DirectoryLock lock(Path directory, String name)
            throws DeviceException,
            DirectoryOwnedException
    {
        try {
            return uninterrupted(() -> LocalLock.acquire(directory, name));
        }
        catch (DirectoryOwnedException e) {
            throw e;
        }
        catch (IOException e) {
            throw new DeviceException(outcome(e, directory), "Locking " + directory + " failed", e);
        }
    }

    /**
     * Returns the kind of failure of an exception. The system's messages may be translated, so this also asks the disk whether it is full or
     * read-only.
     */
    static DeviceOutcome outcome(IOException failure, Path path)
    {
        if (failure instanceof UnsafePathException) {
            return DeviceOutcome.UNSAFE;
        }
        if (failure instanceof NoSuchFileException || failure instanceof NotDirectoryException) {
            return DeviceOutcome.MISSING;
        }
        if (failure instanceof AccessDeniedException) {
            return DeviceOutcome.DENIED;
        }
        String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        if (words.contains("no space left") || words.contains("quota exceeded") || isFull(path)) {
            return DeviceOutcome.NO_SPACE;
        }
        return words.contains("read-only") || isReadOnly(path) ? DeviceOutcome.READ_ONLY : DeviceOutcome.IO_ERROR;
    }

    private static boolean isFull(Path path)
    {
        return path.toFile().getUsableSpace() == 0 && path.toFile().getTotalSpace() > 0;
    }

    private static boolean isReadOnly(Path path)
    {
        try {
            return Files.getFileStore(path).isReadOnly();
        }
        catch (IOException e) {
            return false;
        }
    }

    private static <T> T call(String doing, Path path, Operation<T> operation)
            throws DeviceException
    {
        try {
            return uninterrupted(operation);
        }
        catch (IOException e) {
            throw new DeviceException(outcome(e, path), doing + " " + path + " failed", e);
        }
    }

    /** Repeats an operation until no interrupt ends it, then restores the interrupt. */
    private static <T> T uninterrupted(Operation<T> operation)
            throws IOException
    {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return operation.run();
                }
                catch (ClosedByInterruptException e) {
                    interrupted = true;
                }
            }
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Operation<T>
    {
        T run()
                throws IOException;
    }
}
