// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.Arrays;

/**
 * Collects the entries that existed before a restart, in the order in which a policy is to restore them. If there are too many, the entries of
 * lowest rank are dropped first. Not thread-safe.
 */
public final class RestoreOrder
{
    private static final int RANKS = 4;
    private static final int LEAST_ENTRIES = 1024;

    private final EvictionPolicy policy;
    private final int kinds;
    /** One list for each kind and each rank in it, the lowest rank first. */
    private final EntryLists lists = new EntryLists();
    private int[] sequence = new int[LEAST_ENTRIES];
    private byte[] states = new byte[LEAST_ENTRIES];
    private int next;

    /** Receives an entry to restore, with its state. */
    public interface Visitor
    {
        void visit(int entry, int state);
    }

    /** @param kinds number of kinds of entries, numbered from 0 on, which are evicted independently of each other */
    public RestoreOrder(EvictionPolicy policy, int kinds)
    {
        this.policy = policy;
        this.kinds = kinds;
        for (int i = 0; i < kinds * RANKS; i++) {
            lists.newList();
        }
    }

    /** Appends an entry. */
    public void add(int entry, int kind, int state)
    {
        if (entry >= sequence.length) {
            sequence = Arrays.copyOf(sequence, Math.max(entry + 1, sequence.length * 2));
            states = Arrays.copyOf(states, sequence.length);
        }
        sequence[entry] = next;
        states[entry] = (byte) state;
        next++;
        lists.addLast(list(kind, state), entry, 0);
    }

    public void remove(int entry, int kind)
    {
        lists.remove(list(kind, Byte.toUnsignedInt(states[entry])), entry, 0);
    }

    public int size(int kind)
    {
        int size = 0;
        for (int list = kind * RANKS; list < (kind + 1) * RANKS; list++) {
            size += lists.size(list);
        }
        return size;
    }

    /** Removes and returns the first entry of the lowest rank of a kind; {@link EvictionPolicy#NONE} if there is none. */
    public int victim(int kind)
    {
        for (int list = kind * RANKS; list < (kind + 1) * RANKS; list++) {
            int entry = lists.first(list);
            if (entry != EvictionPolicy.NONE) {
                lists.remove(list, entry, 0);
                return entry;
            }
        }
        return EvictionPolicy.NONE;
    }

    /** Removes all entries, in their order. */
    public void drain(Visitor visitor)
    {
        for (int list = first(); list != EvictionPolicy.NONE; list = first()) {
            int entry = lists.first(list);
            lists.remove(list, entry, 0);
            visitor.visit(entry, Byte.toUnsignedInt(states[entry]));
        }
    }

    /** The list whose first entry was added earliest. */
    private int first()
    {
        int first = EvictionPolicy.NONE;
        for (int list = 0; list < kinds * RANKS; list++) {
            int entry = lists.first(list);
            if (entry != EvictionPolicy.NONE && (first == EvictionPolicy.NONE || sequence[entry] < sequence[lists.first(first)])) {
                first = list;
            }
        }
        return first;
    }

    private int list(int kind, int state)
    {
        return kind * RANKS + policy.rank(state);
    }
}
