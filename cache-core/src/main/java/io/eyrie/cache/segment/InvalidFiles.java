// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The invalidated files, each with the last invalid stamp of its pages. Changed under the lock of the {@link PageTable}; readers query it without the
 * lock.
 */
final class InvalidFiles
{
    /*
     * Stamps      Seconds. A page added after an invalidation within the same second gets the next second. So the stamps of one file run ahead of the
     *             clock by the number of its invalidations within a second, and those of other files do not.
     * Forgotten   A file is forgotten once a sweep that began afterwards has dropped its invalid pages and the clock is past its stamp
     * Full        At the maximum number of files, the sweep is completed at once and all files are forgotten. A restart that replays the invalidation
     *             of a file may then drop pages that were added to the file within the same second
     */
    /** Maximum number of files; about 8 MB. */
    static final int MOST = 100_000;

    private final ConcurrentHashMap<Integer, Integer> lastInvalid = new ConcurrentHashMap<>();
    // the latest stamp in the journal, which another process may have written
    private int youngest = Integer.MIN_VALUE;

    /** Whether a page belongs to an invalid version of its file. Without the lock. */
    boolean contains(long fingerprint, int stamp)
    {
        if (lastInvalid.isEmpty()) {
            return false;
        }
        Integer last = lastInvalid.get(Layout.fileTag(fingerprint));
        return last != null && stamp <= last;
    }

    /** Restores the invalid files of a journal, with the youngest stamp in the journal. */
    void restore(Map<Integer, Integer> files, int youngestStamp)
    {
        lastInvalid.putAll(files);
        youngest = youngestStamp;
    }

    /** Returns the stamp for a new page of a file. */
    int stamp(int fileTag, int nowSeconds)
    {
        Integer last = lastInvalid.isEmpty() ? null : lastInvalid.get(fileTag);
        return last == null ? nowSeconds : Math.max(nowSeconds, last + 1);
    }

    /** Invalidates all present pages of a file; returns their last stamp. */
    int add(int fileTag, int nowSeconds)
    {
        int last = Math.max(stamp(fileTag, nowSeconds), youngest);
        lastInvalid.put(fileTag, last);
        return last;
    }

    /** Whether all invalid pages must be dropped now, and the files forgotten. */
    boolean isFull()
    {
        return lastInvalid.size() >= MOST;
    }

    /**
     * Forgets the files that were invalidated before a second, so that no new page can get their invalid stamps; all files if they are full. Called when
     * all their invalid pages have been dropped.
     */
    void forget(int beforeSeconds)
    {
        boolean all = isFull();
        lastInvalid.values().removeIf(last -> all || last < beforeSeconds);
    }

    /** Forgets the files whose stamps are later than a page may have: none of their pages is left, and new pages must not get such stamps. */
    void forgetAfter(int latestStamp)
    {
        lastInvalid.values().removeIf(last -> last > latestStamp);
    }
}
