// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.CachingDirectoryLister;
import com.facebook.presto.hive.DirectoryLister;
import com.facebook.presto.hive.ForCachingDirectoryLister;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveDirectoryContext;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.NamenodeStats;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.StandardErrorCode;
import com.github.benmanes.caffeine.cache.Interner;
import com.google.common.collect.Iterators;
import com.google.inject.Inject;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.files.Directory;
import io.eyrie.metastore.files.FileListStats;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.metastore.files.Listing;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.WorkKind;
import io.eyrie.presto.listing.PrefixListings;
import io.eyrie.presto.version.SplitEtag;
import org.apache.hadoop.fs.Path;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static com.facebook.presto.common.RuntimeMetricName.DIRECTORY_LISTING_CACHE_HIT;
import static com.facebook.presto.common.RuntimeMetricName.DIRECTORY_LISTING_CACHE_MISS;
import static com.facebook.presto.common.RuntimeUnit.NONE;
import static com.facebook.presto.hive.metastore.MetastoreUtil.makePartName;
import static java.util.Objects.requireNonNull;

/**
 * Lists sealed directories from {@link FileLists}, and all others with Presto's lister each time. It replaces Presto's own caching lister and extends its class
 * only because Presto's procedure {@code system.invalidate_directory_list_cache} requires that class; it uses none of its code.
 */
