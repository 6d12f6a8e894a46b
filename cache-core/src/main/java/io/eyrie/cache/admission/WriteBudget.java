package io.eyrie.cache.admission;

/** What one query may have written to the cache. Thread-safe. */
@FunctionalInterface
public interface WriteBudget
{
    WriteBudget UNLIMITED = bytes -> true;

    /** Without a bound, of reads that an operator has ordered: they are worth keeping the first time. */
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

    /** Takes so many bytes from the budget; false, and nothing is taken, if there are fewer. */
    boolean take(long bytes);

    /** Whether what is read is worth keeping because somebody says so. */
    default boolean isOrdered()
    {
        return false;
    }
}
