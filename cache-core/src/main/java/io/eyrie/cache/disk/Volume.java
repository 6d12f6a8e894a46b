package io.eyrie.cache.disk;

import io.eyrie.cache.device.DirectoryLock;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations that a page directory needs. Thread-safe; an interrupted thread neither fails nor disturbs
 * others. Exceptions tell missing files ({@link java.nio.file.NoSuchFileException}) and missing permissions
 * ({@link java.nio.file.AccessDeniedException}) from all other failures.
 */
interface Volume
{
    Reader openForRead(Path file)
            throws IOException;

    /** Creates or replaces a file, of these buffers one after the other. */
    void write(Path file, ByteBuffer... parts)
            throws IOException;

    /** Renames a file, replacing the target in one step. */
    void move(Path from, Path to)
            throws IOException;

    /** Deletes a file or an empty directory, if it is there. */
    void delete(Path path)
            throws IOException;

    /** Creates a directory for its owner alone, unless it is there. Its parent must exist. */
    void createDirectory(Path directory)
            throws IOException;

    List<Entry> list(Path directory)
            throws IOException;

    /** The room on the volume that holds a directory, as far as this process may use it. */
    long usableBytes(Path directory)
            throws IOException;

    /** Takes the right to work on a directory; see {@link DirectoryLock}. */
    DirectoryLock lock(Path directory)
            throws IOException;

    /** An open file. Used by one thread. */
    interface Reader
            extends Closeable
    {
        /** Reads exactly {@code length} bytes; {@link java.io.EOFException} where the file ends before. */
        void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException;
    }

    /** What a directory contains. */
    record Entry(Path path, boolean directory, long lengthBytes, long modifiedMillis)
    {}
}
