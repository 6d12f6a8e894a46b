package io.eyrie.cache.device;

import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.log.LimitedLog;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** An open file of the local file system. */
final class LocalFile
        implements DeviceFile
{
    /*
     * Channels    A channel has a lock that every read takes and leaves for a moment, so threads spread over several channels of the file,
     *             each opened by the first that needs it. Writes take the first one.
     * Interrupts  A thread that is interrupted within a channel's operation closes the channel for all. It ends as interrupted; the others
     *             open the channel again and repeat what they did, which is why nothing here may depend on a channel's own position.
     */
    private static final LimitedLog log = new LimitedLog(LocalFile.class, Level.WARNING);
    private static final int ZEROS_BYTES = 256 << 10;
    // filled with zeros and read-only, so that all may use it
    private static final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES).asReadOnlyBuffer();

    private final Path file;
    private final Object fileKey;
    private final Set<OpenOption> options;
    private final AtomicReferenceArray<FileChannel> channels;
    private volatile boolean closed;

    private LocalFile(Path file, Object fileKey, Set<OpenOption> options, AtomicReferenceArray<FileChannel> channels)
    {
        this.file = file;
        this.fileKey = fileKey;
        this.options = options;
        this.channels = channels;
    }

    static LocalFile open(Path file, OpenMode mode, int channelCount)
            throws IOException
    {
        Set<OpenOption> options = mode == OpenMode.READ
                ? Set.of(StandardOpenOption.READ)
                : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
        Set<OpenOption> first = switch (mode) {
            case READ -> options;
            case READ_WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            case REPLACE -> Set.of(
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING);
        };
        FileChannel channel = FileChannel.open(file, first, LocalDevice.ownerAlone(file, "rw-------"));
        boolean opened = false;
        try {
            AtomicReferenceArray<FileChannel> channels = new AtomicReferenceArray<>(channelCount);
            channels.set(0, channel);
            LocalFile localFile = new LocalFile(file, fileKey(file), options, channels);
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
        return Objects.requireNonNullElse(Files.readAttributes(file, BasicFileAttributes.class).fileKey(), file);
    }

    @Override
    public DeviceOutcome read(long positionBytes, ByteBuffer target)
    {
        int stripe = (int) (Thread.currentThread().getId() % channels.length());
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
        return channel != null && channel.isOpen() ? channel : reopen(stripe);
    }

    private synchronized FileChannel reopen(int stripe)
            throws IOException
    {
        FileChannel current = channels.get(stripe);
        if (closed) {
            throw new ClosedChannelException();
        }
        if (current != null && current.isOpen()) {
            return current;
        }
        FileChannel channel = FileChannel.open(file, options);
        if (!fileKey(file).equals(fileKey)) {
            channel.close();
            throw new NoSuchFileException(file.toString(), null, "another file has its name");
        }
        channels.set(stripe, channel);
        return channel;
    }

    @Override
    public synchronized void close()
    {
        closed = true;
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
