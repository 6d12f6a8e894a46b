// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Hashing;

/**
 * Computes the keys of placement: one for each file, or for each section of a file that is larger than a section. A key is the hash of the path and of the
 * section's number. Two files with the same hash share a node, which does no harm. A new version of a file has the same key, so it goes to the node of the old
 * version.
 *
 * @param sectionSizeBytes the size of a section, from 1
 */
public record SectionKeys(long sectionSizeBytes)
{
    public static final long DEFAULT_SECTION_SIZE_BYTES = 256L << 20;

    public SectionKeys
    {
        if (sectionSizeBytes < 1) {
            throw new IllegalArgumentException("sectionSizeBytes must be at least 1, is " + sectionSizeBytes);
        }
    }

    /**
     * Returns the key of the part of a file that begins at an offset.
     *
     * @param path the whole path, as the file system names it
     * @param fileSizeBytes the length of the whole file
     * @param offsetBytes where the part begins, from 0
     */
    public long key(String path, long fileSizeBytes, long offsetBytes)
    {
        long file = Hashing.hash(path);
        return fileSizeBytes <= sectionSizeBytes ? file : Hashing.hash(file, offsetBytes / sectionSizeBytes);
    }
}
