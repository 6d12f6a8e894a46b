// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** Remembers pages that were recently not written. A later page may replace an earlier one. Thread-safe, without locks. */
final class UnwrittenPages
{
    private static final int PLACES = 1 << 13;

    private final AtomicReferenceArray<@Nullable PageKey> places = new AtomicReferenceArray<>(PLACES);

    void add(PageKey key)
    {
        places.set(place(key), key);
    }

    void remove(PageKey key)
    {
        PageKey known = places.get(place(key));
        if (key.equals(known)) {
            places.compareAndSet(place(key), known, null);
        }
    }

    boolean contains(PageKey key)
    {
        return key.equals(places.get(place(key)));
    }

    private static int place(PageKey key)
    {
        return (key.hashCode() ^ key.hashCode() >>> 16) & (PLACES - 1);
    }
}
