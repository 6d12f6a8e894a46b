package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.Held;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.policy.EvictionPolicy;
import io.eyrie.cache.segment.Scopes.Quota;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Which pages there are in one directory, where they lie, and which leave for others. Called under the lock of the
 * {@link PageTable}, but for what says otherwise.
 */
final class PageSpace
{
    /*
     * Dead        pages of a dead scope, of an invalidated file, or past their time are not found. A sweep, step by step, frees
     *             their slots: in the background, and a step of it before anything that lives is evicted
     * Room        of a slot size: free slots; new slots, within the capacity; dead pages; then what the policy gives, and where slots of
     *             other sizes are left over by that, up to one segment of them, the segment that holds the least
     * Index       a page has room in the index, too, before it gets a slot: dead pages give way, then what the policy gives
     * Unpublished a page without granules is being written; it is not in the policy
     */
    private static final int SWEEP_STEP = 1024;
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
    private int sweepNext;
    private int sweepLeft;
    private int sweepEntries;

    /** What the policy asks about pages that are in it. */
    private final class Entries
            implements EvictionPolicy.Entries
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

    /** @param log takes the records of all changes */
    PageSpace(TableSettings settings, SegmentFiles files, TableCounters counters, Consumer<ByteBuffer> log)
    {
        this.settings = settings;
        this.files = files;
        this.counters = counters;
        this.log = log;
        scopes = new Scopes(settings::defaultQuota);
        policy = settings.newPolicy(new Entries());
        eviction = new Eviction(policy);
        freeSpace = new FreeSpace(settings, files::usableBytes);
    }

    /** For readers without the lock, too. */
    PageIndex index()
    {
        return index;
    }

    /** For readers without the lock, too. */
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

    /** For readers without the lock, too: but not to be drained without. */
    EvictionPolicy policy()
    {
        return policy;
    }

    /** Whether a page of these properties is not to be found any more. Without the lock. */
    boolean isDead(long fingerprint, int scope, int stamp)
    {
        return scopes.isDead(scope) || invalidFiles.contains(fingerprint, stamp) || settings.isExpired(stamp);
    }

    boolean isDead(int entry)
    {
        return isDead(index.fingerprint(entry), index.scope(entry), index.stamp(entry));
    }

    private Segment segmentOf(int entry)
    {
        return requireNonNull(segments.get(Segment.segmentOf(index.location(entry))));
    }

    /** Adds a page, unpublished; {@link PageIndex#NONE} if there is no room for it. */
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
        // counted at once, so that making room does not free the scope's number
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

    /** Makes room in the index for a page of a scope. */
    private boolean fitIndex(Scope scope)
    {
        long mostBytes = settings.indexMemoryBytes();
        while (memoryBytes() + TableSettings.memoryBytes(scopes.find(scope) != Scopes.NONE) > mostBytes) {
            if (!sweepSome()) {
                int victim = eviction.indexVictim();
                if (victim == PageIndex.NONE) {
                    return false;
                }
                counters.indexEviction();
                evict(victim);
            }
        }
        return true;
    }

    private boolean fitQuotas(int scope)
    {
        for (Quota quota : scopes.quotas(scope)) {
            while (!quota.hasRoom(0)) {
                int victim = eviction.victim(quota);
                if (victim == PageIndex.NONE) {
                    return false;
                }
                evict(victim);
            }
        }
        return true;
    }

    /** Keeps a page's slot for a writer of some granules, which nobody else writes, until {@link #unpin}. */
    Pin pin(int entry, long granules, long bytes)
    {
        freeSpace.begin(bytes);
        return writers.begin(entry, index.location(entry), segmentOf(entry), granules);
    }

    /** The granules of a page that others write. */
    long writing(int entry)
    {
        return writers.writing(entry);
    }

    /** Ends a writer's part, before what it wrote is published. */
    void unpin(Pin pin, long granules, long bytes)
    {
        freeSpace.end(bytes);
        if (writers.end(pin, granules)) {
            segments.free(pin.location(), pin.segment());
        }
    }

    /** Makes granules findable, whose bytes are written. */
    void publish(int entry, long granules)
    {
        boolean first = index.granules(entry) == 0;
        index.publish(entry, granules);
        if (first) {
            eviction.add(entry, scopes.quotas(index.scope(entry)), index.storageClass(entry));
        }
        else {
            // somebody has read it, if another part of it than before
            boolean unused = policy.hit(entry);
        }
        log.accept(records.page(index, entry, eviction.state(entry)));
    }

    /** Drops a page to make room; the policy has given it. */
    private void evict(int victim)
    {
        counters.eviction(index.fingerprint(victim));
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
            if (!sweepSome() && !giveUp()) {
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

    /** Gives up a page, or a segment that holds little; false if there is nothing left to give up. */
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
        freeSpace.freed(segment.allocatedBytes());
        segments.remove(segment);
        log.accept(records.segmentGone(segment.id()));
        files.delete(segment);
    }

    /**
     * Gives up segments until the disk has room for so many bytes beside those that must stay free, or will have it soon.
     *
     * @return whether it has
     */
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

    /** Takes a step towards quotas and capacity; whether it is not there yet. */
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
        Quota quota = scopes.exceeded();
        if (quota != null) {
            victim = eviction.victim(quota);
            victim = victim == PageIndex.NONE ? eviction.pinnedVictim(quota) : victim;
        }
        if (victim != PageIndex.NONE) {
            evict(victim);
            return true;
        }
        if (segments.allocatedBytes() > settings.capacityBytes()) {
            shrink();
            return true;
        }
        return false;
    }

