package io.eyrie.cache.admission;

/** What one query may have written to the cache. Thread-safe. */
@FunctionalInterface
public interface WriteBudget
{
    WriteBudget UNLIMITED = bytes -> true;

    /** Takes so many bytes from the budget; false, and nothing is taken, if there are fewer. */
    boolean take(long bytes);
}
