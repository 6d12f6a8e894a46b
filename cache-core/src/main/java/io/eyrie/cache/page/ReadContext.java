package io.eyrie.cache.page;

import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;

import static java.util.Objects.requireNonNull;

/**
 * On whose behalf a file is read: what it belongs to, what the cache may do, and who listens.
 *
 * @param budget what the query may have written to the cache; shared by all its files
 */
public record ReadContext(Scope scope, CacheMode mode, ReadListener listener, WriteBudget budget)
{
    public ReadContext
    {
        requireNonNull(scope, "scope is null");
        requireNonNull(mode, "mode is null");
        requireNonNull(listener, "listener is null");
        requireNonNull(budget, "budget is null");
    }

    /** Of a query that may have everything written. */
    public ReadContext(Scope scope, CacheMode mode, ReadListener listener)
    {
        this(scope, mode, listener, WriteBudget.UNLIMITED);
    }
}
