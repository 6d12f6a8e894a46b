package io.eyrie.cache.segment;

import io.eyrie.cache.policy.EvictionPolicy;
import io.eyrie.cache.policy.EvictionPolicy.Scarce;
import io.eyrie.cache.segment.Scopes.Quota;

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
 * Chooses the pages that leave: data before what is worth more, and within a quota if it is the quota that asks. Called under the lock of
 * the {@link PageTable}.
 */
final class Eviction
{
    /*
     * Groups      a policy group for each storage class and each set of quotas that binds pages together. Where several groups
     *             may give, they do in proportion to their bytes. A group that is empty may become another's
     * Index       where room in the index is scarce, groups give in proportion to their entries. And no class crowds out those that leave
     *             before it: data gives if it has half of all entries, else results if they have half of the rest, else footers
     */
    private final EvictionPolicy policy;
    private final Map<List<Quota>, Map<Integer, Integer>> groups = new LinkedHashMap<>();
    private final List<Integer> unused = new ArrayList<>();
    private long turn = 1;

    Eviction(EvictionPolicy policy)
    {
        this.policy = policy;
    }

    void add(int entry, List<Quota> quotas, int storageClass)
    {
        policy.add(entry, group(quotas, storageClass));
    }

    void remove(int entry, List<Quota> quotas, int storageClass)
    {
        int group = group(quotas, storageClass);
        policy.remove(entry, group);
        releaseIfEmpty(quotas, storageClass, group);
    }

    /** Takes in a page of before a restart. */
    void restore(int entry, List<Quota> quotas, int storageClass, int state)
    {
        policy.restore(entry, group(quotas, storageClass), state);
    }

    private int group(List<Quota> quotas, int storageClass)
    {
        return groups.computeIfAbsent(quotas, of -> new HashMap<>())
                .computeIfAbsent(storageClass, of -> unused.isEmpty() ? policy.newGroup() : unused.remove(unused.size() - 1));
    }

    /** Takes out the page that goes next of all that are not pinned; {@link EvictionPolicy#NONE} if there is none. */
    int victim()
    {
        return victim(quotas -> !Scopes.isPinned(quotas));
    }

    /** The same of those that a quota binds. */
    int victim(Quota quota)
    {
        return victim(quotas -> quotas.contains(quota) && !Scopes.isPinned(quotas));
    }

    /** The same of all, pinned ones too. */
    int pinnedVictim()
    {
        return victim(quotas -> true);
    }

    int pinnedVictim(Quota quota)
    {
        return victim(quotas -> quotas.contains(quota));
    }

    /** Takes out the page that goes next, of all that are not pinned, if the index has no room. */
    int indexVictim()
    {
        int[] sizes = new int[Records.STORAGE_CLASSES];
        groups.forEach((quotas, classes) -> {
            if (!Scopes.isPinned(quotas)) {
                classes.forEach((storageClass, group) -> sizes[storageClass] += policy.size(group));
            }
        });
        return victim(quotas -> !Scopes.isPinned(quotas), indexGiver(storageClass -> sizes[storageClass]), Scarce.ENTRIES);
    }

    /** The storage class that gives if the index has no room, of so many entries of each. */
    static int indexGiver(IntUnaryOperator sizes)
    {
        int results = sizes.applyAsInt(Records.RESULT);
        int footers = sizes.applyAsInt(Records.FOOTER);
        if (sizes.applyAsInt(Records.DATA) >= results + footers) {
            return Records.DATA;
        }
        return results >= footers ? Records.RESULT : Records.FOOTER;
    }

    private int victim(Predicate<List<Quota>> which)
    {
        int victim = victim(which, Records.DATA, Scarce.BYTES);
        victim = victim == EvictionPolicy.NONE ? victim(which, Records.RESULT, Scarce.BYTES) : victim;
        return victim == EvictionPolicy.NONE ? victim(which, Records.FOOTER, Scarce.BYTES) : victim;
    }

    private long weight(int group, Scarce scarce)
    {
        return scarce == Scarce.BYTES ? policy.weightBytes(group) : policy.size(group);
    }

    private int victim(Predicate<List<Quota>> which, int storageClass, Scarce scarce)
    {
        List<List<Quota>> giving = new ArrayList<>();
        long weight = 0;
        for (Map.Entry<List<Quota>, Map<Integer, Integer>> entry : groups.entrySet()) {
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

    private void releaseIfEmpty(List<Quota> quotas, int storageClass, int group)
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

    /** Visits all pages, of each group in the order in which they are to be restored. */
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
