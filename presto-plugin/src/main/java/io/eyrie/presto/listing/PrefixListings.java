// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import com.facebook.presto.cache.CachingFileSystem;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HivePartition;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.base.Suppliers;
import com.google.common.collect.Lists;
import com.google.inject.Inject;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.metric.Metric;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.filesystem.StoreIds;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HadoopExtendedFileSystem;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import static com.facebook.presto.common.RuntimeUnit.NONE;

/**
 * Lists the partitions of running scans on S3, many with one request for the keys under their table's prefix. A page belongs to one scan and is discarded with
 * it. The file system lists directories that no page answers. Runs on the coordinator. Thread-safe.
 */
public final class PrefixListings
{
    private static final int LEAST_DIRECTORIES = 4;
    static final int MOST_DIRECTORIES = 250_000;
    private static final PrefixScan NO_DIRECTORIES = new PrefixScan(List.of());

    private final boolean enabled;
    private final LongAdder tooLarge = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LimitedLog tooLargeLog = new LimitedLog(PrefixListings.class, Level.WARNING);
    private final LimitedLog failureLog = new LimitedLog(PrefixListings.class, Level.WARNING);
    // by query, which the lister knows only by its statistics; weak keys, because a query that fails may start a scan after its end
    private final ConcurrentMap<RuntimeStats, Queue<Scan>> scans = Caffeine.newBuilder().weakKeys().<RuntimeStats, Queue<Scan>>build().asMap();
    private final LongAdder requests = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /**
     * A scan of a table's partitions.
     *
     * @param count the number of partitions; 0 if they are too many, and none is listed by prefix
     * @param directories created when the first is listed: for most scans, all file lists are cached
     * @param fileSystem the file system that its pages come from
     */
    private record Scan(Path table, int count, Supplier<PrefixScan> directories, AtomicReference<PrestoS3FileSystem> fileSystem)
    {
        /* Whether the path is in the table's store, and the file system is the one that the scan's pages come from. */
        boolean reads(Path path, PrestoS3FileSystem s3)
        {
            return isInStore(path) && (fileSystem.compareAndSet(null, s3) || fileSystem.get() == s3);
        }

        private boolean isInStore(Path path)
        {
            return Objects.equals(path.toUri().getScheme(), table.toUri().getScheme())
                    && Objects.equals(path.toUri().getAuthority(), table.toUri().getAuthority());
        }

        /* Whether the path belongs to the table, whose partitions are too many. */
        boolean isTooLargeFor(Path path)
        {
            return count == 0 && isInStore(path) && directory(path).startsWith(directory(table));
        }
    }

    @Inject
    public PrefixListings(EyrieFileListConfig config)
    {
        enabled = config.isListByPrefix();
        if (enabled) {
            DirectoryLevel.requireHost();
        }
    }

    /** Registers a scan of this layout that a query is about to start. */
    public void began(RuntimeStats query, ConnectorTableLayoutHandle layout)
    {
        if (layout instanceof HiveTableLayoutHandle hive) {
            List<HivePartition> partitions = hive.getPartitions().orElse(List.of());
            began(query, hive.getTablePath(), Lists.transform(partitions, partition -> partition.getPartitionId().getPartitionName()));
        }
    }

    void began(RuntimeStats query, String location, List<String> partitions)
    {
        if (!enabled || partitions.size() < LEAST_DIRECTORIES) {
            return;
        }
        Path table = new Path(location);
        if (table.toUri().getScheme() != null && StoreIds.isS3(table.toUri())) {
            if (partitions.size() + currentDirectories() > MOST_DIRECTORIES) {
                tooLarge.increment();
                tooLargeLog.log("The " + partitions.size() + " partitions of a scan of " + location
                        + " are listed separately: together with those of other running scans they exceed "
                        + MOST_DIRECTORIES);
                add(query, new Scan(table, 0, () -> NO_DIRECTORIES, new AtomicReference<>()));
                return;
            }
            String prefix = directory(table);
            Supplier<PrefixScan> directories = Suppliers.memoize(() -> new PrefixScan(Lists.transform(partitions, partition -> prefix + partition
                    + "/")));
            add(query, new Scan(table, partitions.size(), directories, new AtomicReference<>()));
        }
    }

