package io.eyrie.cache.device;

import java.nio.file.Path;
import java.util.List;

/**
 * The file operations that a store and its journal need. Thread-safe. A thread that is interrupted neither fails in these
 * operations nor disturbs others.
 *
 * <p>What a power loss leaves: the bytes of a file that were forced ({@link DeviceFile#force}), and the names in a directory
 * that were forced ({@link #forceDirectory}). Of all that was done since, any part may be there, in any order; a rename happened or did not.
 */
public interface Device
{
    /** How a file is opened. */
    enum OpenMode
    {
        /** For reading; the file must exist. */
        READ,
        /** For reading and writing; made if it is not there, for its owner alone. */
        READ_WRITE,
        /** For reading and writing; made if it is not there, for its owner alone; empty if it is. */
        REPLACE,
    }

    /** Opens a file, which its name must go on to mean while it is open and read. The caller closes it. */
    DeviceFile open(Path file, OpenMode mode)
            throws DeviceException;

    /** Creates a directory for its owner alone, unless it is there. Its parent must exist. */
    void createDirectory(Path directory)
            throws DeviceException;

    /** What is in a directory, in no order. */
    List<Entry> list(Path directory)
            throws DeviceException;

    /** Renames a file within its directory, replacing the target in one step. */
    void rename(Path from, Path to)
            throws DeviceException;

    /** Deletes a file or an empty directory, if it is there. */
    void delete(Path path)
            throws DeviceException;

    /** Makes the names in a directory survive a power loss: files made, renamed and deleted. */
    void forceDirectory(Path directory)
            throws DeviceException;

    /** The room on the disk that holds a directory, as far as this process may use it. */
    long usableBytes(Path directory)
            throws DeviceException;

    /** The size of the disk that holds a directory; 0 if it is not known. */
    long totalBytes(Path directory)
            throws DeviceException;

    /** The unit in which the disk that holds a directory gives room to files. A file without holes takes its length rounded up to it. */
    long blockSizeBytes(Path directory)
            throws DeviceException;

    /**
     * Takes the right to work on a directory, or fails at once. A crash gives it back.
     *
     * @throws DirectoryOwnedException if somebody else has it
     */
    DirectoryLock lock(Path directory)
            throws DeviceException,
            DirectoryOwnedException;

    /** What a directory contains. */
    record Entry(Path path, boolean directory, long lengthBytes, long modifiedMillis)
    {}
}
