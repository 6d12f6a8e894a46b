// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import io.eyrie.cache.device.DirectoryOwner.State;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The right of one store to work on one directory, to the exclusion of other processes and other class loaders of this one. The operating system
 * releases the lock of a process that ends. Thread-safe.
 */
final class LocalLock
        implements DirectoryLock
{
    /*
     * Processes       an exclusive lock on a file, whose content names the owner
     * Class loaders   a system property for each directory and lock file name. It must be checked before the file is opened: when a process closes
     *                 any channel of a file, it loses its lock on that file (POSIX).
     */
    private static final String PROPERTY_PREFIX = "io.eyrie.cache.owner.";
    private static final int MAX_OWNER_BYTES = 1024;
    private static final Pattern OWNER = Pattern.compile("process ([0-9]{1,18}) on host (\\S+) since (\\S+)");

    private final Path file;
    private final Object fileKey;
    private final String property;
    private final FileChannel channel;

    private LocalLock(Path file, Object fileKey, String property, FileChannel channel)
    {
        this.file = file;
        this.fileKey = fileKey;
        this.property = property;
        this.channel = channel;
    }

    /**
     * Takes the lock, or fails immediately.
     *
     * @param name name of the lock file in the directory
     * @throws DirectoryOwnedException if there is another owner
     * @throws NoSuchFileException if the directory does not exist
     * @throws NotDirectoryException if it is not a directory
     * @throws UnsafePathException if another user may change the directory
     */
    static LocalLock acquire(Path directory, String name)
            throws IOException
    {
        OwnPaths.checkDirectory(directory);
        String property = property(directory, name);
        Properties properties = System.getProperties();
        String self = "process " + ProcessHandle.current().pid() + " on host " + hostName() + " since " + Instant.now();
        Object other = properties.putIfAbsent(property, self);
        if (other != null) {
            throw new DirectoryOwnedException(directory, other + " (this process)");
        }
        boolean locked = false;
        try {
            LocalLock lock = lockFile(directory, directory.resolve(name), property, self);
            locked = true;
            return lock;
        }
        finally {
            if (!locked) {
                properties.remove(property);
            }
        }
    }

    private static String property(Path directory, String name)
            throws IOException
    {
        Object fileKey = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        return PROPERTY_PREFIX + Objects.requireNonNullElse(fileKey, directory.toRealPath()) + (name.equals(FILE_NAME) ? "" : "/" + name);
    }

    /** Returns the owner of the lock, or the last one. */
    static DirectoryOwner owner(Path directory)
            throws IOException
    {
        String here = System.getProperty(property(directory, FILE_NAME));
        if (here != null) {
            // do not open the file: closing it would release the lock
            return new DirectoryOwner(State.RUNNING, here + " (this process)");
        }
        String words;
        try (FileChannel channel = openToRead(directory.resolve(FILE_NAME))) {
            words = readOwner(channel);
        }
        catch (NoSuchFileException e) {
            return new DirectoryOwner(State.NOBODY, "");
        }
        Matcher matcher = OWNER.matcher(words);
        boolean known = matcher.matches() && matcher.group(2).equals(hostName());
        return new DirectoryOwner(known ? state(Long.parseLong(matcher.group(1)), matcher.group(3)) : State.UNKNOWN, words);
    }

    private static FileChannel openToRead(Path file)
            throws IOException
    {
        if (!OwnPaths.checkRegular(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return OwnPaths.open(file, StandardOpenOption.READ);
    }

    private static State state(long process, String since)
    {
        // a process that started later reuses the number of one that ended
        boolean running = ProcessHandle.of(process)
                .filter(ProcessHandle::isAlive)
                .filter(found -> found.info().startInstant().map(start -> !start.isAfter(instant(since))).orElse(true))
                .isPresent();
        return running ? State.RUNNING : State.ENDED;
    }

    private static Instant instant(String text)
    {
        try {
            return Instant.parse(text);
        }
        catch (DateTimeParseException e) {
            return Instant.MAX;
        }
    }

    private static LocalLock lockFile(Path directory, Path file, String property, String self)
            throws IOException
    {
        FileChannel channel = OwnPaths.openFile(file);
        boolean done = false;
        try {
            boolean locked;
            try {
                locked = channel.tryLock() != null;
            }
            catch (OverlappingFileLockException e) {
                throw new DirectoryOwnedException(directory, "this process");
            }
            if (!locked) {
                throw new DirectoryOwnedException(directory, readOwner(channel));
            }
            writeOwner(channel, self);
            LocalLock lock = new LocalLock(file, fileKey(file), property, channel);
            done = true;
            return lock;
        }
        finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** Whether the lock file is still the one that is locked. */
    @Override
    public boolean isHeld()
    {
        try {
            return channel.isOpen() && fileKey(file).equals(fileKey);
        }
        catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close()
    {
        try {
            channel.close();
        }
        catch (IOException e) {
            // the lock is released with the channel anyway
            System.getLogger(LocalLock.class.getName()).log(System.Logger.Level.DEBUG, "Closing " + file + " failed", e);
        }
        finally {
            System.getProperties().remove(property);
        }
    }

    private static Object fileKey(Path file)
            throws IOException
    {
        return Objects.requireNonNullElse(OwnPaths.attributes(file).fileKey(), file);
    }

    private static String readOwner(FileChannel channel)
            throws IOException
    {
        ByteBuffer content = ByteBuffer.allocate(MAX_OWNER_BYTES);
        if (channel.read(content, 0) <= 0) {
            return "another process";
        }
        return StandardCharsets.UTF_8.decode(content.flip()).toString().trim();
    }

    private static void writeOwner(FileChannel channel, String self)
            throws ClosedByInterruptException
    {
        try {
            ByteBuffer content = ByteBuffer.wrap((self + "\n").getBytes(StandardCharsets.UTF_8));
            int length = content.remaining();
            while (content.hasRemaining()) {
                channel.write(content, content.position());
            }
            channel.truncate(length);
        }
        catch (ClosedByInterruptException e) {
            // the lock was released with the channel
            throw e;
        }
        catch (IOException e) {
            // a full disk, for example; the lock holds without the owner's name
            System.getLogger(LocalLock.class.getName()).log(System.Logger.Level.DEBUG, "Writing the owner to the lock file failed", e);
        }
    }

    private static String hostName()
    {
        try {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
