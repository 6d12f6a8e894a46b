// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Passes lookups from any number of threads to one, in fixed memory. {@link #offer} takes no lock and allocates nothing. */
final class LookupRing
{
    /*
     * Turns       The turn of slot i: n * SLOTS + i = free for the offer of that number, one more = holds the lookup of that offer [1]. An offer
     *             claims its number by compare-and-set, so a slot has one writer; the turn publishes the content of the slot.
     *
     * [1] Vyukov, Bounded MPMC queue
     */
    private static final int SLOTS = 1 << 12;

    private final AtomicLongArray turns = new AtomicLongArray(SLOTS);
    private final Slot[] slots = new Slot[SLOTS];
    private final AtomicLong offers = new AtomicLong();
    private long polls;

    LookupRing()
    {
        for (int i = 0; i < SLOTS; i++) {
            turns.set(i, i);
            slots[i] = new Slot();
        }
    }

    /** Returns false if there is no room. */
    boolean offer(long epochMillis, PageKey page, PageTags tags, long range, int pageLengthBytes, ReadOutcome outcome)
    {
        while (true) {
            long number = offers.get();
            int index = (int) (number & (SLOTS - 1));
            long ahead = turns.get(index) - number;
            if (ahead < 0) {
                return false;
            }
            if (ahead == 0 && offers.compareAndSet(number, number + 1)) {
                Slot slot = slots[index];
                slot.epochMillis = epochMillis;
                slot.page = page;
                slot.tags = tags;
                slot.range = range;
                slot.pageLengthBytes = pageLengthBytes;
                slot.outcome = outcome;
                turns.set(index, number + 1);
                return true;
            }
        }
    }

    /** Returns the next lookup; null if there is none. Called by one thread at a time. */
    @Nullable
    TraceRecord poll()
    {
        int index = (int) (polls & (SLOTS - 1));
        if (turns.get(index) != polls + 1) {
            return null;
        }
        Slot slot = slots[index];
        TraceRecord lookup = new TraceRecord(
                slot.epochMillis,
                slot.page,
                slot.tags,
                slot.pageLengthBytes,
                (int) (slot.range >>> Integer.SIZE),
                (int) slot.range,
                slot.outcome);
        turns.set(index, polls + SLOTS);
        polls++;
        return lookup;
    }

    /** Encodes the offset and length of a range in a page as one number. */
    static long range(int offsetInPage, int lengthBytes)
    {
        return ((long) offsetInPage << Integer.SIZE) | lengthBytes;
    }

    private static final class Slot
    {
        private static final PageKey NO_PAGE = new PageKey(0, 0, 0);
        private static final PageTags NO_TAGS = new PageTags(Scope.NONE, StorageClass.DATA);

        private long epochMillis;
        private PageKey page = NO_PAGE;
        private PageTags tags = NO_TAGS;
        private long range;
        private int pageLengthBytes;
        private ReadOutcome outcome = ReadOutcome.MISS;
    }
}
