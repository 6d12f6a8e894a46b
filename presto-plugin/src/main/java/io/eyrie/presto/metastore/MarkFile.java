// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;
import io.eyrie.metastore.entry.CrashMark;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.util.Objects.requireNonNull;

/** A {@link CrashMark} in a file with eight bytes. A thread of its own writes the file, because a thread that waits for a hung disk cannot be interrupted. */
final class MarkFile
        implements CrashMark
{
    /*
     * Joining   a renewal joins the write that has not begun yet, which will write the latest number: at most one write runs, and one waits
     * Hung      after the timeout, a renewal returns with the number changed in memory only. The write goes on, and succeeds if the disk recovers
     */
    private static final String NAME = "lists";
    private static final LimitedLog log = new LimitedLog(MarkFile.class, Level.WARNING);

    private final Path file;
    private final long timeoutMillis;
    private final Runnable beforeWrite;
    private final SecureRandom random = new SecureRandom();
    private final ThreadPoolExecutor writer = Threads.SYSTEM.pool("eyrie-metadata-mark", 1, 1, new LinkedBlockingQueue<>());
    private volatile long number;
    // guarded by this
    private @Nullable CompletableFuture<Void> waiting;

    /**
     * Reads the file, or creates it.
     *
     * @param timeoutMillis how long a renewal waits for the disk
     */
    MarkFile(Path directory, long timeoutMillis)
            throws IOException
    {
        this(directory, timeoutMillis, () -> {});
    }

    MarkFile(Path directory, long timeoutMillis, Runnable beforeWrite)
            throws IOException
    {
        this.timeoutMillis = timeoutMillis;
        this.beforeWrite = requireNonNull(beforeWrite, "beforeWrite is null");
        writer.allowCoreThreadTimeOut(true);
        file = directory.resolve(NAME);
        try {
            byte[] bytes = OwnPaths.readFile(file);
            if (bytes.length == Long.BYTES) {
                number = ByteBuffer.wrap(bytes).getLong();
                return;
            }
        }
        catch (NoSuchFileException e) {
            // the first start
        }
        renew();
    }

    @Override
    public long current()
    {
        return number;
    }

    @Override
    public void renew()
    {
        try {
            getUninterruptibly(begin(), timeoutMillis, TimeUnit.MILLISECONDS);
        }
        catch (TimeoutException | ExecutionException e) {
            log.log("File lists that were dropped now may be used again after a restart: " + file + " could not be written within " + timeoutMillis
                    + " ms",
                    e);
        }
    }

    private synchronized CompletableFuture<Void> begin()
    {
        number = random.nextLong();
        if (waiting == null) {
            waiting = CompletableFuture.runAsync(() -> writeOrRemove(latest()), writer);
        }
        return waiting;
    }

    private synchronized long latest()
    {
        waiting = null;
        return number;
    }

    private void writeOrRemove(long next)
    {
        beforeWrite.run();
        try {
            write(next);
        }
        catch (IOException e) {
            log.log("File lists that were dropped now may be used again after a restart, unless " + file + " can be removed; it cannot be written",
                    e);
            remove();
        }
    }

    private void write(long next)
            throws IOException
    {
        Path written = file.resolveSibling(NAME + ".new");
        try (FileChannel out = OwnPaths.replaceFile(written)) {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(next).flip();
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
            out.force(true);
        }
        Files.move(written, file, ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private void remove()
    {
        try {
            Files.deleteIfExists(file);
        }
        catch (IOException e) {
            log.log(file + " cannot be removed", e);
        }
    }
}
