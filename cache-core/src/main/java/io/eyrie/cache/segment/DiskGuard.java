// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.thread.Threads;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prevents readers from waiting for a disk that hangs, and detects such a disk. Thread-safe. */
final class DiskGuard
        implements AutoCloseable
{
    /*
     * Hanging   A thread in a system call on a disk that hangs cannot be called back. So readers themselves read only data that the operating system
     *           should have in memory: data that was read or written recently. Other data is first read by one of this guard's threads, and the
     *           reader waits for it until a deadline. The reader then reads the data from memory.
     * Late      While such a read is past its deadline, other reads that would have to wait are refused immediately
     * Hung      An operation is past several deadlines: the directory is to be taken out of service. Writes to a healthy disk may stall for more than
     *           one deadline, because the operating system makes writers wait for the disk
     */
    private static final int THREADS = 16;
    private static final int MAX_WAITING = 256;
    private static final int HUNG_TIMEOUTS = 10;

    private final Layout layout;
    private final Scratch.Pool scratches;
    private final RecentGranules recent = new RecentGranules();
    private final long timeoutNanos;
    private final TableCounters counters;
    private final Set<RunningOperation> running = ConcurrentHashMap.newKeySet();
    private final Threads threads;
    private final ThreadPoolExecutor readers;

    /** An operation in progress. A read counts from when its reader began to wait, so that the next reader sees it as late when the first gives up. */
    private static final class RunningOperation
    {
        private final boolean read;
        private final long startNanos;

        RunningOperation(boolean read, long startNanos)
        {
            this.read = read;
            this.startNanos = startNanos;
        }
    }

    /** An operation on the disk that refers to files by name. */
    interface Operation<T>
    {
        T run()
                throws DeviceException;
    }

    DiskGuard(Layout layout, Scratch.Pool scratches, long timeoutMillis, TableCounters counters, Threads threads)
    {
        this.layout = layout;
        this.scratches = scratches;
        this.counters = counters;
        timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.threads = threads;
        readers = threads.pool("eyrie-page-reader", THREADS, THREADS, new LinkedBlockingQueue<>(MAX_WAITING));
        readers.allowCoreThreadTimeOut(true);
    }

    /** Runs an operation and watches how long it takes. */
    <T> T watch(Operation<T> operation)
            throws DeviceException
    {
        RunningOperation watched = new RunningOperation(false, threads.nanoTime());
        running.add(watched);
        try {
            return operation.run();
        }
        finally {
            running.remove(watched);
        }
    }

    /** Runs a write and watches how long it takes. */
    DeviceOutcome watchWrite(Supplier<DeviceOutcome> write)
    {
        RunningOperation watched = new RunningOperation(false, threads.nanoTime());
        running.add(watched);
        try {
            return write.get();
        }
        finally {
            running.remove(watched);
        }
    }

    /** Notes that granules were written, so that readers can read them without waiting. */
    void written(long fingerprint, long granules)
    {
        recent.add(fingerprint, granules);
    }

    /** Forgets a part of the recent reads and writes. Call this at regular intervals. */
    void forgetSome()
    {
        recent.forgetSome();
    }

    /** Forgets all reads and writes. */
    void forgetAll()
    {
        recent.forgetAll();
    }

    /**
     * Makes sure, as far as possible, that granules of a unit can be read without waiting for the disk. If they were not read or written recently,
     * another thread reads them. The bytes that it reads are not verified.
     *
     * @param wanted adjacent granules
     * @return {@code HIT} to continue; {@code DEVICE_ERROR} if the disk did not respond in time; {@code BUSY} if this did not wait for it
     */
    ReadOutcome prepare(Segment segment, int slot, long fingerprint, int unitLengthBytes, long wanted)
    {
        if (recent.has(fingerprint, wanted)) {
            return ReadOutcome.HIT;
        }
        if (isLate(timeoutNanos, true)) {
            return ReadOutcome.BUSY;
        }
        CountDownLatch done = new CountDownLatch(1);
        RunningOperation reading = new RunningOperation(true, threads.nanoTime());
        running.add(reading);
        try {
            readers.execute(() -> {
                try {
                    read(segment, slot, unitLengthBytes, wanted);
                    recent.add(fingerprint, wanted);
                }
                catch (OutOfMemoryError e) {
                    // no direct memory is left: the reader, too, gets none, and reports it
                }
                finally {
                    running.remove(reading);
                    done.countDown();
                }
            });
        }
        catch (RejectedExecutionException | OutOfMemoryError e) {
            // too many readers are waiting already, or no thread can be created
            running.remove(reading);
            return ReadOutcome.BUSY;
        }
        if (Threads.awaitUninterrupted(threads, done, reading.startNanos + timeoutNanos - threads.nanoTime())) {
            return ReadOutcome.HIT;
        }
        counters.diskTimeout();
        return ReadOutcome.DEVICE_ERROR;
    }

    /** Reads granules into memory. Ignores failures: the reader encounters the same failure and reports it. */
    private void read(Segment segment, int slot, int unitLengthBytes, long wanted)
    {
        Scratch scratch = scratches.take();
        try {
            int position = Long.numberOfTrailingZeros(wanted) * layout.granuleFramesBytes();
            int endGranule = Long.SIZE - Long.numberOfLeadingZeros(wanted);
            int lastSector = (Math.min(endGranule * layout.granuleBytes(), unitLengthBytes) - 1) / layout.sectorBytes();
            int end = lastSector * layout.frameBytes() + layout.sectorLength(unitLengthBytes, lastSector) + layout.trailerBytes();
            DeviceOutcome outcome = DeviceOutcome.OK;
            while (position < end && outcome == DeviceOutcome.OK) {
                ByteBuffer frames = scratch.frames();
                int bytes = Math.min(frames.capacity(), end - position);
                outcome = segment.read(slot, position, frames.limit(bytes));
                position += bytes;
            }
        }
        finally {
            scratches.give(scratch);
        }
    }

    private boolean isLate(long nanos, boolean readsAlone)
    {
        long now = threads.nanoTime();
        for (RunningOperation operation : running) {
            if (now - operation.startNanos >= nanos && (operation.read || !readsAlone)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any operation takes longer than the disk timeout. */
    boolean isLate()
    {
        return isLate(timeoutNanos, false);
    }

    /** Whether an operation takes so long that the disk counts as hung. */
    boolean isHung()
    {
        return isLate(HUNG_TIMEOUTS * timeoutNanos, false);
    }

    @Override
    public void close()
    {
        readers.shutdown();
    }
}
