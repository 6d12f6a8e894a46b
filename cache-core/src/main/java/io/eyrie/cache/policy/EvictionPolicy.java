// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.function.IntConsumer;

/**
 * Decides which entries a full store evicts. Entries are numbers from 0 on that the store assigns and may reuse, the smaller the better. Each
 * entry is in at most one group, and a group evicts only its own entries. A wrong decision costs speed, never correctness.
 *
 * <p>Any thread may call {@link #hit} at any time. All other methods are called by one thread at a time, under a lock of the store that makes the
 * calls of one thread visible to the next. No method blocks, does I/O, or allocates more than the growth of its arrays.
 */
public interface EvictionPolicy
{
    /** The result of {@link #victim} if the group is empty. */
    int NONE = -1;

    /** The store's data about an entry. Constant from the moment that the policy receives the entry until the policy no longer has it. */
    interface EntryInfo
    {
        /** Identifies the content of the entry: the same if it comes back under another number. Any of its bits may be used. */
        long hash(int entry);

        /** The space that the store gains by evicting the entry: positive. */
        int weightBytes(int entry);
    }

    /** The resource that the store lacks. A policy that divides a group into queues measures their shares in it. */
    enum ScarceResource
    {
        BYTES,
        ENTRIES,
    }

    /** Creates an empty group. Groups are numbered from 0 on and cannot be removed; the store may reuse an empty one. */
    int newGroup();

    /** Adds an entry that is in no group and was just read, for the first time ever or since its eviction. */
    void add(int entry, int group);

    /** Removes an entry for a reason other than {@link #victim}. The policy does not remember it. */
    void remove(int entry, int group);

    /** Chooses the entry of a group with the least value for the scarce resource and removes it. The store may add it again if it cannot evict it now. */
    int victim(int group, ScarceResource scarce);

    default int victim(int group)
    {
        return victim(group, ScarceResource.BYTES);
    }

    /**
     * Records that an entry was read. Takes no lock and allocates nothing. A hit may be lost; a hit on an entry that has been removed meanwhile
     * may count for the new owner of its number, or for none.
     *
     * @return whether {@link #drain} is due; the store calls it if it gets its lock without waiting
     */
    boolean hit(int entry);

    /** Processes the hits recorded so far. */
    void drain();

    /** The state for {@link #restore} after a restart, from 0 to 255. The entry is in a group. */
    int state(int entry);

    /** The rank of an entry with this state, from 0 to 3: if not all entries fit after a restart, those of lower rank are evicted first. */
    int rank(int state);

    /**
     * Adds an entry that was in the policy of a store, of any kind, before a restart. Entries are restored in the order of {@link #forEach}.
     *
     * @param state any from 0 to 255
     */
    void restore(int entry, int group, int state);

    /** Visits the entries of a group in an order that restoring reproduces: approximately from the next to be evicted to the last. */
    void forEach(int group, IntConsumer visitor);

    /** The sum of the weights of a group's entries. */
    long weightBytes(int group);

    /** The number of a group's entries. */
    int size(int group);

    /** The approximate memory of the policy, on and off the heap. */
    long memoryBytes();
}
