// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.journal.FileHeader.Kind;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** The files of a journal, as written by its thread. Only that thread uses this class, except for the counters. */
final class JournalFiles
{
    /*
     * Steps of a rotation. After a power loss between any two of them, the journal still replays everything that was forced:
     *   1  force the current log                          so that nothing of it can be missing before a later one
     *   2  create the next log: header, force, name       it follows the previous one by its first sequence number
     *   3  write and force the snapshot                   under a temporary name, which recovery ignores
     *      force the log                                  the snapshot may contain part of the changes made meanwhile
     *   4  rename the snapshot, force the name            from now on recovery begins with it and the log of step 2
     *   5  delete the older files
     * After a failure, records are missing, so the next log does not follow the previous one and counts only from step 4 on. Until then, it shows
     * recovery the gap, so it is deleted only after the log that replaces it is ready. For the same reason, the files of a journal that recovery
     * found with a gap are deleted only after the first log of the next journal is ready. A process that was killed may have left files unforced, so
     * the files that recovery read are forced before a log follows them (begin).
     */
    private final Device device;
    private final Path directory;
    private final JournalConfig config;
    private final @Nullable KeyRing keys;
    private final long journalHigh;
    private final long journalLow;
    private final ByteBuffer frameBuffer = ByteBuffer.allocateDirect(Frame.MAX_BYTES);
    private final ByteBuffer snapshotRecords = ByteBuffer.allocateDirect(Frame.MAX_RECORDS_BYTES);

    private final Set<Path> obsolete;
    private final List<Path> logs;
    // files that recovery found of a journal with a gap; obsolete once another journal is ready
    private List<Path> brokenJournal;
    private @Nullable Path snapshot;
    // the current log, if it does not follow those in logs
    private @Nullable Path looseLog;
    private @Nullable FrameWriter log;
    private long number;

    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder snapshots = new LongAdder();
    private volatile long olderLogBytes;
    private volatile long newestLogBytes;
    private volatile long snapshotBytes;

    JournalFiles(Device device, Path directory, JournalConfig config, @Nullable KeyRing keys, JournalReplay.JournalState found)
    {
        this.device = device;
        this.directory = directory;
        this.config = config;
        this.keys = keys;
        boolean fresh = found.snapshot() == null && found.logs().isEmpty();
        UUID identity = fresh ? UUID.randomUUID() : new UUID(found.journalHigh(), found.journalLow());
        journalHigh = identity.getMostSignificantBits();
        journalLow = identity.getLeastSignificantBits();
        obsolete = new LinkedHashSet<>(found.broken() ? List.of() : found.obsolete());
        brokenJournal = found.broken() ? found.obsolete() : List.of();
        logs = new ArrayList<>(found.logs());
        snapshot = found.snapshot();
        number = found.nextNumber() - 1;
        olderLogBytes = found.logBytes();
        snapshotBytes = found.snapshotBytes();
    }

