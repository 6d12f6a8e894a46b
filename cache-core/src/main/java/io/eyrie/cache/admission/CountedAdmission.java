// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * Admits what all of several policies admit, and counts the decisions. Asks the policies in order, up to the first that refuses. In a dry run it
 * asks and counts in the same way, but admits everything.
 */
public final class CountedAdmission
        implements AdmissionPolicy
{
    private final List<AdmissionPolicy> policies;
    private final boolean dryRun;
    private final Map<Admission, LongAdder> decisions = adders();
    private final Map<Admission, LongAdder> bytes = adders();

    public CountedAdmission(List<AdmissionPolicy> policies, boolean dryRun)
    {
        this.policies = List.copyOf(policies);
        this.dryRun = dryRun;
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long rangeBytes, WriteBudget budget)
    {
        Admission decision = decide(page, scope, rangeBytes, budget);
        count(decisions, decision, 1);
        count(bytes, decision, rangeBytes);
        return dryRun ? Admission.ADMITTED : decision;
    }

    @Override
    public boolean mayAdmit(Scope scope)
    {
        return dryRun || policies.stream().allMatch(policy -> policy.mayAdmit(scope));
    }

    @Override
    public void steer(List<Steering> steering)
    {
        policies.forEach(policy -> policy.steer(steering));
    }

    public AdmissionStats stats()
    {
        return new AdmissionStats(sums(decisions), sums(bytes));
    }

    private Admission decide(PageKey page, Scope scope, long rangeBytes, WriteBudget budget)
    {
        for (AdmissionPolicy policy : policies) {
            Admission decision = policy.admit(page, scope, rangeBytes, budget);
            if (decision != Admission.ADMITTED) {
                return decision;
            }
        }
        return Admission.ADMITTED;
    }

    private static Map<Admission, LongAdder> adders()
    {
        return Arrays.stream(Admission.values()).collect(Collectors.toUnmodifiableMap(Function.identity(), admission -> new LongAdder()));
    }

    private static void count(Map<Admission, LongAdder> adders, Admission decision, long amount)
    {
        requireNonNull(adders.get(decision)).add(amount);
    }

    private static Map<Admission, Long> sums(Map<Admission, LongAdder> adders)
    {
        return adders.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
