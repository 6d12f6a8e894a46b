// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionPolicy;
import io.eyrie.cache.segment.Scopes.ScopeQuota;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ScopeUsage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Manages the pages of one directory: which pages there are, where they are stored, and which are evicted for others. Called under the lock of the
 * {@link PageTable}, unless stated otherwise.
 */
final class PageSpace
{
    /*
     * Dead        pages of a dead scope, of an invalidated file, or past their TTL are not found. A sweep frees their slots, step by step: in the
     *             background, and one step before a live page is evicted
     * Room        for a slot comes from, in this order: free slots of its size; new slots, within the capacity; dead pages; victims of the policy.
     *             Once the free slots of other sizes amount to a segment, the segment with the fewest bytes taken is dropped instead
     * Index       a page needs room in the index before it gets a slot: dead pages are dropped first, then victims of the policy
     * Unpublished a page without granules is being written; it is not in the policy
     */
    private static final int TRIM_STEP = 256;
    private static final int MOST_UNITS = 64;

    private final TableSettings settings;
    private final SegmentFiles files;
    private final TableCounters counters;
    private final Consumer<ByteBuffer> log;
    private final PageIndex index = new PageIndex();
    private final Segments segments = new Segments();
    private final Scopes scopes;
    private final EvictionPolicy policy;
    private final Eviction eviction;
    private final FreeSpace freeSpace;
    private final Records records = new Records();
    private final Writers writers = new Writers();
    private final InvalidFiles invalidFiles = new InvalidFiles();
    private final Sweep sweep;

    /** Data that the policy requests about its pages. */
    private final class EntryInfo
            implements EvictionPolicy.EntryInfo
    {
        @Override
        public long hash(int entry)
        {
            return Mix.mix(index.fingerprint(entry));
        }

        @Override
        public int weightBytes(int entry)
        {
            return segmentOf(entry).slotBytes();
        }
    }

    /** @param log receives the records of all changes */
    PageSpace(TableSettings settings, SegmentFiles files, TableCounters counters, Consumer<ByteBuffer> log)
    {
        this.settings = settings;
        this.files = files;
        this.counters = counters;
        this.log = log;
        scopes = new Scopes(settings::defaultQuota);
        policy = settings.newPolicy(new EntryInfo());
        eviction = new Eviction(policy);
        freeSpace = new FreeSpace(settings, files::usableBytes);
        sweep = new Sweep(index, settings, invalidFiles, this::dropIfDead);
    }

    /** Also for readers without the lock. */
    PageIndex index()
    {
        return index;
    }

    /** Also for readers without the lock. */
    Segments segments()
    {
        return segments;
    }

    Scopes scopes()
    {
        return scopes;
    }

    Eviction eviction()
    {
        return eviction;
    }

    /** Also for readers without the lock, which must not drain it. */
    EvictionPolicy policy()
    {
        return policy;
    }

    /** Whether a page with these properties must no longer be found. Without the lock. */
    boolean isDead(long fingerprint, int scope, int stamp)
    {
        return scopes.isDead(scope) || invalidFiles.contains(fingerprint, stamp) || isExpired(scope, stamp);
    }

    private boolean isExpired(int scope, int stamp)
    {
        return settings.isExpired(stamp) && !scopes.isOfRecords(scope);
    }

    boolean isDead(int entry)
    {
        return isDead(index.fingerprint(entry), index.scope(entry), index.stamp(entry));
    }

    private Segment segmentOf(int entry)
    {
        return requireNonNull(segments.get(Segment.segmentOf(index.location(entry))));
    }

    /** Adds an unpublished page; returns {@link PageIndex#NONE} if there is no room for it. */
    int create(Unit unit, PageTags tags, int lengthBytes)
    {
        if (!fitIndex(tags.scope())) {
            counters.memoryDecline();
            return PageIndex.NONE;
        }
        int slotBytes = settings.layout().slotBytes(lengthBytes);
        int scope = scopes.find(tags.scope());
        if (scope == Scopes.NONE) {
            scope = scopes.add(tags.scope());
            log.accept(records.scope(scope, tags.scope()));
        }
        // counted now, so that making room does not free the scope's number
        scopes.pageAdded(scope, slotBytes);
        int location = fitQuotas(scope) ? takeSlot(slotBytes) : PageIndex.NONE;
        if (location == PageIndex.NONE) {
            pageRemoved(scope, slotBytes);
            return PageIndex.NONE;
        }
        int storageClass = Records.code(tags.storageClass());
        requireNonNull(segments.get(Segment.segmentOf(location))).pageAdded(storageClass, scopes.isPinned(scope));
        int stamp = invalidFiles.stamp(Layout.fileTag(unit.fingerprint()), settings.nowSeconds());
        return index.add(unit.fingerprint(), location, scope, stamp, lengthBytes, storageClass);
    }

