package io.eyrie.cache.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Which admission policies there are. The budget of a query is always asked.
 *
 * @param allow if not empty, tables that none of these names are not kept
 * @param deny tables that are not kept, though they be allowed
 * @param secondTouchPages how many pages are remembered as missed once; 0 = what is missed the first time is kept
 * @param dailyWriteBytes the bytes that the disks may get in a day
 * @param dryRun everything is kept, and what would not have been is counted
 */
public record AdmissionConfig(List<TablePattern> allow, List<TablePattern> deny, int secondTouchPages, OptionalLong dailyWriteBytes,
        boolean dryRun)
{
    /** Keeps everything that a query's budget allows. */
    public static final AdmissionConfig DEFAULT = new AdmissionConfig(List.of(), List.of(), 0, OptionalLong.empty(), false);

    public AdmissionConfig
    {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        if (secondTouchPages < 0) {
            throw new IllegalArgumentException("secondTouchPages is negative: " + secondTouchPages);
        }
    }

    /** The bytes that the disks may get in a day, as a budget of which nothing has been taken. */
    public Optional<DailyBudget> dailyBudget(LongSupplier epochMillis)
    {
        return dailyWriteBytes.isEmpty() ? Optional.empty() : Optional.of(new DailyBudget(dailyWriteBytes.getAsLong(), epochMillis));
    }

    /**
     * The policies in one, in an order in which a budget is taken from only when nothing but a budget can still refuse.
     *
     * @param daily asked last: {@link #dailyBudget}, or what stands for it
     */
    public CountedAdmission create(Optional<? extends AdmissionPolicy> daily)
    {
        List<AdmissionPolicy> policies = new ArrayList<>();
        policies.add(new TableRules(allow, deny));
        if (secondTouchPages > 0) {
            policies.add(new SecondTouch(secondTouchPages));
        }
        policies.add((page, scope, bytes, budget) -> budget.take(bytes) ? Admission.ADMITTED : Admission.OVER_QUERY_BUDGET);
        daily.ifPresent(policies::add);
        return new CountedAdmission(policies, dryRun);
    }
}
