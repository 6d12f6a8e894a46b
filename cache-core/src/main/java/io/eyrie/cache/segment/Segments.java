// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

import static java.util.Objects.requireNonNull;

/** The segments of one directory and the space that they take. Changed under the lock of the {@link PageTable}; {@link #get} needs no lock. */
final class Segments
{
    /*
     * Space   A slot counts from its first use until its segment is dropped, whether it is taken or free, because the file retains its blocks. So a
     *         slot that was used before is reused without more space, and only new slots need space.
     */
    private final AtomicReferenceArray<Segment> byId = new AtomicReferenceArray<>(Segment.MAX_SEGMENTS);
    private final Map<Integer, SlotClass> classes = new HashMap<>();
    private int count;
    private long allocatedBytes;
    private long takenBytes;

    /** The segments of one slot size. */
    private static final class SlotClass
    {
        private final Set<Segment> all = new LinkedHashSet<>();
        private final Set<Segment> withFree = new LinkedHashSet<>();
    }

    /** Returns the segment with this number, if there is one. Without a lock. */
    @Nullable
    Segment get(int id)
    {
        return id < Segment.MAX_SEGMENTS ? byId.getAcquire(id) : null;
    }

    List<Segment> all()
    {
        List<Segment> all = new ArrayList<>();
        classes.values().forEach(slotClass -> all.addAll(slotClass.all));
        return all;
    }

    /** Adds a segment whose number is free. */
    void add(Segment segment)
    {
        SlotClass slotClass = classes.computeIfAbsent(segment.slotBytes(), unused -> new SlotClass());
        slotClass.all.add(segment);
        allocatedBytes += segment.allocatedBytes();
        takenBytes += segment.takenBytes();
        count++;
        updateFree(slotClass, segment);
        byId.setRelease(segment.id(), segment);
    }

    /** Returns a number that no segment has; -1 if there is none. */
    int freeId()
    {
        for (int id = 0; count < Segment.MAX_SEGMENTS && id < Segment.MAX_SEGMENTS; id++) {
            if (byId.getPlain(id) == null) {
                return id;
            }
        }
        return -1;
    }

    /** Takes a slot that was used before; returns its location, or -1. */
    int takeFree(int slotBytes)
    {
        SlotClass slotClass = classes.get(slotBytes);
        if (slotClass == null || slotClass.withFree.isEmpty()) {
            return -1;
        }
        Segment segment = slotClass.withFree.iterator().next();
        int slot = segment.takeFree();
        takenBytes += slotBytes;
        updateFree(slotClass, segment);
        return Segment.location(segment.id(), slot);
    }

    /** Takes a slot that was never used from a segment that has one; returns its location, or -1. */
    int takeNew(int slotBytes)
    {
        SlotClass slotClass = classes.get(slotBytes);
        if (slotClass != null) {
            for (Segment segment : slotClass.all) {
                if (segment.canGrow()) {
                    return takeNew(segment);
                }
            }
        }
        return -1;
    }

    /** Takes a given free slot while a journal is replayed: {@link #cut} then finds the slots that are left free. */
    void take(int location)
    {
        Segment segment = requireNonNull(byId.getPlain(Segment.segmentOf(location)));
        long before = segment.allocatedBytes();
        segment.take(Segment.slotOf(location));
        allocatedBytes += segment.allocatedBytes() - before;
        takenBytes += segment.slotBytes();
    }

    private int takeNew(Segment segment)
    {
        allocatedBytes += segment.slotBytes();
        takenBytes += segment.slotBytes();
        return Segment.location(segment.id(), segment.takeNew());
    }

    void free(int location, Segment segment)
    {
        segment.free(Segment.slotOf(location));
        takenBytes -= segment.slotBytes();
        SlotClass slotClass = classes.get(segment.slotBytes());
        if (slotClass != null && slotClass.all.contains(segment)) {
            updateFree(slotClass, segment);
        }
    }

    private static void updateFree(SlotClass slotClass, Segment segment)
    {
        if (segment.takenBytes() < segment.allocatedBytes()) {
            slotClass.withFree.add(segment);
        }
        else {
            slotClass.withFree.remove(segment);
        }
    }

    /** Forgets a segment and closes its file. Slots that are taken remain so until they are freed. */
    void remove(Segment segment)
    {
        byId.setRelease(segment.id(), null);
        SlotClass slotClass = classes.get(segment.slotBytes());
        if (slotClass != null && slotClass.all.remove(segment)) {
            slotClass.withFree.remove(segment);
            if (slotClass.all.isEmpty()) {
                classes.remove(segment.slotBytes());
            }
            allocatedBytes -= segment.allocatedBytes();
            count--;
        }
        segment.close();
    }

    /**
     * Returns the segment that is cheapest to drop among those that have free slots, or among all: the one with the fewest bytes taken. Segments of
     * data only come before those with more valuable pages, and segments with pinned pages last.
     */
    @Nullable
    Segment sparsest(boolean withFreeSlots)
    {
        Segment best = null;
        for (SlotClass slotClass : classes.values()) {
            for (Segment segment : withFreeSlots ? slotClass.withFree : slotClass.all) {
                if (best == null || isCheaper(segment, best)) {
                    best = segment;
                }
            }
        }
        return best;
    }

    /**
     * Returns the segments to drop, so that the others take at most this many bytes.
     *
     * @param stayingBytes the bytes of pages worth retaining in each segment, by its number
     */
    List<Segment> cheapest(long mostBytes, long[] stayingBytes)
    {
        List<Segment> all = all();
        all.sort(Comparator.comparing(Segment::isPinned).thenComparingLong(segment -> stayingBytes[segment.id()]));
        long bytes = allocatedBytes;
        int count = 0;
        while (bytes > mostBytes) {
            bytes -= all.get(count).allocatedBytes();
            count++;
        }
        return all.subList(0, count);
    }

    private static boolean isCheaper(Segment one, Segment other)
    {
        int worth = worth(one);
        int otherWorth = worth(other);
        return worth == otherWorth ? one.takenBytes() < other.takenBytes() : worth < otherWorth;
    }

    private static int worth(Segment segment)
    {
        if (segment.isPinned()) {
            return 2;
        }
        return segment.footers() == 0 ? 0 : 1;
    }

    /** The bytes of slots that were used before and are free now. */
    long freeBytes()
    {
        return allocatedBytes - takenBytes;
    }

    /** The space that slots take in the files, in whole blocks. Their headers take additional space. */
    long allocatedBytes()
    {
        return allocatedBytes;
    }

    /** The space that pages take. */
    long takenBytes()
    {
        return takenBytes;
    }

    /** Truncates all files after the last slot that is taken; drops no page. */
    void cut()
    {
        for (Segment segment : all()) {
            SlotClass slotClass = requireNonNull(classes.get(segment.slotBytes()));
            long before = segment.allocatedBytes();
            // a file that cannot be truncated takes its space until it is written again or dropped
            DeviceOutcome unused = segment.cut();
            allocatedBytes += segment.allocatedBytes() - before;
            updateFree(slotClass, segment);
        }
    }

    void close()
    {
        for (Segment segment : all()) {
            segment.close();
        }
    }
}
