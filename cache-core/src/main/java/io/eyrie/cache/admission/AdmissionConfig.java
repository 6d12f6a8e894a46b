// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Configures the admission policies. The budget of a query always applies.
 *
 * @param allow if not empty, only tables that match one of these patterns are cached
 * @param deny tables that are not cached, even if allowed
 * @param secondTouchPages how many missed pages to remember; 0 caches a page at its first miss
 * @param dailyWriteBytes maximum bytes written to the disks per day
 * @param dryRun caches everything, and counts what would have been refused
 */
public record AdmissionConfig(List<TablePattern> allow, List<TablePattern> deny, int secondTouchPages, OptionalLong dailyWriteBytes,
        boolean dryRun)
{
    /** Caches everything that a query's budget allows. */
    public static final AdmissionConfig DEFAULT = new AdmissionConfig(List.of(), List.of(), 0, OptionalLong.empty(), false);

    public AdmissionConfig
    {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        if (secondTouchPages < 0) {
            throw new IllegalArgumentException("secondTouchPages is negative: " + secondTouchPages);
        }
    }

    /** Returns the daily limit as an unused budget, if there is a limit. */
    public Optional<DailyBudget> dailyBudget(LongSupplier epochMillis)
    {
        return dailyWriteBytes.isEmpty() ? Optional.empty() : Optional.of(new DailyBudget(dailyWriteBytes.getAsLong(), epochMillis));
    }

    /**
     * Combines the policies. Budgets come last, so that one is charged only if nothing but a budget can still refuse.
     *
     * @param daily the last policy: {@link #dailyBudget} or its replacement
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
