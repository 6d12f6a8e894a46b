package io.eyrie.cache.trace;

import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.EvictionPolicy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * What a cache of some capacity would have served of a trace. Everything missed is admitted, and each access is for the whole page.
 *
 * @param hitBytes the bytes that the cache served, {@code bytes} what was asked for: the difference is what was read remote
 */
public record Simulation(long lookups, long hits, long bytes, long hitBytes)
{
    /** The share of accesses that the cache served, 0 if there were none. */
    public double hitRatio()
    {
        return lookups == 0 ? 0 : (double) hits / lookups;
    }

    /** With an eviction policy. */
    public static Simulation of(EvictionKind kind, PageAccesses accesses, long capacityBytes)
    {
        PolicyCache cache = new PolicyCache(kind);
        long hits = 0;
        long bytes = 0;
        long hitBytes = 0;
        for (int i = 0; i < accesses.count(); i++) {
            int lengthBytes = accesses.lengthBytes()[i];
            bytes += lengthBytes;
            if (cache.access(accesses.pages()[i], lengthBytes, capacityBytes)) {
                hits++;
                hitBytes += lengthBytes;
            }
        }
        return new Simulation(accesses.count(), hits, bytes, hitBytes);
    }

    /** With Belady's: the page leaves, or is not kept, whose next access is farthest. The optimum where all pages are of one length. */
    public static Simulation optimum(PageAccesses accesses, long capacityBytes)
    {
        int[] next = nextAccesses(accesses.pages());
        // a kept page is known by its next access; of two pages it is never the same
        PriorityQueue<Integer> farthestFirst = new PriorityQueue<>((left, right) -> Integer.compare(right, left));
        boolean[] kept = new boolean[accesses.count()];
        long usedBytes = 0;
        long hits = 0;
        long bytes = 0;
        long hitBytes = 0;
        for (int i = 0; i < accesses.count(); i++) {
            int lengthBytes = accesses.lengthBytes()[i];
            bytes += lengthBytes;
            if (kept[i]) {
                hits++;
                hitBytes += lengthBytes;
                usedBytes -= lengthBytes;
            }
            if (next[i] < accesses.count()) {
                kept[next[i]] = true;
                farthestFirst.add(next[i]);
                usedBytes += lengthBytes;
            }
            while (usedBytes > capacityBytes) {
                // accesses that are past are the smallest of the queue and do not come up while bytes are used
                int farthest = farthestFirst.remove();
                kept[farthest] = false;
                usedBytes -= accesses.lengthBytes()[farthest];
            }
        }
        return new Simulation(accesses.count(), hits, bytes, hitBytes);
    }

    /** For each access the next one to the same page, or the number of accesses. */
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
            implements EvictionPolicy.Entries
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

        /** Returns whether the page is there; then it is in any case, if it fits. */
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
