package io.eyrie.cache.disk;

import io.eyrie.cache.page.PageKey;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds the pages of one directory, keeps them in order of use, and accounts for the space that they take.
 * Thread-safe; does no I/O.
 */
final class PageIndex
{
    /*
     * Space       usedBytes = pages in the map + pages in motion. A victim's space is free only when its file is gone, a new
     *             page's is taken before its file is begun.
     * In motion   keys whose file is being written or deleted. Nobody else writes or deletes it meanwhile.
     * Invariant   usedBytes <= capacityBytes, except between a scan of a larger cache and the end of its trimming,
     *             when nothing is reserved
     */
    private final long capacityBytes;
    private final LinkedHashMap<PageKey, Long> pages = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<PageKey> moving = new HashSet<>();
    private long usedBytes;
    private long writingBytes;

    PageIndex(long capacityBytes)
    {
        this.capacityBytes = capacityBytes;
    }

    /** A page that has left the index and whose file is to be deleted, then handed to {@link #deleted}. */
    record Victim(PageKey key, long bytes)
    {}

    /** Whether the page is there; if so, it becomes the most recently used. */
    synchronized boolean touch(PageKey key)
    {
        return pages.get(key) != null;
    }

    synchronized boolean contains(PageKey key)
    {
        return pages.containsKey(key);
    }

    /** Adds a page that a scan found, as the most recently used. */
    synchronized void add(PageKey key, long bytes)
    {
        Long previous = pages.put(key, bytes);
        usedBytes += bytes - (previous == null ? 0 : previous);
    }

    /** Puts a key in motion for a write; false if it is in motion or in the index. */
    synchronized boolean beginWrite(PageKey key)
    {
        return !pages.containsKey(key) && moving.add(key);
    }

    /** Takes space for a write if there is enough. */
    synchronized boolean reserve(long bytes)
    {
        if (usedBytes + bytes > capacityBytes) {
            return false;
        }
        usedBytes += bytes;
        writingBytes += bytes;
        return true;
    }

    /** Ends a write, whose page is now in its place. */
    synchronized void written(PageKey key, long bytes)
    {
        moving.remove(key);
        writingBytes -= bytes;
        pages.put(key, bytes);
    }

    /** Ends a write that left nothing behind. */
    synchronized void abandoned(PageKey key, long reservedBytes)
    {
        moving.remove(key);
        writingBytes -= reservedBytes;
        usedBytes -= reservedBytes;
    }

    /** Takes out the least recently used page; null if there is none. */
    synchronized @Nullable Victim pollEldest()
    {
        if (pages.isEmpty()) {
            return null;
        }
        Map.Entry<PageKey, Long> eldest = pages.entrySet().iterator().next();
        return poll(eldest.getKey());
    }

    /** Takes out one page; null if it is not in the index. */
    synchronized @Nullable Victim poll(PageKey key)
    {
        Long bytes = pages.remove(key);
        if (bytes == null) {
            return null;
        }
        moving.add(key);
        return new Victim(key, bytes);
    }

    /** Frees the space of a victim, whose file is gone. */
    synchronized void deleted(Victim victim)
    {
        moving.remove(victim.key());
        usedBytes -= victim.bytes();
    }

    synchronized boolean isOverCapacity()
    {
        return usedBytes > capacityBytes;
    }

    synchronized long usedBytes()
    {
        return usedBytes;
    }

    /** The part of the used space whose files are being written, and that the volume may not count yet. */
    synchronized long writingBytes()
    {
        return writingBytes;
    }

    synchronized long pages()
    {
        return pages.size();
    }
}
