// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

/** A part of a read, within one page, that the store did not serve at first, and where its bytes come from instead. Used by one thread. */
final class Part
{
    private final Lookup lookup;
    private final long position;
    private final int length;
    private @Nullable Fetch fetch;
    private boolean stored;
    private boolean done;

    Part(Lookup lookup, long position, int length)
    {
        this.lookup = lookup;
        this.position = position;
        this.length = length;
    }

    /** Returns the part of this part between two positions. */
    Part cut(long from, long to)
    {
        return new Part(lookup, from, (int) (to - from));
    }

    Lookup lookup()
    {
        return lookup;
    }

    long position()
    {
        return position;
    }

    int length()
    {
        return length;
    }

    long end()
    {
        return position + length;
    }

    /** The fetch that covers this part, if any. */
    @Nullable
    Fetch fetch()
    {
        return fetch;
    }

    void setFetch(Fetch value)
    {
        fetch = value;
    }

    /** Whether the store has this part by now. */
    boolean isStored()
    {
        return stored;
    }

    void setStored()
    {
        stored = true;
    }

    /** Whether the bytes of this part have been copied. Parts that are not done in the end are read from the remote store. */
    boolean isDone()
    {
        return done;
    }

    void setDone()
    {
        done = true;
    }
}
