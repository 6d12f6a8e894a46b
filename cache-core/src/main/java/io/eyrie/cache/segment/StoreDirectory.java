// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.DirectoryLock;
import io.eyrie.cache.device.DirectoryOwnedException;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.journal.Journal;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.DiskStatus.Health;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One base directory and its state of service. It fails independently: a failure of its disk takes it out of service until {@link #heal} finds it
 * working again. Thread-safe.
 */
final class StoreDirectory
        implements AutoCloseable
{
    /*
     * State       OPENING -> SERVING <-> OUT_OF_SERVICE, any -> CLOSED. Only SERVING has a table. Each period of service begins from the journal, as
     *             after a restart. If the disk does not accept a small file, its journal is not read
     * Retired     new callers do not use a table that failed; it is closed before the next one opens
     * Acquiring   at the start, on another thread. If its disk hangs, the directory is out of service, and nothing else tries it until that has ended
     * Closing     a journal that hangs when it is closed may write later. Until it has ended, no other journal is opened, and the lock is not released
     * Forgetful   from the time that a table's journal ended without all that the table knew, until the next table serves
     * Locks       ownership, for the lock file, is held during I/O on it. The monitor of this object, for the state, is not held during I/O, except
     *             that serve() holds it while it brings a table up to date and may wait for tables. A reader never waits for ownership. loading is held
     *             while a table is loaded, so that close() does not release the lock file while that table may still write
     */
    private enum State
    {
        OPENING,
        SERVING,
        OUT_OF_SERVICE,
        CLOSED,
    }

    static final String FOLDER = "segments-v" + Records.VERSION;

    private static final System.Logger logger = System.getLogger(StoreDirectory.class.getName());
    private static final Pattern OTHER_FORMATS = Pattern.compile("pages-v[0-9]+-[0-9]+|segments-v[0-9]+");
    private static final int PROBE_BYTES = 4 << 10;

    private final Path base;
    private final Path folder;
    private final StoreContext context;
    private final TableSettings settings;
    private final TableCounters counters = new TableCounters();
    private final DiskGuard guard;
    private final SegmentFiles files;
    private final UnitReader reader;
    private final UnitWriter writer;
    private final LimitedLog failureLog = new LimitedLog(StoreDirectory.class, Level.ERROR);

    private volatile State state = State.OPENING;
    private volatile @Nullable PageTable table;
    // guarded by this
    private @Nullable PageTable retired;
    // guarded by this; closed, but not ended
    private final List<Journal> closing = new ArrayList<>();
    // guarded by this
    private final BackOff backOff;
    private volatile boolean acquiring = true;
    // guarded by this
    private boolean acquiringLate;
    private volatile boolean forgetful;
    private final Object loading = new Object();
    private final Object ownership = new Object();
    // guarded by ownership
    private @Nullable DirectoryLock lock;

    StoreDirectory(Path base, StoreContext context, TableSettings settings)
    {
        this.base = base;
        this.context = context;
        this.settings = settings;
        folder = base.resolve(FOLDER);
        backOff = new BackOff(settings::nowMillis, settings.probeIntervalMillis());
        guard = new DiskGuard(settings.layout(), context.readScratches(), settings.diskTimeoutMillis(), counters, context.parts().threads());
        files = new SegmentFiles(context, folder, guard, this::fail);
        reader = new UnitReader(settings.layout(), context.readScratches(), guard, outcome -> fail("reading", outcome), context.parts().point());
        writer = new UnitWriter(settings.layout(), context.writeScratches(), guard, outcome -> fail("writing", outcome), context.parts().point());
    }

    Path base()
    {
        return base;
    }

    TableSettings settings()
    {
        return settings;
    }

    TableCounters counters()
    {
        return counters;
    }

    /** The table in service; null if there is none. */
    @Nullable
    PageTable table()
    {
        return table;
    }

    boolean isOutOfService()
    {
        return state == State.OUT_OF_SERVICE;
    }

    /** Whether pages that the latest table was asked to invalidate may reappear. */
    boolean isForgetful()
    {
        return forgetful;
    }

    /** Returns whether a page of this directory was recently evicted to make room. */
    PastEviction pastEviction(long fingerprint)
    {
        PageTable current = table;
        return counters.pastEviction(fingerprint, current == null ? 0 : current.pages());
    }

    DiskStatus status()
    {
        PageTable current = table;
        return new DiskStatus(
                base,
                switch (state) {
                    case OPENING -> Health.OPENING;
                    case SERVING -> Health.SERVING;
                    case OUT_OF_SERVICE -> Health.OUT_OF_SERVICE;
                    case CLOSED -> Health.CLOSED;
                },
                current == null ? 0 : current.pages(),
                current == null ? 0 : current.currentBytes(),
                settings.capacityBytes(),
                current == null || guard.isHung() ? -1 : current.usableBytes(),
                counters.dayWrittenBytes(),
                counters.outages(),
                counters.diskTimeouts());
    }

    /**
     * Acquires the directory.
     *
     * @throws IOException with the reason why it cannot be used; the directory is then out of service
     */
    void acquire()
            throws IOException
    {
        boolean acquired = false;
        synchronized (loading) {
            try {
                acquireLock();
                if (isOwned()) {
                    createFolders();
                }
                acquired = true;
            }
            catch (DeviceException e) {
                // load() meets this failure again, unless there is room by then
                acquired = e.outcome() == DeviceOutcome.NO_SPACE;
                if (!acquired) {
                    throw e;
                }
            }
            finally {
                if (!acquired) {
                    boolean unused = retire();
                }
            }
        }
    }

    /** Notes that {@link #acquire} has ended; returns false if no one waits for it anymore. */
    synchronized boolean endAcquisition()
    {
        acquiring = false;
        return !acquiringLate;
    }

    /** Takes the directory out of service if it is still being acquired; returns whether it is. */
    synchronized boolean abandonAcquisition()
    {
        if (acquiring) {
            acquiringLate = true;
            boolean unused = retire();
        }
        return acquiring;
    }

    /** Runs work on the disk while the directory is opened. Meanwhile, the lock on the directory is not released. */
    void whileOwned(Runnable work)
    {
        synchronized (loading) {
            if (state == State.OPENING) {
                work.run();
            }
        }
    }

    private void createFolders()
            throws DeviceException
    {
        context.device().createDirectory(folder);
        context.device().createDirectory(folder.resolve(StoreContext.JOURNAL));
    }

    /**
     * Tries a write, restores the pages, and goes into service.
     *
     * @param ready brings a table up to date with the store; others find the table only when this has ended
     */
    void load(Consumer<PageTable> ready)
    {
        synchronized (loading) {
            State from = state;
            if (from != State.OPENING && from != State.OUT_OF_SERVICE) {
                return;
            }
            PageTable loaded = new PageTable(settings, files, counters);
            try {
                createFolders();
                // before the journal is read, which may take seconds
                probe();
                replay(loaded);
                serve(loaded, from, ready);
            }
            catch (DeviceException | RuntimeException | OutOfMemoryError e) {
                // OutOfMemoryError: no thread or no direct memory for the journal, which is probably temporary
                boolean unused = closeTable(loaded, false);
                fail(from == State.OPENING ? "opening it" : "trying it again", e);
            }
        }
    }

    private void replay(PageTable loaded)
            throws DeviceException
    {
        boolean replayed = false;
        backOff(BackOff::begins);
        try {
            dropOtherFormats();
            loaded.open(journaled -> context.openJournal(folder, journaled));
            replayed = true;
        }
        finally {
            backOff(replayed ? BackOff::succeeded : BackOff::failed);
        }
    }

    private synchronized void backOff(Consumer<BackOff> change)
    {
        change.accept(backOff);
    }

    private synchronized boolean mayReplay()
    {
        return backOff.mayReplay();
    }

    private void serve(PageTable loaded, State from, Consumer<PageTable> ready)
    {
        context.control(() -> {
            synchronized (this) {
                // the store may have been closed meanwhile
                if (state == from) {
                    ready.accept(loaded);
                    guard.forgetAll();
                    forgetful = false;
                    table = loaded;
                    state = State.SERVING;
                    return;
                }
            }
            boolean unused = closeTable(loaded, false);
        });
    }

    /** Tries a directory that is out of service, and puts it back into service if it works. Does nothing in other states. */
    void heal(Consumer<PageTable> ready)
    {
        // while an operation hangs, this attempt would hang too
        if (state != State.OUT_OF_SERVICE || acquiring || guard.isHung() || !mayReplay()) {
            return;
        }
        closeRetired(false);
        if (isClosing()) {
            return;
        }
        try {
            acquireLock();
        }
        catch (IOException | RuntimeException e) {
            if (e.getCause() instanceof UnsafePathException) {
                failureLog.log("Directory " + base + " stays out of service", e.getCause());
            }
            logger.log(Level.DEBUG, () -> "Directory " + base + " is still out of service", e);
            return;
        }
        load(ready);
        PageTable loaded = table;
        if (loaded != null) {
            logger.log(Level.INFO, () -> "Directory " + base + " is back in service with " + loaded.pages() + " pages");
        }
    }

    /** Enforces the directory's limits, and checks that it still exists. */
    void maintain()
    {
        PageTable current = table;
        if (current != null) {
            if (!isOwned()) {
                fail("looking for it", DeviceOutcome.MISSING);
            }
            else if (!current.maintain()) {
                failHung();
            }
        }
    }

    /** Checks whether the disk hangs. Does no I/O. Call this at regular intervals. */
    void watch()
    {
        guard.forgetSome();
        if (table != null && guard.isHung()) {
            failHung();
        }
    }

    /** Takes the directory out of service because an operation on its disk does not end. */
    void failHung()
    {
        fail("waiting for the disk", DeviceOutcome.HUNG);
    }

    ReadOutcome read(Unit unit, int offset, ByteBuffer target)
    {
        PageTable current = table;
        return current == null ? ReadOutcome.DECLINED : reader.read(current, unit, offset, target);
    }

    long granules(Unit unit)
    {
        PageTable current = table;
        return current == null ? 0 : reader.granules(current, unit);
    }

    WriteOutcome write(Unit unit, PageTags tags, int lengthBytes, int firstGranule, ByteBuffer granules, BooleanSupplier stale)
    {
        PageTable current = table;
        return current == null
                ? WriteOutcome.DECLINED
                : writer.write(current, unit, tags, lengthBytes, firstGranule, granules, stale);
    }

    private void probe()
            throws DeviceException
    {
        Path file = folder.resolve("probe");
        byte[] written = new byte[PROBE_BYTES];
        ThreadLocalRandom.current().nextBytes(written);
        ByteBuffer read = ByteBuffer.allocate(PROBE_BYTES);
        DeviceOutcome outcome;
        try (DeviceFile probe = context.device().open(file, Device.OpenMode.REPLACE)) {
            outcome = probe.write(0, ByteBuffer.wrap(written));
            outcome = outcome == DeviceOutcome.OK ? probe.read(0, read) : outcome;
        }
        context.device().delete(file);
        if (outcome == DeviceOutcome.OK && !read.flip().equals(ByteBuffer.wrap(written))) {
            outcome = DeviceOutcome.IO_ERROR;
        }
        // a full disk serves its pages, and makes room before it accepts more
        if (outcome != DeviceOutcome.OK && outcome != DeviceOutcome.NO_SPACE) {
            throw new DeviceException(outcome, "Writing and reading " + file + " failed");
        }
    }

    private void dropOtherFormats()
            throws DeviceException
    {
        for (Device.Entry entry : context.device().list(base)) {
            String name = String.valueOf(entry.path().getFileName());
            if (entry.directory() && OTHER_FORMATS.matcher(name).matches() && !entry.path().equals(folder)) {
                drop(entry);
            }
        }
    }

    private void drop(Device.Entry otherFormat)
    {
        try {
            long dropped = deleteTree(otherFormat);
            counters.incompatible(dropped);
            logger.log(Level.WARNING, () -> "Dropped " + otherFormat.path() + " with " + dropped + " files: its format is not the one of " + folder);
        }
        catch (DeviceException e) {
            // it costs only its space
            failureLog.log("Folder " + otherFormat.path() + " has another format than " + folder
                    + " and cannot be deleted. Eyrie ignores it; remove it", e);
        }
    }

    private long deleteTree(Device.Entry entry)
            throws DeviceException
    {
        long files = entry.directory() ? 0 : 1;
        if (entry.directory()) {
            for (Device.Entry child : context.device().list(entry.path())) {
                files += deleteTree(child);
            }
        }
        context.device().delete(entry.path());
        return files;
    }

    private void fail(String action, DeviceOutcome outcome)
    {
        fail(action, new DeviceException(outcome, action + " " + folder + " failed"));
    }

    private void fail(String action, Throwable cause)
    {
        if (retire()) {
            counters.outage();
            failureLog.log("Directory " + base + " is out of service: " + action
                    + " failed. Its pages are read from the remote store until it works again", cause);
        }
        else {
            logger.log(Level.DEBUG, () -> "Directory " + base + ": " + action + " failed", cause);
        }
    }

    private synchronized boolean retire()
    {
        if (state == State.CLOSED || state == State.OUT_OF_SERVICE) {
            return false;
        }
        if (state == State.SERVING) {
            backOff.failedWhileServing();
        }
        state = State.OUT_OF_SERVICE;
        retired = table;
        table = null;
        return true;
    }

    /** @param last whether the next process should also find the order of the pages */
    private void closeRetired(boolean last)
    {
        PageTable leaving;
        synchronized (this) {
            leaving = retired;
            retired = null;
        }
        if (leaving != null && !closeTable(leaving, last)) {
            forgetful = true;
        }
    }

    /** Closes a table; returns whether the next table will find everything that this one knew. */
    private boolean closeTable(PageTable leaving, boolean last)
    {
        Journal journal = leaving.close();
        if (journal == null) {
            return true;
        }
        if (last) {
            journal.closeWithSnapshot();
        }
        else {
            journal.close();
        }
        synchronized (this) {
            if (!journal.hasEnded()) {
                closing.add(journal);
            }
        }
        return journal.isWhole();
    }

    private synchronized boolean isClosing()
    {
        closing.removeIf(Journal::hasEnded);
        return !closing.isEmpty();
    }

    private boolean isOwned()
    {
        synchronized (ownership) {
            return lock != null && lock.isHeld();
        }
    }

    private void acquireLock()
            throws DeviceException,
            DirectoryOwnedException
    {
        synchronized (ownership) {
            if (state == State.CLOSED || isOwned()) {
                return;
            }
            releaseLock();
            lock = context.device().lock(base);
        }
    }

    private void releaseLock()
    {
        synchronized (ownership) {
            if (lock != null) {
                lock.close();
                lock = null;
            }
        }
    }

    /** Leaves service for good. Does no I/O; {@link #close} does the rest. */
    synchronized void leave()
    {
        if (table != null) {
            retired = table;
        }
        table = null;
        state = State.CLOSED;
    }

    @Override
    public void close()
    {
        leave();
        guard.close();
        closeRetired(true);
        synchronized (loading) {
            while (isClosing()) {
                List<Journal> hanging;
                synchronized (this) {
                    hanging = List.copyOf(closing);
                }
                hanging.forEach(Journal::close);
            }
            releaseLock();
        }
    }
}
