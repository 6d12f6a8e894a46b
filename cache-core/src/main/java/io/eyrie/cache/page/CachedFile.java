package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One version of a remote file, read by position. Thread-safe, without seek state.
 *
 * <p>Reads throw what the source threw; {@link java.io.InterruptedIOException}, with the interrupt flag set, to a
 * thread that is interrupted while it waits for a fetch; and {@link IOException} after {@link #close()}. After an
 * exception the content of the target is undefined.
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

    /** The same into a buffer, heap or direct, whose position moves by the number of bytes read. */
    int read(long position, ByteBuffer buffer)
            throws IOException;

    /** Reads exactly {@code length} bytes; {@link java.io.EOFException}, with nothing read, if they go past the end. */
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;

    /**
     * Says what will probably be read soon: what the cache lacks of it is fetched and kept, while threads and memory for that are idle. A hint: it waits for nothing,
     * throws nothing, and an implementation need not heed it.
     */
    default void prefetch(List<ByteRange> ranges)
    {}

    /** Closes the source as soon as no fetch uses it. Does not wait, does not throw, does nothing the second time. */
    @Override
    void close();
}
