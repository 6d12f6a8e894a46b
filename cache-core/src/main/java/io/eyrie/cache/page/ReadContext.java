// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;

import static java.util.Objects.requireNonNull;

/**
 * The context of reading a file: its scope, the permitted use of the cache, and the listener.
 *
 * @param budget the write budget of the query, shared by all its files
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

    /** The context of a query without a write budget. */
    public ReadContext(Scope scope, CacheMode mode, ReadListener listener)
    {
        this(scope, mode, listener, WriteBudget.UNLIMITED);
    }
}