    /**
     * Gives up the segments that hold the least of what would stay if pages left one by one. Pages that would have left, but lie in another segment,
     * stay too: they are the next to leave.
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

    /** From where the sweep is, once round what there is now: what comes later is not dead, and would take the place of what is. */
    private void startSweep()
    {
        sweepEntries = index.entries();
        sweepLeft = sweepEntries;
    }

    boolean isSweeping()
    {
        return sweepLeft > 0;
    }

    /** Begins to look for pages that are too old. */
    void startExpiring()
    {
        if (settings.expires() && sweepLeft == 0) {
            startSweep();
        }
    }

    /** Looks at some pages and drops those that are dead; whether it has more to look at. */
    boolean sweep()
    {
        boolean unused = sweepSome();
        return isSweeping();
    }

    /** The same; whether there were any that are dead. */
    private boolean sweepSome()
    {
        boolean dropped = false;
        for (int i = 0; i < SWEEP_STEP && sweepLeft > 0; i++, sweepNext++, sweepLeft--) {
            sweepNext = sweepNext < sweepEntries ? sweepNext : 0;
            if (index.isUsed(sweepNext) && isDead(sweepNext)) {
                if (settings.isExpired(index.stamp(sweepNext))) {
                    counters.expiration();
                }
                drop(sweepNext);
                dropped = true;
            }
        }
        if (sweepLeft == 0) {
            invalidFiles.forget(settings.nowSeconds());
        }
        return dropped;
    }

    /** Makes the pages of a file, of which this is the first, unfindable. */
    void invalidateFile(long fingerprint)
    {
        int tag = Layout.fileTag(fingerprint);
        log.accept(records.fileGone(tag, invalidFiles.add(tag, settings.nowSeconds())));
        // a small file's pages are found so
        int entry = index.find(fingerprint);
        for (int unit = 1; entry != PageIndex.NONE && unit <= MOST_UNITS; unit++) {
            drop(entry);
            entry = index.find(Layout.sibling(fingerprint, unit));
        }
        if (index.mayHaveFile(tag)) {
            startSweep();
        }
    }

    /** Makes the pages of all scopes within one unfindable. */
    void invalidate(Scope scope)
    {
        List<Integer> dead = scopes.invalidate(scope);
        if (!dead.isEmpty()) {
            dead.forEach(id -> log.accept(records.scopeGone(id)));
            startSweep();
        }
    }

    /** Goes by these quotas from now on, with pages that the others bound. */
    void bindQuotas(Map<Scope, Long> quotas)
    {
        regroup(() -> scopes.setQuotas(quotas));
    }

    /** From now on pages within these make no room for others. */
    void setPins(Set<Scope> pins)
    {
        regroup(() -> scopes.setPins(pins));
        segments.all().forEach(Segment::forgetPins);
        index.forEach(entry -> segmentOf(entry).pinned(scopes.isPinned(index.scope(entry))));
    }

    /* Changes what pages are grouped by, which keep their order. */
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

    /** Adds what the entries from one number to before another hold; whether there are more. */
    boolean addContents(Map<PageTags, Held> held, int from, int to)
    {
        int end = Math.min(to, index.entries());
        for (int entry = from; entry < end; entry++) {
            if (index.isUsed(entry) && index.granules(entry) != 0 && !isDead(entry)) {
                PageTags tags = new PageTags(scopes.scope(index.scope(entry)), Records.storageClass(index.storageClass(entry)));
                held.merge(tags, new Held(1, segmentOf(entry).slotBytes()), Held::plus);
            }
        }
        return end == to;
    }

    /** All pages that are published, those that leave soonest first. */
    int[] inOrder()
    {
        int[] inOrder = new int[index.size()];
        int[] count = {0};
        eviction.forEach(entry -> inOrder[count[0]++] = entry);
        return Arrays.copyOf(inOrder, count[0]);
    }

    /** Something to build this space from its journal. */
    Replay startReplay()
    {
        index.startFilling();
        return new Replay(
                settings.layout(),
                settings.indexMemoryBytes() / TableSettings.BYTES_PER_PAGE,
                files::open,
                index,
                segments,
                scopes,
                new RecoveredPages(settings, index, scopes, policy));
    }

    /** Takes over what a replay has built here, under quotas that are set already; returns how many pages were dropped because they are dead. */
    int endReplay(Replay replay)
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

    /** Of the index alone, as it is counted against its bound. */
    long memoryBytes()
    {
        return memoryBytes(index, scopes);
    }

    static long memoryBytes(PageIndex index, Scopes scopes)
    {
        return (long) index.size() * TableSettings.BYTES_PER_PAGE + (long) scopes.size() * Scopes.BYTES_PER_SCOPE;
    }
}