    private void add(RuntimeStats query, Scan scan)
    {
        scans.computeIfAbsent(query, ignored -> new ConcurrentLinkedQueue<>()).add(scan);
    }

    private long currentDirectories()
    {
        return scans.values().stream().flatMap(Queue::stream).mapToLong(Scan::count).sum();
    }

    /** Removes the scans of a query that lists nothing more. */
    public void ended(RuntimeStats query)
    {
        scans.remove(query);
    }

    /**
     * Returns the file system with which a scan of the query lists a directory.
     *
     * @param tooLarge called, now or during the listing, if the scan has too many partitions or objects to list the directory by prefix
     */
    public ExtendedFileSystem over(ExtendedFileSystem fileSystem, Path path, RuntimeStats query, Runnable tooLarge)
    {
        Queue<Scan> ofQuery = scans.get(query);
        if (ofQuery == null || !(remote(fileSystem) instanceof PrestoS3FileSystem s3)) {
            return fileSystem;
        }
        if (ofQuery.stream().anyMatch(scan -> scan.isTooLargeFor(path))) {
            tooLarge.run();
        }
        String directory = directory(path);
        return ofQuery.stream()
                .filter(scan -> scan.reads(path, s3) && scan.directories().get().claim(directory))
                .findFirst()
                .<ExtendedFileSystem>map(scan -> new PrefixFileSystem(fileSystem, s3, directory, () -> find(scan, directory, s3, query, tooLarge)))
                .orElse(fileSystem);
    }

    private Optional<List<S3ObjectSummary>> find(Scan scan, String directory, PrestoS3FileSystem s3, RuntimeStats query, Runnable tooLarge)
    {
        Optional<List<S3ObjectSummary>> objects = scan.directories().get().objectsUnder(directory, after -> fetch(scan.table(), after, s3, query));
        if (objects.isPresent()) {
            answers.increment();
            query.addMetricValue("eyriePrefixListingAnswers", NONE, 1);
        }
        else if (scan.directories().get().isFull()) {
            full.increment();
            tooLarge.run();
        }
        return objects;
    }

    /* The only place that handles the failure of a page. */
    private Optional<KeyPage> fetch(Path table, String after, PrestoS3FileSystem s3, RuntimeStats query)
    {
        requests.increment();
        query.addMetricValue("eyriePrefixListingRequests", NONE, 1);
        try {
            return Optional.of(KeyPage.checked(directory(table), after, PageRequest.list(s3, table, after)));
        }
        catch (IOException | RuntimeException e) {
            failures.increment();
            failureLog.log("The keys under " + table + " could not be listed. Each partition of the scan is listed separately", e);
            return Optional.empty();
        }
    }

    /* Returns the file system that sends requests to the store. */
    private static FileSystem remote(FileSystem fileSystem)
    {
        if (fileSystem instanceof CachingFileSystem caching) {
            return remote(caching.getDataTier());
        }
        return fileSystem instanceof HadoopExtendedFileSystem wrapped ? remote(wrapped.getRawFileSystem()) : fileSystem;
    }

    private static String directory(Path path)
    {
        String key = PrestoS3FileSystem.keyFromPath(path);
        return key.isEmpty() ? "" : key + "/";
    }

    @Metric("requests to S3 for the keys under a table's prefix")
    public long requests()
    {
        return requests.sum();
    }

    @Metric("directories that these requests answered, each of which would have needed a request")
    public long answers()
    {
        return answers.sum();
    }

    @Metric("requests for keys under a table's prefix that failed; each directory of the scan is then listed separately")
    public long failures()
    {
        return failures.sum();
    }

    @Metric(value = "scans whose partitions were listed separately, because those of all running scans exceeded 250,000", name = "tooLargeScans")
    public long tooLarge()
    {
        return tooLarge.sum();
    }

    @Metric(value = "directories listed separately while their scan held 16,000 objects of directories that it had yet to list", name = "fullDirectories")
    public long full()
    {
        return full.sum();
    }
}
