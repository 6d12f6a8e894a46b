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

    @Managed(description = "listings asked for of directories that may be sealed")
    public long getLookups()
    {
        return lists.stats().lookups();
    }

    @Managed(description = "those answered with what is kept")
    public long getHits()
    {
        return lists.stats().hits();
    }

    @Managed(description = "those that listed")
    public long getMisses()
    {
        return lists.stats().misses();
    }

    @Managed(description = "misses answered by another query's listing")
    public long getSharedListings()
    {
        return lists.stats().sharedListings();
    }

    @Managed(description = "listings not kept because the directory's newest file is young, or it has none")
    public long getOpenListings()
    {
        return lists.stats().openListings();
    }

    @Managed(description = "listings not kept because of a change or an invalidation meanwhile")
    public long getUnkeptListings()
    {
        return lists.stats().unkeptListings();
    }

    @Managed(description = "listings not cached because there was no room for them while they were read")
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

    @Managed(description = "directories that they answered, which would have been a request each")
    public long getPrefixAnswers()
    {
        return prefixes.answers();
    }

    @Managed(description = "those of the requests that failed; the scan's directories are then listed one by one")
    public long getPrefixFailures()
    {
        return prefixes.failures();
    }

    @Managed(description = "scans whose partitions were listed one by one, because those of all running scans were more than 250,000")
    public long getPrefixTooLargeScans()
    {
        return prefixes.tooLarge();
    }

    @Managed(description = "lists kept")
    public long getCurrentLists()
    {
        return lists.stats().currentLists();
    }

    @Managed(description = "what the lists take, by estimate")
    public long getCurrentBytes()
    {
        return lists.stats().currentBytes();
    }

    @Managed(description = "the most that currentBytes can be")
    public long getCapacityBytes()
    {
        return lists.stats().capacityBytes();
    }
}
