// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

/** Limits what one query writes to the cache. Thread-safe. */
@FunctionalInterface
public interface WriteBudget
{
    WriteBudget UNLIMITED = bytes -> true;

    /** The unlimited budget of reads that an operator ordered, which are cached at the first miss. */
    WriteBudget ORDERED = new WriteBudget() {
        @Override
        public boolean take(long bytes)
        {
            return true;
        }

        @Override
        public boolean isOrdered()
        {
            return true;
        }
    };

    /** Takes bytes from the budget; returns false, and takes nothing, if there are not enough left. */
    boolean take(long bytes);

    /** Whether an operator ordered the data to be cached. */
    default boolean isOrdered()
    {
        return false;
    }
}
