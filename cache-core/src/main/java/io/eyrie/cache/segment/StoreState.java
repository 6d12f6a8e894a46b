package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.journal.Replayed;
import io.eyrie.cache.policy.RestoreOrder;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The pages in a directory's journal, for read-only inspection. Not thread-safe while it is filled; then any number of threads may read it. */
final class StoreState
        implements Replayed,
        AutoCloseable
{
    static final Replay.Pages UNORDERED = new Replay.Pages() {
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

    private final Device device;
    private final Path folder;
    private final Optional<KeyRing> keys;
    private final PageIndex index = new PageIndex();
    private final Segments segments = new Segments();
    private final Scopes scopes = new Scopes(Optional::empty);
    private final Replay replay;

    /** @param mostPages maximum number of pages to reserve room for */
    StoreState(Device device, Path folder, Layout layout, long mostPages, Optional<KeyRing> keys)
    {
        this.device = device;
        this.folder = folder;
        this.keys = keys;
        replay = new Replay(layout, mostPages, this::open, index, segments, scopes, UNORDERED);
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

    Segments segments()
    {
        return segments;
    }

    Scopes scopes()
    {
        return scopes;
    }

    Path path(Segment segment)
    {
        return path(segment.id(), segment.generation());
    }

    /** Whether a page was invalidated and its slot is not freed yet. */
    boolean isDead(int entry)
    {
        Map<Integer, Integer> invalidFiles = replay.invalidFiles();
        Integer lastInvalid = invalidFiles.isEmpty() ? null : invalidFiles.get(Layout.fileTag(index.fingerprint(entry)));
        return scopes.isDead(index.scope(entry)) || (lastInvalid != null && index.stamp(entry) <= lastInvalid);
    }

    /** Visits every page that would be found. */
    void forEachLive(IntConsumer action)
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