public final class SealedDirectoryLister
        extends CachingDirectoryLister
{
    private final DirectoryLister delegate;
    private final FileLists lists;
    private final StoreIds stores;
    private final Ledger ledger;
    private final CacheModes modes;
    private final PrefixListings prefixes;
    // each list has its viewer in its key
    private final Interner<String> viewers = Interner.newWeakInterner();

    @Inject
    public SealedDirectoryLister(@ForCachingDirectoryLister DirectoryLister delegate, FileLists lists, StoreIds stores, Ledger ledger,
            CacheModes modes, PrefixListings prefixes)
    {
        super(delegate, new HiveClientConfig());
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.lists = requireNonNull(lists, "lists is null");
        this.stores = requireNonNull(stores, "stores is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.modes = requireNonNull(modes, "modes is null");
        this.prefixes = requireNonNull(prefixes, "prefixes is null");
    }

    @Override
    public Iterator<HiveFileInfo> list(
            ExtendedFileSystem fileSystem,
            Table table,
            Path path,
            Optional<Partition> partition,
            NamenodeStats namenodeStats,
            HiveDirectoryContext context)
    {
        CacheMode mode = modes.of(ledger.queryOf(context.getRuntimeStats()), CacheLayer.FILE_LIST);
        if (!context.isCacheable() || mode == CacheMode.BYPASS) { // the session property use_list_directory_cache
            return delegate.list(prefixes.over(fileSystem, path, context.getRuntimeStats(), () -> {}), table, path, partition, namenodeStats,
                    context);
        }
        RuntimeStats statistics = context.getRuntimeStats();
        Directory directory = new Directory(
                ledger.queryOf(statistics),
                viewer(fileSystem, context.getConnectorIdentity().getUser()),
                path.toString(),
                List.of(context.getNestedDirectoryPolicy(), context.isSkipEmptyFilesEnabled()),
                table,
                partition);
        long began = System.nanoTime();
        Account account = ledger.account(ledger.queryOf(statistics), scope(table, partition), CacheLayer.FILE_LIST);
        // the listing of a list that may be cached must start after its version was read; a page may be older
        boolean mayBeKept = mode == CacheMode.READ_WRITE && lists.mayBeSealed(directory);
        MissReason reason = reason(mode, directory);
        Runnable tooLarge = reason == MissReason.NOT_SEALED ? () -> account.correct(reason, MissReason.TOO_LARGE) : () -> {};
        CountedListing listing = new CountedListing(reason, () -> delegate.list(
                mayBeKept ? fileSystem : prefixes.over(fileSystem, path, statistics, tooLarge),
                table,
                path,
                partition,
                namenodeStats,
                context));
        Iterator<HiveFileInfo> files = switch (mode) {
            case READ_WRITE -> lists.list(directory, statistics, listing);
            case READ_ONLY -> lists.find(directory, statistics).orElseGet(listing::list);
            case DRY_RUN, BYPASS -> listing.list();
        };
        account.requested(WorkKind.LIST_REQUESTS, 1);
        if (listing.listed) {
            account.done(WorkKind.LIST_REQUESTS, 1);
            account.misses(listing.reason, 1, 0);
            account.load(0, System.nanoTime() - began);
        }
        else {
            account.hits(1, 0);
        }
        statistics.addMetricValue(listing.listed ? DIRECTORY_LISTING_CACHE_MISS : DIRECTORY_LISTING_CACHE_HIT, NONE, 1);
        return listing.listed ? files : Iterators.transform(files, SealedDirectoryLister::ofKeptList);
    }

    private String viewer(ExtendedFileSystem fileSystem, String user)
    {
        // with the endpoint: stored lists outlive the process, and so the configuration that says which store a location means
        StoreId store = stores.of(fileSystem.getUri(), fileSystem.getConf(), user);
        return viewers.intern(store.endpoint() + " " + store.principal() + " " + StoreIds.credential(fileSystem.getConf()));
    }

    /** Records whether the directory was listed, and why. */
    private static final class CountedListing
            implements Listing
    {
        private final Supplier<Iterator<HiveFileInfo>> delegate;
        private MissReason reason;
        private boolean listed;

        /** @param reason the reason for a miss, unless the list is refused */
        CountedListing(MissReason reason, Supplier<Iterator<HiveFileInfo>> delegate)
        {
            this.reason = reason;
            this.delegate = delegate;
        }

        @Override
        public Iterator<HiveFileInfo> list()
        {
            listed = true;
            return delegate.get();
        }

        @Override
        public void refused(ListRefusal refusal)
        {
            reason = switch (refusal) {
                case OPEN -> MissReason.NOT_SEALED;
                case CHANGED -> MissReason.OTHER_VERSION;
                case NOT_VALIDATED -> MissReason.NOT_VALIDATED;
                case NO_MEMORY -> MissReason.OVER_MEMORY;
            };
        }
    }

    /* Returns the reason for a miss. */
    private MissReason reason(CacheMode mode, Directory directory)
    {
        if (!lists.mayBeSealed(directory)) {
            return MissReason.NOT_SEALED;
        }
        if (mode == CacheMode.DRY_RUN && lists.isKept(directory)) {
            return MissReason.DRY_RUN;
        }
        return mode == CacheMode.READ_ONLY ? MissReason.READ_ONLY : MissReason.NEVER_SEEN;
    }

    private Scope scope(Table table, Optional<Partition> partition)
    {
        return ledger.scope(table.getDatabaseName(),
                table.getTableName(),
                partition.map(of -> makePartName(table.getPartitionColumns(), of.getValues())).orElse(""));
    }

    private static HiveFileInfo ofKeptList(HiveFileInfo file)
    {
        return new HiveFileInfo(
                file.getPath(),
                file.isDirectory(),
                file.getBlockLocations(),
                file.getLength(),
                file.getFileModifiedTime(),
                SplitEtag.ofKeptList(file.getExtraFileInfo()),
                file.getCustomSplitInfo());
    }

    @Override
    public boolean isPathCached(Path path)
    {
        return lists.isKept(path.toString());
    }

    @Override
    public void invalidateDirectoryListCache(Optional<String> path)
    {
        path.ifPresentOrElse(this::invalidate, lists::forgetAll);
    }

    private void invalidate(String path)
    {
        boolean kept = false;
        try {
            kept = lists.forgetPath(new Path(path).toString());
        }
        catch (IllegalArgumentException e) {
            throw refused(path, "that is not a path", "give the directory of a partition or a table, as the column $path shows it");
        }
        if (!kept) {
            throw refused(path, "no list of this directory or of one below it was in memory. Lists on the disk were dropped",
                    "if queries still return "
                            + "old rows, compare the path with that of the files, which the column $path shows, or call the procedure without a path");
        }
    }

    private static PrestoException refused(String path, String problem, String fix)
    {
        return new PrestoException(StandardErrorCode.INVALID_PROCEDURE_ARGUMENT, "path is '" + path + "': " + problem + ". To fix: " + fix + ".");
    }

    @Override
    public void flushCache()
    {
        lists.forgetAll();
    }

    @Override
    public Double getHitRate()
    {
        FileListStats stats = lists.stats();
        return stats.lookups() == 0 ? 1.0 : (double) stats.hits() / stats.lookups();
    }

    @Override
    public Double getMissRate()
    {
        return 1 - getHitRate();
    }

    @Override
    public long getHitCount()
    {
        return lists.stats().hits();
    }

    @Override
    public long getMissCount()
    {
        return lists.stats().misses();
    }

    @Override
    public long getRequestCount()
    {
        return lists.stats().lookups();
    }

    @Override
    public long getEvictionCount()
    {
        return lists.stats().evictions();
    }

    @Override
    public long getSize()
    {
        return lists.stats().currentLists();
    }
}
