package io.eyrie.cache.page;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes granules to a store behind the callers' backs, as long as the bytes that wait stay within a bound. Each device has
 * threads of its own and a share of the bound, so that a slow one holds up no other. Thread-safe.
 */
public final class PageWriter
{
    /** Told of each run how it ended, and then that all have. Called on any thread; must not throw. */
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
    private final Device[] devices;

    private static final class Device
    {
        private final AtomicLong usedBytes = new AtomicLong();
        private final ThreadPoolExecutor threads;

        Device(ThreadPoolExecutor threads)
        {
            this.threads = threads;
            threads.allowCoreThreadTimeOut(true);
        }
    }

    /**
     * Makes a writer to a store, which it does not close.
     *
     * @param capacityBytes the most bytes that wait
     * @param pageSizeBytes what a device has room for in any case, if nothing else waits for it
     */
    public PageWriter(PageStore store, long capacityBytes, int pageSizeBytes)
    {
        this(store, capacityBytes, pageSizeBytes, Threads.SYSTEM);
    }

    /** The same with threads of the caller's choice. */
    public PageWriter(PageStore store, long capacityBytes, int pageSizeBytes, Threads threads)
    {
        this.store = store;
        this.capacityBytes = capacityBytes;
        devices = new Device[store.devices()];
        for (int device = 0; device < devices.length; device++) {
            devices[device] = new Device(threads.pool("eyrie-page-writer-" + device, DEVICE_THREADS, DEVICE_THREADS, new LinkedBlockingQueue<>()));
        }
        // what waits for a device keeps its neighbours on others in memory too
        deviceCapacityBytes = devices.length == 1 ? capacityBytes : Math.max(pageSizeBytes, capacityBytes / (2L * devices.length));
    }

    /**
     * Takes runs that share memory of so many bytes, which stays as it is until the end. Without room they are {@code BUSY}. Never
     * waits.
     */
    public void write(List<GranuleRun> runs, long bytes, PageTags tags, long epoch, Observer observer)
    {
        boolean room = usedBytes.addAndGet(bytes) <= capacityBytes;
        AtomicInteger pending = new AtomicInteger(runs.size());
        for (GranuleRun run : runs) {
            int length = run.granules().remaining();
            Device device = device(run.key());
            Runnable end = () -> {
                if (pending.decrementAndGet() == 0) {
                    usedBytes.addAndGet(-bytes);
                    observer.ended();
                }
            };
            if (!room || !offer(device, length, () -> {
                try {
                    observer.written(write(run, tags, epoch), length);
                }
                finally {
                    end.run();
                }
            })) {
                observer.written(WriteOutcome.BUSY, length);
                end.run();
            }
        }
    }

    private Device device(PageKey key)
    {
        try {
            return devices[store.device(key)];
        }
        catch (RuntimeException e) {
            log.log("Looking for the device of a page failed", e);
            return devices[0];
        }
    }

    private boolean offer(Device device, long bytes, Runnable write)
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
            // closed, or no thread can be made
            log.log("Writing a page was not begun", e);
        }
        finally {
            if (!taken) {
                device.usedBytes.addAndGet(-bytes);
            }
        }
        return taken;
    }

    private WriteOutcome write(GranuleRun run, PageTags tags, long epoch)
    {
        try {
            return store.write(run.key(), tags, run.pageLengthBytes(), run.offsetInPage(), run.granules(), epoch);
        }
        catch (RuntimeException e) {
            log.log("Writing a page failed", e);
            return WriteOutcome.DEVICE_ERROR;
        }
    }

    /** Takes no more, and waits until what was taken is written. */
    public void close(long seconds)
            throws InterruptedException
    {
        for (Device device : devices) {
            device.threads.shutdown();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (Device device : devices) {
            if (!device.threads.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                System.getLogger(PageWriter.class.getName()).log(Level.WARNING, "Some pages are still being written; they may be lost");
                return;
            }
        }
    }
}
