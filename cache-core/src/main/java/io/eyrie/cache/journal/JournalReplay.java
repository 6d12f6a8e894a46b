// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.FrameCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.Entry;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.journal.FileHeader.Kind;
import io.eyrie.cache.journal.FileHeader.Name;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Finds the files of a journal and replays their records to its owner. Changes nothing on the disk. Used once, by one thread. */
final class JournalReplay
{
    /*
     * Which    Of all readable files, those that have the identity of the newest. Of these, the newest snapshot and the logs from its number on;
     *          without a snapshot, all logs.
     * How far  Through all logs, if the first begins where the snapshot ends, or with sequence number 1, and each of the others begins where the
     *          previous one ends. Otherwise nothing is replayed, because the missing records may have undone earlier ones. A log ends at its first
     *          incomplete frame.
     */
    static final String TEMPORARY_SUFFIX = ".tmp";

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int MAX_LOGS = 16;

    private final Device device;
    private final Path directory;
    private final JournalConfig config;
    private final @Nullable KeyRing keys;
    private final ReplayTarget owner;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private final List<Path> obsolete = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private @Nullable Path snapshot;
    private long highestNumber;
    private long nextSequence = 1;
    private long logBytes;
    private long snapshotBytes;
    private long snapshotRecords;
    private long logRecords;
    private long refusedRecords;
    private int tornTails;
    private int damages;
    private int incompatibleDrops;
    private int keyDrops;
    private boolean previousKeys;
    private boolean broken;

    JournalReplay(Device device, Path directory, JournalConfig config, @Nullable KeyRing keys, ReplayTarget owner)
    {
        this.device = device;
        this.directory = directory;
        this.config = config;
        this.keys = keys;
        this.owner = owner;
    }

    /** A file whose header is valid. */
    private record Source(Path path, FileHeader header, @Nullable FrameCipher cipher)
    {
        boolean is(Kind kind)
        {
            return header.kind() == kind;
        }

        boolean belongsTo(Source other)
        {
            return header.journalHigh() == other.header.journalHigh() && header.journalLow() == other.header.journalLow();
        }
    }

    /**
     * The state from which the writer continues.
     *
     * @param snapshot the snapshot in use
     * @param logs the logs in use, oldest first
     * @param obsolete files of the journal that are not in use
     * @param wantsSnapshot whether the files in use should be replaced soon
     * @param broken whether records are missing before a log. Then nothing was replayed, and the obsolete files are deleted only when another journal
     * is ready
     */
    record JournalState(
            Recovery recovery,
            long journalHigh,
            long journalLow,
            long nextNumber,
            long nextSequence,
            @Nullable Path snapshot,
            List<Path> logs,
            List<Path> obsolete,
            long snapshotBytes,
            long logBytes,
            boolean wantsSnapshot,
            boolean broken)
    {}

    JournalState run()
    {
        DeviceOutcome outcome = DeviceOutcome.OK;
        Source newest = null;
        try {
            scan();
            newest = sources.stream().max(Comparator.comparingLong(source -> source.header().number())).orElse(null);
            if (newest != null) {
                replay(newest);
            }
        }
        catch (DeviceException e) {
            outcome = e.outcome();
        }
        boolean whole = outcome == DeviceOutcome.OK && damages == 0 && incompatibleDrops == 0 && keyDrops == 0;
        boolean used = snapshot != null || !logs.isEmpty();
        obsolete.removeAll(logs);
        obsolete.remove(snapshot);
        return new JournalState(
                new Recovery(snapshotRecords, logRecords, refusedRecords, whole, tornTails, damages, incompatibleDrops, keyDrops, outcome),
                used && newest != null ? newest.header().journalHigh() : 0,
                used && newest != null ? newest.header().journalLow() : 0,
                highestNumber + 1,
                nextSequence,
                snapshot,
                logs,
                obsolete,
                snapshotBytes,
                logBytes,
                used && (!whole || tornTails > 0 || previousKeys || logs.size() >= MAX_LOGS),
                broken);
    }

    private void scan()
            throws DeviceException
    {
        List<Entry> entries = new ArrayList<>(list());
        entries.sort(Comparator.comparing(Entry::path));
        List<Name> damaged = new ArrayList<>();
        for (Entry entry : entries) {
            String fileName = String.valueOf(entry.path().getFileName());
            boolean temporary = fileName.endsWith(TEMPORARY_SUFFIX);
            Name name = Name.parse(temporary ? fileName.substring(0, fileName.length() - TEMPORARY_SUFFIX.length()) : fileName);
            if (name == null || entry.directory()) {
                continue;
            }
            obsolete.add(entry.path());
            highestNumber = Math.max(highestNumber, name.number());
            if (!temporary && !addSource(entry.path(), name)) {
                damaged.add(name);
            }
        }
        for (Name name : damaged) {
            // a crash leaves the newest log in this state
            if (name.kind() == Kind.LOG && name.number() == highestNumber) {
                tornTails++;
            }
            else {
                damages++;
            }
        }
    }

