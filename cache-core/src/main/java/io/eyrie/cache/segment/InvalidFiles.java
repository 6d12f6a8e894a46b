package io.eyrie.cache.segment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that were invalidated, each with the last stamp of its pages that is invalid. Changed under the lock of the {@link PageTable}; readers
 * ask without.
 */
final class InvalidFiles
{
    /*
     * Stamps      Seconds. A page that comes after an invalidation within the same second gets the next one, so that stamps of one file run ahead of
     *             the clock by as many invalidations as it had within a second, and those of other files do not.
     * Forgotten   A file is, once a sweep has dropped its invalid pages and the clock is past its stamp
     */
    private final ConcurrentHashMap<Integer, Integer> lastInvalid = new ConcurrentHashMap<>();
    // of pages that another process has written
    private int youngest = Integer.MIN_VALUE;

    /** Whether a page is of an invalid version of its file. Without the lock. */
    boolean contains(long fingerprint, int stamp)
    {
        if (lastInvalid.isEmpty()) {
            return false;
        }
        Integer last = lastInvalid.get(Layout.fileTag(fingerprint));
        return last != null && stamp <= last;
    }

    /** Takes over the invalid files of a journal, with the youngest stamp in it. */
    void restore(Map<Integer, Integer> files, int youngestStamp)
    {
        lastInvalid.putAll(files);
        youngest = youngestStamp;
    }

    /** The stamp of a new page of a file. */
    int stamp(int fileTag, int nowSeconds)
    {
        Integer last = lastInvalid.isEmpty() ? null : lastInvalid.get(fileTag);
        return last == null ? nowSeconds : Math.max(nowSeconds, last + 1);
    }

    /** Invalidates all pages of a file that there are; returns their last stamp. */
    int add(int fileTag, int nowSeconds)
    {
        int last = Math.max(stamp(fileTag, nowSeconds), youngest);
        lastInvalid.put(fileTag, last);
        return last;
    }

    /** Forgets the files that no page will get an invalid stamp of. Called when all invalid pages have been dropped. */
    void forget(int nowSeconds)
    {
        lastInvalid.values().removeIf(last -> last < nowSeconds);
    }

    /** Forgets the files with later stamps than a page may have: nothing of them is left, and new pages of theirs are not to get such stamps. */
    void forgetAfter(int latestStamp)
    {
        lastInvalid.values().removeIf(last -> last > latestStamp);
    }
}
