package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the bytes of pages, granule by granule. A granule may be lost at any time; bytes of another granule, page or version
 * are never returned.
 *
 * <p>Thread-safe. No method throws for the state of a disk. An interrupted caller keeps its interrupt flag and
 * disturbs nobody.
 */
public interface PageStore
        extends AutoCloseable
{
    /** The unit of publishing and verifying: a power of two that divides the page size. Never changes. */
    int granuleSizeBytes();

    /** How many devices there are below. Writes to one do not wait for those to another. Never changes. */
    int devices();

    /** The device, from 0 on, that a page's bytes are on or would go to. */
    int device(PageKey key);

    /**
     * Copies {@code target.remaining()} bytes of a page, from {@code offsetInPage} on, and moves the target's position. A
     * {@code HIT} only if every granule that the range touches is there and verifies. On any other outcome the position stays and
     * the content of what remains is undefined. Takes no lock that a writer holds, and allocates nothing that grows with the
     * range.
     */
    ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target);

    /** Bit {@code i} tells whether granule {@code firstGranule + i} of a page would probably be read. Does no I/O. */
    long presentGranules(PageKey key, int firstGranule);

    /** The number of invalidations so far. Taken before bytes are loaded and handed to {@link #write} with them. */
    long epoch();

    /**
     * Adds granules to a page. Each is published when it is whole in the store; what is there already stays as it is. Leaves the
     * position of {@code granules} alone and does not hold on to it.
     *
     * @param pageLengthBytes the length of the page: the page size, or less at the end of a file; always the same for one key;
     *         a page that is there with another length is left alone
     * @param offsetInPage where the first granule begins, a multiple of the granule size
     * @param granules whole granules, of which the last may be cut off by the end of the page
     * @param epoch of before the bytes were loaded: where file or scope have been invalidated since, nothing is kept
     * @return {@code STORED} if all granules are there now
     */
    WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, long epoch);

    /** Drops a page, if it is there. What is loaded at the moment may still be written. */
    void remove(PageKey key);

    /** Drops all pages of a file version, and what is loaded of it at the moment. Takes no longer for more pages. */
    void invalidateFile(PageKey anyPageOfIt);

    /** The same for all pages whose scope lies within this one, in which {@code ""} stands for any. */
    void invalidate(Scope scope);

    /**
     * Bounds the bytes of all pages whose scope lies within this one, in which {@code ""} stands for any. Pages beyond it are
     * evicted. Stays over restarts.
     */
    void setQuota(Scope scope, long bytes);

    void removeQuota(Scope scope);

    Map<Scope, Long> quotas();

    /** From now on pages whose scope lies within one of these make no room for others. Until the next start. */
    default void setPins(Set<Scope> pins)
    {}

    /** Changes the capacity. Pages beyond a smaller one are evicted, at once or little by little. */
    void resize(long capacityBytes);

    /** What is held, by scope and storage class. For people who look: reads the whole index, in steps. */
    default Map<PageTags, Held> contents()
    {
        return Map.of();
    }

    /** The state of each directory. */
    default List<DiskStatus> disks()
    {
        return List.of();
    }

    /** Whether a page, or the part around an offset, left lately to make room. A hint; does no I/O. */
    default boolean wasEvicted(PageKey key, int offsetInPage)
    {
        return false;
    }

    PageStoreStats stats();

    /** Lets go of the disks. From then on reads and writes are declined. Does nothing the second time. */
    @Override
    void close();
}
