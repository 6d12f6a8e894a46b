// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.RestoreOrder;
import org.jspecify.annotations.Nullable;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Builds a {@link PageTable}'s state from its journal's records. Used by one thread, before any other sees the state. */
final class PageTableReplay
{
    /*
     * A record describes a state. It may repeat, or come after the effect of a later record: a slot has one page, a page one slot, and anything that
     * conflicts with a record is dropped. In an undamaged journal the conflict has always been removed before, so it does not matter that searching
     * for it may take long.
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

    /** Orders the pages and limits their number. */
    interface Pages
    {
        /** Whether one more page of a scope may be added. */
        boolean hasRoom(int scope);

        /** Takes out the page to evict; {@link PageIndex#NONE} if there is none. */
        int victim();

        /** Adds a page that is now in the index, with the policy's state for it. */
        void added(int entry, int state);

        /** Removes a page that is still in the index. */
        void removed(int entry);

        /** Passes all pages to a visitor, in their order. */
        void drain(RestoreOrder.Visitor visitor);
    }

    /** Opens an existing segment; null if there is none, or its key is unknown. */
    interface SegmentOpener
    {
        @Nullable
        Segment open(int id, long generation, int slotBytes, int slots, byte[] wrappedKey);
    }

    /**
     * Replays into structures that are empty.
     *
     * @param mostPages maximum number of pages to reserve room for, whatever the journal announces
     */
    PageTableReplay(Layout layout, long mostPages, SegmentOpener opener, PageIndex index, Segments segments, Scopes scopes, Pages pages)
    {
        this.layout = layout;
        this.mostPages = mostPages;
        this.opener = opener;
        this.index = index;
        this.segments = segments;
        this.scopes = scopes;
        this.pages = pages;
    }

    /** Reserves room for the pages of about this many records, up to the maximum. */
    void expect(long records)
    {
        index.expect((int) Math.min(PageIndex.MAX_ENTRIES, Math.min(records, mostPages)));
    }

    /** Applies a record; returns false if it is invalid. */
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

    /** Makes room in the index for a page: the index may have had more room when the journal was written. */
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
        if (invalidFiles.size() >= InvalidFiles.MOST) {
            index.forEach(entry -> {
                Integer last = invalidFiles.get(Layout.fileTag(index.fingerprint(entry)));
                if (last != null && index.stamp(entry) <= last) {
                    drop(entry);
                }
            });
            invalidFiles.clear();
        }
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

    /** The number of pages for which the index had no room. */
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
