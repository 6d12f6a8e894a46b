// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Checks before a cluster starts that its caches can store something. */
public final class FreeSpace
{
    private static final long GIGABYTE = 1L << 30;
    // the default of cache.min-free-space is lower on volumes of less than 20 GB
    private static final long LEAST_DEFAULT = GIGABYTE;
    private static final long MOST_DEFAULT = 20 * GIGABYTE;
    private static final long PART_OF_VOLUME = 20;

    private FreeSpace()
    {}

    /** Throws an exception unless a cache with the default of {@code cache.min-free-space} has room for a gigabyte on the directory's volume. */
    public static void requireForDefaults(Path directory)
    {
        try {
            FileStore volume = Files.getFileStore(directory);
            require(directory, Math.min(MOST_DEFAULT, Math.max(LEAST_DEFAULT, volume.getTotalSpace() / PART_OF_VOLUME)));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Throws an exception unless a cache has room for a gigabyte on the directory's volume.
     *
     * @param minFreeBytes the space that the cache leaves free
     * @throws FullDiskException if it has not
     */
    public static void require(Path directory, long minFreeBytes)
    {
        try {
            long freeBytes = Files.getFileStore(directory).getUsableSpace();
            if (freeBytes - GIGABYTE < minFreeBytes) {
                throw new FullDiskException(String.format(Locale.ROOT,
                        "The volume of %s has %.1f GB of free space, of which a cache leaves %.1f GB free (cache.min-free-space): free %.1f GB, or set -Djava.io.tmpdir to a "
                                + "directory on another volume",
                        directory, gigabytes(freeBytes), gigabytes(minFreeBytes), gigabytes(minFreeBytes) + 1 - gigabytes(freeBytes)));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double gigabytes(long bytes)
    {
        return bytes / (double) GIGABYTE;
    }
}
