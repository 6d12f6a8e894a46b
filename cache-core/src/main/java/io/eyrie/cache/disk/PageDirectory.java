package io.eyrie.cache.disk;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DirectoryLock;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.ReadOutcome;
import io.eyrie.cache.page.WriteOutcome;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The pages of one base directory. Fails alone: a failure of its disk takes it out of service until {@link #heal}
 * finds it well again. Thread-safe.
 */
final class PageDirectory
        implements AutoCloseable
{
    /*
     * State       LOADING -> SERVING <-> OUT_OF_SERVICE, any -> CLOSED. While LOADING, reads look for the file by its name,
     *             writes are declined. OUT_OF_SERVICE has an empty index and reads no file.
     * Write       put the key in motion, make room, write a temporary file, rename it, tell the index
     * Scan        runs alone: it holds filesLock, writes share it and decline where they would have to wait
     * Eviction    before a write, by the writer: first for the space that must stay free, then for the capacity
     * Close       gives up the directory only after the last scan and write, or never, so that no second owner meets them
     * Locks       filesLock, then this, then the index's own. This covers the state, and I/O on the lock file alone
     */
    private enum State
    {
        LOADING,
        SERVING,
        OUT_OF_SERVICE,
        CLOSED,
    }

    private static final System.Logger logger = System.getLogger(PageDirectory.class.getName());
    private static final long CLOSE_WAIT_SECONDS = 10;

    private final Path base;
    private final Volume volume;
    private final PageFolder folder;
    private final long capacityBytes;
    private final long minFreeSpaceBytes;
    private final int pageSizeBytes;
    private final ReentrantReadWriteLock filesLock = new ReentrantReadWriteLock();
    private final AtomicLong temporaryFiles = new AtomicLong();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder incompatibleDrops = new LongAdder();
    private final LimitedLog corruptionLog = new LimitedLog(PageDirectory.class, Level.WARNING);
    private final LimitedLog failureLog = new LimitedLog(PageDirectory.class, Level.ERROR);

    private volatile State state = State.LOADING;
    private volatile PageIndex index;
    // guarded by this
    private @Nullable DirectoryLock lock;

    PageDirectory(Path base, PageCacheConfig config, Volume volume)
    {
        this.base = base;
        this.volume = volume;
        pageSizeBytes = config.pageSizeBytes();
        capacityBytes = config.directoryCapacityBytes();
        minFreeSpaceBytes = config.minFreeSpaceBytes();
        folder = new PageFolder(base, pageSizeBytes, volume);
        index = new PageIndex(capacityBytes);
    }

    Path base()
    {
        return base;
    }

    /**
     * Takes the directory and readies it for {@link #load}.
     *
     * @throws IOException with the reason why it cannot be used; the directory is then out of service
     */
    void acquire()
            throws IOException
    {
        try {
            acquireLock();
            folder.create();
            folder.probe();
        }
        catch (IOException e) {
            if (e instanceof AccessDeniedException || !isOwned()) {
                takeOutOfService();
                throw e;
            }
            // load() finds it again, unless making room helped
            logger.log(Level.DEBUG, () -> "Page directory " + base + " cannot be written", e);
        }
    }

    /** Finds the pages that are there, trims them to the capacity, tries a write, and goes into service. */
    void load()
    {
        State from = state;
        if (from != State.LOADING && from != State.OUT_OF_SERVICE) {
            return;
        }
        filesLock.writeLock().lock();
        try {
            PageIndex loaded = new PageIndex(capacityBytes);
            PageFolder.Found found = folder.scan(() -> state == State.CLOSED);
            incompatibleDrops.add(found.incompatibleDrops());
            found.pages().forEach(page -> loaded.add(page.key(), page.blockBytes()));
            trim(loaded);
            folder.probe();
            serve(loaded, from);
        }
        catch (IOException | RuntimeException e) {
            fail(from == State.LOADING ? "opening it" : "trying it again", e);
        }
        finally {
            filesLock.writeLock().unlock();
        }
    }

    private synchronized void serve(PageIndex loaded, State from)
    {
        // a read may have failed, or the store been closed, since the scan began
        if (state == from) {
            index = loaded;
            state = State.SERVING;
        }
    }

    /** Tries a directory that is out of service, and puts it back if it works. Does nothing otherwise. */
    void heal()
    {
        if (state != State.OUT_OF_SERVICE) {
            return;
        }
        try {
            acquireLock();
            folder.create();
        }
        catch (IOException | RuntimeException e) {
            logger.log(Level.DEBUG, () -> "Page directory " + base + " is still out of service", e);
            return;
        }
        load();
        if (state == State.SERVING) {
            logger.log(Level.INFO, () -> "Page directory " + base + " is back in service with " + index.pages() + " pages");
        }
    }

    ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target)
    {
        State current = state;
        PageIndex currentIndex = index;
        if (current == State.OUT_OF_SERVICE || current == State.CLOSED) {
            return ReadOutcome.DECLINED;
        }
        if (current == State.SERVING && !currentIndex.touch(key)) {
            return ReadOutcome.MISS;
        }
        int position = target.position();
        ReadOutcome outcome = readFile(key, offsetInPage, target, current, currentIndex);
        if (outcome != ReadOutcome.HIT) {
            target.position(position);
        }
        return outcome;
    }

    private ReadOutcome readFile(PageKey key, int offsetInPage, ByteBuffer target, State current, PageIndex currentIndex)
    {
        Path file = folder.file(key);
        try {
            PageFile.read(volume, file, key, pageSizeBytes, offsetInPage, target);
            return ReadOutcome.HIT;
        }
        catch (NoSuchFileException e) {
            return missing(key, current, currentIndex);
        }
        catch (CorruptPageException e) {
            corruptionLog.log("Dropping a page: " + e.getMessage());
            drop(key, currentIndex);
            return ReadOutcome.CORRUPT;
        }
        catch (IOException | RuntimeException e) {
            // or a single bad sector would take the directory out of service at every visit
            deleteQuietly(file);
            fail("reading " + file, e);
            return ReadOutcome.DEVICE_ERROR;
        }
    }

    private void deleteQuietly(Path file)
    {
        try {
            volume.delete(file);
        }
        catch (IOException | RuntimeException e) {
            logger.log(Level.DEBUG, () -> "Deleting " + file + " failed", e);
        }
    }

    /** A file that the index knew, or might have known, is not there. */
    private ReadOutcome missing(PageKey key, State current, PageIndex currentIndex)
    {
        if (!isOwned()) {
            fail("reading", new NoSuchFileException(base.toString(), null, "the directory is gone, or is not the one that was opened"));
            return ReadOutcome.DEVICE_ERROR;
        }
        if (current == State.SERVING) {
            // evicted since the index was asked, or deleted by someone else
            drop(key, currentIndex);
            return ReadOutcome.MISS;
        }
        return ReadOutcome.DECLINED;
    }

    WriteOutcome write(PageKey key, Scope scope, ByteBuffer page)
    {
        if (!filesLock.readLock().tryLock()) {
            return WriteOutcome.DECLINED;
        }
        try {
            PageIndex currentIndex = index;
            if (state != State.SERVING) {
                return WriteOutcome.DECLINED;
            }
            if (!currentIndex.beginWrite(key)) {
                return currentIndex.contains(key) ? WriteOutcome.STORED : WriteOutcome.DECLINED;
            }
            return writeMoving(key, scope, page, currentIndex);
        }
        finally {
            filesLock.readLock().unlock();
        }
    }

    private WriteOutcome writeMoving(PageKey key, Scope scope, ByteBuffer page, PageIndex currentIndex)
    {
        long reservedBytes = 0;
        boolean written = false;
        try {
            ByteBuffer header = PageFile.header(key, scope, page, pageSizeBytes);
            long blockBytes = PageFile.blockBytes((long) header.remaining() + page.remaining());
            if (!leaveFreeSpace(currentIndex, blockBytes) || !makeRoom(currentIndex, blockBytes)) {
                return WriteOutcome.DECLINED;
            }
            reservedBytes = blockBytes;
            folder.write(key, temporaryFiles.incrementAndGet(), header, page);
            currentIndex.written(key, blockBytes);
            written = true;
            return WriteOutcome.STORED;
        }
        catch (IOException | RuntimeException e) {
            fail("writing", e);
            return WriteOutcome.DEVICE_ERROR;
        }
        finally {
            if (!written) {
                currentIndex.abandoned(key, reservedBytes);
            }
        }
    }

    /** Evicts until the volume has room for so many bytes beside those that must stay free. */
    private boolean leaveFreeSpace(PageIndex currentIndex, long neededBytes)
            throws IOException
    {
        long lackingBytes = lackingBytes(currentIndex, neededBytes);
        while (lackingBytes > 0) {
            long freedBytes = evictOne(currentIndex);
            if (freedBytes == 0) {
                break;
            }
            lackingBytes -= freedBytes;
        }
        return lackingBytes(currentIndex, neededBytes) <= 0;
    }

    private long lackingBytes(PageIndex currentIndex, long neededBytes)
            throws IOException
    {
        return minFreeSpaceBytes + currentIndex.writingBytes() + neededBytes - volume.usableBytes(base);
    }

    private boolean makeRoom(PageIndex currentIndex, long neededBytes)
            throws IOException
    {
        while (!currentIndex.reserve(neededBytes)) {
            if (neededBytes > capacityBytes || evictOne(currentIndex) == 0) {
                return false;
            }
        }
        return true;
    }

    private void trim(PageIndex loaded)
            throws IOException
    {
        while (loaded.isOverCapacity()) {
            evictOne(loaded);
        }
        if (!leaveFreeSpace(loaded, 0)) {
            logger.log(Level.WARNING, () -> "The volume of page directory " + base + " has less than " + minFreeSpaceBytes
                    + " bytes free even without cached pages. Nothing is cached there until it has more");
        }
    }

    private long evictOne(PageIndex currentIndex)
            throws IOException
    {
        PageIndex.Victim victim = currentIndex.pollEldest();
        if (victim == null) {
            return 0;
        }
        volume.delete(folder.file(victim.key()));
        currentIndex.deleted(victim);
        evictions.increment();
        return victim.bytes();
    }

    boolean contains(PageKey key)
    {
        return index.contains(key);
    }

    void remove(PageKey key)
    {
        drop(key, index);
    }

    private void drop(PageKey key, PageIndex currentIndex)
    {
        PageIndex.Victim victim = currentIndex.poll(key);
        State current = state;
        if (victim == null && current != State.LOADING) {
            return;
        }
        if (current == State.OUT_OF_SERVICE || current == State.CLOSED) {
            return;
        }
        try {
            volume.delete(folder.file(key));
            if (victim != null) {
                currentIndex.deleted(victim);
            }
        }
        catch (IOException | RuntimeException e) {
            fail("deleting a page", e);
        }
    }

    private void fail(String action, Exception cause)
    {
        if (takeOutOfService()) {
            failureLog.log("Page directory " + base + " is out of service: " + action
                    + " failed. Its pages are read from the remote store until it works again", cause);
        }
        else {
            logger.log(Level.DEBUG, () -> "Page directory " + base + ": " + action + " failed", cause);
        }
    }

    private synchronized boolean takeOutOfService()
    {
        if (state == State.CLOSED || state == State.OUT_OF_SERVICE) {
            return false;
        }
        state = State.OUT_OF_SERVICE;
        index = new PageIndex(capacityBytes);
        return true;
    }

    private synchronized boolean isOwned()
    {
        return lock != null && lock.isHeld();
    }

    private synchronized void acquireLock()
            throws IOException
    {
        if (state == State.CLOSED || isOwned()) {
            return;
        }
        releaseLock();
        lock = volume.lock(base);
    }

    private synchronized void releaseLock()
    {
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }

    long evictions()
    {
        return evictions.sum();
    }

    long incompatibleDrops()
    {
        return incompatibleDrops.sum();
    }

    long currentBytes()
    {
        return index.usedBytes();
    }

    long currentPages()
    {
        return index.pages();
    }

    boolean isOutOfService()
    {
        return state == State.OUT_OF_SERVICE;
    }

    @Override
    public void close()
    {
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            index = new PageIndex(capacityBytes);
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (filesLock.writeLock().tryLock(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                filesLock.writeLock().unlock();
                releaseLock();
                return;
            }
        }
        catch (InterruptedException e) {
            interrupted = true;
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        logger.log(Level.ERROR, () -> "Page directory " + base + " still has writes that do not end. It stays locked until this process ends");
    }
}
