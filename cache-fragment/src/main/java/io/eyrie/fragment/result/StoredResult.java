package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

import java.util.Iterator;
import java.util.Optional;

/**
 * A result that was found, with the columns that were asked for, in the order in which they were. Used by one thread at a time. Close it in any case: its memory is part of
 * {@link FragmentLimits#maxInFlightBytes}.
 */
public interface StoredResult
        extends AutoCloseable
{
    /** What it took to compute. */
    Cost cost();

    /** Its length in the store. */
    long storedBytes();

    /** Whether {@link #pages} finds its bytes in memory. */
    boolean isInMemory();

    /**
     * Reads and verifies the stored bytes and decodes the first page; each other page is decoded when it is asked for. Called once. Empty if the result was lost since it was
     * found: the leaf must be computed.
     */
    Optional<Iterator<Page>> pages();

    /** Memory that {@link #pages} takes, or has taken: the stored bytes and one decoded page. */
    long retainedBytes();

    @Override
    void close();
}
