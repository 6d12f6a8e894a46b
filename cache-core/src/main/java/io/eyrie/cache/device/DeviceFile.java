package io.eyrie.cache.device;

import java.nio.ByteBuffer;

/**
 * An open file. Thread-safe: any number of threads read and write at positions of their choice at a time. Failures are
 * outcomes, logged here at a limited rate; nothing is thrown but for wrong arguments.
 */
public interface DeviceFile
        extends AutoCloseable
{
    /**
     * Fills a buffer from the file. Where it ends other than {@code OK}, the content of the buffer and its position are undefined. Into
     * a direct buffer it allocates nothing and takes one system call and no lock of ours; a heap buffer is copied into.
     */
    DeviceOutcome read(long positionBytes, ByteBuffer target);

    /** Writes what remains in a buffer; beyond the end of the file it grows, with a hole in between. */
    DeviceOutcome write(long positionBytes, ByteBuffer source);

    /** Makes what was written before survive a power loss, the file's length included; its name needs {@link Device#forceDirectory}. */
    DeviceOutcome force();

    /** Writes zeros, so that the room for these bytes is taken now, and not found missing later. */
    DeviceOutcome allocate(long positionBytes, long lengthBytes);

    /** Cuts the file to a length, if it is longer. */
    DeviceOutcome truncate(long lengthBytes);

    long lengthBytes()
            throws DeviceException;

    /** Closes the file; others who use it see {@link DeviceOutcome#CLOSED}. Again: does nothing. */
    @Override
    void close();
}
