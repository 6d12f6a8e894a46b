// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Sums the amounts added in the last day. Thread-safe. */
public final class LastDay
{
    /*
     * Slots       Half an hour each; the slots of the last 24 hours and the current one count. An amount therefore counts for 24 to 24 and a half hours.
     * Clock       Does not jump. If a restored state lies in the future, because the clock was set back before the restart, it is shifted into the
     *             past until its latest slot is the current one.
     */
    private static final int SLOTS = 49;
    private static final long SLOT_MILLIS = Duration.ofMinutes(30).toMillis();

    private final LongSupplier epochMillis;
    private final long[] amounts = new long[SLOTS];
    private long slot;
    private long sum;

    /** @param epochMillis an {@link io.eyrie.cache.clock.AnchoredClock}, which does not jump */
    public LastDay(LongSupplier epochMillis)
    {
        this.epochMillis = epochMillis;
        slot = epochMillis.getAsLong() / SLOT_MILLIS;
    }

    public void add(long amount)
    {
        boolean unused = addWithin(amount, Long.MAX_VALUE);
    }

    /** Adds an amount unless the sum would exceed {@code most}; returns whether it did. */
    synchronized boolean addWithin(long amount, long most)
    {
        moveOn();
        if (amount > most - sum) {
            return false;
        }
        amounts[index(slot)] += amount;
        sum += amount;
        return true;
    }

    public synchronized long sum()
    {
        moveOn();
        return sum;
    }

    /** Returns the state for {@link #restore} after a restart. It is small and has no other use. */
    synchronized List<Long> state()
    {
        moveOn();
        return LongStream.concat(LongStream.of(slot), Arrays.stream(amounts)).boxed().toList();
    }

    /** Adds the amounts recorded before a restart. Ignores an invalid state. */
    synchronized void restore(List<Long> state)
    {
        if (state.size() != SLOTS + 1 || state.stream().anyMatch(value -> value < 0)) {
            return;
        }
        moveOn();
        // a state from the future: the clock was set back
        long last = Math.min(state.get(0), slot);
        for (int age = 0; age < SLOTS; age++) {
            long from = state.get(0) - age;
            if (from >= 0 && last - age > slot - SLOTS && last >= age) {
                long amount = Math.min(state.get(1 + index(from)), Long.MAX_VALUE - sum);
                amounts[index(last - age)] += amount;
                sum += amount;
            }
        }
    }

    private void moveOn()
    {
        long now = epochMillis.getAsLong() / SLOT_MILLIS;
        for (int i = 0; i < SLOTS && slot < now; i++) {
            slot++;
            sum -= amounts[index(slot)];
            amounts[index(slot)] = 0;
        }
        slot = Math.max(slot, now);
    }

    private static int index(long slot)
    {
        return Math.floorMod(slot, SLOTS);
    }
}