    /** Makes room in the index for a page of a scope; returns false if that is impossible. */
    private boolean fitIndex(Scope scope)
    {
        long mostBytes = settings.indexMemoryBytes();
        while (memoryBytes() + TableSettings.memoryBytes(scopes.find(scope) != Scopes.NONE) > mostBytes) {
            if (!sweep.step()) {
                int victim = eviction.indexVictim();
                if (victim == PageIndex.NONE) {
                    return false;
                }
                counters.indexEviction();
                evictForLimit(victim);
            }
        }
        return true;
    }

    private boolean fitQuotas(int scope)
    {
        for (ScopeQuota quota : scopes.quotas(scope)) {
            while (!quota.hasRoom(0)) {
                int victim = eviction.victim(quota);
                if (victim == PageIndex.NONE) {
                    return false;
                }
                evictForLimit(victim);
            }
        }
        return true;
    }

    /** Reserves a page's slot until {@link #unpin}, for a writer of some granules that no one else writes. */
    Pin pin(int entry, long granules, long bytes)
    {
        freeSpace.begin(bytes);
        return writers.begin(entry, index.location(entry), segmentOf(entry), granules);
    }

    /** The granules of a page that other writers are writing. */
    long writing(int entry)
    {
        return writers.writing(entry);
    }

    /** Ends a writer's part, before its granules are published. */
    void unpin(Pin pin, long granules, long bytes)
    {
        freeSpace.end(bytes);
        if (writers.end(pin, granules)) {
            segments.free(pin.location(), pin.segment());
        }
    }

    /** Publishes granules whose bytes have been written. */
    void publish(int entry, long granules)
    {
        boolean first = index.granules(entry) == 0;
        index.publish(entry, granules);
        if (first) {
            eviction.add(entry, scopes.quotas(index.scope(entry)), index.storageClass(entry));
        }
        else {
            // a reader requested this page, although another range of it than before
            boolean unused = policy.hit(entry);
        }
        log.accept(records.page(index, entry, eviction.state(entry)));
    }

    /** Evicts a page that the policy has already removed. */
    private void evict(int victim)
    {
        counters.eviction(index.fingerprint(victim));
        forget(victim);
    }

    /** Evicts a page that the policy has already removed, for a quota or the index. */
    private void evictForLimit(int victim)
    {
        counters.evictionForLimit(index.fingerprint(victim));
        forget(victim);
    }

    void drop(int entry)
    {
        if (index.granules(entry) != 0) {
            eviction.remove(entry, scopes.quotas(index.scope(entry)), index.storageClass(entry));
        }
        forget(entry);
    }

    private void forget(int entry)
    {
        int location = index.location(entry);
        long fingerprint = index.fingerprint(entry);
        int scope = index.scope(entry);
        Segment segment = segmentOf(entry);
        segment.pageRemoved(index.storageClass(entry), scopes.isPinned(scope));
        boolean published = index.granules(entry) != 0;
        index.remove(entry);
        if (writers.drop(entry)) {
            segments.free(location, segment);
        }
        if (published) {
            log.accept(records.free(location, fingerprint));
        }
        pageRemoved(scope, segment.slotBytes());
    }

    private void pageRemoved(int scope, long slotBytes)
    {
        if (scopes.pageRemoved(scope, slotBytes)) {
            log.accept(records.scopeGone(scope));
        }
    }

    private int takeSlot(int slotBytes)
    {
        while (true) {
            int location = segments.takeFree(slotBytes);
            if (location == PageIndex.NONE && segments.allocatedBytes() + slotBytes <= settings.capacityBytes()) {
                location = takeNew(slotBytes);
            }
            if (location != PageIndex.NONE) {
                return location;
            }
            if (!sweep.step() && !giveUp()) {
                return PageIndex.NONE;
            }
        }
    }

    private int takeNew(int slotBytes)
    {
        int location = segments.takeNew(slotBytes);
        if (location != PageIndex.NONE) {
            return location;
        }
        int id = segments.freeId();
        int slots = (int) Math.max(1, Math.min(Segment.MAX_SLOTS, settings.segmentBytes() / slotBytes));
        Segment segment = id < 0 ? null : files.create(id, slotBytes, slots);
        if (segment == null) {
            return PageIndex.NONE;
        }
        segments.add(segment);
        log.accept(records.segment(segment));
        return segments.takeNew(slotBytes);
    }

