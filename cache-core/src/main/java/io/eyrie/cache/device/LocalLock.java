package io.eyrie.cache.device;

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
import java.util.Objects;
import java.util.Properties;

/**
 * The right of one store to work on one directory, against other processes and against other class loaders of this one.
 * The operating system takes it away from a process that ends. Thread-safe.
 */
final class LocalLock
        implements DirectoryLock
{
    /*
     * Processes       an exclusive lock on the file "lock", whose content tells who has it
     * Class loaders   a system property per directory. Needed before the file is opened: when a process closes
     *                 any channel of a file, it loses its lock on it (POSIX).
     */
    private static final String PROPERTY_PREFIX = "io.eyrie.cache.owner.";
    private static final int MAX_OWNER_BYTES = 1024;

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
     * Takes the lock, or fails at once.
     *
     * @throws DirectoryOwnedException if somebody else has it
     * @throws NoSuchFileException if there is no such directory
     * @throws NotDirectoryException if it is something else
     */
    static LocalLock acquire(Path directory)
            throws IOException
    {
        BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class);
        if (!attributes.isDirectory()) {
            throw new NotDirectoryException(directory.toString());
        }
        String property = PROPERTY_PREFIX + Objects.requireNonNullElse(attributes.fileKey(), directory.toRealPath());
        Properties properties = System.getProperties();
        String self = "process " + ProcessHandle.current().pid() + " on host " + hostName() + " since " + Instant.now();
        Object other = properties.putIfAbsent(property, self);
        if (other != null) {
            throw new DirectoryOwnedException(directory, other + " (this process)");
        }
        boolean locked = false;
        try {
            LocalLock lock = lockFile(directory, property, self);
            locked = true;
            return lock;
        }
        finally {
            if (!locked) {
                properties.remove(property);
            }
        }
    }

    private static LocalLock lockFile(Path directory, String property, String self)
            throws IOException
    {
        Path file = directory.resolve(FILE_NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
            // the lock is gone with the channel all the same
            System.getLogger(LocalLock.class.getName()).log(System.Logger.Level.DEBUG, "Closing " + file + " failed", e);
        }
        finally {
            System.getProperties().remove(property);
        }
    }

    private static Object fileKey(Path file)
            throws IOException
    {
        return Objects.requireNonNullElse(Files.readAttributes(file, BasicFileAttributes.class).fileKey(), file);
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
            // the lock is gone with the channel
            throw e;
        }
        catch (IOException e) {
            // a full disk; the lock holds without the words
            System.getLogger(LocalLock.class.getName()).log(System.Logger.Level.DEBUG, "Naming the owner failed", e);
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
