// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Connects the threads that append with the journal's thread: it buffers records that wait to be written, and decides on the thread's next task.
 * Thread-safe.
 */
final class AppendBuffer
{
    /*
     * Sequence numbers   forced <= drained <= accepted. Records between drained and accepted are in the buffer.
     * After a failure    accepted records that were not forced are discarded: drained becomes accepted. Records drained from then on count as forced
     *                    only when a snapshot makes up for the missing ones.
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

    // number of flush intervals between a complete snapshot and one that makes up for refused records
    private static final int REFUSED_SNAPSHOT_INTERVALS = 10;

    private final LongSupplier nanos;
    private final long intervalNanos;
    private final long lastSnapshotNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();

    // the lock guards all of the following fields
    private ByteBuffer filling;
    private ByteBuffer spare;
    private long acceptedSequence;
    private long drainedSequence;
    private long forcedSequence;
    private long givenUpSequence;
    private boolean following;
    private DeviceOutcome failure = DeviceOutcome.OK;
    private long failures;
    private long flushNanos;
    private long retryNanos;
    private long refusedSnapshotNanos;
    private boolean refused;
    // like refused, but until the snapshot is complete
    private boolean missing;
    private boolean flushWanted;
    private boolean snapshotWanted;
    private boolean lastSnapshotWanted;
    private boolean closing;
    private long closingNanos;
    private boolean ending;
    private boolean ended;
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
        refusedSnapshotNanos = nanos.getAsLong();
    }

    AppendOutcome append(ByteBuffer record)
    {
        lock.lock();
        try {
            if (closing) {
                return AppendOutcome.CLOSED;
            }
            if (failure != DeviceOutcome.OK) {
                appendsFailed++;
                return AppendOutcome.DEVICE_ERROR;
            }
            int bytes = Frame.LENGTH_BYTES + record.remaining();
            if (filling.remaining() < bytes) {
                appendsFull++;
                refused = true;
                missing = true;
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
        lock.lock();
        try {
            snapshotWanted = true;
            work.signal();
        }
        finally {
            lock.unlock();
        }
    }

    DeviceOutcome flush()
    {
        lock.lock();
        try {
            if (closing) {
                return DeviceOutcome.CLOSED;
            }
            long target = acceptedSequence;
            long failuresBefore = failures;
            while (failure != DeviceOutcome.OK || !following || forcedSequence < target) {
                if (ended) {
                    return failure == DeviceOutcome.OK ? DeviceOutcome.CLOSED : failure;
                }
                if (failures > failuresBefore && failure != DeviceOutcome.OK) {
                    return failure;
                }
                flushWanted = true;
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
        lock.lock();
        try {
            lastSnapshotWanted |= withSnapshot;
            closingNanos = closing ? closingNanos : nanos.getAsLong();
            closing = true;
            work.signal();
        }
        finally {
            lock.unlock();
        }
    }

    /** @param files null if there are none, because the disk failed when the journal was opened */
    JournalStats stats(@Nullable JournalFiles files)
    {
        lock.lock();
        try {
            return new JournalStats(
                    appends,
                    appendsFull,
                    appendsFailed,
                    files == null ? 0 : files.writtenBytes(),
                    files == null ? 0 : files.failures(),
                    files == null ? 0 : files.snapshots(),
                    files == null ? 0 : files.logBytes(),
                    files == null ? 0 : files.snapshotBytes());
        }
        finally {
            lock.unlock();
        }
    }

    // the journal's thread calls the following methods; isWhole and waitNanos are also called by other threads

