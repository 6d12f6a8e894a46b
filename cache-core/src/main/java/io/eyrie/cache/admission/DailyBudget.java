package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Keeps what fits into a number of bytes written in any 24 hours, so that the disks last. */
public final class DailyBudget
        implements AdmissionPolicy
{
    /*
     * Slots       Half an hour each; those of the last 24 hours and the one that is going on count. A write so counts for 24 to 24 and a half hours.
     * Clock       Never goes back: what a clock that was set back says is taken for the latest time seen. One that was set forward forgets.
     */
    private static final int SLOTS = 49;
    private static final long SLOT_MILLIS = Duration.ofMinutes(30).toMillis();

    private final long bytesADay;
    private final LongSupplier epochMillis;
    private final long[] writtenBytes = new long[SLOTS];
    private long slot;
    private long sumBytes;

    /**
     * A budget of which nothing has been taken.
     *
     * @throws IllegalArgumentException if {@code bytesADay} is negative
     */
    public DailyBudget(long bytesADay, LongSupplier epochMillis)
    {
        if (bytesADay < 0) {
            throw new IllegalArgumentException("bytesADay is negative: " + bytesADay);
        }
        this.bytesADay = bytesADay;
        this.epochMillis = epochMillis;
        slot = epochMillis.getAsLong() / SLOT_MILLIS;
    }

    @Override
    public synchronized Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget)
    {
        moveOn();
        if (bytes > bytesADay - sumBytes) {
            return Admission.OVER_DAILY_BUDGET;
        }
        writtenBytes[index(slot)] += bytes;
        sumBytes += bytes;
        return Admission.ADMITTED;
    }

    long bytesADay()
    {
        return bytesADay;
    }

    /** The bytes admitted in the last day. */
    public synchronized long spentBytes()
    {
        moveOn();
        return sumBytes;
    }

    /** What {@link #restore} takes after a restart: small, and meant for nothing else. */
    public synchronized List<Long> state()
    {
        moveOn();
        return LongStream.concat(LongStream.of(slot), Arrays.stream(writtenBytes)).boxed().toList();
    }

    /** Counts what was written before a restart, too. A state that cannot be of this class is ignored. */
    public synchronized void restore(List<Long> state)
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
                long bytes = Math.min(state.get(1 + index(from)), Long.MAX_VALUE - sumBytes);
                writtenBytes[index(last - age)] += bytes;
                sumBytes += bytes;
            }
        }
    }

    private void moveOn()
    {
        long now = epochMillis.getAsLong() / SLOT_MILLIS;
        for (int i = 0; i < SLOTS && slot < now; i++) {
            slot++;
            sumBytes -= writtenBytes[index(slot)];
            writtenBytes[index(slot)] = 0;
        }
        slot = Math.max(slot, now);
    }

    private static int index(long slot)
    {
        return (int) (slot % SLOTS);
    }
}
