package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;

/** One page looked up for one read. Used by one thread. */
final class Lookup
{
    private final PageKey key;
    private final long position;
    private final int length;
    private final ReadOutcome outcome;
    private boolean lacking;
    private Admission admission = Admission.ADMITTED;

    Lookup(PageKey key, long position, int length, ReadOutcome outcome)
    {
        this.key = key;
        this.position = position;
        this.length = length;
        this.outcome = outcome;
    }

    PageKey key()
    {
        return key;
    }

    long position()
    {
        return position;
    }

    long end()
    {
        return position + length;
    }

    int length()
    {
        return length;
    }

    /** What the store said first. */
    ReadOutcome outcome()
    {
        return outcome;
    }

    /** Bytes of it are neither in the store nor in memory. */
    void setLacking()
    {
        lacking = true;
    }

    /** What it lacks may not be kept. */
    void setRefused(Admission refusal)
    {
        admission = refusal;
    }

    /** The refusal of what it lacks, if it may not be kept. */
    Admission admission()
    {
        return admission;
    }

    /** How it ends. */
    ReadOutcome conclusion()
    {
        return lacking ? outcome : ReadOutcome.HIT;
    }
}
