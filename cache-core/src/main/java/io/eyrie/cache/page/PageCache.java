package io.eyrie.cache.page;

import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.file.FileVersion;

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

    long pageSizeBytes();

    PageCacheStats stats();

    /** Writes out what is buffered and lets go of the disks. Does nothing the second time. */
    @Override
    void close();
}
