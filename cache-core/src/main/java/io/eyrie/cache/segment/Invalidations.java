// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The latest invalidations, which decide whether a load that began earlier is stale. Thread-safe. A load that began before all remembered
 * invalidations counts as stale.
 */
final class Invalidations
{
    private static final int REMEMBERED = 1024;

    // guarded by this
    private final Deque<StoreInvalidation> latest = new ArrayDeque<>();
    private volatile long epoch;

    /** An invalidated file (its hash) or scope; the other one is null. */
    record StoreInvalidation(long epoch, @Nullable PageKey file, @Nullable Scope scope)
    {
        boolean concerns(PageKey key, Scope ofPage)
        {
            return (scope != null && scope.contains(ofPage))
                    || (file != null && file.hashHigh() == key.hashHigh() && file.hashLow() == key.hashLow());
        }

        /** Returns false if the table did not make the change in time. */
        boolean carryOut(PageTable table, Layout layout)
        {
            boolean done = scope == null || table.invalidate(scope);
            return (file == null || table.invalidateFile(layout.fingerprint(file, 0))) && done;
        }
    }

    /** Records an invalidation, which the caller then carries out. */
    synchronized StoreInvalidation add(@Nullable PageKey file, @Nullable Scope scope)
    {
        StoreInvalidation invalidation = new StoreInvalidation(epoch + 1, file, scope);
        latest.addLast(invalidation);
        if (latest.size() > REMEMBERED) {
            latest.removeFirst();
        }
        epoch = invalidation.epoch;
        return invalidation;
    }

    long epoch()
    {
        return epoch;
    }

    /** Whether a page's file or scope has been invalidated since an epoch. */
    boolean isStale(PageKey key, Scope scope, long sinceEpoch)
    {
        return epoch != sinceEpoch && search(key, scope, sinceEpoch);
    }

    private synchronized boolean search(PageKey key, Scope scope, long sinceEpoch)
    {
        if (epoch - sinceEpoch > latest.size()) {
            return true;
        }
        Iterator<StoreInvalidation> newestFirst = latest.descendingIterator();
        while (newestFirst.hasNext()) {
            StoreInvalidation invalidation = newestFirst.next();
            if (invalidation.epoch <= sinceEpoch) {
                return false;
            }
            if (invalidation.concerns(key, scope)) {
                return true;
            }
        }
        return false;
    }

    /** Returns all invalidations since an epoch, oldest first; null if they are no longer known. */
    synchronized @Nullable Iterable<StoreInvalidation> since(long sinceEpoch)
    {
        if (epoch - sinceEpoch > latest.size()) {
            return null;
        }
        return latest.stream().filter(invalidation -> invalidation.epoch > sinceEpoch).toList();
    }
}
