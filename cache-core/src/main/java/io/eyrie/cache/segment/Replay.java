package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.RestoreOrder;
import org.jspecify.annotations.Nullable;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Builds a {@link PageTable}'s state from its journal's records. Used by one thread, before anyone else sees the state. */
final class Replay
{
    /*
     * A record says how things are, and may come again, or after a later one's effect: a slot has one page, a page one slot, and what is in
     * the way of a record gives way. In an undamaged journal that is always gone already, so looking for it may take long.
     */
    private final Layout layout;
    private final long mostPages;
    private final SegmentOpener opener;
    private final PageIndex index;
    private final Segments segments;
    private final Scopes scopes;
    private final Pages pages;
    private final Map<Integer, Integer> invalidFiles = new HashMap<>();
    private final Map<Scope, Long> quotas = new HashMap<>();
    private long quotasVersion;
    private int youngest = Integer.MIN_VALUE;
    private long evictions;

    /** Orders the pages, and bounds their number. */
    interface Pages
    {
        /** Whether one more page, of a scope, may be added. */
        boolean hasRoom(int scope);

        /** Takes out the page that gives way; {@link PageIndex#NONE} if there is none. */
        int victim();

        /** Takes in a page that is in the index now, with the policy's state of it. */
        void added(int entry, int state);

        /** Lets a page go that is in the index still. */
        void removed(int entry);

        /** Hands over all pages, in their order. */
        void drain(RestoreOrder.Visitor visitor);
    }

    /** Opens a segment that was made before; null if there is none, or its key is not known. */
    interface SegmentOpener
    {
        @Nullable
        Segment open(int id, long generation, int slotBytes, int slots, byte[] wrappedKey);
    }

    /**
     * Fills what is empty.
     *
     * @param mostPages room is made for no more ahead, whatever the journal says of itself
     */
    Replay(Layout layout, long mostPages, SegmentOpener opener, PageIndex index, Segments segments, Scopes scopes, Pages pages)
    {
        this.layout = layout;
        this.mostPages = mostPages;
        this.opener = opener;
        this.index = index;
        this.segments = segments;
        this.scopes = scopes;
        this.pages = pages;
    }

    /** Makes room for the pages of about so many records, as far as there may be so many. */
    void expect(long records)
    {
        index.expect((int) Math.min(PageIndex.MAX_ENTRIES, Math.min(records, mostPages)));
    }

    /** Applies a record; false if it makes no sense. */
    boolean apply(ByteBuffer record)
    {
        try {
            return switch (record.get()) {
                case Records.PAGE -> page(record);
                case Records.FREE -> free(record.getInt(), record.getLong());
                case Records.SEGMENT -> segment(record);
                case Records.SEGMENT_GONE -> segmentGone(record.getInt());
                case Records.SCOPE -> scope(record.getInt(), Records.getScope(record));
                case Records.SCOPE_GONE -> scopeGone(record.getInt());
                case Records.FILE_GONE -> fileGone(record.getInt(), record.getInt());
                case Records.QUOTA -> quota(record.getLong(), record.getLong(), Records.getScope(record));
                default -> false;
            };
        }
        catch (BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
            return false;
        }
    }

    private boolean page(ByteBuffer record)
    {
        int location = record.getInt();
        long fingerprint = record.getLong();
        long granules = record.getLong();
        int scope = record.getInt();
        int stamp = record.getInt();
        int lengthBytes = record.getInt();
        int storageClass = record.get();
        byte state = record.get();
        Segment segment = segments.get(Segment.segmentOf(location));
        int slot = Segment.slotOf(location);
        boolean possible = segment != null
                && slot < segment.slots()
                && scopes.isKnown(scope)
                && lengthBytes > 0
                && lengthBytes <= layout.unitBytes()
                && layout.slotBytes(lengthBytes) == segment.slotBytes()
                && granules != 0
                && (layout.granules(lengthBytes) == Long.SIZE || granules >>> layout.granules(lengthBytes) == 0)
                && storageClass >= Records.FOOTER && storageClass <= Records.RESULT;
        if (!possible || segment == null) {
            return false;
        }
        int entry = index.find(fingerprint);
        if (entry != PageIndex.NONE && index.location(entry) == location) {
            index.publish(entry, granules);
            return true;
        }
        if (entry != PageIndex.NONE) {
            drop(entry);
        }
        if (segment.isTaken(slot)) {
            clear(location);
        }
        youngest = Math.max(youngest, stamp);
        if (!makeRoom(scope)) {
            return true;
        }
        segments.take(location);
        segment.pageAdded(storageClass, false);
        scopes.pageAdded(scope, segment.slotBytes());
        entry = index.add(fingerprint, location, scope, stamp, lengthBytes, storageClass);
        index.publish(entry, granules);
        pages.added(entry, Byte.toUnsignedInt(state));
        return true;
    }

