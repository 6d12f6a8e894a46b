package io.eyrie.cache.policy;

import java.util.function.IntConsumer;

/**
 * Decides which entries leave a full store. Entries are numbers from 0 on that the store hands out and may hand out again, the smaller
 * the better; each is in one group at most, and a group gives up its own entries only. A wrong decision costs speed, never correctness.
 *
 * <p>{@link #hit} may be called by any thread at any time. Everything else is called by one thread at a time, under a lock of the store's
 * that makes the calls of one visible to the next. Nothing blocks, does I/O, or allocates more than the growth of its arrays.
 */
public interface EvictionPolicy
{
    /** What {@link #victim} returns when the group is empty. */
    int NONE = -1;

    /** What the store knows of an entry. Stays the same from the moment that the policy is given the entry until it is out again. */
    interface Entries
    {
        /** Identifies the content of the entry: the same when it comes back under another number. Any bits of it may be used. */
        long hash(int entry);

        /** What the store gains when the entry leaves: positive. */
        int weightBytes(int entry);
    }

    /** What the store lacks room for. A policy that gives each of its queues a share measures the shares in it. */
    enum Scarce
    {
        BYTES,
        ENTRIES,
    }

    /** A new, empty group. Groups are numbered from 0 on and cannot be given back: the store may use an empty one for something else. */
    int newGroup();

    /** Takes in an entry that is in no group, as one that was read just now for the first time since it left, or ever. */
    void add(int entry, int group);

    /** Lets an entry go that leaves for another reason than {@link #victim}. It is not remembered. */
    void remove(int entry, int group);

    /** Chooses the entry of a group with the least value for the scarce resource and removes it. The store may add it again if it cannot evict it now. */
    int victim(int group, Scarce scarce);

    default int victim(int group)
    {
        return victim(group, Scarce.BYTES);
    }

    /**
     * Notes that an entry was read. Takes no lock and allocates nothing. A hit may get lost; a hit on an entry that has left meanwhile
     * may count for the one that has its number now, or for nobody.
     *
     * @return whether {@link #drain} would do well soon: to be called if the store's lock can be had without waiting
     */
    boolean hit(int entry);

    /** Takes in the hits noted so far. */
    void drain();

    /** What to hand to {@link #restore} after a restart, from 0 to 255. The entry is in a group. */
    int state(int entry);

    /** The worth of an entry of this state, from 0 to 3: in a bounded restart, entries of a lower rank leave before those of a higher one. */
    int rank(int state);

    /**
     * Takes in an entry that was in a store's policy before a restart, of any kind. Entries are restored in the order of {@link #forEach}.
     *
     * @param state any from 0 to 255
     */
    void restore(int entry, int group, int state);

    /** Visits the entries of a group in the order in which restoring gives the same order again: about those that leave soonest first. */
    void forEach(int group, IntConsumer visitor);

    /** The sum of the weights of a group's entries. */
    long weightBytes(int group);

    /** The number of a group's entries. */
    int size(int group);

    /** About what the policy takes up, in the heap and off it. */
    long memoryBytes();
}
