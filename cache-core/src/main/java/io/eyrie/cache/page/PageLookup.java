// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import org.jspecify.annotations.Nullable;

/** The lookup of one page for one read. Used by one thread. */
final class PageLookup
{
    private final PageKey key;
    private final long position;
    private final int length;
    private final ReadOutcome outcome;
    private boolean lacking;
    private boolean notWritten;
    private boolean unfetched;
    private int servedBytes;
    private @Nullable MissCause cause;
    private Admission admission = Admission.ADMITTED;

    PageLookup(PageKey key, long position, int length, ReadOutcome outcome)
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

    /** The store's first answer. */
    ReadOutcome outcome()
    {
        return outcome;
    }

    /** Marks that bytes of the lookup are neither in the store nor in memory. */
    void setLacking()
    {
        lacking = true;
    }

    /** Records whether the page was not written when it was loaded before. */
    void setNotWritten(boolean value)
    {
        notWritten = value;
    }

    boolean wasNotWritten()
    {
        return notWritten;
    }

    /** Marks that bytes of the lookup are not fetched for the cache, because fetches use all that they may. */
    void setUnfetched()
    {
        unfetched = true;
    }

    boolean isUnfetched()
    {
        return unfetched;
    }

    /** Records that the missing bytes may not be cached, and why. */
    void setRefused(Admission refusal)
    {
        admission = refusal;
    }

    /** The admission decision for the missing bytes; {@code ADMITTED} unless refused. */
    Admission admission()
    {
        return admission;
    }

    /** Adds bytes of the lookup that were served without a request of this read. */
    void served(int bytes)
    {
        servedBytes += bytes;
    }

    int servedBytes()
    {
        return servedBytes;
    }

    /** Records why the page is a miss. */
    void setCause(MissCause why)
    {
        cause = why;
    }

    /** Why the page is a miss; null if it is a hit, or before that is known. */
    @Nullable
    MissCause cause()
    {
        return cause;
    }

    /** The final outcome. */
    ReadOutcome conclusion()
    {
        return lacking ? outcome : ReadOutcome.HIT;
    }
}