    private List<Entry> list()
            throws DeviceException
    {
        try {
            return device.list(directory);
        }
        catch (DeviceException e) {
            if (e.outcome() == DeviceOutcome.MISSING) {
                return List.of();
            }
            throw e;
        }
    }

    /** Returns false if the header is damaged. */
    private boolean addSource(Path path, Name name)
            throws DeviceException
    {
        byte[] bytes;
        try {
            bytes = FileHeader.bytes(device, path);
        }
        catch (DeviceException e) {
            if (e.outcome() == DeviceOutcome.UNSAFE) {
                return false;
            }
            throw e;
        }
        FileHeader.State state = FileHeader.state(bytes, name, config);
        if (state == FileHeader.State.GOOD) {
            addReadable(path, FileHeader.read(bytes));
        }
        else if (state == FileHeader.State.INCOMPATIBLE) {
            incompatibleDrops++;
        }
        return state != FileHeader.State.DAMAGED;
    }

    private void addReadable(Path path, FileHeader header)
    {
        boolean encrypted = header.wrappedKey().length > 0;
        FrameCipher cipher = encrypted && keys != null ? keys.frameCipher(header.number(), header.wrappedKey()).orElse(null) : null;
        if (encrypted != (keys != null) || (encrypted && cipher == null)) {
            keyDrops++;
            return;
        }
        previousKeys |= keys != null && !keys.isCurrent(header.wrappedKey());
        sources.add(new Source(path, header, cipher));
    }

    private void replay(Source newest)
            throws DeviceException
    {
        List<Source> ours = sources.stream()
                .filter(source -> source.belongsTo(newest))
                .sorted(Comparator.comparingLong(source -> source.header().number()))
                .toList();
        damages += sources.size() - ours.size();
        Source newestSnapshot = ours.stream().filter(source -> source.is(Kind.SNAPSHOT)).reduce((first, second) -> second).orElse(null);
        long base = newestSnapshot == null ? 0 : newestSnapshot.header().number();
        long first = newestSnapshot == null ? nextSequence : newestSnapshot.header().firstSequence();
        List<Source> behind = ours.stream().filter(source -> source.is(Kind.LOG) && source.header().number() >= base).toList();
        if (!isUnbroken(behind, first)) {
            damages++;
            broken = true;
            return;
        }
        nextSequence = first;
        if (newestSnapshot != null) {
            snapshot = newestSnapshot.path();
            replaySnapshot(newestSnapshot);
        }
        for (Source log : behind) {
            replayLog(log);
        }
    }

    private boolean isUnbroken(List<Source> behind, long first)
            throws DeviceException
    {
        long next = first;
        for (int i = 0; i < behind.size(); i++) {
            if (behind.get(i).header().firstSequence() != next) {
                return false;
            }
            // no log follows the last one, so its end does not matter
            next = i == behind.size() - 1 ? next : readAll(behind.get(i), Frame::count).nextSequence();
        }
        return true;
    }

    private void replaySnapshot(Source source)
            throws DeviceException
    {
        try (DeviceFile file = device.open(source.path(), OpenMode.READ)) {
            snapshotBytes = file.lengthBytes();
            FileHeader header = source.header();
            owner.expect(header.records());
            FrameReader reader = new FrameReader(file, new Frame(header, source.cipher()), buffer);
            for (long frame = 0; frame < header.frames(); frame++) {
                if (reader.isAtEnd()) {
                    damages++;
                    break;
                }
                ByteBuffer records = reader.nextPadded(header.firstSequence());
                if (records == null) {
                    damages++;
                }
                else {
                    snapshotRecords += hand(records);
                }
            }
        }
    }

    private void replayLog(Source source)
            throws DeviceException
    {
        logs.add(source.path());
        Log log = readAll(source, this::hand);
        logRecords += log.nextSequence() - nextSequence;
        nextSequence = log.nextSequence();
        logBytes += log.bytes();
        if (!log.whole()) {
            tornTails++;
        }
    }

    /**
     * The result of reading a log to its end.
     *
     * @param nextSequence the sequence number after its last record
     * @param whole whether it ends with a whole frame
     */
    private record Log(long nextSequence, long bytes, boolean whole)
    {}

    /** @param taker receives the records of each frame, and returns their number */
    private Log readAll(Source source, ToLongFunction<ByteBuffer> taker)
            throws DeviceException
    {
        try (DeviceFile file = device.open(source.path(), OpenMode.READ)) {
            FrameReader reader = new FrameReader(file, new Frame(source.header(), source.cipher()), buffer);
            long next = source.header().firstSequence();
            ByteBuffer records = reader.next(next);
            while (records != null) {
                next += taker.applyAsLong(records);
                records = reader.next(next);
            }
            return new Log(next, file.lengthBytes(), reader.isAtEnd());
        }
    }

    private long hand(ByteBuffer records)
    {
        ByteBuffer record = records.asReadOnlyBuffer();
        int position = records.position();
        int end = records.limit();
        long count = 0;
        while (position < end) {
            int length = records.getShort(position);
            position += Frame.LENGTH_BYTES;
            record.limit(position + length).position(position);
            if (!owner.replay(record)) {
                refusedRecords++;
            }
            position += length;
            count++;
        }
        return count;
    }
}
