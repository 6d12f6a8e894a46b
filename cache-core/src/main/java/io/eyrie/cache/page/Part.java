package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

/** A part of a read, within one page, that the store did not give at first: where it comes from instead. Used by one thread. */
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

    /** The part of this part between two positions. */
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

    /** The fetch that brings it, if one does. */
    @Nullable
    Fetch fetch()
    {
        return fetch;
    }

    void setFetch(Fetch value)
    {
        fetch = value;
    }

    /** Whether the store has it by now. */
    boolean isStored()
    {
        return stored;
    }

    void setStored()
    {
        stored = true;
    }

    /** Whether its bytes have been copied. What is not done in the end is read from the remote store. */
    boolean isDone()
    {
        return done;
    }

    void setDone()
    {
        done = true;
    }
}