    /** Evicts a page, or drops a segment that holds little; returns false if there is nothing left to evict. */
    private boolean giveUp()
    {
        Segment sparsest = segments.sparsest(true);
        if (sparsest != null && (sparsest.isEmpty() || (!sparsest.isPinned() && segments.freeBytes() >= settings.segmentBytes()))) {
            dropSegment(sparsest);
            return true;
        }
        int victim = eviction.victim();
        if (victim == PageIndex.NONE) {
            return false;
        }
        evict(victim);
        return true;
    }

    private void dropSegment(Segment segment)
    {
        if (!segment.isEmpty()) {
            index.forEach(entry -> {
                if (Segment.segmentOf(index.location(entry)) == segment.id()) {
                    counters.eviction(index.fingerprint(entry));
                    drop(entry);
                }
            });
        }
        deleteSegment(segment);
    }

    /** Deletes a segment that has no pages. */
    private void deleteSegment(Segment segment)
    {
        freeSpace.freed(segment.diskBytes());
        segments.remove(segment);
        log.accept(records.segmentGone(segment.id()));
        files.delete(segment);
    }

    /** Drops segments until the disk has, or will soon have, room for these bytes beside the space that must stay free; returns whether it has it now. */
    boolean leaveFreeSpace(long bytes)
    {
        FreeSpace.Room room = freeSpace.room(bytes);
        for (Segment sparsest = segments.sparsest(false); room == FreeSpace.Room.MISSING && sparsest != null; sparsest = segments.sparsest(false)) {
            dropSegment(sparsest);
            room = freeSpace.room(bytes);
        }
        if (room != FreeSpace.Room.THERE) {
            counters.spaceDecline();
        }
        return room == FreeSpace.Room.THERE;
    }

    /** Takes a step towards the quotas and the capacity; returns whether more steps are needed. */
    boolean trim()
    {
        int steps = 0;
        while (steps < TRIM_STEP && trimOne()) {
            steps++;
        }
        return steps == TRIM_STEP;
    }

    private boolean trimOne()
    {
        int victim = PageIndex.NONE;
        ScopeQuota quota = scopes.exceeded();
        if (quota != null) {
            victim = eviction.victim(quota);
            victim = victim == PageIndex.NONE ? eviction.pinnedVictim(quota) : victim;
        }
        if (victim != PageIndex.NONE) {
            evictForLimit(victim);
            return true;
        }
        if (segments.allocatedBytes() > settings.capacityBytes()) {
            shrink();
            return true;
        }
        return false;
    }

    /**
     * Drops the segments with the fewest bytes of pages that would remain if pages were evicted one by one. Pages that would have been evicted but
     * are in another segment remain too: they are the next victims.
     */
    private void shrink()
    {
        BitSet leaving = new BitSet(index.entries());
        int[] inOrder = new int[index.size()];
        long[] stayingBytes = new long[Segment.MAX_SEGMENTS];
        segments.all().forEach(segment -> stayingBytes[segment.id()] = segment.takenBytes());
        int count = 0;
        for (long excess = segments.takenBytes() - settings.capacityBytes(); excess > 0; count++) {
            int victim = eviction.victim();
            victim = victim == PageIndex.NONE ? eviction.pinnedVictim() : victim;
            if (victim == PageIndex.NONE) {
                break;
            }
            inOrder[count] = victim;
            leaving.set(victim);
            Segment segment = segmentOf(victim);
            stayingBytes[segment.id()] -= segment.slotBytes();
            excess -= segment.slotBytes();
        }
        List<Segment> dropped = segments.cheapest(settings.capacityBytes(), stayingBytes);
        BitSet ids = new BitSet();
        dropped.forEach(segment -> ids.set(segment.id()));
        index.forEach(entry -> {
            if (ids.get(Segment.segmentOf(index.location(entry)))) {
                counters.eviction(index.fingerprint(entry));
                if (leaving.get(entry)) {
                    forget(entry);
                }
                else {
                    drop(entry);
                }
            }
        });
        dropped.forEach(this::deleteSegment);
        int[] left = Arrays.copyOf(inOrder, count);
        regroup(() -> Arrays.stream(left).filter(entry -> index.isUsed(entry) && leaving.get(entry)).forEach(entry -> restore(entry, 0)));
    }

    boolean isSweeping()
    {
        return sweep.isActive();
    }

    /** Starts to look for expired pages. */
    void startExpiring()
    {
        if (settings.expires() && !sweep.isActive()) {
            sweep.request();
        }
    }

    /** Examines some pages and drops dead ones; returns whether there are more to examine in this round. */
    boolean sweep()
    {
        return sweep.advance();
    }

    private boolean dropIfDead(int entry)
    {
        boolean dead = index.isUsed(entry) && isDead(entry);
        if (dead) {
            if (isExpired(index.scope(entry), index.stamp(entry))) {
                counters.expiration();
            }
            drop(entry);
        }
        return dead;
    }