    /** Continues after the recovered records, before any record is appended. */
    void recovered(long sequence)
    {
        lock.lock();
        try {
            acceptedSequence = sequence;
            drainedSequence = sequence;
            forcedSequence = sequence;
            givenUpSequence = sequence;
        }
        finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            long now = nanos.getAsLong();
            return dueLocked(now) == null ? untilDueNanosLocked(now) : 0;
        }
        finally {
            lock.unlock();
        }
    }

    private @Nullable Task dueLocked(long now)
    {
        if (closing) {
            return Task.END;
        }
        if (failure != DeviceOutcome.OK) {
            return flushWanted || now - retryNanos >= 0 ? Task.SNAPSHOT : null;
        }
        if (snapshotWanted || (refused && now - refusedSnapshotNanos >= 0)) {
            return Task.SNAPSHOT;
        }
        return isFlushDueLocked(now) ? Task.FLUSH : null;
    }

    private long untilDueNanosLocked(long now)
    {
        if (failure != DeviceOutcome.OK) {
            return retryNanos - now;
        }
        return Math.min(
                filling.position() > 0 ? flushNanos - now : Long.MAX_VALUE,
                refused ? refusedSnapshotNanos - now : Long.MAX_VALUE);
    }

    private boolean isFlushDueLocked(long now)
    {
        return flushWanted || isHalfFullLocked() || (filling.position() > 0 && now - flushNanos >= 0);
    }

    /** Whether records should be written before the snapshot in progress continues. */
    boolean isFlushDue()
    {
        lock.lock();
        try {
            return isFlushDueLocked(nanos.getAsLong());
        }
        finally {
            lock.unlock();
        }
    }

    /**
     * Whether the snapshot in progress is useless: the journal closes, the logs contain everything, and the last snapshot is still to come, or is
     * late.
     */
    boolean isSnapshotInVain()
    {
        lock.lock();
        try {
            return closing && !isMissingSomeLocked() && !(ending && nanos.getAsLong() - closingNanos < lastSnapshotNanos);
        }
        finally {
            lock.unlock();
        }
    }

    boolean isWhole()
    {
        lock.lock();
        try {
            return !isMissingSomeLocked() && forcedSequence == acceptedSequence;
        }
        finally {
            lock.unlock();
        }
    }

    /**
     * Called at the end: whether a last snapshot is needed, because only a snapshot makes up for lost or refused records, or because the owner wants
     * one.
     */
    boolean endsWithSnapshot()
    {
        lock.lock();
        try {
            ending = true;
            return lastSnapshotWanted || isMissingSomeLocked();
        }
        finally {
            lock.unlock();
        }
    }

    private boolean isMissingSomeLocked()
    {
        return failure != DeviceOutcome.OK || !following || missing;
    }

    boolean isFailed()
    {
        lock.lock();
        try {
            return failure != DeviceOutcome.OK;
        }
        finally {
            lock.unlock();
        }
    }

    /** Takes all waiting records. They must be written before the next call. */
    Batch take()
    {
        lock.lock();
        try {
            ByteBuffer taken = filling.flip();
            filling = spare.clear();
            spare = taken;
            flushWanted = false;
            Batch batch = new Batch(taken, drainedSequence + 1);
            drainedSequence = acceptedSequence;
            return batch;
        }
        finally {
            lock.unlock();
        }
    }

    /** Returns the sequence number of the next record to take. */
    long nextToDrain()
    {
        lock.lock();
        try {
            return drainedSequence + 1;
        }
        finally {
            lock.unlock();
        }
    }

    /** Marks the taken records as forced. */
    void forced()
    {
        lock.lock();
        try {
            if (following) {
                forcedSequence = drainedSequence;
            }
            progress.signalAll();
        }
        finally {
            lock.unlock();
        }
    }

    /** Returns the first sequence number of a log that begins after a failure, before records are accepted again. */
    long startOver()
    {
        lock.lock();
        try {
            flushWanted = false;
            following = false;
            // no record has this number: even if only refused records are missing, the log must not follow the previous one
            acceptedSequence++;
            givenUpSequence = acceptedSequence;
            drainedSequence = acceptedSequence;
            return drainedSequence + 1;
        }
        finally {
            lock.unlock();
        }
    }

    /** Accepts records again, because a new log is ready. The snapshot that begins now contains everything that was not accepted before. */
    void snapshotBegins()
    {
        lock.lock();
        try {
            failure = DeviceOutcome.OK;
            snapshotWanted = false;
            refused = false;
        }
        finally {
            lock.unlock();
        }
    }

    /** Marks the taken records as replayable: either the first log is ready, or a snapshot is complete. */
    void complete()
    {
        lock.lock();
        try {
            following = true;
            missing = refused;
            forcedSequence = drainedSequence;
            refusedSnapshotNanos = nanos.getAsLong() + REFUSED_SNAPSHOT_INTERVALS * intervalNanos;
            progress.signalAll();
        }
        finally {
            lock.unlock();
        }
    }

    /** Discards the waiting records, gives up the unforced ones, and refuses records until a new log is ready. */
    void fail(DeviceOutcome outcome)
    {
        lock.lock();
        try {
            failure = outcome;
            failures++;
            long lostFrom = Math.max(givenUpSequence, forcedSequence);
            appendsFailed += acceptedSequence - lostFrom;
            givenUpSequence = acceptedSequence;
            filling.clear();
            flushWanted = false;
            following = false;
            retryNanos = nanos.getAsLong() + intervalNanos;
            progress.signalAll();
        }
        finally {
            lock.unlock();
        }
    }

    /** Marks the end: nothing is written anymore. */
    void end()
    {
        lock.lock();
        try {
            ended = true;
            progress.signalAll();
        }
        finally {
            lock.unlock();
        }
    }
}
