// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.journal.JournalConfig;
import io.eyrie.cache.journal.JournalReader;
import io.eyrie.cache.journal.ReplayTarget;
import io.eyrie.cache.policy.RestoreOrder;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The pages in a directory's journal, for read-only inspection by {@code inspection}, which fills it from a {@link JournalReader}. Not thread-safe
 * while it is filled; then any number of threads may read it.
 */
public final class StoreState
        implements ReplayTarget,
        AutoCloseable
{
    static final PageTableReplay.Pages UNORDERED = new PageTableReplay.Pages() {
        @Override
        public boolean hasRoom(int scope)
        {
            return true;
        }

        @Override
        public int victim()
        {
            return PageIndex.NONE;
        }

        @Override
        public void added(int entry, int state)
        {}

        @Override
        public void removed(int entry)
        {}

        @Override
        public void drain(RestoreOrder.Visitor visitor)
        {}
    };

    private static final int LEAST_GRANULE_SHIFT = 9;
    private static final int MOST_PAGE_BYTES = 1 << 30;
    // a page's record is longer
    private static final int RECORD_BYTES = 32;

    private final Device device;
    private final Path folder;
    private final Optional<KeyRing> keys;
    private final PageIndex index = new PageIndex();
    private final Segments segments = new Segments();
    private final Scopes scopes = new Scopes(Optional::empty);
    private final PageTableReplay replay;

    /**
     * Creates an empty state.
     *
     * @param folder the {@link #folder(Path)} of the base directory
     * @param journalBytes the length of the journal; limits the number of pages to reserve room for, whatever the journal announces
     * @param keys empty if the store is not encrypted
     */
    public StoreState(Device device, Path folder, Layout layout, long journalBytes, Optional<KeyRing> keys)
    {
        this.device = device;
        this.folder = folder;
        this.keys = keys;
        replay = new PageTableReplay(layout, journalBytes / RECORD_BYTES, this::open, index, segments, scopes, UNORDERED);
    }

    /** Returns the folder in which a base directory holds a store of the current format. */
    public static Path folder(Path base)
    {
        return base.resolve(StoreDirectory.FOLDER);
    }

    /** Returns the directory of the journal in such a folder. */
    public static Path journal(Path folder)
    {
        return folder.resolve(StoreContext.JOURNAL);
    }

    public static boolean isSegment(Path file)
    {
        return file.toString().endsWith(SegmentFiles.SUFFIX);
    }

    /** Returns the layout that a journal records, any layout if there is no journal; empty if the format is not the current one. */
    public static Optional<Layout> layout(Optional<JournalReader.Format> journal)
    {
        if (journal.isEmpty()) {
            return Optional.of(Layout.of(1 << 20, 16 << 10, false));
        }
        JournalReader.Format format = journal.get();
        int version = format.ownerVersion() / Integer.SIZE;
        int granuleShift = format.ownerVersion() % Integer.SIZE;
        int pageSizeBytes = format.pageSizeBytes();
        if (version != Records.VERSION
                || granuleShift < LEAST_GRANULE_SHIFT
                || pageSizeBytes > MOST_PAGE_BYTES
                || pageSizeBytes < 1L << granuleShift
                || Integer.bitCount(pageSizeBytes) != 1) {
            return Optional.empty();
        }
        return Optional.of(Layout.of(pageSizeBytes, 1 << granuleShift, format.encrypted()));
    }

    /** Returns the settings for reading the journal of a store of this layout. */
    public static JournalConfig journalConfig(Layout layout)
    {
        return JournalConfig.of(StoreParts.recordsVersion(layout), layout.pageSizeBytes());
    }

    /** Does not check the segment's file, which may not exist yet, or no longer. */
    private @Nullable Segment open(int id, long generation, int slotBytes, int slots, byte[] wrappedKey)
    {
        GranuleCipher cipher = keys.flatMap(ring -> ring.granuleCipher(generation, wrappedKey)).orElse(null);
        return cipher == null && (keys.isPresent() || wrappedKey.length > 0)
                ? null
                : new Segment(id, generation, slotBytes, slots, new ReadOnlyFile(device, path(id, generation)), cipher);
    }

    private Path path(int id, long generation)
    {
        return folder.resolve(SegmentFiles.name(id, generation));
    }

    @Override
    public void expect(long records)
    {
        replay.expect(records);
    }

    @Override
    public boolean replay(ByteBuffer record)
    {
        return replay.apply(record);
    }

    PageIndex index()
    {
        return index;
    }

    Scopes scopes()
    {
        return scopes;
    }

    Path path(Segment segment)
    {
        return path(segment.id(), segment.generation());
    }

    /**
     * Returns all segments, by number.
     *
     * @param fileBytes the lengths of the segment files that exist
     */
    public List<StoredSegment> segments(Map<Path, Long> fileBytes)
    {
        return segments.all()
                .stream()
                .sorted(Comparator.comparingInt(Segment::id))
                .map(segment -> stored(segment, fileBytes.get(path(segment))))
                .toList();
    }

    private StoredSegment stored(Segment segment, @Nullable Long fileBytes)
    {
        return new StoredSegment(
                segment.id(),
                path(segment),
                segment.slotBytes(),
                segment.slots(),
                segment.takenCount(),
                segment.mostFileBytes(),
                fileBytes == null ? OptionalLong.empty() : OptionalLong.of(fileBytes));
    }

    /** The number of units that were invalidated and whose slots are not freed yet. */
    public long deadUnits()
    {
        long[] live = new long[1];
        forEachLive(entry -> live[0]++);
        return index.size() - live[0];
    }

    /** Visits every unit that would be found. */
    public void forEachUnit(Consumer<StoredUnit> action)
    {
        forEachLive(entry -> visit(entry, action));
    }

    /** The same by segment and slot, so that the disk reads sequentially. */
    public void forEachUnitByLocation(Consumer<StoredUnit> action)
    {
        for (long located : byLocation()) {
            visit((int) located, action);
        }
    }

    private void visit(int entry, Consumer<StoredUnit> action)
    {
        StoredUnit unit = unit(entry);
        if (unit != null) {
            action.accept(unit);
        }
    }

    /** Returns the entries sorted by location: the location in the upper half, the entry in the lower. */
    private long[] byLocation()
    {
        long[] located = new long[index.size()];
        int[] count = new int[1];
        forEachLive(entry -> {
            located[count[0]] = (long) index.location(entry) << Integer.SIZE | entry;
            count[0]++;
        });
        Arrays.sort(located, 0, count[0]);
        return Arrays.copyOf(located, count[0]);
    }

    /** Returns the unit with this fingerprint, if it would be found. */
    public Optional<StoredUnit> find(long fingerprint)
    {
        int entry = index.find(fingerprint);
        return entry == PageIndex.NONE || isDead(entry) ? Optional.empty() : Optional.ofNullable(unit(entry));
    }

    private @Nullable StoredUnit unit(int entry)
    {
        Segment segment = segments.get(Segment.segmentOf(index.location(entry)));
        return segment == null ? null : new StoredUnit(this, segment, entry);
    }

    /** Whether a page was invalidated and its slot is not freed yet. */
    private boolean isDead(int entry)
    {
        Map<Integer, Integer> invalidFiles = replay.invalidFiles();
        Integer lastInvalid = invalidFiles.isEmpty() ? null : invalidFiles.get(Layout.fileTag(index.fingerprint(entry)));
        return scopes.isDead(index.scope(entry)) || (lastInvalid != null && index.stamp(entry) <= lastInvalid);
    }

    /** Visits the entry of every page that would be found. */
    private void forEachLive(IntConsumer action)
    {
        index.forEach(entry -> {
            if (!isDead(entry)) {
                action.accept(entry);
            }
        });
    }

    @Override
    public void close()
    {
        segments.close();
    }
}
