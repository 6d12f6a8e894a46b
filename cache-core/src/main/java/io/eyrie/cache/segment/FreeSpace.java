// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Tracks the space of a disk that must stay free. Called under the lock of the {@link PageTable}. */
final class FreeSpace
{
    /*
     * Late        File systems may free the blocks of a deleted file later. Until the space appears, for a limited time, deleted bytes count as on
     *             their way: the store evicts nothing more for them, and writes nothing into them.
     */
    private static final long LATE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final TableSettings settings;
    private final LongSupplier usableBytes;
    // of writes in progress
    private long pendingBytes;
    private long onItsWayBytes;
    private long lateMillis;
    private long lastUsableBytes = Long.MAX_VALUE;

    /** The availability of the requested space. */
    enum Room
    {
        THERE,
        ON_ITS_WAY,
        MISSING,
    }

    /** @param usableBytes measures the disk */
    FreeSpace(TableSettings settings, LongSupplier usableBytes)
    {
        this.settings = settings;
        this.usableBytes = usableBytes;
    }

    /** A write of this many bytes begins. */
    void begin(long bytes)
    {
        pendingBytes += bytes;
    }

    /** A write has ended. */
    void end(long bytes)
    {
        pendingBytes -= bytes;
    }

    /** A file of this many bytes is deleted. */
    void freed(long bytes)
    {
        onItsWayBytes += bytes;
        lateMillis = settings.nowMillis() + LATE_MILLIS;
    }

    /** Whether the disk has room for this many bytes in addition to the space that must stay free. */
    Room room(long bytes)
    {
        long usable = usableBytes.getAsLong();
        onItsWayBytes = settings.nowMillis() < lateMillis ? Math.max(0, onItsWayBytes - Math.max(0, usable - lastUsableBytes)) : 0;
        lastUsableBytes = usable;
        long spare = usable - pendingBytes - bytes - settings.minFreeSpaceBytes();
        if (spare >= 0) {
            return Room.THERE;
        }
        return spare + onItsWayBytes >= 0 ? Room.ON_ITS_WAY : Room.MISSING;
    }
}