    /** Makes the recovered files survive a power loss, and begins a log after them. */
    void begin(long firstSequence)
            throws DeviceException
    {
        device.createDirectory(directory);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            device.forceDirectory(parent);
        }
        for (Path path : logs) {
            try (DeviceFile file = device.open(path, OpenMode.READ)) {
                check(file.force(), path);
            }
        }
        device.forceDirectory(directory);
        startLog(firstSequence, true);
        deleteObsolete();
    }

    /**
     * Begins a log.
     *
     * @param following whether no sequence number is missing before its first
     */
    void startLog(long firstSequence, boolean following)
            throws DeviceException
    {
        close();
        deleteObsolete();
        number++;
        Path path = directory.resolve(Kind.LOG.fileName(number));
        obsolete.add(path);
        FrameWriter writer = FrameWriter.create(device, path, header(Kind.LOG, firstSequence), keys, frameBuffer);
        try {
            check(writer.writeHeader(), path);
            check(writer.force(), path);
            device.forceDirectory(directory);
            obsolete.remove(path);
            obsolete.addAll(brokenJournal);
            brokenJournal = List.of();
            if (looseLog != null) {
                obsolete.add(looseLog);
                looseLog = null;
            }
            log = writer;
        }
        finally {
            if (log == null) {
                writer.close();
            }
        }
        if (following) {
            logs.add(path);
        }
        else {
            looseLog = path;
        }
        writtenBytes.add(writer.lengthBytes());
        newestLogBytes = writer.lengthBytes();
    }

    private FileHeader header(Kind kind, long firstSequence)
    {
        return new FileHeader(
                kind,
                config.ownerVersion(),
                config.pageSizeBytes(),
                journalHigh,
                journalLow,
                number,
                firstSequence,
                new byte[0],
                0,
                0);
    }

    /** Writes records to the log and forces them. */
    void append(ByteBuffer records, long firstSequence)
            throws DeviceException
    {
        FrameWriter writer = log;
        if (writer == null) {
            throw new DeviceException(DeviceOutcome.IO_ERROR, "The journal in " + directory + " has no log");
        }
        long sequence = firstSequence;
        while (records.hasRemaining()) {
            int end = records.position();
            int count = 0;
            int next = end + Frame.LENGTH_BYTES + records.getShort(end);
            while (next - records.position() <= Frame.MAX_RECORDS_BYTES) {
                end = next;
                count++;
                if (end == records.limit()) {
                    break;
                }
                next = end + Frame.LENGTH_BYTES + records.getShort(end);
            }
            check(writer.write(records.duplicate().limit(end), count, sequence), directory);
            sequence += count;
            records.position(end);
        }
        check(writer.force(), directory);
        writtenBytes.add(writer.lengthBytes() - newestLogBytes);
        newestLogBytes = writer.lengthBytes();
    }

    /** Handles the log while a snapshot is written. */
    interface LogHandler
    {
        /** Called after each frame of the snapshot but the last; false ends it without a result. */
        boolean goOn();

        /** Called before the snapshot takes effect: forces everything appended so far. */
        void drain()
                throws DeviceException;
    }

    /**
     * Writes a snapshot, which replaces everything except the current log.
     *
     * @param firstSequence of the current log
     * @param meanwhile handles the log during the snapshot
     * @return whether it was completed
     */
    boolean snapshot(JournalOwner owner, long firstSequence, LogHandler meanwhile)
            throws DeviceException
    {
        Path path = directory.resolve(Kind.SNAPSHOT.fileName(number));
        Path temporary = directory.resolve(path.getFileName() + JournalReplay.TEMPORARY_SUFFIX);
        obsolete.add(temporary);
        long bytes;
        try (FrameWriter writer = FrameWriter.create(device, temporary, header(Kind.SNAPSHOT, firstSequence), keys, frameBuffer)) {
            SnapshotSink sink = new SnapshotSink(writer, snapshotRecords.clear(), meanwhile::goOn);
            owner.snapshot(sink);
            if (!sink.finish()) {
                check(sink.outcome(), temporary);
                return false;
            }
            check(writer.writeHeader(), temporary);
            check(writer.force(), temporary);
            bytes = writer.lengthBytes();
        }
        meanwhile.drain();
        device.rename(temporary, path);
        device.forceDirectory(directory);
        obsolete.remove(temporary);
        replaceWith(path, bytes);
        deleteObsolete();
        return true;
    }

    private void replaceWith(Path newSnapshot, long bytes)
    {
        if (snapshot != null) {
            obsolete.add(snapshot);
        }
        Path current = looseLog != null ? looseLog : logs.remove(logs.size() - 1);
        obsolete.addAll(logs);
        logs.clear();
        logs.add(current);
        looseLog = null;
        snapshot = newSnapshot;
        writtenBytes.add(bytes);
        snapshots.increment();
        snapshotBytes = bytes;
        olderLogBytes = 0;
    }

    /** Deletes the obsolete files. If that fails, they are deleted with the next log. */
    void deleteObsolete()
    {
        obsolete.removeIf(path -> {
            try {
                device.delete(path);
                return true;
            }
            catch (DeviceException e) {
                failures.increment();
                return false;
            }
        });
    }

    /** Closes the current log; nothing more is appended to it. */
    void close()
    {
        if (log != null) {
            log.close();
            log = null;
            olderLogBytes = logBytes();
            newestLogBytes = 0;
        }
    }

    /** Whether the logs have grown so much that a snapshot is cheaper to replay. */
    boolean wantsSnapshot()
    {
        return logBytes() > Math.max(config.snapshotLogBytes(), snapshotBytes);
    }

    void countFailure()
    {
        failures.increment();
    }

    long logBytes()
    {
        return olderLogBytes + newestLogBytes;
    }

    long snapshotBytes()
    {
        return snapshotBytes;
    }

    long writtenBytes()
    {
        return writtenBytes.sum();
    }

    long failures()
    {
        return failures.sum();
    }

    long snapshots()
    {
        return snapshots.sum();
    }

    private static void check(DeviceOutcome outcome, Path path)
            throws DeviceException
    {
        if (outcome != DeviceOutcome.OK) {
            throw new DeviceException(outcome, "Writing the journal in " + path + " failed");
        }
    }
}
