// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStore;

import java.lang.System.Logger.Level;

/** Computes the positions of a file's granules, and finds which of them a store has. Thread-safe. */
final class Granules
{
    private static final LimitedLog log = new LimitedLog(Granules.class, Level.WARNING);

    private final PageStore store;
    private final int pageSizeBytes;
    private final int granuleSizeBytes;

    Granules(PageStore store, int pageSizeBytes)
    {
        this.store = store;
        this.pageSizeBytes = pageSizeBytes;
        granuleSizeBytes = store.granuleSizeBytes();
        if (pageSizeBytes % granuleSizeBytes != 0) {
            throw new IllegalArgumentException("granules of " + granuleSizeBytes + " do not divide pages of " + pageSizeBytes);
        }
    }

    /** The start of the granule that contains a byte. */
    long start(long position)
    {
        return position - position % granuleSizeBytes;
    }

    /** The end of the granule that contains the byte before a position, at most the end of the file. */
    long end(long position, long fileBytes)
    {
        return Math.min(start(position + granuleSizeBytes - 1), fileBytes);
    }

    /** Rounds a number of bytes down to whole granules, but at least one. */
    int wholeBytes(int bytes)
    {
        return Math.max(granuleSizeBytes, bytes - bytes % granuleSizeBytes);
    }

    boolean isPresent(PageKey firstKey, long position)
    {
        return (present(firstKey, position) & 1) == 1;
    }

    /**
     * Returns the end of the longest range from a position on, at most up to {@code most}, whose granules are all present or all absent. The
     * caller has already looked up the first granule and passes the result; it is not looked up again, because it may have changed since.
     */
    long rangeEnd(PageKey firstKey, long position, long most, boolean present)
    {
        long at = start(position) + granuleSizeBytes;
        while (at < most) {
            long bits = present(firstKey, at);
            long left = (pageSizeBytes - at % pageSizeBytes) / granuleSizeBytes;
            long count = Math.min(Long.numberOfTrailingZeros(present ? ~bits : bits), left);
            at += count * granuleSizeBytes;
            if (count < Math.min(Long.SIZE, left)) {
                break;
            }
        }
        return Math.min(at, most);
    }

    private long present(PageKey firstKey, long position)
    {
        try {
            return store.presentGranules(firstKey.page(position / pageSizeBytes), (int) (position % pageSizeBytes) / granuleSizeBytes);
        }
        catch (RuntimeException e) {
            log.log("Looking up a cached page failed. The query reads it from the store", e);
            return 0;
        }
    }
}
