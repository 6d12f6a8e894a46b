// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.airlift.json.JsonCodec;
import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.thread.Threads;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.util.Objects.requireNonNull;

/**
 * Stores a catalog's control state in a file. Each change replaces the whole file; coordinators that share the directory see each other's changes. Thread-safe.
 */
final class ControlFile
{
    /*
     * Hanging   a thread that uses a disk or file server that hangs cannot be interrupted, and so a thread of this file's own does. Queries wait for one read
     *           together, and not at all once it is late; a change holds up reads, with the same effect. A procedure waits for its change, which it gives up
     *           when it is late. A change that was given up is not stored, unless its file is just being moved into place
     */
    // several times the size of the largest state
    static final int MOST_BYTES = 1 << 20;
    private static final long WAIT_MILLIS = 5_000;
    // of a procedure, as a multiple of a query's wait
    private static final int CHANGE_WAITS = 6;
    private static final JsonCodec<ControlState> CODEC = JsonCodec.jsonCodec(ControlState.class);

    private final Path directory;
    private final List<Path> cacheDirectories;
    private final Path file;
    private final long waitMillis;
    private final ThreadPoolExecutor thread = Threads.SYSTEM.pool("eyrie-control", 1, 1, new LinkedBlockingQueue<>());
    // guarded by thread
    private @Nullable PendingRead reading;
    // used by the thread alone
    private @Nullable ControlState latest;
    private @Nullable Version version;

    private record PendingRead(Future<Optional<ControlState>> state, long beganNanos)
    {}

    /** Distinguishes the file from the one that it replaced: two files written within one clock tick have the same time, but are different files. */
    private record Version(FileTime modified, @Nullable Object fileKey, long bytes)
    {
        static Version of(Path file)
                throws IOException
        {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
            return new Version(attributes.lastModifiedTime(), attributes.fileKey(), attributes.size());
        }
    }

    /** @param cacheDirectories directories that are never created */
    ControlFile(Path directory, List<Path> cacheDirectories, String catalog)
    {
        this(directory, cacheDirectories, catalog, WAIT_MILLIS);
    }

    ControlFile(Path directory, List<Path> cacheDirectories, String catalog, long waitMillis)
    {
        this.waitMillis = waitMillis;
        thread.allowCoreThreadTimeOut(true);
        this.directory = requireNonNull(directory, "directory is null");
        this.cacheDirectories = List.copyOf(cacheDirectories);
        file = directory.resolve(catalog + ".json");
    }

    Path path()
    {
        return file;
    }

    /**
     * Returns the state in the file; null if there is no file. Waits a limited time.
     *
     * @throws IOException if the file cannot be read in time, or is not a state
     */
    @Nullable
    ControlState read()
            throws IOException
    {
        PendingRead begun = begin();
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun.beganNanos());
        return await(begun.state(), waitedMillis, waitMillis).orElse(null);
    }

    private PendingRead begin()
    {
        synchronized (thread) {
            if (reading == null || reading.state().isDone()) {
                reading = new PendingRead(thread.submit(() -> Optional.ofNullable(readFile())), System.nanoTime());
            }
            return reading;
        }
    }

    private <T> T await(Future<T> result, long waitedMillis, long limitMillis)
            throws IOException
    {
        try {
            return getUninterruptibly(result, Math.max(0, limitMillis - waitedMillis), TimeUnit.MILLISECONDS);
        }
        catch (TimeoutException e) {
            throw new IOException(directory + " did not answer within " + limitMillis + " ms", e);
        }
        catch (ExecutionException e) {
            throwIfInstanceOf(e.getCause(), IOException.class);
            throwIfUnchecked(e.getCause());
            throw new IOException(e.getCause());
        }
    }

    private @Nullable ControlState readFile()
            throws IOException
    {
        Version now;
        try {
            checkDirectory();
            now = Version.of(file);
        }
        catch (NoSuchFileException e) {
            latest = null;
            version = null;
            return null;
        }
        if (latest == null || !now.equals(version)) {
            if (now.bytes() > MOST_BYTES) {
                throw new IOException(file + " has " + now.bytes() + " bytes; a control file has at most " + MOST_BYTES);
            }
            try {
                latest = CODEC.fromJson(OwnPaths.readFile(file));
            }
            catch (IllegalArgumentException e) {
                throw new IOException(file + " is not a valid control file: " + e.getMessage(), e);
            }
            version = now;
        }
        return latest;
    }

    /**
     * Changes the state in the file, and returns it. Gives it an epoch that no state had before. Waits a limited time.
     *
     * @param change runs in another thread
     * @throws IOException if the change cannot be stored in time
     */
    ControlState change(UnaryOperator<ControlState> change)
            throws IOException
    {
        AtomicBoolean ended = new AtomicBoolean();
        Future<ControlState> changed = thread.submit(() -> write(change, ended));
        try {
            return await(changed, 0, CHANGE_WAITS * waitMillis);
        }
        finally {
            ended.set(true);
            changed.cancel(false);
            thread.purge();
        }
    }

    private ControlState write(UnaryOperator<ControlState> change, AtomicBoolean ended)
            throws IOException
    {
        if (!Files.isDirectory(directory)) {
            create();
        }
        checkDirectory();
        try (FileChannel lockFile = OwnPaths.openFile(directory.resolve(file.getFileName() + ".lock"));
                FileLock lock = lockFile.lock()) {
            latest = null;
            ControlState before = readFile();
            ControlState begun = before == null ? ControlState.initial(UUID.randomUUID().toString()) : before;
            ControlState after = change.apply(begun.at(Math.max(begun.epoch() + 1, System.currentTimeMillis())));
            Path written = directory.resolve(file.getFileName() + ".new");
            try (FileChannel out = OwnPaths.replaceFile(written)) {
                ByteBuffer bytes = ByteBuffer.wrap(CODEC.toJsonBytes(after));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            if (ended.get()) {
                throw new IOException("The change took too long");
            }
            Files.move(written, file, ATOMIC_MOVE);
            requireNonNull(lock, "lock is null");
            latest = after;
            version = Version.of(file);
            return after;
        }
    }

    private void create()
            throws IOException
    {
        Path parent = directory.getParent();
        if (parent == null || !cacheDirectories.contains(parent)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return;
        }
        // a missing cache directory is perhaps a disk that is not mounted; if it were created, the cache would use the volume below
        if (!Files.isDirectory(parent)) {
            throw new IOException("the cache directory " + parent + " does not exist");
        }
        OwnPaths.createDirectory(directory);
    }

    private void checkDirectory()
            throws IOException
    {
        try {
            Path unused = OwnPaths.resolveDirectory(directory);
        }
        catch (UnsafePathException e) {
            throw new IOException("cache.control-directory is " + directory + ", but " + e.getMessage(), e);
        }
    }
}
