// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.google.inject.Inject;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.presto.listing.PrefixListings;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;

/**
 * The counters of the file lists as an MBean, {@code io.eyrie.presto.metastore:type=FileListCache,name=<catalog>}.
 * {@link io.eyrie.metastore.files.FileListStats} defines them. Only the counters of listings by prefix include directories of tables that the operator does not
 * name.
 */
public final class FileListCache
{
    private final FileLists lists;
    private final PrefixListings prefixes;

    @Inject
    public FileListCache(FileLists lists, PrefixListings prefixes)
    {
        this.prefixes = requireNonNull(prefixes, "prefixes is null");
        this.lists = requireNonNull(lists, "lists is null");
    }

    @Managed(description = "lookups of directories that may be sealed")
    public long getLookups()
    {
        return lists.stats().lookups();
    }

    @Managed(description = "lookups answered from the cache")
    public long getHits()
    {
        return lists.stats().hits();
    }

    @Managed(description = "lookups that listed the directory")
    public long getMisses()
    {
        return lists.stats().misses();
    }

    @Managed(description = "misses answered by another query's listing")
    public long getSharedListings()
    {
        return lists.stats().sharedListings();
    }

    @Managed(description = "listings not cached because the directory's newest file is too young, or it has no files")
    public long getOpenListings()
    {
        return lists.stats().openListings();
    }

    @Managed(description = "listings not cached because of a change or an invalidation during the listing")
    public long getUnkeptListings()
    {
        return lists.stats().unkeptListings();
    }

    @Managed(description = "listings not cached because there was no memory for them while they were read")
    public long getLongListings()
    {
        return lists.stats().longListings();
    }

    @Managed(description = "lists dropped to make room or because of their age")
    public long getEvictions()
    {
        return lists.stats().evictions();
    }

    @Managed(description = "requests to S3 for the keys under a table's prefix")
    public long getPrefixRequests()
    {
        return prefixes.requests();
    }

    @Managed(description = "directories that these requests answered, each of which would have needed a request")
    public long getPrefixAnswers()
    {
        return prefixes.answers();
    }

    @Managed(description = "requests for keys under a table's prefix that failed; each directory of the scan is then listed separately")
    public long getPrefixFailures()
    {
        return prefixes.failures();
    }

    @Managed(description = "scans whose partitions were listed separately, because those of all running scans exceeded 250,000")
    public long getPrefixTooLargeScans()
    {
        return prefixes.tooLarge();
    }

    @Managed(description = "directories listed separately while their scan held 16,000 objects of directories that it had yet to list")
    public long getPrefixFullDirectories()
    {
        return prefixes.full();
    }

    @Managed(description = "cached lists")
    public long getCurrentLists()
    {
        return lists.stats().currentLists();
    }

    @Managed(description = "estimated memory of the lists")
    public long getCurrentBytes()
    {
        return lists.stats().currentBytes();
    }

    @Managed(description = "maximum of currentBytes")
    public long getCapacityBytes()
    {
        return lists.stats().capacityBytes();
    }
}
