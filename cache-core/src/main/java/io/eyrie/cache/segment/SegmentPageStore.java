// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.segment.Invalidations.StoreInvalidation;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStore;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Stores pages in slots of segment files, in one or several base directories, each of which fails independently. Pages written longer ago than the
 * flush interval are restored after the process ended in any way; after a power loss, those that the disk retained.
 */
public final class SegmentPageStore
        implements PageStore
{
    /*
     * Placement      weighted rendezvous hashing of the page's key, see DirectoryPlacement. Directories out of service retain their share of the pages.
     * Invalidation   is recorded first, so that no load that began before is published after it; then every directory in service carries it out. A
     *                directory out of service carries out the invalidations that it missed when it comes back
     * Threads        for each directory, a daemon opens, maintains and heals it; one more, which does no I/O, detects disks that hang
     */
    private static final System.Logger logger = System.getLogger(SegmentPageStore.class.getName());
    private static final long LOAD_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOAD_END_SECONDS = 10;

    private final Layout layout;
    private final StoreContext context;
    private final StoreDirectory[] directories;
    private final DirectoryPlacement placement;
    private final Invalidations invalidations = new Invalidations();
    // epochs, guarded by the context's control: up to which a directory has carried out everything, and up to which the journal that it opened had done so
    private final long[] missedSince;
    private final long[] recordedUntil;
    private final ScheduledThreadPoolExecutor keeper;
    private volatile long capacityBytes;
    private volatile boolean closed;
    // guarded by the context's control; a map is not changed once it is here
    private Map<Scope, Long> quotas = Map.of();
    private long quotasVersion;
    private Set<Scope> pins = Set.of();

    private SegmentPageStore(Layout layout, StoreContext context, List<StoreDirectory> directories, DirectoryPlacement placement)
    {
        this.layout = layout;
        this.context = context;
        this.directories = directories.toArray(StoreDirectory[]::new);
        this.placement = placement;
        missedSince = new long[directories.size()];
        recordedUntil = new long[directories.size()];
        keeper = context.parts().threads().scheduler("eyrie-page-directories", directories.size() + 1);
        keeper.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Acquires the base directories and restores the pages in them. Until that is done, reads and writes are declined.
     *
     * @throws ConfigException if a directory is not writable, not safe or owned by another process, or if all are missing
     */
    public static SegmentPageStore open(PageCacheConfig config)
    {
        config.validate();
        return open(config, StoreParts.local());
    }

    /** The same with parts that a test chooses, and pages of any size. */
    static SegmentPageStore open(PageCacheConfig config, StoreParts parts)
    {
        Optional<KeyRing> keys = KeyRing.load(config);
        Layout layout = Layout.of(config.pageSizeBytes(), config.granuleSizeBytes(), keys.isPresent());
        StoreContext context = parts.context(config, layout, keys);
        List<StoreDirectory> directories = config.baseDirectories().stream()
                .map(base -> new StoreDirectory(base, context, parts.settings(config, layout)))
                .toList();
        DirectoryThreads own = new DirectoryThreads(parts.threads(), directories);
        Volumes volumes = new Volumes(parts.device(), config.baseDirectories());
        boolean acquired = false;
        try {
            own.acquire(volumes, config.diskTimeoutMillis());
            acquired = true;
        }
        finally {
            if (!acquired) {
                own.close();
            }
        }
        SegmentPageStore store = new SegmentPageStore(layout, context, directories, new DirectoryPlacement(config.baseDirectories(), volumes
                .sizes()));
        store.setCapacity(config.capacityBytes());
        store.start(config.probeIntervalMillis(), config.diskTimeoutMillis(), volumes);
        return store;
    }

    List<StoreDirectory> directories()
    {
        return List.of(directories);
    }

    private void setCapacity(long bytes)
    {
        capacityBytes = bytes;
        for (int i = 0; i < directories.length; i++) {
            directories[i].settings().setCapacity((long) (bytes * placement.share(i)), placement.share(i));
        }
    }

    private void start(long probeIntervalMillis, long diskTimeoutMillis, Volumes volumes)
    {
        ScheduledFuture<?> unusedWatch = keeper.scheduleWithFixedDelay(this::watch, diskTimeoutMillis, diskTimeoutMillis, TimeUnit.MILLISECONDS);
        CountDownLatch loading = new CountDownLatch(directories.length);
        for (int i = 0; i < directories.length; i++) {
            int number = i;
            StoreDirectory directory = directories[i];
            keeper.execute(() -> {
                try {
                    if (!directory.isOutOfService()) {
                        directory.whileOwned(() -> volumes.record(directory.base()));
                        directory.load(table -> catchUp(table, number));
                    }
                }
                finally {
                    loading.countDown();
                }
            });
            ScheduledFuture<?> unused = keeper.scheduleWithFixedDelay(() -> tend(directory, number), probeIntervalMillis, probeIntervalMillis,
                    TimeUnit.MILLISECONDS);
        }
        try {
            if (!context.parts().threads().await(loading, LOAD_WAIT_NANOS)) {
                logger.log(Level.INFO, "Some directories are still being opened; nothing is cached in them until they are open");
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks for disks that hang. */
    void watch()
    {
        for (StoreDirectory directory : directories) {
            directory.watch();
        }
    }

    /** Does the periodic work of all directories now. */
    void tend()
    {
        for (int i = 0; i < directories.length; i++) {
            tend(directories[i], i);
        }
    }

    private void tend(StoreDirectory directory, int number)
    {
        try {
            directory.maintain();
            directory.heal(table -> catchUp(table, number));
        }
        catch (RuntimeException | OutOfMemoryError e) {
            // otherwise the scheduler would never run this again
            logger.log(Level.ERROR, "Maintaining directory " + directory.base() + " failed", e);
        }
    }

    /** Carries out the changes that a directory missed while it was out of service. Called within the context's control. */
    private void catchUp(PageTable table, int number)
    {
        long since = directories[number].isForgetful() ? recordedUntil[number] : missedSince[number];
        Iterable<StoreInvalidation> missed = invalidations.since(since);
        boolean done = missed != null || table.invalidate(Scope.NONE);
        for (StoreInvalidation invalidation : missed == null ? List.<StoreInvalidation>of() : missed) {
            done = invalidation.carryOut(table, layout) && done;
        }
        if (table.quotasVersion() > quotasVersion) {
            quotas = table.quotas();
            quotasVersion = table.quotasVersion();
            forEachTable((other, otherNumber) -> other.setQuotas(quotas, quotasVersion));
        }
        else if (table.quotasVersion() < quotasVersion || !table.quotas().equals(quotas)) {
            // changes of the same version can differ after restarts that miss a directory each
            done = table.setQuotas(quotas, quotasVersion) && done;
        }
        done = (pins.isEmpty() || table.setPins(pins)) && done;
        if (!done) {
            throw new IllegalStateException("Invalidations, quotas or pins set while the directory was not in service could not be applied");
        }
        missedSince[number] = invalidations.epoch();
        recordedUntil[number] = since;
    }

    /** A change of a table. Returns false if the table did not make the change in time, because it waits for its disk. */
    private interface TableAction
    {
        boolean run(PageTable table, int number);
    }

    private void forEachTable(TableAction action)
    {
        for (int i = 0; i < directories.length; i++) {
            PageTable table = directories[i].table();
            if (table != null && !action.run(table, i)) {
                directories[i].failHung();
            }
        }
    }

    @Override
    public int granuleSizeBytes()
    {
        return layout.granuleBytes();
    }

    @Override
    public int devices()
    {
        return directories.length;
    }

    @Override
    public int device(PageKey key)
    {
        return placement.directory(key);
    }

    @Override
    public ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target)
    {
        int length = target.remaining();
        if (offsetInPage < 0 || (long) offsetInPage + length > layout.pageSizeBytes()) {
            throw new IllegalArgumentException("range " + offsetInPage + "+" + length + " is not within a page of " + layout.pageSizeBytes());
        }
        StoreDirectory directory = directories[placement.directory(key)];
        int start = target.position();
        int limit = target.limit();
        ReadOutcome outcome = ReadOutcome.HIT;
        for (int done = 0; done < length && outcome == ReadOutcome.HIT; done = target.position() - start) {
            int offset = offsetInPage + done;
            int unit = offset / layout.unitBytes();
            int offsetInUnit = offset % layout.unitBytes();
            target.limit(Math.min(limit, target.position() + layout.unitBytes() - offsetInUnit));
            outcome = directory.read(Unit.of(layout, key, unit), offsetInUnit, target);
            target.limit(limit);
        }
        if (outcome != ReadOutcome.HIT) {
            target.position(start);
        }
        return outcome;
    }

    @Override
    public long presentGranules(PageKey key, int firstGranule)
    {
        int perUnit = layout.unitBytes() / layout.granuleBytes();
        int unit = firstGranule / perUnit;
        int shift = firstGranule % perUnit;
        StoreDirectory directory = directories[placement.directory(key)];
        long granules = unit < layout.unitsPerPage() ? directory.granules(Unit.of(layout, key, unit)) >>> shift : 0;
        // if a page has several units, each has 64 granules
        return shift == 0 || unit + 1 >= layout.unitsPerPage()
                ? granules
                : granules | directory.granules(Unit.of(layout, key, unit + 1)) << (perUnit - shift);
    }

    @Override
    public long epoch()
    {
        return invalidations.epoch();
    }

    @Override
    public boolean isStale(PageKey key, Scope scope, long epoch)
    {
        return invalidations.isStale(key, scope, epoch);
    }

    @Override
    public WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, WriteTerms terms)
    {
        int end = offsetInPage + granules.remaining();
        if (offsetInPage < 0 || offsetInPage % layout.granuleBytes() != 0 || end <= offsetInPage || end > pageLengthBytes
                || pageLengthBytes > layout.pageSizeBytes() || (end % layout.granuleBytes() != 0 && end != pageLengthBytes)) {
            throw new IllegalArgumentException(offsetInPage + "+" + granules.remaining() + " are not granules of a page of " + pageLengthBytes);
        }
        StoreDirectory directory = directories[placement.directory(key)];
        WriteOutcome outcome = WriteOutcome.STORED;
        for (int offset = offsetInPage; offset < end;) {
            int unit = offset / layout.unitBytes();
            int unitStart = unit * layout.unitBytes();
            int length = Math.min(end, unitStart + layout.unitBytes()) - offset;
            WriteOutcome ofUnit = directory.write(
                    Unit.of(layout, key, unit),
                    tags,
                    Math.min(layout.unitBytes(), pageLengthBytes - unitStart),
                    (offset - unitStart) / layout.granuleBytes(),
                    granules.slice(granules.position() + offset - offsetInPage, length),
                    () -> terms.isReplaced().getAsBoolean() || isStale(key, tags.scope(), terms.epoch()));
            outcome = ofUnit == WriteOutcome.STORED ? outcome : ofUnit;
            offset += length;
        }
        // the last unit may have evicted the first
        boolean several = (end - 1) / layout.unitBytes() > offsetInPage / layout.unitBytes();
        return several && outcome == WriteOutcome.STORED && !isPresent(key, offsetInPage, end) ? WriteOutcome.DECLINED : outcome;
    }

    private boolean isPresent(PageKey key, int offsetInPage, int end)
    {
        int granule = offsetInPage / layout.granuleBytes();
        int last = (end - 1) / layout.granuleBytes();
        while (granule <= last) {
            int present = Long.numberOfTrailingZeros(~presentGranules(key, granule));
            if (present == 0) {
                return false;
            }
            granule += present;
        }
        return true;
    }

    @Override
    public void remove(PageKey key)
    {
        StoreDirectory directory = directories[placement.directory(key)];
        PageTable table = directory.table();
        for (int unit = 0; table != null && unit < layout.unitsPerPage(); unit++) {
            if (!table.remove(layout.fingerprint(key, unit))) {
                directory.failHung();
                return;
            }
        }
    }

    @Override
    public void invalidateFile(PageKey anyPageOfIt)
    {
        invalidate(anyPageOfIt.page(0), null);
    }

    @Override
    public void invalidate(Scope scope)
    {
        invalidate(null, scope);
    }

    private void invalidate(@Nullable PageKey file, @Nullable Scope scope)
    {
        context.control(() -> {
            StoreInvalidation invalidation = invalidations.add(file, scope);
            forEachTable((table, number) -> {
                boolean done = invalidation.carryOut(table, layout);
                // otherwise the directory carries it out when it is back
                missedSince[number] = done ? invalidation.epoch() : missedSince[number];
                return done;
            });
        });
    }

    @Override
    public void setQuotas(Predicate<Scope> which, Map<Scope, Long> newQuotas)
    {
        context.control(() -> {
            // not Map.copyOf: its order differs in each process, and a simulation that runs again must write the same journal
            Map<Scope, Long> changed = new HashMap<>(quotas);
            changed.keySet().removeIf(which);
            newQuotas.forEach((scope, bytes) -> changed.put(scope, Math.max(0, bytes)));
            if (!closed && !changed.equals(quotas)) {
                quotas = changed;
                quotasVersion = Math.max(quotasVersion + 1, context.parts().clockMillis().getAsLong());
                forEachTable((table, number) -> table.setQuotas(quotas, quotasVersion));
            }
        });
    }

    @Override
    public void setPins(Set<Scope> newPins)
    {
        context.control(() -> {
            if (!newPins.equals(pins)) {
                pins = Set.copyOf(newPins);
                forEachTable((table, number) -> table.setPins(pins));
            }
        });
    }

    @Override
    public Map<Scope, Long> quotas()
    {
        Map<Scope, Long> copy = new HashMap<>();
        context.control(() -> copy.putAll(quotas));
        return copy;
    }

    @Override
    public void resize(long newCapacityBytes)
    {
        context.control(() -> {
            setCapacity(newCapacityBytes);
            forEachTable((table, number) -> table.resized());
        });
    }

    @Override
    public void enforceLimits()
    {
        context.control(() -> {
            List<Boolean> waited = Stream.of(directories).map(directory -> directory.settings().enforceCapacity()).toList();
            forEachTable((table, number) -> !waited.get(number) || table.resized());
        });
    }

    @Override
    public Map<PageTags, ScopeUsage> contents()
    {
        Map<PageTags, ScopeUsage> held = new HashMap<>();
        for (StoreDirectory directory : directories) {
            PageTable table = directory.table();
            if (table != null) {
                table.addContents(held);
            }
        }
        return held;
    }

    @Override
    public List<DiskStatus> disks()
    {
        return Stream.of(directories).map(StoreDirectory::status).toList();
    }

    @Override
    public PastEviction pastEviction(PageKey key, int offsetInPage)
    {
        long fingerprint = layout.fingerprint(key, offsetInPage / layout.unitBytes());
        return directories[placement.directory(key)].pastEviction(fingerprint);
    }

    @Override
    public PageStoreStats stats()
    {
        long pages = 0;
        long bytes = 0;
        long indexBytes = 0;
        int outOfService = 0;
        for (StoreDirectory directory : directories) {
            PageTable table = directory.table();
            pages += table == null ? 0 : table.pages();
            bytes += table == null ? 0 : table.currentBytes();
            indexBytes += table == null ? 0 : table.currentMemoryBytes();
            outOfService += directory.isOutOfService() ? 1 : 0;
        }
        return new PageStoreStats(
                sum(TableCounters::evictions),
                sum(TableCounters::indexEvictions),
                sum(TableCounters::incompatibleDrops),
                sum(TableCounters::expirations),
                sum(TableCounters::memoryDeclines),
                sum(TableCounters::spaceDeclines),
                sum(TableCounters::journalDrops),
                sum(TableCounters::recoveredPages),
                sum(TableCounters::recoveryDrops),
                sum(TableCounters::outages),
                sum(TableCounters::diskTimeouts),
                bytes,
                pages,
                indexBytes,
                capacityBytes,
                outOfService);
    }

    private long sum(ToLongFunction<TableCounters> counter)
    {
        long sum = 0;
        for (StoreDirectory directory : directories) {
            sum += counter.applyAsLong(directory.counters());
        }
        return sum;
    }

    @Override
    public void close()
    {
        closed = true;
        keeper.shutdown();
        new DirectoryThreads(context.parts().threads(), directories()).close();
        boolean interrupted = Thread.interrupted();
        try {
            if (!keeper.awaitTermination(LOAD_END_SECONDS, TimeUnit.SECONDS)) {
                logger.log(Level.WARNING, "Opening a directory did not finish in time");
            }
        }
        catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
