package io.eyrie.cache.policy;

import java.util.Arrays;

/**
 * Entries of before a restart, in the order in which a policy is to restore them. If there are too many, those that are worth least leave first.
 * Not thread-safe.
 */
public final class RestoreOrder
{
    private static final int RANKS = 4;
    private static final int LEAST_ENTRIES = 1024;

    private final EvictionPolicy policy;
    private final int kinds;
    /** A list for each kind and each rank in it, the lowest first. */
    private final EntryLists lists = new EntryLists();
    private int[] sequence = new int[LEAST_ENTRIES];
    private byte[] states = new byte[LEAST_ENTRIES];
    private int next;

    /** Takes an entry that is to be restored, with the state for that. */
    public interface Visitor
    {
        void visit(int entry, int state);
    }

    /** @param kinds of entries, which leave independently of each other; numbered from 0 on */
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

    /** Takes out the first entry of the lowest rank of a kind; {@link EvictionPolicy#NONE} if there is none. */
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

    /** Takes out all entries, in their order. */
    public void drain(Visitor visitor)
    {
        for (int list = first(); list != EvictionPolicy.NONE; list = first()) {
            int entry = lists.first(list);
            lists.remove(list, entry, 0);
            visitor.visit(entry, Byte.toUnsignedInt(states[entry]));
        }
    }

    /** The list with the entry that came first. */
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
