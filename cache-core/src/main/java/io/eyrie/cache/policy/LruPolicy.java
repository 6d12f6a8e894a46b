// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.function.IntConsumer;

/** Evicts the least recently used entry; an entry without hits counts from when it was added. Ten bytes per entry. */
final class LruPolicy
        implements EvictionPolicy
{
    private final EntryInfo entries;
    /** One list per group, with the same number, starting with the next entry to be evicted. */
    private final EntryLists lists = new EntryLists();
    /** The group of each entry, because hits come without it. */
    private final EntryShorts groups = new EntryShorts();
    private final HitBuffer hits = new HitBuffer();

    LruPolicy(EntryInfo entries)
    {
        this.entries = entries;
    }

    @Override
    public int newGroup()
    {
        return lists.newList();
    }

    @Override
    public void add(int entry, int group)
    {
        drain();
        append(entry, group);
    }

    @Override
    public void remove(int entry, int group)
    {
        // a pending hit must not count for the next owner of the entry number
        drain();
        lists.remove(group, entry, entries.weightBytes(entry));
    }

    @Override
    public int victim(int group, ScarceResource scarce)
    {
        drain();
        int victim = lists.first(group);
        if (victim != NONE) {
            lists.remove(group, victim, entries.weightBytes(victim));
        }
        return victim;
    }

    @Override
    public boolean hit(int entry)
    {
        return hits.offer(entry);
    }

    @Override
    public void drain()
    {
        hits.drain(this::touch);
    }

    @Override
    public int state(int entry)
    {
        return 0;
    }

    @Override
    public int rank(int state)
    {
        return 0;
    }

    @Override
    public void restore(int entry, int group, int state)
    {
        append(entry, group);
    }

    @Override
    public void forEach(int group, IntConsumer visitor)
    {
        drain();
        lists.forEach(group, visitor);
    }

    @Override
    public long weightBytes(int group)
    {
        return lists.weightBytes(group);
    }

    @Override
    public int size(int group)
    {
        return lists.size(group);
    }

    @Override
    public long memoryBytes()
    {
        return lists.memoryBytes() + groups.memoryBytes() + hits.memoryBytes();
    }

    private void append(int entry, int group)
    {
        groups.set(entry, group);
        lists.addLast(group, entry, entries.weightBytes(entry));
    }

    private void touch(int entry)
    {
        if (lists.contains(entry)) {
            lists.moveToLast(groups.get(entry), entry);
        }
    }
}
