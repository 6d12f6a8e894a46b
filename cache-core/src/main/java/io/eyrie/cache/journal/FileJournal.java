// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/** A journal in files, whose format is docs/formats/journal-v1.md. */
public final class FileJournal
        implements Journal
{
    /*
     * Threads     Callers copy records into a buffer, under a lock that they hold only for the copy. One thread takes the buffer, writes, forces,
     *             writes snapshots, and checks the buffer between two frames of a snapshot.
     * Failure     The buffer is discarded, and so is the part of the log that cannot be trusted. Every flush interval, the thread tries to begin a
     *             log and to write a snapshot. Records are accepted again once the log is ready, which is before the snapshot begins.
     */
    private static final LimitedLog failureLog = new LimitedLog(FileJournal.class, Level.WARNING);
    private static final LimitedLog dropLog = new LimitedLog(FileJournal.class, Level.INFO);

    private final Device device;
    private final Path directory;
    private final JournalConfig config;
    private final @Nullable KeyRing keys;
    private final JournalOwner owner;
    private final AppendBuffer buffer;
    private final Threads threads;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<Recovery> recovery = new CompletableFuture<>();
    private volatile @Nullable JournalFiles files;

    private FileJournal(Device device, Path directory, JournalConfig config, @Nullable KeyRing keys, JournalOwner owner, Threads threads)
    {
        this.device = device;
        this.directory = directory;
        this.config = config;
        this.keys = keys;
        this.owner = owner;
        this.threads = threads;
        buffer = new AppendBuffer(config, threads::nanoTime);
    }

    /**
     * Opens the journal in a directory and replays it to its owner. If the disk fails meanwhile, {@link #recovery} reports it; the journal then has
     * no effect, and nothing on the disk has changed. The owner closes it and opens it again when the disk works.
     *
     * @param directory used only by the journal; is created if missing, its parent must exist
     * @param keys encrypt everything; files that are not encrypted, or with unknown keys, are dropped. If empty, encrypted files are dropped
     */
    public static FileJournal open(Device device, Path directory, JournalConfig config, Optional<KeyRing> keys, JournalOwner owner)
    {
        return open(device, directory, config, keys, owner, Threads.SYSTEM);
    }

    /** Opens a journal with the given threads. */
    public static FileJournal open(Device device, Path directory, JournalConfig config, Optional<KeyRing> keys, JournalOwner owner, Threads threads)
    {
        FileJournal journal = new FileJournal(device, directory, config, keys.orElse(null), owner, threads);
        threads.start("eyrie-journal", journal.new Work());
        try {
            // waits despite interrupts: the journal's thread does the reads, not this one
            journal.recovery.join();
        }
        catch (CompletionException e) {
            throw new IllegalStateException("The owner of the journal in " + directory + " failed while it was replayed", e.getCause());
        }
        return journal;
    }

    @Override
    public Recovery recovery()
    {
        return recovery.join();
    }

    @Override
    public AppendOutcome append(ByteBuffer record)
    {
        checkLength(record);
        return buffer.append(record);
    }

    static void checkLength(ByteBuffer record)
    {
        if (!record.hasRemaining() || record.remaining() > JournalConfig.maxRecordBytes()) {
            throw new IllegalArgumentException("A record has " + record.remaining() + " bytes, not 1 to " + JournalConfig.maxRecordBytes());
        }
    }

    @Override
    public void requestSnapshot()
    {
        buffer.requestSnapshot();
    }

    @Override
    public DeviceOutcome flush()
    {
        return buffer.flush();
    }

    @Override
    public boolean isWhole()
    {
        return buffer.isWhole();
    }

    @Override
    public boolean hasEnded()
    {
        return ended.getCount() == 0;
    }

    @Override
    public JournalStats stats()
    {
        return buffer.stats(files);
    }

    @Override
    public void close()
    {
        close(false);
    }

    @Override
    public void closeWithSnapshot()
    {
        close(true);
    }

    private void close(boolean withSnapshot)
    {
        buffer.close(withSnapshot);
        boolean unused = Threads.awaitUninterrupted(threads, ended, config.closeWait().toNanos());
    }

    /** The work of the journal's thread: it replays the files, then executes the buffer's tasks. */
    private final class Work
            implements Threads.Steps
    {
        private @Nullable JournalFiles to;

        @Override
        public boolean next()
        {
            boolean more = false;
            try {
                JournalFiles opened = to;
                more = opened == null ? begin() : goOn(opened);
            }
            catch (RuntimeException | Error e) {
                recovery.completeExceptionally(e);
                buffer.fail(DeviceOutcome.IO_ERROR);
                failureLog.log("The journal in " + directory + " has stopped because of an unexpected error", e);
            }
            finally {
                if (!more) {
                    end();
                }
            }
            return more;
        }

        @Override
        public long waitNanos()
        {
            return to == null ? 0 : buffer.waitNanos();
        }

        private boolean begin()
        {
            JournalReplay.JournalState found = new JournalReplay(device, directory, config, keys, owner).run();
            report(found.recovery());
            if (found.recovery().outcome() != DeviceOutcome.OK) {
                buffer.fail(found.recovery().outcome());
                recovery.complete(found.recovery());
                return false;
            }
            JournalFiles newFiles = new JournalFiles(device, directory, config, keys, found);
            to = newFiles;
            files = newFiles;
            buffer.recovered(found.nextSequence() - 1);
            if (found.wantsSnapshot()) {
                buffer.requestSnapshot();
            }
            recovery.complete(found.recovery());
            attempt(newFiles, () -> {
                newFiles.begin(found.nextSequence());
                buffer.complete();
            });
            return true;
        }

        private void end()
        {
            JournalFiles opened = to;
            if (opened != null) {
                opened.close();
            }
            buffer.end();
            ended.countDown();
        }
    }

    private void report(Recovery found)
    {
        if (found.outcome() != DeviceOutcome.OK) {
            failureLog.log("The journal in " + directory + " cannot be read: " + found.outcome());
        }
        else if (!found.whole()) {
            dropLog.log("Parts of the journal in " + directory + " are dropped: " + found);
        }
    }

    /** Waits for a task and executes it; returns false if the journal ends with it. */
    private boolean goOn(JournalFiles to)
    {
        AppendBuffer.Task task = buffer.await();
        boolean last = task == AppendBuffer.Task.END;
        boolean snapshot = last ? buffer.endsWithSnapshot() : task == AppendBuffer.Task.SNAPSHOT;
        attempt(to, () -> {
            if (snapshot) {
                rotate(to);
            }
            else {
                drain(to);
                if (to.wantsSnapshot()) {
                    buffer.requestSnapshot();
                }
            }
        });
        return !last;
    }

    private void drain(JournalFiles to)
            throws DeviceException
    {
        AppendBuffer.Batch batch = buffer.take();
        if (batch.records().hasRemaining()) {
            to.append(batch.records(), batch.firstSequence());
        }
        buffer.forced();
    }

    private void rotate(JournalFiles to)
            throws DeviceException
    {
        boolean following = !buffer.isFailed();
        if (following) {
            drain(to);
        }
        long firstSequence = following ? buffer.nextToDrain() : buffer.startOver();
        to.startLog(firstSequence, following);
        buffer.snapshotBegins();
        if (to.snapshot(owner, firstSequence, meanwhile(to))) {
            buffer.complete();
        }
    }

    private JournalFiles.LogHandler meanwhile(JournalFiles to)
    {
        return new JournalFiles.LogHandler() {
            @Override
            public boolean goOn()
            {
                if (buffer.isFlushDue()) {
                    attempt(to, this::drain);
                }
                return !buffer.isFailed() && !buffer.isSnapshotInVain();
            }

            @Override
            public void drain()
                    throws DeviceException
            {
                FileJournal.this.drain(to);
            }
        };
    }

    private void attempt(JournalFiles to, Step step)
    {
        try {
            step.run();
        }
        catch (DeviceException e) {
            fail(to, e.outcome(), e);
        }
        catch (RuntimeException e) {
            // thrown by the owner while it wrote a snapshot; the next one may succeed
            fail(to, DeviceOutcome.IO_ERROR, e);
        }
    }

    private void fail(JournalFiles to, DeviceOutcome outcome, Exception cause)
    {
        failureLog.log("The journal in " + directory + " failed. It is tried again", cause);
        to.countFailure();
        buffer.fail(outcome);
        to.close();
        to.deleteObsolete();
    }

    private interface Step
    {
        void run()
                throws DeviceException;
    }
}
