// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Writes lookups to a trace on its own thread. A lookup is lost, and counted, if it arrives while the buffer is full, after writing has failed,
 * after the trace has reached its maximum length, or after the recorder has been closed.
 */
public final class TraceRecorder
        implements TraceListener, AutoCloseable
{
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    // Presto exits without notifying its connectors, so a trace may have no other end
    private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LookupRing ring = new LookupRing();
    private final TraceWriter writer;
    private final LongSupplier epochMillis;
    private final long mostLookups;
    private final LongAdder lost = new LongAdder();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean stopped;
    private volatile @Nullable IOException failure;
    private volatile long written;

    /**
     * Starts to record.
     *
     * @param writer closed by {@link #close}
     * @param mostLookups maximum number of lookups in the trace; later ones are lost
     */
    public TraceRecorder(TraceWriter writer, LongSupplier epochMillis, long mostLookups)
    {
        this.writer = writer;
        this.epochMillis = epochMillis;
        this.mostLookups = mostLookups;
        thread = new Thread(this::run, "eyrie-trace");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome)
    {
        if (stopped || !ring.offer(epochMillis.getAsLong(), page, tags, LookupRing.range(offsetInPage, lengthBytes), pageLengthBytes, outcome)) {
            lost.increment();
        }
    }

    /** The number of lookups written. */
    public long written()
    {
        return written;
    }

    /** The number of lookups missing from the trace. */
    public long lost()
    {
        return lost.sum();
    }

    /** The failure that ended writing before {@link #close}, if any. */
    public Optional<IOException> failure()
    {
        return Optional.ofNullable(failure);
    }

    /** Writes the lookups received so far and ends the trace. */
    @Override
    public void close()
            throws IOException
    {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            }
            catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void run()
    {
        try (writer) {
            write();
        }
        catch (IOException e) {
            failure = e;
        }
        finally {
            stopped = true;
            while (ring.poll() != null) {
                lost.increment();
            }
        }
    }

    private void write()
            throws IOException
    {
        long noted = 0;
        long count = 0;
        long flushed = 0;
        long flushedAt = System.nanoTime();
        while (count < mostLookups) {
            // read first: lookups offered before the close are still polled
            boolean last = closing;
            TraceRecord lookup = ring.poll();
            if (lookup == null) {
                if (last) {
                    return;
                }
                if (flushed < count && System.nanoTime() - flushedAt >= FLUSH_NANOS) {
                    writer.flush();
                    flushed = count;
                    flushedAt = System.nanoTime();
                }
                LockSupport.parkNanos(this, IDLE_NANOS);
                continue;
            }
            long lostNow = lost.sum();
            if (lostNow > noted) {
                writer.writeLost(lostNow - noted);
                noted = lostNow;
            }
            writer.write(lookup);
            count++;
            written = count;
        }
    }
}
