// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.log.LimitedLog;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** An open file of the local file system. */
final class LocalFile
        implements DeviceFile
{
    /*
     * Channels    A channel has a lock that every read holds for a moment. A thread that loses the processor while it holds the lock blocks the
     *             others. Therefore a reader has its own channel for the duration of its read. It searches for a free one, starting at a number that
     *             depends on the thread. Only if all are taken does the file get another one, if the folder may have one more: else the reader
     *             shares the second channel. Writes use the first channel, readers the others.
     * Closing     The last channel is closed if another file of the folder needs one. As a reader does, the closing thread takes the channel first,
     *             so that it closes it under no reader; a shared channel is never closed. A reader that took the channel after that finds that the
     *             file has fewer, and searches again.
     * Interrupts  An interrupt within a channel's operation closes the channel for all threads. The interrupted thread returns INTERRUPTED. The
     *             others open the channel again and repeat their operation, so nothing here may depend on a channel's own position.
     */
    private static final LimitedLog log = new LimitedLog(LocalFile.class, Level.WARNING);
    private static final int ZEROS_BYTES = 256 << 10;
    // filled with zeros and read-only, so all threads can share it
    private static final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES).asReadOnlyBuffer();

    private final Path file;
    private final Object fileKey;
    private final Set<OpenOption> options;
    private final AtomicReferenceArray<FileChannel> channels;
    // 1 while a reader has the channel, or it is being closed
    private final AtomicIntegerArray taken;
    private final SpareChannels spares;
    // the number of channels that readers may take: the first of them is not a spare one
    private final AtomicInteger readers;
    private volatile boolean closed;

    private LocalFile(Path file, Object fileKey, Set<OpenOption> options, AtomicReferenceArray<FileChannel> channels, SpareChannels spares)
    {
        this.file = file;
        this.fileKey = fileKey;
        this.options = options;
        this.channels = channels;
        this.spares = spares;
        taken = new AtomicIntegerArray(channels.length());
        readers = new AtomicInteger(Math.min(1, channels.length() - 1));
    }

    /** @param channelCount maximum number of channels */
    static LocalFile open(Path file, OpenMode mode, int channelCount, SpareChannels spares)
            throws IOException
    {
        Set<OpenOption> options = mode == OpenMode.READ
                ? Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
                : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileChannel channel = switch (mode) {
            case READ -> FileChannel.open(file, options);
            case READ_WRITE -> OwnPaths.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            case REPLACE -> OwnPaths.replaceFile(file);
        };
        boolean opened = false;
        try {
            AtomicReferenceArray<FileChannel> channels = new AtomicReferenceArray<>(channelCount);
            channels.set(0, channel);
            LocalFile localFile = new LocalFile(file, fileKey(file), options, channels, spares);
            opened = true;
            return localFile;
        }
        finally {
            if (!opened) {
                channel.close();
            }
        }
    }

    private static Object fileKey(Path file)
            throws IOException
    {
        return Objects.requireNonNullElse(OwnPaths.attributes(file).fileKey(), file);
    }

    @Override
    public DeviceOutcome read(long positionBytes, ByteBuffer target)
    {
        int stripe = take();
        try {
            return read(stripe < 0 ? ~stripe : stripe, positionBytes, target);
        }
        finally {
            if (stripe >= 0) {
                giveBack(stripe);
            }
        }
    }

    /** Returns the number of a channel for this thread only; if all are taken, the complement of the number of a shared one. */
    int take()
    {
        int last = readers.get();
        if (last == 0) {
            return ~0;
        }
        int first = (int) (Thread.currentThread().getId() % last);
        for (int i = 0; i < last; i++) {
            int stripe = 1 + (first + i) % last;
            if (take(stripe)) {
                return stripe;
            }
        }
        return last < channels.length() - 1 && addReader(last) && take(last + 1) ? last + 1 : ~1;
    }

    private boolean take(int stripe)
    {
        if (taken.getPlain(stripe) != 0 || !taken.compareAndSet(stripe, 0, 1)) {
            return false;
        }
        if (stripe <= readers.get()) {
            return true;
        }
        giveBack(stripe);
        return false;
    }

    void giveBack(int stripe)
    {
        taken.setRelease(stripe, 0);
    }

    private boolean addReader(int last)
    {
        if (!spares.add(this)) {
            return false;
        }
        boolean added = readers.compareAndSet(last, last + 1);
        if (!added) {
            // another thread was faster
            spares.remove(this);
        }
        return added;
    }

    /** Closes the last of the readers' channels, if there are several; returns false if it is in use. */
    boolean closeLastReader()
    {
        int last = readers.get();
        if (last < 2) {
            return true;
        }
        if (!taken.compareAndSet(last, 0, 1)) {
            return false;
        }
        boolean fewer = readers.compareAndSet(last, last - 1);
        FileChannel channel = channels.get(last);
        if (fewer && channel != null) {
            // stays in the array: the next reader of this number replaces it
            close(channel);
        }
        giveBack(last);
        return fewer;
    }

    DeviceOutcome read(int stripe, long positionBytes, ByteBuffer target)
    {
        int start = target.position();
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                return DeviceOutcome.INTERRUPTED;
            }
            try {
                FileChannel channel = channel(stripe);
                while (target.hasRemaining()) {
                    if (channel.read(target, positionBytes + target.position() - start) < 0) {
                        return DeviceOutcome.END_OF_FILE;
                    }
                }
                return DeviceOutcome.OK;
            }
            catch (ClosedChannelException e) {
                if (closed || e instanceof ClosedByInterruptException) {
                    return closed ? DeviceOutcome.CLOSED : DeviceOutcome.INTERRUPTED;
                }
            }
            catch (IOException e) {
                return failed("Reading", e);
            }
        }
    }

    @Override
    public DeviceOutcome write(long positionBytes, ByteBuffer source)
    {
        int start = source.position();
        return change("Writing", channel -> {
            while (source.hasRemaining()) {
                channel.write(source, positionBytes + source.position() - start);
            }
        });
    }

    @Override
    public DeviceOutcome force()
    {
        return change("Forcing", channel -> channel.force(false));
    }

    @Override
    public DeviceOutcome allocate(long positionBytes, long lengthBytes)
    {
        for (long done = 0; done < lengthBytes; done += ZEROS_BYTES) {
            DeviceOutcome outcome = write(positionBytes + done, zeros.duplicate().limit((int) Math.min(ZEROS_BYTES, lengthBytes - done)));
            if (outcome != DeviceOutcome.OK) {
                return outcome;
            }
        }
        return DeviceOutcome.OK;
    }

    @Override
    public DeviceOutcome truncate(long lengthBytes)
    {
        return change("Cutting", channel -> channel.truncate(lengthBytes));
    }

    @Override
    public long lengthBytes()
            throws DeviceException
    {
        long[] length = new long[1];
        DeviceOutcome outcome = change("Measuring", channel -> length[0] = channel.size());
        if (outcome != DeviceOutcome.OK) {
            throw new DeviceException(outcome, "Measuring " + file + " failed");
        }
        return length[0];
    }

    private DeviceOutcome change(String doing, Change change)
    {
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                return DeviceOutcome.INTERRUPTED;
            }
            try {
                change.apply(channel(0));
                return DeviceOutcome.OK;
            }
            catch (ClosedChannelException e) {
                if (closed || e instanceof ClosedByInterruptException) {
                    return closed ? DeviceOutcome.CLOSED : DeviceOutcome.INTERRUPTED;
                }
            }
            catch (IOException e) {
                return failed(doing, e);
            }
        }
    }

    private DeviceOutcome failed(String doing, IOException failure)
    {
        log.log(doing + " " + file + " failed", failure);
        return LocalDevice.outcome(failure, file);
    }

    private FileChannel channel(int stripe)
            throws IOException
    {
        FileChannel channel = channels.get(stripe);
        if (channel != null && channel.isOpen()) {
            return channel;
        }
        FileChannel first = channels.get(0);
        try {
            return reopen(stripe);
        }
        catch (ClosedChannelException e) {
            throw e;
        }
        catch (IOException e) {
            // another file may have this name by now, or too many files are open
            if (stripe != 0 && first.isOpen()) {
                return first;
            }
            throw e;
        }
    }

    private FileChannel reopen(int stripe)
            throws IOException
    {
        FileChannel before = channels.get(stripe);
        FileChannel channel = FileChannel.open(file, options);
        boolean kept = false;
        try {
            if (!fileKey(file).equals(fileKey)) {
                throw new NoSuchFileException(file.toString(), null, "another file has its name");
            }
            kept = channels.compareAndSet(stripe, before, channel);
        }
        finally {
            if (!kept) {
                channel.close();
            }
        }
        if (closed) {
            // close() may have run before this channel was in the array
            channel.close();
            throw new ClosedChannelException();
        }
        return kept ? channel : channel(stripe);
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        for (int spare = readers.getAndUpdate(most -> Math.min(1, most)); spare > 1; spare--) {
            spares.remove(this);
        }
        for (int stripe = 0; stripe < channels.length(); stripe++) {
            FileChannel channel = channels.get(stripe);
            if (channel != null) {
                close(channel);
            }
        }
    }

    private void close(FileChannel channel)
    {
        try {
            channel.close();
        }
        catch (IOException e) {
            log.log("Closing " + file + " failed", e);
        }
    }

    private interface Change
    {
        void apply(FileChannel channel)
                throws IOException;
    }
}
