// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

/** The memory of the page index that a capacity may need: its disks may be full of short pages. */
public final class IndexMemory
{
    private static final long SHORT_PAGE_BYTES = 64 << 10;
    private static final long BYTES_PER_PAGE = 48;

    private IndexMemory()
    {}

    /** Returns the memory for a capacity, in bytes. */
    public static long bytes(long capacityBytes)
    {
        return capacityBytes / SHORT_PAGE_BYTES * BYTES_PER_PAGE;
    }
}
