// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.Scope;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Stores the bytes of pages, granule by granule. A granule may be lost at any time; a read never returns bytes of another granule, page or
 * version.
 *
 * <p>Thread-safe. No method throws because of the state of a disk. An interrupted caller retains its interrupt flag, and other callers are not
 * affected.
 */
public interface PageStore
        extends AutoCloseable
{
    /**
     * What keeps a write from being published.
     *
     * @param epoch taken before the bytes were loaded: if the file or its scope has been invalidated since, nothing is stored
     * @param isReplaced whether a later write replaces this one: if so, nothing is stored. Called under a lock; does no I/O
     */
    record WriteTerms(long epoch, BooleanSupplier isReplaced)
    {
        public WriteTerms(long epoch)
        {
            this(epoch, () -> false);
        }
    }

    /** The unit of publishing and verification: a power of two that divides the page size. Constant. */
    int granuleSizeBytes();

    /** The number of devices. Writes to one do not wait for writes to another. Constant. */
    int devices();

    /** The device, numbered from 0, that stores a page's bytes or would store them. */
    int device(PageKey key);

    /**
     * Copies {@code target.remaining()} bytes of a page, from {@code offsetInPage} on, and advances the target's position. Returns {@code HIT}
     * only if every granule in the range is present and verifies. On any other outcome the position does not change, and the remaining content of
     * the target is undefined. Takes no lock that a writer holds. The memory it allocates does not grow with the range.
     */
    ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target);

    /** Bit {@code i} is set if a read of granule {@code firstGranule + i} of a page would probably succeed. Does no I/O. */
    long presentGranules(PageKey key, int firstGranule);

    /** The number of invalidations so far. The caller takes it before it loads bytes and passes it to {@link #write} with them. */
    long epoch();

    /**
     * Whether a page's file or scope has been invalidated since an epoch. Also true if more has been invalidated since than the store remembers. Does no
     * I/O.
     */
    boolean isStale(PageKey key, Scope scope, long epoch);

    /**
     * Adds granules to a page. Each granule is published once it is complete in the store; granules already present do not change. Neither
     * changes the position of {@code granules} nor retains the buffer.
     *
     * @param pageLengthBytes the length of the page: the page size, or less at the end of a file; always the same for one key; a stored page with
     *         another length does not change
     * @param offsetInPage offset of the first granule, a multiple of the granule size
     * @param granules whole granules; the end of the page may cut the last one
     * @return {@code STORED} if all granules are present now
     */
    WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, WriteTerms terms);

    /** The same for a write that no other one replaces. */
    default WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, long epoch)
    {
        return write(key, tags, pageLengthBytes, offsetInPage, granules, new WriteTerms(epoch));
    }

    /** Drops a page, if it is present. Bytes being loaded now may still be written. */
    void remove(PageKey key);

    /** Drops all pages of a file version, including those being loaded. The cost does not grow with the number of pages. */
    void invalidateFile(PageKey anyPageOfIt);

    /** The same for all pages whose scope lies within this one, in which {@code ""} matches any name. */
    void invalidate(Scope scope);

    /**
     * Replaces quotas in one step, whose cost grows with the number of pages. A quota limits the bytes of all pages whose scope lies within its
     * scope, in which {@code ""} matches any name. Pages in excess are evicted. Persists across restarts.
     *
     * @param which the scopes whose previous quotas end unless they are among the new ones
     */
    void setQuotas(Predicate<Scope> which, Map<Scope, Long> quotas);

    Map<Scope, Long> quotas();

    /** Replaces the pins until the next start: pages whose scope lies within one of these are not evicted to make room for others. */
    default void setPins(Set<Scope> pins)
    {}

    /** Changes the capacity. Pages beyond a smaller one are evicted, at once or gradually. */
    void resize(long capacityBytes);

    /** Enforces the capacity, if it waits for this call. */
    default void enforceLimits()
    {}

    /** The stored pages by scope and storage class. For interactive use: reads the whole index, in steps. */
    default Map<PageTags, ScopeUsage> contents()
    {
        return Map.of();
    }

    /** The state of each directory. */
    default List<DiskStatus> disks()
    {
        return List.of();
    }

    /** Whether a page, or the unit around an offset, was recently evicted to make room. A hint; does no I/O. */
    default PastEviction pastEviction(PageKey key, int offsetInPage)
    {
        return PastEviction.NONE;
    }

    PageStoreStats stats();

    /** Releases the disks. Afterwards, reads and writes are declined. Has no effect the second time. */
    @Override
    void close();
}
