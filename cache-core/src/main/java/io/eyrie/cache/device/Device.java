// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.nio.file.Path;
import java.util.List;

/**
 * File operations that a store and its journal need. Thread-safe. An interrupted thread neither fails in these operations nor disturbs other threads.
 *
 * <p>After a power loss, the forced bytes of a file ({@link DeviceFile#force}) and the forced names in a directory ({@link #forceDirectory}) are
 * still there. Of everything done since, any part may be there, in any order. A rename has happened completely or not at all.
 */
public interface Device
{
    /** How a file is opened. */
    enum OpenMode
    {
        /** For reading; the file must exist. */
        READ,
        /** For reading and writing; created if it does not exist, accessible only by its owner. */
        READ_WRITE,
        /** For reading and writing an empty file, accessible only by its owner; replaces an existing file. */
        REPLACE,
    }

    /** Opens a file. Its name must continue to refer to this file while it is open and read. The caller closes it. */
    DeviceFile open(Path file, OpenMode mode)
            throws DeviceException;

    /** Creates a directory that only its owner may access, unless it exists. Its parent must exist. */
    void createDirectory(Path directory)
            throws DeviceException;

    /** Lists the entries of a directory, in no particular order. */
    List<Entry> list(Path directory)
            throws DeviceException;

    /** Renames a file within its directory, replacing the target atomically. */
    void rename(Path from, Path to)
            throws DeviceException;

    /** Deletes a file or an empty directory, if it exists. */
    void delete(Path path)
            throws DeviceException;

    /** Makes the names in a directory survive a power loss: created, renamed and deleted files. */
    void forceDirectory(Path directory)
            throws DeviceException;

    /** The free space on the disk that holds a directory, as far as this process may use it. */
    long usableBytes(Path directory)
            throws DeviceException;

    /** The size of the disk that holds a directory; 0 if unknown. */
    long totalBytes(Path directory)
            throws DeviceException;

    /** The allocation unit of the disk that holds a directory. A file without holes takes its length, rounded up to a multiple of it. */
    long blockSizeBytes(Path directory)
            throws DeviceException;

    /**
     * Takes ownership of a directory, or fails immediately. A crash releases it.
     *
     * @throws DirectoryOwnedException if there is another owner
     */
    DirectoryLock lock(Path directory)
            throws DeviceException,
            DirectoryOwnedException;

    /** An entry of a directory. */
    record Entry(Path path, boolean directory, long lengthBytes, long modifiedMillis)
    {}
}
