// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.PageStore.WriteTerms;
import io.eyrie.cache.thread.Threads;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes granules to a store in the background, as long as the bytes waiting to be written stay within a limit. Each device has its own threads
 * and a share of the limit, so that a slow device does not delay others. Thread-safe.
 */
public final class PageWriter
{
    /** Receives the outcome of each range, and then the end of all. Called on any thread; must not throw. */
    public interface Observer
    {
        void written(WriteOutcome outcome, int bytes);

        void ended();
    }

    private static final int DEVICE_THREADS = 2;
    private static final LimitedLog log = new LimitedLog(PageWriter.class, Level.WARNING);

    private final PageStore store;
    private final long capacityBytes;
    private final long deviceCapacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final UnwrittenPages unwritten = new UnwrittenPages();
    private final DeviceQueue[] devices;
    private final Threads threads;
    /** Calls of {@code write} whose observers have not ended. */
    private final AtomicLong unfinished = new AtomicLong();
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closing;

    private static final class DeviceQueue
    {
        private final AtomicLong usedBytes = new AtomicLong();
        private final ThreadPoolExecutor threads;

        DeviceQueue(ThreadPoolExecutor threads)
        {
            this.threads = threads;
            threads.allowCoreThreadTimeOut(true);
        }
    }

    /**
     * Creates a writer to a store, which it does not close.
     *
     * @param capacityBytes maximum bytes waiting to be written
     * @param pageSizeBytes a device always has room for this many bytes if nothing else waits for it
     */
    public PageWriter(PageStore store, long capacityBytes, int pageSizeBytes)
    {
        this(store, capacityBytes, pageSizeBytes, Threads.SYSTEM);
    }

    /** The same with threads supplied by the caller. */
    public PageWriter(PageStore store, long capacityBytes, int pageSizeBytes, Threads threads)
    {
        this.store = store;
        this.capacityBytes = capacityBytes;
        this.threads = threads;
        devices = new DeviceQueue[store.devices()];
        for (int device = 0; device < devices.length; device++) {
            devices[device] = new DeviceQueue(threads.pool("eyrie-page-writer-" + device, DEVICE_THREADS, DEVICE_THREADS,
                    new LinkedBlockingQueue<>()));
        }
        // ranges that wait for one device also retain the memory of the ranges for other devices in the same write
        deviceCapacityBytes = devices.length == 1 ? capacityBytes : Math.max(pageSizeBytes, capacityBytes / (2L * devices.length));
    }

    /**
     * Accepts ranges that share memory of this many bytes, which must not change until the end. A range for which there is no room ends as
     * {@code BUSY}. Never blocks.
     */
    public void write(List<GranuleRange> ranges, long bytes, PageTags tags, long epoch, Observer observer)
    {
        write(ranges, bytes, tags, new WriteTerms(epoch), false, observer);
    }

    /**
     * The same under other terms.
     *
     * @param replaces whether each range takes the place of its page: the page is dropped just before the range is written
     */
    public void write(List<GranuleRange> ranges, long bytes, PageTags tags, WriteTerms terms, boolean replaces, Observer observer)
    {
        boolean room = usedBytes.addAndGet(bytes) <= capacityBytes;
        unfinished.incrementAndGet();
        AtomicInteger pending = new AtomicInteger(ranges.size());
        for (GranuleRange range : ranges) {
            int length = range.granules().remaining();
            DeviceQueue device = device(range.key());
            Runnable end = () -> {
                if (pending.decrementAndGet() == 0) {
                    usedBytes.addAndGet(-bytes);
                    try {
                        observer.ended();
                    }
                    finally {
                        finished();
                    }
                }
            };
            if (!room || !offer(device, length, () -> {
                try {
                    observer.written(write(range, tags, terms, replaces), length);
                }
                finally {
                    end.run();
                }
            })) {
                unwritten.add(range.key());
                observer.written(WriteOutcome.BUSY, length);
                end.run();
            }
        }
    }

    private void finished()
    {
        if (unfinished.decrementAndGet() == 0 && closing) {
            drained.countDown();
        }
    }

    private DeviceQueue device(PageKey key)
    {
        try {
            return devices[store.device(key)];
        }
        catch (RuntimeException e) {
            log.log("Looking up the device of a page failed", e);
            return devices[0];
        }
    }

    private boolean offer(DeviceQueue device, long bytes, Runnable write)
    {
        if (device.usedBytes.addAndGet(bytes) > deviceCapacityBytes) {
            device.usedBytes.addAndGet(-bytes);
            return false;
        }
        boolean taken = false;
        try {
            device.threads.execute(() -> {
                try {
                    write.run();
                }
                finally {
                    device.usedBytes.addAndGet(-bytes);
                }
            });
            taken = true;
        }
        catch (RejectedExecutionException | OutOfMemoryError e) {
            // closed, or no thread can be created
            log.log("A page is not written: the writer is closed, or no thread could be started", e);
        }
        finally {
            if (!taken) {
                device.usedBytes.addAndGet(-bytes);
            }
        }
        return taken;
    }

    private WriteOutcome write(GranuleRange range, PageTags tags, WriteTerms terms, boolean replaces)
    {
        WriteOutcome outcome = WriteOutcome.DEVICE_ERROR;
        try {
            if (replaces && !terms.isReplaced().getAsBoolean()) {
                store.remove(range.key());
            }
            outcome = store.write(range.key(), tags, range.pageLengthBytes(), range.offsetInPage(), range.granules(), terms);
        }
        catch (RuntimeException | OutOfMemoryError e) {
            log.log("Writing a page to the cache failed. It is not cached", e);
        }
        if (outcome == WriteOutcome.STORED) {
            unwritten.remove(range.key());
        }
        else {
            unwritten.add(range.key());
        }
        return outcome;
    }

    /** Records that a page was not passed to this writer, although it was loaded or computed. */
    public void notWritten(PageKey key)
    {
        unwritten.add(key);
    }

    /** Whether a page, or a range of it, was recently not written. A hint; does no I/O. */
    public boolean wasNotWritten(PageKey key)
    {
        return unwritten.contains(key);
    }

    /** Waits until all accepted ranges are written, and those that their observers add at the end of a write. Accepts no more ranges then. */
    public void close(long seconds)
            throws InterruptedException
    {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        closing = true;
        if (unfinished.get() > 0) {
            boolean unused = threads.await(drained, deadline - System.nanoTime());
        }
        for (DeviceQueue device : devices) {
            device.threads.shutdown();
        }
        for (DeviceQueue device : devices) {
            if (!device.threads.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                System.getLogger(PageWriter.class.getName()).log(Level.WARNING, "Some pages are still being written at shutdown; they may be lost");
                return;
            }
        }
    }
}
