// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.StorageClass;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Serves reads of remote files from pages on local disks, and fetches missing pages. Thread-safe.
 */
public interface PageCache
        extends AutoCloseable
{
    /**
     * Opens one version of a file for reading. Does no I/O. The returned file owns the source. Files outlive the cache: after {@link #close()}
     * they read from the remote store.
     */
    CachedFile open(FileVersion version, RangeSource source, ReadContext context);

    /**
     * Returns the control of invalidation, quotas and capacity.
     *
     * @throws UnsupportedOperationException if this cache cannot be controlled
     */
    default PageCacheControl control()
    {
        throw new UnsupportedOperationException("this cache cannot be controlled");
    }

    /**
     * Enforces the capacity and the quotas, if they wait for this call: {@code limitsWait} of the configuration. A cache that several callers opened waits
     * for the calls of all.
     */
    default void enforceLimits()
    {}

    /**
     * Returns the cache of whole values on the same disks, within the same capacity, scopes and quotas; empty if this cache stores only pages of
     * files. If disk space is short, values of the class {@link StorageClass#FOOTER} are evicted only after all data; if the index is full, a
     * class with too many entries is evicted first. After {@link #close()} it finds nothing and stores nothing.
     */
    default Optional<BlobCache> blobs()
    {
        return Optional.empty();
    }

    /** Whether data of a table may be cached: false if a rule excludes the table. */
    default boolean mayCache(Scope scope)
    {
        return true;
    }

    /** Statistics of admission decisions. */
    default AdmissionStats admissions()
    {
        return AdmissionStats.NONE;
    }

    /** The cached pages by scope and storage class. For interactive use: reads the whole index, in steps. */
    default Map<PageTags, ScopeUsage> contents()
    {
        return Map.of();
    }

    /** The state of each base directory; empty if unknown. */
    default List<DiskStatus> disks()
    {
        return List.of();
    }

    /** The approximate number of cached bytes of a file version, in whole granules. Does no I/O. */
    default long cachedBytes(FileVersion version)
    {
        return cachedBytes(version, 0, version.lengthBytes()).orElse(0);
    }

    /** The same, of the bytes from {@code start} to {@code end} of the file; empty if unknown. */
    default OptionalLong cachedBytes(FileVersion version, long start, long end)
    {
        return OptionalLong.empty();
    }

    long pageSizeBytes();

    PageCacheStats stats();

    /** Writes buffered pages and releases the disks. Has no effect the second time. */
    @Override
    void close();
}
