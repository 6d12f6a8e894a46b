package io.eyrie.cache.page;

import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.file.FileVersion;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves reads of remote files from pages on local disks, and fetches what is missing. Thread-safe.
 */
public interface PageCache
        extends AutoCloseable
{
    /**
     * Opens one version of a file for reading. Does no I/O. The returned file owns the source. Files outlive the
     * cache: after {@link #close()} they read from the remote store.
     */
    CachedFile open(FileVersion version, RangeSource source, ReadContext context);

    /**
     * Invalidation, quotas and capacity of this cache.
     *
     * @throws UnsupportedOperationException if it cannot be controlled
     */
    default PageCacheControl control()
    {
        throw new UnsupportedOperationException("this cache cannot be controlled");
    }

    /**
     * Whole values on the same disks, within the same capacity, scopes and quotas; empty if this cache keeps pages of files alone. Of its
     * class {@link StorageClass#FOOTER} nothing leaves before all data has. After {@link #close()} nothing is found and nothing kept.
     */
    default Optional<BlobCache> blobs()
    {
        return Optional.empty();
    }

    /** What was decided about what is kept. */
    default AdmissionStats admissions()
    {
        return AdmissionStats.NONE;
    }

    /** What is held on the disks, by scope and storage class. For people who look: reads the whole index, in steps. */
    default Map<PageTags, Held> contents()
    {
        return Map.of();
    }

    /** The state of each base directory; empty where that is not known. */
    default List<DiskStatus> disks()
    {
        return List.of();
    }

    /** How many bytes of a version of a file are held, about: whole granules. Does no I/O. */
    default long cachedBytes(FileVersion version)
    {
        return 0;
    }

    long pageSizeBytes();

    PageCacheStats stats();

    /** Writes out what is buffered and lets go of the disks. Does nothing the second time. */
    @Override
    void close();
}
