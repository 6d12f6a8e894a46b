// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;

import java.util.List;
import java.util.function.LongSupplier;

/** Admits a limited number of bytes in any 24 hours, to reduce the wear of the disks. */
public final class DailyBudget
        implements AdmissionPolicy
{
    private final long bytesADay;
    private final LastDay written;

    /**
     * Creates an unused budget.
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

    public long bytesADay()
    {
        return bytesADay;
    }

    /** The bytes admitted in the last day. */
    public long spentBytes()
    {
        return written.sum();
    }

    /** Returns the state for {@link #restore} after a restart. It is small and has no other use. */
    public List<Long> state()
    {
        return written.state();
    }

    /** Adds the bytes written before a restart. Ignores an invalid state. */
    public void restore(List<Long> state)
    {
        written.restore(state);
    }
}
