// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.nio.ByteBuffer;

/**
 * An open file. Thread-safe: any number of threads read and write at the same time, each at its own positions. Failures are outcomes, which the file
 * logs at a limited rate. Only wrong arguments cause exceptions.
 */
public interface DeviceFile
        extends AutoCloseable
{
    /**
     * Fills a buffer from the file. If the outcome is not {@code OK}, the content of the buffer and its position are undefined. A read into a direct
     * buffer allocates nothing, makes one system call and takes no lock of this class; a read into a heap buffer copies.
     */
    DeviceOutcome read(long positionBytes, ByteBuffer target);

    /** Writes the remaining bytes of a buffer. A write beyond the end of the file extends it, with a hole in between. */
    DeviceOutcome write(long positionBytes, ByteBuffer source);

    /** Makes earlier writes survive a power loss, including the file's length. The file's name needs {@link Device#forceDirectory}. */
    DeviceOutcome force();

    /** Writes zeros, so that a lack of space shows now and not in a later write. */
    DeviceOutcome allocate(long positionBytes, long lengthBytes);

    /** Truncates the file to a length, if it is longer. */
    DeviceOutcome truncate(long lengthBytes);

    long lengthBytes()
            throws DeviceException;

    /** Closes the file; other users of it see {@link DeviceOutcome#CLOSED}. Closing again has no effect. */
    @Override
    void close();
}