    /** The index may have had more room when the journal was written. */
    private boolean makeRoom(int scope)
    {
        while (!pages.hasRoom(scope)) {
            int victim = pages.victim();
            evictions++;
            if (victim == PageIndex.NONE) {
                return false;
            }
            forget(victim);
        }
        return true;
    }

    private boolean free(int location, long fingerprint)
    {
        int entry = index.find(fingerprint);
        if (entry != PageIndex.NONE && index.location(entry) == location) {
            drop(entry);
        }
        return true;
    }

    private void clear(int location)
    {
        index.forEach(entry -> {
            if (index.location(entry) == location) {
                drop(entry);
            }
        });
    }

    private void drop(int entry)
    {
        pages.removed(entry);
        forget(entry);
    }

    private void forget(int entry)
    {
        int location = index.location(entry);
        Segment segment = segments.get(Segment.segmentOf(location));
        if (segment != null) {
            segments.free(location, segment);
            segment.pageRemoved(index.storageClass(entry), false);
            scopes.pageLost(index.scope(entry), segment.slotBytes());
        }
        index.remove(entry);
    }

    private boolean segment(ByteBuffer record)
    {
        int id = record.getInt();
        long generation = record.getLong();
        int slotBytes = record.getInt();
        int slots = record.getInt();
        byte[] key = new byte[Math.min(record.getInt(), record.remaining())];
        record.get(key);
        if (id < 0 || id >= Segment.MAX_SEGMENTS || slotBytes <= 0 || slotBytes % Layout.BLOCK_BYTES != 0 || slots <= 0
                || slots > Segment.MAX_SLOTS) {
            return false;
        }
        Segment before = segments.get(id);
        if (before != null && before.generation() == generation) {
            return true;
        }
        segmentGone(id);
        Segment segment = opener.open(id, generation, slotBytes, slots, key);
        if (segment == null) {
            return false;
        }
        segments.add(segment);
        return true;
    }

    private boolean segmentGone(int id)
    {
        Segment segment = segments.get(id);
        if (segment != null) {
            if (!segment.isEmpty()) {
                index.forEach(entry -> {
                    if (Segment.segmentOf(index.location(entry)) == id) {
                        drop(entry);
                    }
                });
            }
            segments.remove(segment);
        }
        return true;
    }

    private boolean scope(int id, Scope scope)
    {
        if (id < 0 || id >= Scopes.MAX_SCOPES) {
            return false;
        }
        if (scopes.isKnown(id)) {
            if (!scopes.isDead(id) && scopes.scope(id).equals(scope)) {
                return true;
            }
            dropAll(id);
        }
        scopes.restore(id, scope);
        return true;
    }

    private boolean scopeGone(int id)
    {
        if (scopes.isKnown(id)) {
            scopes.kill(id);
        }
        return true;
    }

    private void dropAll(int scope)
    {
        if (scopes.hasPages(scope)) {
            index.forEach(entry -> {
                if (index.scope(entry) == scope) {
                    drop(entry);
                }
            });
        }
    }

    private boolean fileGone(int tag, int stamp)
    {
        invalidFiles.put(tag, stamp);
        youngest = Math.max(youngest, stamp);
        return true;
    }

    private boolean quota(long version, long bytes, Scope scope)
    {
        quotasVersion = Math.max(quotasVersion, version);
        if (bytes < 0) {
            quotas.remove(scope);
        }
        else {
            quotas.put(scope, bytes);
        }
        return true;
    }

    Map<Integer, Integer> invalidFiles()
    {
        return invalidFiles;
    }

    Map<Scope, Long> quotas()
    {
        return quotas;
    }

    long quotasVersion()
    {
        return quotasVersion;
    }

    Pages pages()
    {
        return pages;
    }

    /** How many pages the index had no room for. */
    long evictions()
    {
        return evictions;
    }

    /** The youngest stamp of any page or invalidation. */
    int youngest()
    {
        return youngest;
    }
}