    /** Makes the pages of a file unfindable, given the fingerprint of its first page. */
    void invalidateFile(long fingerprint)
    {
        int tag = Layout.fileTag(fingerprint);
        log.accept(records.fileGone(tag, invalidFiles.add(tag, settings.nowSeconds())));
        // this finds the pages of a small file
        int entry = index.find(fingerprint);
        for (int unit = 1; entry != PageIndex.NONE && unit <= MOST_UNITS; unit++) {
            drop(entry);
            entry = index.find(Layout.sibling(fingerprint, unit));
        }
        if (index.mayHaveFile(tag)) {
            sweep.request();
        }
        sweep.completeIfFull();
    }

    /** Makes the pages of this scope, and of all scopes within it, unfindable. */
    void invalidate(Scope scope)
    {
        List<Integer> dead = scopes.invalidate(scope);
        if (!dead.isEmpty()) {
            dead.forEach(id -> log.accept(records.scopeGone(id)));
            sweep.request();
        }
    }

    /** Replaces the quotas, and regroups the pages that they bind. */
    void bindQuotas(Map<Scope, Long> quotas)
    {
        regroup(() -> scopes.setQuotas(quotas));
    }

    /** Replaces the pins: pages within these scopes are not evicted to make room for others. */
    void setPins(Set<Scope> pins)
    {
        regroup(() -> scopes.setPins(pins));
        segments.all().forEach(Segment::forgetPins);
        index.forEach(entry -> segmentOf(entry).pinned(scopes.isPinned(index.scope(entry))));
    }

    /* Changes how pages are grouped; they retain their order. */
    private void regroup(Runnable change)
    {
        int[] inOrder = inOrder();
        byte[] states = new byte[inOrder.length];
        for (int i = 0; i < inOrder.length; i++) {
            states[i] = (byte) eviction.state(inOrder[i]);
        }
        for (int entry : inOrder) {
            eviction.remove(entry, scopes.quotas(index.scope(entry)), index.storageClass(entry));
        }
        change.run();
        for (int i = 0; i < inOrder.length; i++) {
            restore(inOrder[i], Byte.toUnsignedInt(states[i]));
        }
    }

    private void restore(int entry, int state)
    {
        eviction.restore(entry, scopes.quotas(index.scope(entry)), index.storageClass(entry), state);
    }

    /** Adds the contents of the entries in a range of numbers; returns whether there are more entries. */
    boolean addContents(Map<PageTags, ScopeUsage> held, int from, int to)
    {
        int end = Math.min(to, index.entries());
        for (int entry = from; entry < end; entry++) {
            if (index.isUsed(entry) && index.granules(entry) != 0 && !isDead(entry)) {
                PageTags tags = new PageTags(scopes.scope(index.scope(entry)), Records.storageClass(index.storageClass(entry)));
                held.merge(tags, new ScopeUsage(1, segmentOf(entry).slotBytes()), ScopeUsage::plus);
            }
        }
        return end == to;
    }

    /** Returns all published pages, the next victims first. */
    int[] inOrder()
    {
        int[] inOrder = new int[index.size()];
        int[] count = {0};
        eviction.forEach(entry -> inOrder[count[0]++] = entry);
        return Arrays.copyOf(inOrder, count[0]);
    }

    /** Starts a replay that builds this space from its journal. */
    PageTableReplay startReplay()
    {
        index.startFilling();
        return new PageTableReplay(
                settings.layout(),
                settings.indexMemoryBytes() / TableSettings.BYTES_PER_PAGE,
                files::open,
                index,
                segments,
                scopes,
                new RecoveredPages(settings, index, scopes, policy));
    }

    /** Completes a replay, under quotas that are already set; returns how many pages were dropped because they are dead. */
    int endReplay(PageTableReplay replay)
    {
        index.endFilling();
        int latestStamp = settings.latestStamp(settings.nowSeconds());
        invalidFiles.restore(replay.invalidFiles(), Math.min(replay.youngest(), latestStamp));
        replay.pages().drain(this::restore);
        counters.indexEvictions(replay.evictions());
        int pages = index.size();
        index.forEach(entry -> {
            if (isDead(entry)) {
                drop(entry);
            }
        });
        invalidFiles.forget(settings.nowSeconds());
        invalidFiles.forgetAfter(latestStamp);
        scopes.freeUnused();
        segments.cut();
        return pages - index.size();
    }

    /** The memory of the index only, as it counts towards its limit. */
    long memoryBytes()
    {
        return memoryBytes(index, scopes);
    }

    static long memoryBytes(PageIndex index, Scopes scopes)
    {
        return (long) index.size() * TableSettings.BYTES_PER_PAGE + (long) scopes.size() * Scopes.BYTES_PER_SCOPE;
    }
}
