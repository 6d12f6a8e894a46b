package io.eyrie.cache.admission;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Adds up what was counted in the last day. Thread-safe. */
public final class LastDay
{
    /*
     * Slots       Half an hour each; those of the last 24 hours and the one that is going on count. What is added so counts for 24 to 24 and a half hours.
     * Clock       Does not jump. Of a restart: what comes from a time to come, as the clock was set back meanwhile, is taken for as old as it was
     *             when the latest of it came in.
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

    /** Adds, unless more than {@code most} would come together; returns whether it did. */
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

    /** What {@link #restore} takes after a restart: small, and meant for nothing else. */
    synchronized List<Long> state()
    {
        moveOn();
        return LongStream.concat(LongStream.of(slot), Arrays.stream(amounts)).boxed().toList();
    }

    /** Counts what was added before a restart, too. A state that cannot be of this class is ignored. */
    synchronized void restore(List<Long> state)
    {
        if (state.size() != SLOTS + 1 || state.stream().anyMatch(value -> value < 0)) {
            return;
        }
        moveOn();
        // of a time to come: the clock was set back
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
