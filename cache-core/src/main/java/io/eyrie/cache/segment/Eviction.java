// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.policy.EvictionPolicy;
import io.eyrie.cache.policy.EvictionPolicy.ScarceResource;
import io.eyrie.cache.segment.Scopes.ScopeQuota;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/**
 * Chooses the pages to evict: data before more valuable pages, and within a quota if the quota requires it. Called under the lock of the
 * {@link PageTable}.
 */
final class Eviction
{
    /*
     * Groups      A policy group exists for each storage class and each set of quotas that bind the same pages. If several groups can give up a page,
     *             they do so in proportion to their bytes. An empty group may be reused for other quotas
     * Index       If the index is full, groups give up pages in proportion to their entries. No class crowds out those that are evicted before it:
     *             data gives up a page if it has half of all entries, otherwise results if they have half of the rest, otherwise footers
     */
    private final EvictionPolicy policy;
    private final Map<List<ScopeQuota>, Map<Integer, Integer>> groups = new LinkedHashMap<>();
    private final List<Integer> unused = new ArrayList<>();
    private long turn = 1;

    Eviction(EvictionPolicy policy)
    {
        this.policy = policy;
    }

    void add(int entry, List<ScopeQuota> quotas, int storageClass)
    {
        policy.add(entry, group(quotas, storageClass));
    }

    void remove(int entry, List<ScopeQuota> quotas, int storageClass)
    {
        int group = group(quotas, storageClass);
        policy.remove(entry, group);
        releaseIfEmpty(quotas, storageClass, group);
    }

    /** Adds a page from before a restart. */
    void restore(int entry, List<ScopeQuota> quotas, int storageClass, int state)
    {
        policy.restore(entry, group(quotas, storageClass), state);
    }

    private int group(List<ScopeQuota> quotas, int storageClass)
    {
        return groups.computeIfAbsent(quotas, of -> new HashMap<>())
                .computeIfAbsent(storageClass, of -> unused.isEmpty() ? policy.newGroup() : unused.remove(unused.size() - 1));
    }

    /** Takes the next victim of all unpinned pages out of the policy; {@link EvictionPolicy#NONE} if there is none. */
    int victim()
    {
        return victim(quotas -> !Scopes.isPinned(quotas));
    }

    /** The same among the pages that a quota binds. */
    int victim(ScopeQuota quota)
    {
        return victim(quotas -> quotas.contains(quota) && !Scopes.isPinned(quotas));
    }

    /** The same among all pages, including pinned ones. */
    int pinnedVictim()
    {
        return victim(quotas -> true);
    }

    int pinnedVictim(ScopeQuota quota)
    {
        return victim(quotas -> quotas.contains(quota));
    }

    /** The same among all unpinned pages, if the index is full. */
    int indexVictim()
    {
        int[] sizes = new int[Records.STORAGE_CLASSES];
        groups.forEach((quotas, classes) -> {
            if (!Scopes.isPinned(quotas)) {
                classes.forEach((storageClass, group) -> sizes[storageClass] += policy.size(group));
            }
        });
        return victim(quotas -> !Scopes.isPinned(quotas), indexGiver(storageClass -> sizes[storageClass]), ScarceResource.ENTRIES);
    }

    /** Returns the storage class that gives up a page if the index is full, given the number of entries of each class. */
    static int indexGiver(IntUnaryOperator sizes)
    {
        int results = sizes.applyAsInt(Records.RESULT);
        int footers = sizes.applyAsInt(Records.FOOTER);
        if (sizes.applyAsInt(Records.DATA) >= results + footers) {
            return Records.DATA;
        }
        return results >= footers ? Records.RESULT : Records.FOOTER;
    }

    private int victim(Predicate<List<ScopeQuota>> which)
    {
        int victim = victim(which, Records.DATA, ScarceResource.BYTES);
        victim = victim == EvictionPolicy.NONE ? victim(which, Records.RESULT, ScarceResource.BYTES) : victim;
        return victim == EvictionPolicy.NONE ? victim(which, Records.FOOTER, ScarceResource.BYTES) : victim;
    }

    private long weight(int group, ScarceResource scarce)
    {
        return scarce == ScarceResource.BYTES ? policy.weightBytes(group) : policy.size(group);
    }

    private int victim(Predicate<List<ScopeQuota>> which, int storageClass, ScarceResource scarce)
    {
        List<List<ScopeQuota>> giving = new ArrayList<>();
        long weight = 0;
        for (Map.Entry<List<ScopeQuota>, Map<Integer, Integer>> entry : groups.entrySet()) {
            Integer group = entry.getValue().get(storageClass);
            if (group != null && policy.size(group) > 0 && which.test(entry.getKey())) {
                giving.add(entry.getKey());
                weight += weight(group, scarce);
            }
        }
        if (giving.isEmpty()) {
            return EvictionPolicy.NONE;
        }
        turn = Mix.mix(turn);
        long drawn = Math.floorMod(turn, weight);
        int last = 0;
        int group = group(giving.get(last), storageClass);
        while (drawn >= weight(group, scarce)) {
            drawn -= weight(group, scarce);
            last++;
            group = group(giving.get(last), storageClass);
        }
        int victim = policy.victim(group, scarce);
        releaseIfEmpty(giving.get(last), storageClass, group);
        return victim;
    }

    private void releaseIfEmpty(List<ScopeQuota> quotas, int storageClass, int group)
    {
        if (policy.size(group) == 0) {
            Map<Integer, Integer> classes = requireNonNull(groups.get(quotas));
            classes.remove(storageClass);
            unused.add(group);
            if (classes.isEmpty()) {
                groups.remove(quotas);
            }
        }
    }

    /** Visits all pages; those of each group in the order in which they are to be restored. */
    void forEach(IntConsumer visitor)
    {
        groups.values().forEach(classes -> classes.values().forEach(group -> policy.forEach(group, visitor)));
    }

    int state(int entry)
    {
        return policy.state(entry);
    }

    long memoryBytes()
    {
        return policy.memoryBytes();
    }
}
