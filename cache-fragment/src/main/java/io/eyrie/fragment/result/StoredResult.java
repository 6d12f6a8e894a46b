// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

import java.util.Iterator;
import java.util.Optional;

/**
 * A found result, with the requested columns in the requested order. Used by one thread at a time. Always close it: its memory counts toward
 * {@link FragmentLimits#maxInFlightBytes}.
 */
public interface StoredResult
        extends AutoCloseable
{
    /** Returns the cost of computing the result. */
    Cost cost();

    /** Returns the result's length in the store. */
    long storedBytes();

    /** Whether {@link #pages} finds its bytes in memory. */
    boolean isInMemory();

    /**
     * Reads and verifies the stored bytes and decodes the first page; decodes each other page on demand. Called once. Empty if the result was lost
     * since it was found: the leaf must be computed.
     */
    Optional<Iterator<Page>> pages();

    /** Returns the memory that {@link #pages} takes or has taken: the stored bytes and one decoded page. */
    long retainedBytes();

    /** Counts that the result was read and could not be used, and closes it: the leaf must be computed. */
    void unusable();

    @Override
    void close();
}
