// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.journal.AppendOutcome;
import io.eyrie.cache.journal.Journal;
import io.eyrie.cache.journal.JournalOwner;
import io.eyrie.cache.journal.RecordSink;
import io.eyrie.cache.journal.Recovery;
import io.eyrie.cache.segment.Scopes.NumberedScope;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** The pages of one directory while it is in service. Its changes go to the journal, from which the next table starts. Thread-safe. */
final class PageTable
        implements JournalOwner
{
    /*
     * Writing     pin a slot, write outside the lock, publish. If a page is dropped meanwhile, it leaves the index at once; its slot is free when the
     *             last write to it has ended
     * Journal     change first, then append, in one step under the lock, so that records are in the order of the changes. If the journal refuses an
     *             invalidation, no write begins until the journal has made up for it, so a restart that finds a page also finds the invalidations
     *             that ended before the page's write began
     * Snapshot    what it describes is copied under the lock, and written without it
     * Locks       one; readers wait for it only to drop bad pages. No page is read or written under it, but segments are created and deleted. So a
     *             disk that hangs may hold it, and callers that must not hang wait for it for a limited time
     */
    private static final int SNAPSHOT_STEP = 4096;
    /** In disk timeouts: work on a table with many pages may take long, even if its disk is healthy. */
    private static final int PATIENCE = 10;
    private static final long STEP_PAUSE_NANOS = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final TableSettings settings;
    private final SegmentFiles files;
    private final TableCounters counters;
    private final PageSpace space;
    // guarded by lock
    private final Records records = new Records();
    private Map<Scope, Long> quotas = Map.of();
    private long quotasVersion;
    private @Nullable Journal journal;
    private boolean refusing;
    private boolean lacksInvalidation;
    // set while the journal is opened, for the replay on the journal's thread
    private volatile @Nullable PageTableReplay replay;

    /**
     * A write that may begin: its granules and its destination.
     *
     * @param first whether no granule of the page is published yet, so this write also writes the slot's header
     */
    record Reservation(Pin pin, long granules, long bytes, boolean first)
    {}

    /** The answer to a request to write: either a reservation to begin with, or a final outcome. */
    record WriteStart(WriteOutcome outcome, @Nullable Reservation reservation)
    {
        WriteStart(WriteOutcome outcome)
        {
            this(outcome, null);
        }
    }

    /** Everything but the pages, at one moment. */
    private record Description(List<Segment> segments, List<NumberedScope> scopes, Map<Scope, Long> quotas, long quotasVersion)
    {
        /** Returns false if the sink needs no more records. */
        boolean write(RecordSink sink, Records records)
        {
            return segments.stream().allMatch(segment -> sink.write(records.segment(segment)))
                    && scopes.stream().allMatch(scope -> sink.write(records.scope(scope.id(), scope.scope())))
                    && quotas.entrySet().stream().allMatch(quota -> sink.write(records.quota(quotasVersion, quota.getKey(), quota.getValue())));
        }
    }

    PageTable(TableSettings settings, SegmentFiles files, TableCounters counters)
    {
        this.settings = settings;
        this.files = files;
        this.counters = counters;
        space = new PageSpace(settings, files, counters, this::append);
    }

    private void append(ByteBuffer record)
    {
        Journal log = journal;
        if (log != null) {
            AppendOutcome outcome = log.append(record);
            counters.append(outcome);
            refusing |= outcome == AppendOutcome.FULL;
        }
    }

    private <T> T locked(Supplier<T> action)
    {
        lock.lock();
        try {
            return action.get();
        }
        finally {
            lock.unlock();
        }
    }

    /** Runs an action if this table is in service; returns false if the lock was not available in time, because its holder waits for the disk. */
    private boolean inService(Runnable action)
    {
        return inService(PATIENCE, action);
    }

    private boolean inService(int patience, Runnable action)
    {
        if (!lockInTime(patience)) {
            return false;
        }
        try {
            if (journal != null) {
                action.run();
            }
            return true;
        }
        finally {
            lock.unlock();
        }
    }

    /** Waits for the lock for at most this many disk timeouts, and gives up after each of them if the disk is late. */
    private boolean lockInTime(int patience)
    {
        boolean interrupted = false;
        try {
            long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(settings.diskTimeoutMillis());
            long deadline = System.nanoTime() + timeoutNanos;
            for (int waits = 1; waits <= patience;) {
                try {
                    if (lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return true;
                    }
                    if (files.isLate()) {
                        return false;
                    }
                    waits++;
                    deadline += timeoutNanos;
                }
                catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return false;
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Reads a value, without the lock if another thread has it. Does not wait. */
    private long look(LongSupplier what)
    {
        boolean locked = lock.tryLock();
        try {
            return what.getAsLong();
        }
        finally {
            if (locked) {
                lock.unlock();
            }
        }
    }

    /** For readers without the lock. */
    PageIndex index()
    {
        return space.index();
    }

    /** Returns the segment with this number. Without the lock. */
    @Nullable
    Segment segment(int id)
    {
        return space.segments().get(id);
    }

    /** Whether a page with these properties must no longer be found. Without the lock. */
    boolean isDead(long fingerprint, int scope, int stamp)
    {
        return space.isDead(fingerprint, scope, stamp);
    }

    /** Notes that a page was read. Does not wait for the lock. */
    void hit(int entry)
    {
        if (space.policy().hit(entry) && lock.tryLock()) {
            try {
                space.policy().drain();
            }
            finally {
                lock.unlock();
            }
        }
    }

    /**
     * Goes into service with the state that the journal restores.
     *
     * @param opener opens the journal, which replays its records here meanwhile
     */
    void open(Function<JournalOwner, Journal> opener)
            throws DeviceException
    {
        lock.lock();
        try {
            // meanwhile the journal's thread may start a snapshot, which waits for the lock
            PageTableReplay found = space.startReplay();
            replay = found;
            Journal opened = opener.apply(this);
            replay = null;
            int dead;
            try {
                dead = goOnFrom(found, opened.recovery());
            }
            finally {
                // if this table does not go into service, the journal is closed with it
                journal = opened;
            }
            if (dead > 0 || found.evictions() > 0) {
                // otherwise the next replay finds them again, in slots that others have by then
                opened.requestSnapshot();
            }
            while (space.trim()) {
                // in steps, although no one waits for the lock yet
            }
        }
        finally {
            lock.unlock();
        }
    }

    /* Returns the number of pages that turned out to be dead. */
    private int goOnFrom(PageTableReplay found, Recovery recovery)
            throws DeviceException
    {
        if (recovery.outcome() != DeviceOutcome.OK) {
            throw new DeviceException(recovery.outcome(), "Reading the journal failed");
        }
        quotas = Collections.unmodifiableMap(found.quotas());
        quotasVersion = found.quotasVersion();
        space.scopes().setQuotas(shares());
        int dead = space.endReplay(found);
        settings.setEarlierBytes(space.segments().allocatedBytes());
        counters.recovered(space.index().size(), recovery.refusedRecords() + recovery.damages() + recovery.tornTails() + dead);
        counters.incompatible(recovery.incompatibleDrops() + recovery.keyDrops());
        files.deleteAllBut(space.segments().all());
        return dead;
    }

    @Override
    public void expect(long records)
    {
        requireNonNull(replay).expect(records);
    }

    @Override
    public boolean replay(ByteBuffer record)
    {
        return requireNonNull(replay).apply(record);
    }

    @Override
    public void snapshot(RecordSink sink)
    {
        Records own = new Records();
        Description description = locked(() -> new Description(space.segments().all(), space.scopes().alive(), quotas, quotasVersion));
        int[] inOrder = locked(space::inOrder);
        boolean wanted = description.write(sink, own);
        ByteBuffer pages = ByteBuffer.allocate(Math.min(SNAPSHOT_STEP, inOrder.length) * Records.PAGE_BYTES);
        for (int first = 0; wanted && first < inOrder.length; first += SNAPSHOT_STEP) {
            int from = first;
            locked(() -> copyPages(own, inOrder, from, pages.clear()));
            for (pages.flip(); wanted && pages.hasRemaining(); pages.position(pages.position() + Records.PAGE_BYTES)) {
                wanted = sink.write(pages.slice(pages.position(), Records.PAGE_BYTES));
            }
        }
    }

    private ByteBuffer copyPages(Records own, int[] entries, int first, ByteBuffer target)
    {
        PageIndex index = space.index();
        for (int i = first; i < Math.min(first + SNAPSHOT_STEP, entries.length); i++) {
            int entry = entries[i];
            // another page may have this entry number by now
            if (index.isUsed(entry) && index.granules(entry) != 0 && !space.isDead(entry)) {
                target.put(own.page(index, entry, space.eviction().state(entry)));
            }
        }
        return target;
    }

    /**
     * Leaves service: nothing is written or journaled anymore. Files are closed, so reads and writes in progress fail.
     *
     * @return the journal, for the caller to close; null if there is none
     */
    @Nullable
    Journal close()
    {
        lock.lock();
        try {
            Journal closed = journal;
            journal = null;
            space.segments().close();
            return closed;
        }
        finally {
            lock.unlock();
        }
    }

    /** Begins to write granules of a unit, unless they must not be cached. */
    WriteStart begin(Unit unit, PageTags tags, int lengthBytes, long granules, BooleanSupplier stale)
    {
        return locked(() -> mayWriteLocked() ? beginLocked(unit, tags, lengthBytes, granules, stale) : new WriteStart(WriteOutcome.DECLINED));
    }

    private boolean mayWriteLocked()
    {
        Journal log = journal;
        lacksInvalidation = lacksInvalidation && log != null && !log.isWhole();
        return log != null && !lacksInvalidation;
    }

    private WriteStart beginLocked(Unit unit, PageTags tags, int lengthBytes, long granules, BooleanSupplier stale)
    {
        if (stale.getAsBoolean()) {
            return new WriteStart(WriteOutcome.STALE);
        }
        PageIndex index = space.index();
        int entry = index.find(unit.fingerprint());
        if (entry != PageIndex.NONE && space.isDead(entry)) {
            space.drop(entry);
            entry = PageIndex.NONE;
        }
        if (entry != PageIndex.NONE && index.lengthBytes(entry) != lengthBytes) {
            return new WriteStart(WriteOutcome.DECLINED);
        }
        if (entry != PageIndex.NONE && (index.granules(entry) & granules) == granules) {
            return new WriteStart(WriteOutcome.STORED);
        }
        Layout layout = settings.layout();
        long bytes = Math.min(layout.slotBytes(lengthBytes), (long) Long.bitCount(granules) * layout.granuleFramesBytes());
        if (!space.leaveFreeSpace(bytes)) {
            return new WriteStart(WriteOutcome.DECLINED);
        }
        // making room may have dropped this page
        entry = index.find(unit.fingerprint());
        if (entry == PageIndex.NONE) {
            entry = space.create(unit, tags, lengthBytes);
        }
        if (entry == PageIndex.NONE) {
            return new WriteStart(WriteOutcome.DECLINED);
        }
        long present = index.granules(entry);
        long missing = granules & ~present & ~space.writing(entry);
        // if others are writing all missing granules, they may still fail
        return missing == 0
                ? new WriteStart(WriteOutcome.DECLINED)
                : new WriteStart(WriteOutcome.STORED, new Reservation(space.pin(entry, missing, bytes), missing, bytes, present == 0));
    }

    /** Ends a write; returns its outcome. */
    WriteOutcome end(Reservation reservation, DeviceOutcome written, BooleanSupplier stale)
    {
        return locked(() -> {
            Pin pin = reservation.pin();
            space.unpin(pin, reservation.granules(), reservation.bytes());
            if (written == DeviceOutcome.OK) {
                counters.written(reservation.bytes());
            }
            if (pin.isDropped()) {
                return stale.getAsBoolean() ? WriteOutcome.STALE : WriteOutcome.DECLINED;
            }
            return endLocked(pin, reservation.granules(), written, stale);
        });
    }

    private WriteOutcome endLocked(Pin pin, long granules, DeviceOutcome written, BooleanSupplier stale)
    {
        if (stale.getAsBoolean()) {
            space.drop(pin.entry());
            return WriteOutcome.STALE;
        }
        if (written == DeviceOutcome.OK) {
            space.publish(pin.entry(), granules);
            return WriteOutcome.STORED;
        }
        if (pin.isLastWriter() && space.index().granules(pin.entry()) == 0) {
            space.drop(pin.entry());
        }
        return written == DeviceOutcome.NO_SPACE || written == DeviceOutcome.CLOSED ? WriteOutcome.DECLINED : WriteOutcome.DEVICE_ERROR;
    }

    /** Drops a page if it is still the one that was read. */
    void dropIfUnchanged(long fingerprint, int version)
    {
        // if that takes too long, the next reader does it
        boolean unused = inService(1, () -> {
            int entry = space.index().find(fingerprint);
            if (entry != PageIndex.NONE && space.index().isUnchanged(fingerprint, version)) {
                space.drop(entry);
            }
        });
    }

    /** Removes a page. Here and in the methods below, false means that the lock was not available in time; the change was not made, or not completely. */
    boolean remove(long fingerprint)
    {
        return inService(() -> {
            int entry = space.index().find(fingerprint);
            if (entry != PageIndex.NONE) {
                space.drop(entry);
            }
        });
    }

    /** Does the periodic work: frees dead pages, and enforces the capacity and the space that must stay free. */
    boolean maintain()
    {
        return inService(space::startExpiring)
                && inSteps(space::sweep)
                && inService(() -> {
                    boolean unused = space.leaveFreeSpace(0);
                })
                && inSteps(space::trim);
    }

    /** Runs an action whose steps return whether there are more, and releases the lock after each step. */
    private boolean inSteps(BooleanSupplier step)
    {
        boolean[] more = {true};
        boolean done = true;
        while (more[0] && done) {
            more[0] = false;
            done = inService(() -> more[0] = step.getAsBoolean());
            if (lock.hasQueuedThreads()) {
                // otherwise this thread gets it again before another has woken up
                LockSupport.parkNanos(STEP_PAUSE_NANOS);
            }
        }
        return done;
    }

    /** Enforces a capacity that has changed. */
    boolean resized()
    {
        return inSteps(space::trim);
    }

    /** Makes the pages of a file unfindable, given the fingerprint of its first page. */
    boolean invalidateFile(long fingerprint)
    {
        return invalidate(() -> space.invalidateFile(fingerprint));
    }

    /** Makes the pages of this scope, and of all scopes within it, unfindable. */
    boolean invalidate(Scope scope)
    {
        return invalidate(() -> space.invalidate(scope));
    }

    private boolean invalidate(Runnable change)
    {
        return inService(() -> {
            refusing = false;
            change.run();
            lacksInvalidation |= refusing;
        });
    }

    /** Replaces all quotas, of which this directory has its share, and enforces them. */
    boolean setQuotas(Map<Scope, Long> newQuotas, long version)
    {
        return inService(() -> {
            Set<Scope> gone = new HashSet<>(quotas.keySet());
            gone.removeAll(newQuotas.keySet());
            quotas = newQuotas;
            quotasVersion = version;
            gone.forEach(scope -> append(records.quota(version, scope, -1)));
            newQuotas.forEach((scope, bytes) -> append(records.quota(version, scope, bytes)));
            space.bindQuotas(shares());
        }) && inSteps(space::trim);
    }

    /** Replaces the pins: pages within these scopes are not evicted to make room for others. */
    boolean setPins(Set<Scope> pins)
    {
        return inService(() -> space.setPins(pins));
    }

    private Map<Scope, Long> shares()
    {
        Map<Scope, Long> shares = new HashMap<>();
        quotas.forEach((scope, bytes) -> shares.put(scope, settings.share(bytes)));
        return shares;
    }

    Map<Scope, Long> quotas()
    {
        return locked(() -> quotas);
    }

    long quotasVersion()
    {
        return locked(() -> quotasVersion);
    }

    long pages()
    {
        return look(() -> space.index().size());
    }

    long currentBytes()
    {
        return look(() -> space.segments().takenBytes());
    }

    /** Whether a restart would restore the present state, for checks. */
    boolean isWhole()
    {
        return locked(() -> journal != null && journal.isWhole());
    }

    /** Passes the state to an inspector while nothing changes, for checks. */
    void inspect(Consumer<PageSpace> inspector)
    {
        locked(() -> {
            inspector.accept(space);
            return space;
        });
    }

    /** Adds up the contents, step by step; stops if the lock is not available in time. */
    void addContents(Map<PageTags, ScopeUsage> held)
    {
        int[] next = {0};
        boolean[] more = {true};
        while (more[0]) {
            more[0] = false;
            boolean unused = inService(() -> more[0] = space.addContents(held, next[0], next[0] += SNAPSHOT_STEP));
        }
    }

    long usableBytes()
    {
        return files.usableBytes();
    }

    long currentMemoryBytes()
    {
        return look(space::memoryBytes);
    }
}
