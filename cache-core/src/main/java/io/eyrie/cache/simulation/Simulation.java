// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.simulation;

import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.EvictionPolicy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The result of simulating a cache of some capacity over a trace. Every missed page is admitted, and each access is to the whole page.
 *
 * @param hitBytes bytes served by the cache, of all {@code bytes} requested; the rest was read from the remote store
 */
public record Simulation(long lookups, long hits, long bytes, long hitBytes)
{
    /** The fraction of accesses that the cache served, 0 if there were none. */
    public double hitRatio()
    {
        return lookups == 0 ? 0 : (double) hits / lookups;
    }

    /** Simulates an eviction policy. */
    public static Simulation of(EvictionKind kind, PageAccesses accesses, long capacityBytes)
    {
        PolicyCache cache = new PolicyCache(kind);
        long hits = 0;
        long bytes = 0;
        long hitBytes = 0;
        for (int i = 0; i < accesses.count(); i++) {
            int lengthBytes = accesses.lengthBytes()[i];
            boolean hit = cache.access(accesses.pages()[i], lengthBytes, capacityBytes);
            if (i >= accesses.warmUp()) {
                bytes += lengthBytes;
                hits += hit ? 1 : 0;
                hitBytes += hit ? lengthBytes : 0;
            }
        }
        return new Simulation(accesses.lookups(), hits, bytes, hitBytes);
    }

    /**
     * Simulates Belady's policy, which evicts, or does not cache, the page whose next access is farthest. This is optimal if all pages have the
     * same length.
     */
    public static Simulation optimum(PageAccesses accesses, long capacityBytes)
    {
        int[] next = nextAccesses(accesses.pages());
        // a cached page is identified by its next access, which is unique among pages
        PriorityQueue<Integer> farthestFirst = new PriorityQueue<>((left, right) -> Integer.compare(right, left));
        boolean[] kept = new boolean[accesses.count()];
        long usedBytes = 0;
        long hits = 0;
        long bytes = 0;
        long hitBytes = 0;
        for (int i = 0; i < accesses.count(); i++) {
            int lengthBytes = accesses.lengthBytes()[i];
            boolean lookup = i >= accesses.warmUp();
            bytes += lookup ? lengthBytes : 0;
            if (kept[i]) {
                hits += lookup ? 1 : 0;
                hitBytes += lookup ? lengthBytes : 0;
                usedBytes -= lengthBytes;
            }
            if (next[i] < accesses.count()) {
                kept[next[i]] = true;
                farthestFirst.add(next[i]);
                usedBytes += lengthBytes;
            }
            while (usedBytes > capacityBytes) {
                // past accesses are the smallest in the queue and do not come up while bytes are used
                int farthest = farthestFirst.remove();
                kept[farthest] = false;
                usedBytes -= accesses.lengthBytes()[farthest];
            }
        }
        return new Simulation(accesses.lookups(), hits, bytes, hitBytes);
    }

    /** For each access, the next access to the same page, or the number of accesses. */
    private static int[] nextAccesses(long[] pages)
    {
        int[] next = new int[pages.length];
        Map<Long, Integer> later = new HashMap<>();
        for (int i = pages.length - 1; i >= 0; i--) {
            Integer following = later.put(pages[i], i);
            next[i] = following == null ? pages.length : following;
        }
        return next;
    }

    /** The pages of a cache without their bytes. */
    private static final class PolicyCache
            implements EvictionPolicy.EntryInfo
    {
        private final Map<Long, Integer> entryOfPage = new HashMap<>();
        private final ArrayDeque<Integer> freeEntries = new ArrayDeque<>();
        private final EvictionPolicy policy;
        private final int group;
        private long[] pages = new long[1024];
        private int[] weights = new int[1024];
        private int entries;

        PolicyCache(EvictionKind kind)
        {
            policy = kind.create(this);
            group = policy.newGroup();
        }

        /** Returns whether the page was cached; afterwards it is in any case, if it fits. */
        boolean access(long page, int lengthBytes, long capacityBytes)
        {
            Integer known = entryOfPage.get(page);
            if (known != null) {
                if (policy.hit(known)) {
                    policy.drain();
                }
                return true;
            }
            while (policy.weightBytes(group) > 0 && policy.weightBytes(group) + lengthBytes > capacityBytes) {
                int victim = policy.victim(group);
                entryOfPage.remove(pages[victim]);
                freeEntries.push(victim);
            }
            if (lengthBytes <= capacityBytes) {
                int entry = freeEntries.isEmpty() ? newEntry() : freeEntries.pop();
                pages[entry] = page;
                weights[entry] = lengthBytes;
                entryOfPage.put(page, entry);
                policy.add(entry, group);
            }
            return false;
        }

        @Override
        public long hash(int entry)
        {
            return pages[entry];
        }

        @Override
        public int weightBytes(int entry)
        {
            return weights[entry];
        }

        private int newEntry()
        {
            if (entries == pages.length) {
                pages = Arrays.copyOf(pages, entries * 2);
                weights = Arrays.copyOf(weights, entries * 2);
            }
            return entries++;
        }
    }
}
