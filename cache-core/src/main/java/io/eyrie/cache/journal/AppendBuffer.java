// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Connects the threads that append with the journal's thread: it buffers records that wait to be written, and decides on the thread's next task.
 * Thread-safe.
 */
final class AppendBuffer
{
    /*
     * The state has three independent parts. The journal's thread makes all transitions except append and close.
     *
     * Log         BEHIND ── complete ──► FOLLOWING                     the first log is ready, or a snapshot after a failure is complete
     *             any ── fail ──► FAILED ── snapshotBegins ──► BEHIND  while FAILED, records are refused
     *
     * Gap         NONE ── append, full ──► OPEN ── snapshotBegins ──► COVERED ── complete ──► NONE
     *             COVERED ── append, full ──► OPEN                     during the snapshot: another one is needed
     *
     * Life        OPEN ── close ──► CLOSING ── endsWithSnapshot ──► ENDING ── end ──► ENDED
     *             OPEN ── end ──► STOPPED ── close ──► ENDED           the thread has ended by itself, after a failure
     *             CLOSING ── end ──► ENDED
     *
     * Whole       if the log is FOLLOWING and the gap is NONE, a replay finds all records that were forced
     * Sequences   settled <= drained <= accepted. Records up to settled are forced or given up, those after drained are in the buffer. A failure gives
     *             up all that were accepted. Records drained while BEHIND are settled only when a snapshot makes up for the missing ones.
     */
    /** The next task of the journal's thread. */
    enum Task
    {
        FLUSH,
        SNAPSHOT,
        END,
    }

    /** Records taken from the buffer, each preceded by its length. */
    record Batch(ByteBuffer records, long firstSequence)
    {}

    /** Whether records that are forced can be replayed. */
    private enum Log
    {
        BEHIND,
        FOLLOWING,
        FAILED,
    }

    /** Whether records were refused because the buffer was full, for which only a snapshot makes up. */
    private enum Gap
    {
        NONE,
        OPEN,
        COVERED,
    }

    /** Whether the owner has closed the journal, and whether the journal's thread has ended. */
    private enum Life
    {
        OPEN(false, false),
        CLOSING(true, false),
        ENDING(true, false),
        STOPPED(false, true),
        ENDED(true, true);

        private final boolean closed;
        private final boolean ended;

        Life(boolean closed, boolean ended)
        {
            this.closed = closed;
            this.ended = ended;
        }
    }

    private enum Request
    {
        FLUSH,
        SNAPSHOT,
        LAST_SNAPSHOT,
    }

    // number of flush intervals between a complete snapshot and one that makes up for refused records
    private static final int GAP_SNAPSHOT_INTERVALS = 10;

    private final LongSupplier nanos;
    private final long intervalNanos;
    private final long lastSnapshotNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();

    // the lock guards all of the following fields
    private final Set<Request> requests = EnumSet.noneOf(Request.class);
    private Log log = Log.BEHIND;
    private Gap gap = Gap.NONE;
    private Life life = Life.OPEN;
    private ByteBuffer filling;
    private ByteBuffer spare;
    private long acceptedSequence;
    private long drainedSequence;
    private long settledSequence;
    private DeviceOutcome failure = DeviceOutcome.OK;
    private long failures;
    // when the records in the buffer are due
    private long flushNanos;
    // when a snapshot that a failure or a gap requires is due
    private long snapshotNanos;
    private long closingNanos;
    private long appends;
    private long appendsFull;
    private long appendsFailed;

