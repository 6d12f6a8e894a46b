// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;

/**
 * Passes entry numbers from any number of threads to one. A number is lost if there is no room or another thread interferes.
 *
 * <p>{@link #offer} takes no lock and allocates nothing. {@link #drain} is called by one thread at a time.
 */
final class HitBuffer
{
    /*
     * Stripes     One ring each, in one array; threads are distributed over them by their ids, so that few share one. A cache line of padding
     *             separates the counters of two stripes.
     * Ring        offer:  tail < head + SLOTS, CAS tail + 1, then publish entry + 1 in the slot (release)
     *             drain:  slot (acquire) not 0, set it to 0, then head + 1 (release)
     *             A slot that is claimed but not yet published ends this drain of its stripe.
     * Invariants  B1 head <= tail <= head + SLOTS; tail - head counters wrap around together
     *             B2 only the owner of a claimed slot writes it while it is 0, only the drainer while it is not
     */
    private static final int STRIPES = 16;
    private static final int SLOTS = 64;
    /** From this many entries on, a drain is due. */
    private static final int FULL_ENOUGH = SLOTS / 2;
    private static final int LINE = 32;
    private static final int STRIDE = SLOTS + 2 * LINE;
    private static final int HEAD = SLOTS;
    private static final int TAIL = SLOTS + LINE;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] rings = new int[STRIPES * STRIDE];

    /** Returns whether a drain is due. */
    boolean offer(int entry)
    {
        int ring = stripe() * STRIDE;
        int tail = (int) INTS.getOpaque(rings, ring + TAIL);
        int used = tail - (int) INTS.getAcquire(rings, ring + HEAD);
        if (used >= SLOTS) {
            return true;
        }
        if (INTS.weakCompareAndSet(rings, ring + TAIL, tail, tail + 1)) {
            INTS.setRelease(rings, ring + (tail & (SLOTS - 1)), entry + 1);
        }
        return used >= FULL_ENOUGH;
    }

    void drain(IntConsumer consumer)
    {
        for (int ring = 0; ring < rings.length; ring += STRIDE) {
            int head = rings[ring + HEAD];
            int slot = ring + (head & (SLOTS - 1));
            for (int left = SLOTS; left > 0; left--) {
                int value = (int) INTS.getAcquire(rings, slot);
                if (value == 0) {
                    break;
                }
                INTS.setRelease(rings, slot, 0);
                head++;
                INTS.setRelease(rings, ring + HEAD, head);
                consumer.accept(value - 1);
                slot = ring + (head & (SLOTS - 1));
            }
        }
    }

    long memoryBytes()
    {
        return (long) rings.length * Integer.BYTES;
    }

    private static int stripe()
    {
        return ((int) Thread.currentThread().getId() * 0x9E3779B9) >>> 28;
    }
}
