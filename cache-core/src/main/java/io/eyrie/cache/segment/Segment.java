// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * A file of slots of one size, of one generation. The file and its description never change; the lock of the {@link PageTable} guards which slots are
 * taken.
 */
final class Segment
{
    /*
     * File    | hole | headers | slot | slot | ... | headers | slot | ...    A block of headers comes before the slots that they describe.
     * Hole    The first slot starts at a power of two of bytes: the operating system then caches a large page that is alone in its segment as one block.
     *         Without the hole, reads of 1 MiB are 9 % slower.
     */
    static final int MAX_SLOTS = 1 << 21;
    static final int MAX_SEGMENTS = (1 << 11) - 1;

    private final int id;
    private final long generation;
    private final int slotBytes;
    private final int slots;
    private final DeviceFile file;
    private final @Nullable GranuleCipher cipher;
    private final int headerBytes;
    private final int slotsPerBlock;
    private final int holeBytes;
    private final BitSet taken = new BitSet();
    private int takenCount;
    private int footers;
    private int pins;
    private int high;

    Segment(int id, long generation, int slotBytes, int slots, DeviceFile file, @Nullable GranuleCipher cipher)
    {
        this.id = id;
        this.generation = generation;
        this.slotBytes = slotBytes;
        this.slots = slots;
        this.file = file;
        this.cipher = cipher;
        headerBytes = SlotHeader.bytes(cipher != null);
        slotsPerBlock = Layout.BLOCK_BYTES / headerBytes;
        holeBytes = Integer.highestOneBit(slotBytes) - Layout.BLOCK_BYTES;
    }

    /** Returns a slot's number among all slots of all segments. */
    static int location(int segment, int slot)
    {
        return segment * MAX_SLOTS | slot;
    }

    static int segmentOf(int location)
    {
        return location >>> 21;
    }

    static int slotOf(int location)
    {
        return location & MAX_SLOTS - 1;
    }

    @Override
    public String toString()
    {
        return "segment " + id + " of generation " + Long.toHexString(generation);
    }

    int id()
    {
        return id;
    }

    /** Random, so that no two generations of a segment are equal. */
    long generation()
    {
        return generation;
    }

    int slotBytes()
    {
        return slotBytes;
    }

    int slots()
    {
        return slots;
    }

    @Nullable
    GranuleCipher cipher()
    {
        return cipher;
    }

    /** The position in the file at which a slot begins. */
    long framesPosition(int slot)
    {
        return holeBytes + (long) slot * slotBytes + (slot / slotsPerBlock + 1L) * Layout.BLOCK_BYTES;
    }

    private long headerPosition(int slot)
    {
        int first = slot - slot % slotsPerBlock;
        return framesPosition(first) - Layout.BLOCK_BYTES + (long) (slot - first) * headerBytes;
    }

    private long fileBytes(int slotsInUse)
    {
        return slotsInUse == 0 ? 0 : framesPosition(slotsInUse - 1) + slotBytes;
    }

    /** Fills a buffer from an offset in a slot, even if the thread is interrupted; the interrupt remains set. */
    DeviceOutcome read(int slot, int offset, ByteBuffer target)
    {
        return read(framesPosition(slot) + offset, target);
    }

    /** Fills a buffer with the header of a slot. */
    DeviceOutcome readHeader(int slot, ByteBuffer target)
    {
        return read(headerPosition(slot), target);
    }

    private DeviceOutcome read(long position, ByteBuffer target)
    {
        int start = target.position();
        DeviceOutcome outcome = file.read(position, target);
        return outcome == DeviceOutcome.INTERRUPTED ? uninterrupted(() -> file.read(position, target.position(start))) : outcome;
    }

    /** Writes a buffer at an offset in a slot, even if the thread is interrupted; the interrupt remains set. */
    DeviceOutcome write(int slot, int offset, ByteBuffer source)
    {
        return write(framesPosition(slot) + offset, source);
    }

    /** Writes the header of a slot. */
    DeviceOutcome writeHeader(int slot, ByteBuffer source)
    {
        return write(headerPosition(slot), source);
    }

    private DeviceOutcome write(long position, ByteBuffer source)
    {
        int start = source.position();
        return uninterrupted(() -> file.write(position, source.position(start)));
    }

    private static DeviceOutcome uninterrupted(Supplier<DeviceOutcome> operation)
    {
        boolean interrupted = false;
        DeviceOutcome outcome = operation.get();
        while (outcome == DeviceOutcome.INTERRUPTED) {
            interrupted |= Thread.interrupted();
            outcome = operation.get();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    /** Truncates the file after the last slot that is taken. */
    DeviceOutcome cut()
    {
        high = taken.length();
        return uninterrupted(() -> file.truncate(fileBytes()));
    }

    void close()
    {
        file.close();
    }

    /** Takes a free slot that was taken before; returns -1 if there is none. */
    int takeFree()
    {
        if (takenCount == high) {
            return -1;
        }
        int slot = taken.nextClearBit(0);
        take(slot);
        return slot;
    }

    /** Takes a slot that was never taken before. */
    int takeNew()
    {
        int slot = high;
        take(slot);
        return slot;
    }

    /** Takes a given slot, which is free. */
    void take(int slot)
    {
        taken.set(slot);
        takenCount++;
        high = Math.max(high, slot + 1);
    }

    void free(int slot)
    {
        taken.clear(slot);
        takenCount--;
    }

    boolean isTaken(int slot)
    {
        return taken.get(slot);
    }

    /** Notes that a slot received a page of a storage class, given by its code. */
    void pageAdded(int storageClass, boolean pinned)
    {
        footers += storageClass == Records.DATA ? 0 : 1;
        pins += pinned ? 1 : 0;
    }

    void pageRemoved(int storageClass, boolean pinned)
    {
        footers -= storageClass == Records.DATA ? 0 : 1;
        pins -= pinned ? 1 : 0;
    }

    /** Counts none of its pages as pinned; the caller counts them again with {@link #pinned}. */
    void forgetPins()
    {
        pins = 0;
    }

    /** Counts one of its pages, if it is pinned. */
    void pinned(boolean pinned)
    {
        pins += pinned ? 1 : 0;
    }

    boolean isPinned()
    {
        return pins > 0;
    }

    /** The number of its pages that are more valuable than data. */
    int footers()
    {
        return footers;
    }

    int takenCount()
    {
        return takenCount;
    }

    boolean isEmpty()
    {
        return takenCount == 0;
    }

    boolean canGrow()
    {
        return high < slots;
    }

    /** The largest length that its file may have. */
    long mostFileBytes()
    {
        return fileBytes(slots);
    }

    /** The length that its file may have. */
    long fileBytes()
    {
        return fileBytes(high);
    }

    /** The disk space that its file may take: slots and headers. */
    long diskBytes()
    {
        return high == 0 ? 0 : fileBytes() - holeBytes;
    }

    /** The disk space that its slots may take. */
    long allocatedBytes()
    {
        return (long) high * slotBytes;
    }

    long takenBytes()
    {
        return (long) takenCount * slotBytes;
    }
}
