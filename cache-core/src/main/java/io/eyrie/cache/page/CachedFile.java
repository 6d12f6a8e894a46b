// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads one version of a remote file by position. Thread-safe, without seek state.
 *
 * <p>A read throws the source's own exception. It throws {@link java.io.InterruptedIOException}, with the interrupt flag set, if its thread is
 * interrupted while it waits for a fetch; and {@link IOException} after {@link #close()}. After an exception the content of the target is
 * undefined.
 */
public interface CachedFile
        extends AutoCloseable
{
    FileVersion version();

    /**
     * Reads {@code min(length, file length - position)} bytes.
     *
     * @return the number of bytes read, above 0 unless {@code length} is 0; -1 at or past the end of the file
     */
    int read(long position, byte[] buffer, int offset, int length)
            throws IOException;

    /** The same into a heap or direct buffer; advances its position by the number of bytes read. */
    int read(long position, ByteBuffer buffer)
            throws IOException;

    /** Reads exactly {@code length} bytes; throws {@link java.io.EOFException}, with nothing read, if the range goes past the end of the file. */
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;

    /**
     * Announces ranges that will probably be read soon. The cache fetches and stores their missing granules while it has idle threads and memory.
     * This is a hint: it never waits or throws, and implementations may ignore it.
     */
    default void prefetch(List<ByteRange> ranges)
    {}

    /** Closes the source as soon as no read or fetch uses it. Neither waits nor throws; has no effect the second time. */
    @Override
    void close();
}
