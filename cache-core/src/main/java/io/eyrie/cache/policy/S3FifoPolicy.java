// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.function.IntConsumer;

/**
 * Evicts entries soon if they are read once, and retains those that are read again until that stops. Nine bytes per entry, and one for recently
 * evicted entries. {@link #hit} never requests a drain.
 */
final class S3FifoPolicy
        implements EvictionPolicy
{
    /*
     * Queues      A small and a main queue per group, first in first out. New entries enter the small queue. An entry that reaches its head moves to
     *             the main queue if it was hit, and is evicted otherwise. An entry that reaches the head of the main queue is reinserted at its
     *             end if it was hit there, and is evicted otherwise [1].
     * Ghosts      An entry evicted from the small queue enters the main queue when it comes back. Half as many ghosts as entries; all groups share
     *             them.
     * Small       A tenth of a group's bytes or, if room for entries is scarce, of its entries: many small entries that were read once would
     *             otherwise stay in a small queue of few bytes, and displace the main queue.
     * Hits        One hit is as good as three, unlike in [1]: entries that were popular for a while are evicted sooner.
     * Filling     Beyond [1]: until the main queue is filled, everything that leaves the small queue moves there. This retains a part of a table
     *             larger than the cache that is read again and again, whose entries are never hit in the small queue. Entries that were hit
     *             retain their mark meanwhile, to outlive those that were not.
     * Flag        The entry is in the main queue.
     *
     * [1] Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023
     */
    private static final int SMALL_PERCENT = 10;
    private static final int FILLED_MAIN_PERCENT = 80;
    private static final int ENTRIES_A_GHOST = 2;

    private final EntryInfo entries;
    private final EntryLists lists = new EntryLists();
    private final HitMarks marks = new HitMarks();
    private final Ghosts ghosts = new Ghosts();
    private int groups;
    private int highestEntry;
    private long allBytes;

    S3FifoPolicy(EntryInfo entries)
    {
        this.entries = entries;
    }

    @Override
    public int newGroup()
    {
        lists.newList();
        lists.newList();
        return groups++;
    }

    @Override
    public void add(int entry, int group)
    {
        append(entry, group, ghosts.remove(entries.hash(entry)), false);
    }

    @Override
    public void remove(int entry, int group)
    {
        takeOut(entry, group);
    }

    @Override
    public int victim(int group, ScarceResource scarce)
    {
        while (true) {
            boolean fromMain = lists.first(main(group)) != NONE && !isOver(small(group), group, SMALL_PERCENT, scarce);
            int entry = lists.first(fromMain ? main(group) : small(group));
            if (entry == NONE) {
                return NONE;
            }
            boolean fills = !isOver(main(group), group, FILLED_MAIN_PERCENT, scarce) && isOver(small(group), group, SMALL_PERCENT, scarce);
            if (marks.isHit(entry) || (!fromMain && fills)) {
                moveToMain(entry, group, !fromMain && fills && marks.isHit(entry));
            }
            else {
                if (!fromMain) {
                    ghosts.add(entries.hash(entry));
                }
                takeOut(entry, group);
                return entry;
            }
        }
    }

    @Override
    public boolean hit(int entry)
    {
        marks.hit(entry);
        return false;
    }

    @Override
    public void drain()
    {}

    @Override
    public int state(int entry)
    {
        return marks.state(entry);
    }

    @Override
    public int rank(int state)
    {
        return (HitMarks.isHitIn(state) ? 2 : 0) + (HitMarks.flagIn(state) ? 1 : 0);
    }

    @Override
    public void restore(int entry, int group, int state)
    {
        append(entry, group, HitMarks.flagIn(state), HitMarks.isHitIn(state));
    }

    @Override
    public void forEach(int group, IntConsumer visitor)
    {
        lists.forEach(small(group), visitor);
        lists.forEach(main(group), visitor);
    }

    @Override
    public long weightBytes(int group)
    {
        return lists.weightBytes(small(group)) + lists.weightBytes(main(group));
    }

    @Override
    public int size(int group)
    {
        return lists.size(small(group)) + lists.size(main(group));
    }

    @Override
    public long memoryBytes()
    {
        return lists.memoryBytes() + marks.memoryBytes() + ghosts.memoryBytes();
    }

    private void append(int entry, int group, boolean toMain, boolean hit)
    {
        int weightBytes = entries.weightBytes(entry);
        lists.addLast(toMain ? main(group) : small(group), entry, weightBytes);
        marks.grow(entry);
        marks.start(entry, toMain, hit);
        allBytes += weightBytes;
        marks.advance(weightBytes, allBytes);
        highestEntry = Math.max(highestEntry, entry);
        ghosts.grow(highestEntry / ENTRIES_A_GHOST);
    }

    private void moveToMain(int entry, int group, boolean hit)
    {
        int weightBytes = entries.weightBytes(entry);
        lists.remove(list(entry, group), entry, weightBytes);
        lists.addLast(main(group), entry, weightBytes);
        marks.start(entry, true, hit);
    }

    private void takeOut(int entry, int group)
    {
        int weightBytes = entries.weightBytes(entry);
        lists.remove(list(entry, group), entry, weightBytes);
        allBytes -= weightBytes;
    }

    private int list(int entry, int group)
    {
        return marks.flag(entry) ? main(group) : small(group);
    }

    private boolean isOver(int list, int group, int percent, ScarceResource scarce)
    {
        return scarce == ScarceResource.BYTES
                ? lists.weightBytes(list) * 100 > weightBytes(group) * percent
                : lists.size(list) * 100L > (long) size(group) * percent;
    }

    private static int small(int group)
    {
        return 2 * group;
    }

    private static int main(int group)
    {
        return 2 * group + 1;
    }
}
