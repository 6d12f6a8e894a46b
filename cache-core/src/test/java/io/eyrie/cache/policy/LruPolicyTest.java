// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

final class LruPolicyTest
        extends EvictionPolicyContract
{
    private static final int GROUPS = 3;
    private static final int ENTRIES = 12;

    enum Action
    {
        ADD_OR_REMOVE, HIT, VICTIM, RESTART
    }

    record Step(Action action, int entry, int group)
    {}

    @Override
    protected EvictionPolicy createPolicy(EvictionPolicy.EntryInfo entries)
    {
        return EvictionKind.LRU.create(entries);
    }

    @Override
    protected double maximumBytesAnEntry()
    {
        return 10.1;
    }

    @Property
    void sameOrderAsALinkedSet(@ForAll("steps") List<Step> steps)
    {
        EvictionPolicy policy = newPolicy();
        List<LinkedHashSet<Integer>> model = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            model.add(new LinkedHashSet<>());
        }
        for (Step step : steps) {
            LinkedHashSet<Integer> group = model.get(step.group);
            switch (step.action) {
                case ADD_OR_REMOVE -> {
                    if (group.remove(step.entry)) {
                        policy.remove(step.entry, step.group);
                    }
                    else if (model.stream().noneMatch(any -> any.contains(step.entry))) {
                        group.add(step.entry);
                        policy.add(step.entry, step.group);
                    }
                }
                case HIT -> {
                    if (policy.hit(step.entry)) {
                        policy.drain();
                    }
                    model.stream().filter(any -> any.remove(step.entry)).findFirst().ifPresent(any -> any.add(step.entry));
                }
                case VICTIM -> {
                    int expected = group.isEmpty() ? EvictionPolicy.NONE : group.iterator().next();
                    group.remove(expected);
                    assertThat(policy.victim(step.group)).isEqualTo(expected);
                }
                case RESTART -> {
                    EvictionPolicy before = policy;
                    EvictionPolicy after = newPolicy();
                    for (int i = 0; i < GROUPS; i++) {
                        int number = i;
                        before.forEach(number, entry -> after.restore(entry, number, before.state(entry)));
                    }
                    policy = after;
                }
                default -> throw new AssertionError(step.action);
            }
        }
        for (int i = 0; i < GROUPS; i++) {
            List<Integer> order = new ArrayList<>();
            policy.forEach(i, order::add);
            assertThat(order).containsExactlyElementsOf(model.get(i));
        }
    }

    @Provide
    Arbitrary<List<Step>> steps()
    {
        Arbitrary<Integer> entries = Arbitraries.integers().between(0, ENTRIES - 1);
        // two ranges of numbers far apart, so that arrays between them are omitted
        Arbitrary<Integer> numbers = entries.map(entry -> entry < ENTRIES / 2 ? entry : entry + 10_000);
        return Combinators.combine(Arbitraries.of(Action.class), numbers, Arbitraries.integers().between(0, GROUPS - 1))
                .as(Step::new)
                .list()
                .ofMaxSize(200);
    }

    private EvictionPolicy newPolicy()
    {
        EvictionPolicy policy = createPolicy(new TestingEntryInfo());
        for (int i = 0; i < GROUPS; i++) {
            policy.newGroup();
        }
        return policy;
    }
}
