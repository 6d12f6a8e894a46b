// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

/** A range of a read, within one page, that the store did not serve at first, and where its bytes come from instead. Used by one thread. */
final class MissingRange
{
    private final PageLookup lookup;
    private final long position;
    private final int length;
    private @Nullable Fetch fetch;
    private boolean stored;
    private boolean done;

    MissingRange(PageLookup lookup, long position, int length)
    {
        this.lookup = lookup;
        this.position = position;
        this.length = length;
    }

    /** Returns the range between two positions in this one. */
    MissingRange cut(long from, long to)
    {
        return new MissingRange(lookup, from, (int) (to - from));
    }

    PageLookup lookup()
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

    /** The fetch that covers this range, if any. */
    @Nullable
    Fetch fetch()
    {
        return fetch;
    }

    void setFetch(Fetch value)
    {
        fetch = value;
    }

    /** Whether the store has this range by now. */
    boolean isStored()
    {
        return stored;
    }

    void setStored()
    {
        stored = true;
    }

    /** Whether the bytes of this range have been copied. Ranges that are not done in the end are read from the remote store. */
    boolean isDone()
    {
        return done;
    }

    void setDone()
    {
        done = true;
    }
}
