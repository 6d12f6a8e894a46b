// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.journal.JournalConfig;
import io.eyrie.cache.journal.JournalReader;
import io.eyrie.cache.journal.Recovery;
import io.eyrie.cache.segment.Layout;
import io.eyrie.cache.segment.StoreState;
import io.eyrie.cache.segment.StoredSegment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * The contents of a cache directory, read from its files: with or without a running owner, without the lock, and without a change on the disk. If an
 * owner is running, the contents may be as old as the flush interval.
 */
public final class StoreInspection
        implements AutoCloseable
{
    /*
     * Owner   An owner that is running replaces journal files and deletes segments. If a journal file is missing when it is opened, it has been
     *         replaced, so the journal is read again. Segments are listed after the journal was read
     */
    private static final int ATTEMPTS = 20;

    private final Path base;
    private final long usableBytes;
    private final Layout layout;
    private final boolean encrypted;
    private final StoreState state;
    private final Recovery recovery;
    private final List<Device.Entry> journalFiles;
    private final List<StoredSegment> segments;
    private final List<Path> strays;

    private StoreInspection(Path base, long usableBytes, Layout layout, boolean encrypted, ReplayedState replayed, Map<Path, Long> segmentFiles)
    {
        this.base = base;
        this.usableBytes = usableBytes;
        this.layout = layout;
        this.encrypted = encrypted;
        state = replayed.state;
        recovery = replayed.recovery;
        journalFiles = replayed.files;
        segments = state.segments(segmentFiles);
        Set<Path> named = segments.stream().map(StoredSegment::file).collect(Collectors.toSet());
        strays = segmentFiles.keySet().stream().filter(file -> !named.contains(file)).sorted().toList();
    }

    private record ReplayedState(StoreState state, Recovery recovery, List<Device.Entry> files)
    {}

    /**
     * Reads a directory's journal.
     *
     * @param base a directory that {@code cache.base-directory} names
     * @param keys for encrypted data; not used otherwise
     * @throws IOException with the reason why that is not possible, in words for an operator
     */
    public static StoreInspection open(Path base, Optional<KeyRing> keys)
            throws IOException
    {
        return open(new LocalDevice(), Files.exists(base) ? base.toRealPath() : base, keys);
    }

    static StoreInspection open(Device device, Path base, Optional<KeyRing> keys)
            throws IOException
    {
        try {
            return read(device, base, keys);
        }
        catch (DeviceException e) {
            if (e.outcome() == DeviceOutcome.DENIED) {
                throw new IOException("This user may not read " + base + ": run the command as the user of the cache's process", e);
            }
            throw e;
        }
    }

    private static StoreInspection read(Device device, Path base, Optional<KeyRing> keys)
            throws IOException
    {
        Path folder = StoreState.folder(base);
        if (listBase(device, base).stream().noneMatch(entry -> entry.directory() && entry.path().equals(folder))) {
            throw new IOException(base + " holds no cache that this version can read: there is no folder " + folder.getFileName()
                    + " in it. Name a directory of cache.base-directory");
        }
        JournalReader reader = new JournalReader(device, StoreState.journal(folder));
        Optional<JournalReader.Format> format = again(reader::format);
        boolean encrypted = format.isPresent() && format.get().encrypted();
        if (encrypted && keys.isEmpty()) {
            throw new IOException("The cache in " + base + " is encrypted: name the file of its key");
        }
        Layout layout = StoreState.layout(format)
                .orElseThrow(() -> new IOException("The cache in " + base + " has another format than " + folder.getFileName()
                        + ": use the eyrie command of the version that wrote it"));
        ReplayedState replayed = replay(device, reader, folder, layout, encrypted ? keys : Optional.empty());
        if (encrypted && replayed.recovery.keyDrops() > 0 && replayed.recovery.records() == 0) {
            replayed.state.close();
            throw new IOException("The cache in " + base + " is encrypted with a key other than the one given");
        }
        Map<Path, Long> segmentFiles = new HashMap<>();
        for (Device.Entry entry : device.list(folder)) {
            if (StoreState.isSegment(entry.path())) {
                segmentFiles.put(entry.path(), entry.lengthBytes());
            }
        }
        return new StoreInspection(base, device.usableBytes(folder), layout, encrypted, replayed, segmentFiles);
    }

    private static List<Device.Entry> listBase(Device device, Path base)
            throws IOException
    {
        try {
            return device.list(base);
        }
        catch (DeviceException e) {
            if (e.outcome() == DeviceOutcome.MISSING) {
                throw new IOException("There is no directory " + base + ". Name a directory of cache.base-directory", e);
            }
            throw e;
        }
    }

    private static ReplayedState replay(Device device, JournalReader reader, Path folder, Layout layout, Optional<KeyRing> keys)
            throws IOException
    {
        JournalConfig config = StoreState.journalConfig(layout);
        for (int attempt = 1;; attempt++) {
            List<Device.Entry> files = reader.list();
            long bytes = files.stream().mapToLong(Device.Entry::lengthBytes).sum();
            StoreState state = new StoreState(device, folder, layout, bytes, keys);
            Recovery recovery = reader.replay(config, keys, state);
            if (recovery.outcome() == DeviceOutcome.OK) {
                return new ReplayedState(state, recovery, files);
            }
            state.close();
            if (recovery.outcome() != DeviceOutcome.MISSING || attempt == ATTEMPTS) {
                throw new DeviceException(recovery.outcome(), "Reading the journal in " + folder + " failed");
            }
        }
    }

    private interface Step<T>
    {
        T run()
                throws DeviceException;
    }

    private static <T> T again(Step<T> step)
            throws DeviceException
    {
        for (int attempt = 1;; attempt++) {
            try {
                return step.run();
            }
            catch (DeviceException e) {
                if (e.outcome() != DeviceOutcome.MISSING || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Reads every granule and verifies it.
     *
     * @param keys as for {@link #open}
     * @param beforeSecondLook called if something looks damaged, before the journal and those pages are read once more; if an owner is running, it
     * waits as long as the owner may take to write its changes to the journal
     * @param progress receives the number of bytes read so far
     */
    public static Verification verify(Path base, Optional<KeyRing> keys, Runnable beforeSecondLook, LongConsumer progress)
            throws IOException
    {
        return new StoreVerifier(() -> open(base, keys)).run(beforeSecondLook, progress);
    }

    public Path base()
    {
        return base;
    }

    /** The free space on the disk. */
    public long usableBytes()
    {
        return usableBytes;
    }

    public int pageSizeBytes()
    {
        return layout.pageSizeBytes();
    }

    public int granuleSizeBytes()
    {
        return layout.granuleBytes();
    }

    public boolean isEncrypted()
    {
        return encrypted;
    }

    /** The result of reading the journal. If an owner is running, or after a crash, the newest log ends within a record. */
    public Recovery recovery()
    {
        return recovery;
    }

    public int journalFiles()
    {
        return journalFiles.size();
    }

    public long journalBytes()
    {
        return journalFiles.stream().mapToLong(Device.Entry::lengthBytes).sum();
    }

    /** Time of the last write to the journal, in milliseconds since the epoch; empty if it has no files. */
    public OptionalLong journalWrittenMillis()
    {
        return journalFiles.stream().mapToLong(Device.Entry::modifiedMillis).max();
    }

    /** All segments, by number. */
    public List<StoredSegment> segments()
    {
        return segments;
    }

    /** Segment files that the journal does not name: an owner that starts deletes them, and one that is running may have just created them. */
    public List<Path> strays()
    {
        return strays;
    }

    /**
     * The number of pages that were invalidated and whose slots are not freed yet. They are no longer found; of the other numbers here, only those of
     * taken slots include them.
     */
    public long deadPages()
    {
        return state.deadUnits();
    }

    /** Visits every page that would be found. */
    public void forEachPage(Consumer<StoredPage> action)
    {
        state.forEachUnit(unit -> action.accept(
                new StoredPage(
                        unit.tags(),
                        unit.segment(),
                        unit.lengthBytes(),
                        cachedBytes(unit.lengthBytes(), unit.granules()),
                        unit.slotBytes())));
    }

    private int cachedBytes(int lengthBytes, long granules)
    {
        int last = layout.granules(lengthBytes) - 1;
        int lastBytes = lengthBytes - last * layout.granuleBytes();
        boolean hasLast = (granules >>> last & 1) != 0;
        return Long.bitCount(granules) * layout.granuleBytes() - (hasLast ? layout.granuleBytes() - lastBytes : 0);
    }

    StoreState state()
    {
        return state;
    }

    Layout layout()
    {
        return layout;
    }

    @Override
    public void close()
    {
        state.close();
    }
}
