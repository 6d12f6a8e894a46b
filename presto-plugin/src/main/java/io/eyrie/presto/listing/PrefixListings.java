package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import com.facebook.airlift.log.Logger;
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
 * Lists the partitions of running scans on S3, many by one request for the keys under their table's prefix. Such a page belongs to one scan and goes with it. What no page
 * answers, the file system lists as ever. Runs on the coordinator. Thread-safe.
 */
public final class PrefixListings
{
    private static final Logger log = Logger.get(PrefixListings.class);

    private static final int LEAST_DIRECTORIES = 4;
    static final int MOST_DIRECTORIES = 250_000;

    private final boolean enabled;
    private final LongAdder tooLarge = new LongAdder();
    private final LimitedLog tooLargeLog = new LimitedLog(PrefixListings.class, Level.WARNING);
    private final LimitedLog failureLog = new LimitedLog(PrefixListings.class, Level.WARNING);
    // a query's, known to the lister by its statistics alone; weak, as a query that fails may begin a scan after its end
    private final ConcurrentMap<RuntimeStats, Queue<Scan>> scans = Caffeine.newBuilder().weakKeys().<RuntimeStats, Queue<Scan>>build().asMap();
    private final LongAdder requests = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /**
     * A scan of a table's partitions.
     *
     * @param count of the partitions
     * @param directories made when the first is listed: of most scans all are kept
     * @param fileSystem the one that its pages are of
     */
    private record Scan(Path table, int count, Supplier<PrefixScan> directories, AtomicReference<PrestoS3FileSystem> fileSystem)
    {
        /* The same store, seen with the same eyes. */
        boolean reads(Path path, PrestoS3FileSystem s3)
        {
            return Objects.equals(path.toUri().getScheme(), table.toUri().getScheme())
                    && Objects.equals(path.toUri().getAuthority(), table.toUri().getAuthority())
                    && (fileSystem.compareAndSet(null, s3) || fileSystem.get() == s3);
        }
    }

    @Inject
    public PrefixListings(EyrieFileListConfig config)
    {
        enabled = config.isListByPrefix() && DirectoryLevel.isKnown();
        if (config.isListByPrefix() && !enabled) {
            log.warn("Partitions are listed one by one: this presto-hive turns a listing into files in another way than those that are known");
        }
    }

    /** A query is about to make a scan of this layout. */
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
                        + " are listed one by one: with those of other running scans they are more than "
                        + MOST_DIRECTORIES);
                return;
            }
            String prefix = directory(table);
            Supplier<PrefixScan> directories = Suppliers.memoize(() -> new PrefixScan(Lists.transform(partitions, partition -> prefix + partition
                    + "/")));
            scans.computeIfAbsent(query, ignored -> new ConcurrentLinkedQueue<>()).add(new Scan(table, partitions.size(), directories,
                    new AtomicReference<>()));
        }
    }

    private long currentDirectories()
    {
        return scans.values().stream().flatMap(Queue::stream).mapToLong(Scan::count).sum();
    }

    /** The query lists no more. */
    public void ended(RuntimeStats query)
    {
        scans.remove(query);
    }

    /** The file system to list a directory by, as one scan of the query is about to do. */
    public ExtendedFileSystem over(ExtendedFileSystem fileSystem, Path path, RuntimeStats query)
    {
        Queue<Scan> ofQuery = scans.get(query);
        if (ofQuery == null || !(remote(fileSystem) instanceof PrestoS3FileSystem s3)) {
            return fileSystem;
        }
        String directory = directory(path);
        return ofQuery.stream()
                .filter(scan -> scan.reads(path, s3) && scan.directories().get().claim(directory))
                .findFirst()
                .<ExtendedFileSystem>map(scan -> new PrefixFileSystem(fileSystem, s3, directory, () -> find(scan, directory, s3, query)))
                .orElse(fileSystem);
    }

    private Optional<List<S3ObjectSummary>> find(Scan scan, String directory, PrestoS3FileSystem s3, RuntimeStats query)
    {
        Optional<List<S3ObjectSummary>> objects = scan.directories().get().objectsUnder(directory, after -> fetch(scan.table(), after, s3, query));
        if (objects.isPresent()) {
            answers.increment();
            query.addMetricValue("eyriePrefixListingAnswers", NONE, 1);
        }
        return objects;
    }

    /* The one place where what goes wrong with a page ends. */
    private Optional<KeyPage> fetch(Path table, String after, PrestoS3FileSystem s3, RuntimeStats query)
    {
        requests.increment();
        query.addMetricValue("eyriePrefixListingRequests", NONE, 1);
        try {
            return Optional.of(KeyPage.checked(directory(table), after, PageRequest.list(s3, table, after)));
        }
        catch (IOException | RuntimeException e) {
            failures.increment();
            failureLog.log("The keys under " + table + " could not be listed; the scan's partitions are listed one by one", e);
            return Optional.empty();
        }
    }

    /* The file system that asks the store. */
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

    /** Requests for a page. */
    public long requests()
    {
        return requests.sum();
    }

    /** Directories that pages answered. */
    public long answers()
    {
        return answers.sum();
    }

    /** Scans of too many directories. */
    public long tooLarge()
    {
        return tooLarge.sum();
    }

    /** Requests that failed, or were not answered as asked. */
    public long failures()
    {
        return failures.sum();
    }
}