    /** @param nanos a clock like {@link System#nanoTime} */
    AppendBuffer(JournalConfig config, LongSupplier nanos)
    {
        this.nanos = nanos;
        intervalNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, config.flushInterval().toMillis()));
        // the rest of the wait is for the work that remains then
        lastSnapshotNanos = config.closeWait().toNanos() / 2;
        filling = ByteBuffer.allocateDirect(config.bufferBytes());
        spare = ByteBuffer.allocateDirect(config.bufferBytes());
        snapshotNanos = nanos.getAsLong();
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

    private void change(Runnable change)
    {
        lock.lock();
        try {
            change.run();
        }
        finally {
            lock.unlock();
        }
    }

    AppendOutcome append(ByteBuffer record)
    {
        lock.lock();
        try {
            if (life.closed) {
                return AppendOutcome.CLOSED;
            }
            if (log == Log.FAILED) {
                appendsFailed++;
                return AppendOutcome.DEVICE_ERROR;
            }
            int bytes = Frame.LENGTH_BYTES + record.remaining();
            if (filling.remaining() < bytes) {
                appendsFull++;
                gap = Gap.OPEN;
                return AppendOutcome.FULL;
            }
            boolean wasEmpty = filling.position() == 0;
            boolean wasHalfFull = isHalfFullLocked();
            filling.putShort((short) record.remaining()).put(record);
            acceptedSequence++;
            appends++;
            if (wasEmpty) {
                flushNanos = nanos.getAsLong() + intervalNanos;
            }
            if (wasEmpty || (!wasHalfFull && isHalfFullLocked())) {
                work.signal();
            }
            return AppendOutcome.ACCEPTED;
        }
        finally {
            lock.unlock();
        }
    }

    private boolean isHalfFullLocked()
    {
        return filling.position() >= filling.capacity() / 2;
    }

    void requestSnapshot()
    {
        change(() -> {
            requests.add(Request.SNAPSHOT);
            work.signal();
        });
    }

    DeviceOutcome flush()
    {
        lock.lock();
        try {
            if (life.closed) {
                return DeviceOutcome.CLOSED;
            }
            long target = acceptedSequence;
            long failuresBefore = failures;
            while (log != Log.FOLLOWING || settledSequence < target) {
                if (life.ended) {
                    return log == Log.FAILED ? failure : DeviceOutcome.CLOSED;
                }
                if (failures > failuresBefore && log == Log.FAILED) {
                    return failure;
                }
                requests.add(Request.FLUSH);
                work.signal();
                progress.await();
            }
            return DeviceOutcome.OK;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DeviceOutcome.INTERRUPTED;
        }
        finally {
            lock.unlock();
        }
    }

    void close(boolean withSnapshot)
    {
        change(() -> {
            if (withSnapshot) {
                requests.add(Request.LAST_SNAPSHOT);
            }
            if (!life.closed) {
                life = life.ended ? Life.ENDED : Life.CLOSING;
                closingNanos = nanos.getAsLong();
            }
            work.signal();
        });
    }

    /** @param files null if there are none, because the disk failed when the journal was opened */
    JournalStats stats(@Nullable JournalFiles files)
    {
        return locked(() -> new JournalStats(
                appends,
                appendsFull,
                appendsFailed,
                files == null ? 0 : files.writtenBytes(),
                files == null ? 0 : files.failures(),
                files == null ? 0 : files.snapshots(),
                files == null ? 0 : files.logBytes(),
                files == null ? 0 : files.snapshotBytes()));
    }

    // the journal's thread calls the following methods; isWhole and waitNanos are also called by other threads

    /** Continues after the recovered records, before any record is appended. */
    void recovered(long sequence)
    {
        change(() -> {
            acceptedSequence = sequence;
            drainedSequence = sequence;
            settledSequence = sequence;
        });
    }

    /** Waits for something to do. */
    Task await()
    {
        lock.lock();
        try {
            while (true) {
                long now = nanos.getAsLong();
                Task task = dueLocked(now);
                if (task != null) {
                    return task;
                }
                try {
                    long ignored = work.awaitNanos(untilDueNanosLocked(now));
                }
                catch (InterruptedException e) {
                    // no one has a reason to interrupt the journal's thread; it continues
                }
            }
        }
        finally {
            lock.unlock();
        }
    }

    /** How long {@link #await} would wait now; 0 if it would not wait. */
    long waitNanos()
    {
        return locked(() -> {
            long now = nanos.getAsLong();
            return dueLocked(now) == null ? untilDueNanosLocked(now) : 0;
        });
    }

    private @Nullable Task dueLocked(long now)
    {
        if (life.closed) {
            return Task.END;
        }
        boolean snapshotTime = now - snapshotNanos >= 0;
        if (log == Log.FAILED) {
            return snapshotTime || requests.contains(Request.FLUSH) ? Task.SNAPSHOT : null;
        }
        if (requests.contains(Request.SNAPSHOT) || (gap == Gap.OPEN && snapshotTime)) {
            return Task.SNAPSHOT;
        }
        return isFlushDueLocked(now) ? Task.FLUSH : null;
    }

    private long untilDueNanosLocked(long now)
    {
        if (log == Log.FAILED) {
            return snapshotNanos - now;
        }
        return Math.min(
                filling.position() > 0 ? flushNanos - now : Long.MAX_VALUE,
                gap == Gap.OPEN ? snapshotNanos - now : Long.MAX_VALUE);
    }

    private boolean isFlushDueLocked(long now)
    {
        return requests.contains(Request.FLUSH) || isHalfFullLocked() || (filling.position() > 0 && now - flushNanos >= 0);
    }

    /** Whether records should be written before the snapshot in progress continues. */
    boolean isFlushDue()
    {
        return locked(() -> isFlushDueLocked(nanos.getAsLong()));
    }

    /**
     * Whether the snapshot in progress is useless: the journal closes, the logs contain everything, and the last snapshot is still to come, or is
     * late.
     */
    boolean isSnapshotInVain()
    {
        return locked(() -> life.closed && !isMissingSomeLocked()
                && !(life == Life.ENDING && nanos.getAsLong() - closingNanos < lastSnapshotNanos));
    }

    boolean isWhole()
    {
        return locked(() -> !isMissingSomeLocked() && settledSequence == acceptedSequence);
    }

    /**
     * Called at the end: whether a last snapshot is needed, because only a snapshot makes up for lost or refused records, or because the owner wants
     * one.
     */
    boolean endsWithSnapshot()
    {
        return locked(() -> {
            life = Life.ENDING;
            return requests.contains(Request.LAST_SNAPSHOT) || isMissingSomeLocked();
        });
    }

    private boolean isMissingSomeLocked()
    {
        return log != Log.FOLLOWING || gap != Gap.NONE;
    }

    boolean isFailed()
    {
        return locked(() -> log == Log.FAILED);
    }

    /** Takes all waiting records. They must be written before the next call. */
    Batch take()
    {
        return locked(() -> {
            ByteBuffer taken = filling.flip();
            filling = spare.clear();
            spare = taken;
            requests.remove(Request.FLUSH);
            Batch batch = new Batch(taken, drainedSequence + 1);
            drainedSequence = acceptedSequence;
            return batch;
        });
    }

    /** Returns the sequence number of the next record to take. */
    long nextToDrain()
    {
        return locked(() -> drainedSequence + 1);
    }

    /** Marks the taken records as forced. */
    void forced()
    {
        change(() -> {
            if (log == Log.FOLLOWING) {
                settledSequence = drainedSequence;
            }
            progress.signalAll();
        });
    }

    /** Returns the first sequence number of a log that begins after a failure, before records are accepted again. */
    long startOver()
    {
        return locked(() -> {
            requests.remove(Request.FLUSH);
            // no record has this number: even if only refused records are missing, the log must not follow the previous one
            acceptedSequence++;
            settleAllLocked();
            return drainedSequence + 1;
        });
    }

    private void settleAllLocked()
    {
        drainedSequence = acceptedSequence;
        settledSequence = acceptedSequence;
    }

    /** Accepts records again, because a new log is ready. The snapshot that begins now contains everything that was not accepted before. */
    void snapshotBegins()
    {
        change(() -> {
            log = log == Log.FAILED ? Log.BEHIND : log;
            gap = gap == Gap.OPEN ? Gap.COVERED : gap;
            requests.remove(Request.SNAPSHOT);
        });
    }

    /** Marks the taken records as replayable: either the first log is ready, or a snapshot is complete. */
    void complete()
    {
        change(() -> {
            log = Log.FOLLOWING;
            gap = gap == Gap.COVERED ? Gap.NONE : gap;
            settledSequence = drainedSequence;
            snapshotNanos = nanos.getAsLong() + GAP_SNAPSHOT_INTERVALS * intervalNanos;
            progress.signalAll();
        });
    }

    /** Discards the waiting records, gives up the unforced ones, and refuses records until a new log is ready. */
    void fail(DeviceOutcome outcome)
    {
        change(() -> {
            log = Log.FAILED;
            failure = outcome;
            failures++;
            appendsFailed += acceptedSequence - settledSequence;
            settleAllLocked();
            filling.clear();
            requests.remove(Request.FLUSH);
            snapshotNanos = nanos.getAsLong() + intervalNanos;
            progress.signalAll();
        });
    }

    /** Marks the end: nothing is written anymore. */
    void end()
    {
        change(() -> {
            life = life.closed ? Life.ENDED : Life.STOPPED;
            progress.signalAll();
        });
    }
}
