package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;

import java.util.List;
import java.util.function.LongSupplier;

/** Keeps what fits into a number of bytes written in any 24 hours, so that the disks last. */
public final class DailyBudget
        implements AdmissionPolicy
{
    private final long bytesADay;
    private final LastDay written;

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
        written = new LastDay(epochMillis);
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget)
    {
        return written.addWithin(bytes, bytesADay) ? Admission.ADMITTED : Admission.OVER_DAILY_BUDGET;
    }

    long bytesADay()
    {
        return bytesADay;
    }

    /** The bytes admitted in the last day. */
    public long spentBytes()
    {
        return written.sum();
    }

    /** What {@link #restore} takes after a restart: small, and meant for nothing else. */
    public List<Long> state()
    {
        return written.state();
    }

    /** Counts what was written before a restart, too. A state that cannot be of this class is ignored. */
    public void restore(List<Long> state)
    {
        written.restore(state);
    }
}
