package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.log.LimitedLog;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A journal in files: docs/formats/journal-v1.md. */
public final class FileJournal
        implements Journal
{
    /*
     * Threads     Callers put records into a buffer, under a lock that is held for the copy alone. One thread takes the buffer, writes, forces,
     *             writes snapshots, and looks after the buffer between two frames of a snapshot.
     * Failure     The buffer and what cannot be trusted of the log are given up; every flush interval the thread tries to begin a log and to
     *             write a snapshot. Records are accepted again from the moment the log stands, which is before the snapshot begins.
     */
    private static final LimitedLog failureLog = new LimitedLog(FileJournal.class, Level.WARNING);
    private static final LimitedLog dropLog = new LimitedLog(FileJournal.class, Level.INFO);

    private final Device device;
    private final Path directory;
    private final JournalConfig config;
    private final @Nullable KeyRing keys;
    private final Journaled owner;
    private final AppendBuffer buffer;
    private final Thread thread;
    private final CompletableFuture<Recovery> recovery = new CompletableFuture<>();
    private volatile @Nullable JournalFiles files;

    private FileJournal(Device device, Path directory, JournalConfig config, @Nullable KeyRing keys, Journaled owner)
    {
        this.device = device;
        this.directory = directory;
        this.config = config;
        this.keys = keys;
        this.owner = owner;
        buffer = new AppendBuffer(config);
        thread = new Thread(null, this::run, "eyrie-journal", 0, false);
        thread.setDaemon(true);
    }

    /**
     * Replays the journal in a directory to its owner, and opens it for more. Where the disk fails meanwhile, the journal says so in {@link #recovery}
     * and stays without effect, with nothing on the disk changed; the owner closes it and opens it again when the disk is well.
     *
     * @param directory for the journal alone; is made if it is missing, its parent must exist
     * @param keys encrypt everything; what is there unencrypted, or with other keys, is dropped. Empty: the other way round
     */
    public static FileJournal open(Device device, Path directory, JournalConfig config, Optional<KeyRing> keys, Journaled owner)
    {
        FileJournal journal = new FileJournal(device, directory, config, keys.orElse(null), owner);
        journal.thread.start();
        try {
            // waits through interrupts; the opener is not the one who reads
            journal.recovery.join();
        }
        catch (CompletionException e) {
            throw new IllegalStateException("Replaying the journal in " + directory + " failed in its owner", e.getCause());
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
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + config.closeWait().toNanos();
        long nanos = config.closeWait().toNanos();
        while (thread.isAlive() && nanos > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
            }
            catch (InterruptedException e) {
                interrupted = true;
            }
            nanos = deadlineNanos - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try {
            Replay.Found found = new Replay(device, directory, config, keys, owner).run();
            report(found.recovery());
            if (found.recovery().outcome() != DeviceOutcome.OK) {
                buffer.fail(found.recovery().outcome());
                recovery.complete(found.recovery());
                return;
            }
            JournalFiles newFiles = new JournalFiles(device, directory, config, keys, found);
            files = newFiles;
            buffer.recovered(found.nextSequence() - 1);
            if (found.wantsSnapshot()) {
                buffer.requestSnapshot();
            }
            recovery.complete(found.recovery());
            write(newFiles, found.nextSequence());
        }
        catch (RuntimeException | Error e) {
            recovery.completeExceptionally(e);
            buffer.fail(DeviceOutcome.IO_ERROR);
            failureLog.log("The journal in " + directory + " has ended", e);
        }
        finally {
            JournalFiles opened = files;
            if (opened != null) {
                opened.close();
            }
            buffer.end();
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

    private void write(JournalFiles to, long firstSequence)
    {
        attempt(to, () -> {
            to.begin(firstSequence);
            buffer.complete();
        });
        AppendBuffer.Task task = buffer.await();
        while (task != AppendBuffer.Task.END) {
            boolean snapshot = task == AppendBuffer.Task.SNAPSHOT;
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
            task = buffer.await();
        }
        attempt(to, () -> {
            if (buffer.endsWithSnapshot()) {
                rotate(to);
            }
            else {
                drain(to);
            }
        });
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

    private JournalFiles.Meanwhile meanwhile(JournalFiles to)
    {
        return new JournalFiles.Meanwhile() {
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
            // the owner's, while it wrote a snapshot; the next one may succeed
            fail(to, DeviceOutcome.IO_ERROR, e);
        }
    }

    private void fail(JournalFiles to, DeviceOutcome outcome, Exception cause)
    {
        failureLog.log("The journal in " + directory + " fails, and is tried again", cause);
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
