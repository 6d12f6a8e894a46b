// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.flight;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The number of invalidations of one cache. It keeps values out of the cache whose loads began before an invalidation. Thread-safe. */
public final class LoadEpoch
{
    // a store excludes the change of the epoch, not other stores: whatever drops entries after the change finds a value stored before it
    private final ReentrantReadWriteLock storing = new ReentrantReadWriteLock(); // stores share it
    private final AtomicLong epoch = new AtomicLong(); // changed under the write lock

    /** Returns the number of invalidations. Read it before a load, and pass it to {@link #store} afterwards. */
    public long current()
    {
        return epoch.get();
    }

    /**
     * Runs {@code store}, which stores a value, unless there was an invalidation since this epoch. Returns whether it did. Several threads may store at a time.
     *
     * @param store does no I/O, and does not call {@link #invalidate}, which would never return
     */
    public boolean store(long since, Runnable store)
    {
        storing.readLock().lock();
        try {
            if (since != epoch.get()) {
                return false;
            }
            store.run();
            return true;
        }
        finally {
            storing.readLock().unlock();
        }
    }

    /** Runs {@code drop}, which drops entries of the cache. Values that are being loaded now are not stored. */
    public void invalidate(Runnable drop)
    {
        storing.writeLock().lock();
        try {
            epoch.incrementAndGet();
        }
        finally {
            storing.writeLock().unlock();
        }
        drop.run();
    }
}
