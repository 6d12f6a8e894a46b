package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

/**
 * Takes down a result while it is computed. What is not recorded to its end and finished leaves nothing. Used by one thread at a time.
 */
public interface Recorder
        extends AutoCloseable
{
    /** Takes the next page, with the columns that were asked for. Does nothing once a bound was passed. */
    void add(Page page);

    /** Says that all pages were added: the result is kept and given to those who wait for it, unless it is not worth it. */
    void finish(Cost cost);

    /** Memory that the recording holds. */
    long retainedBytes();

    /** Gives the recording up, if it is not finished: those who wait compute by themselves. */
    @Override
    void close();
}
