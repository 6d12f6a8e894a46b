// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.admission.QueryBudget;
import io.eyrie.cache.admission.WriteBudget;

import java.time.Duration;
import java.util.OptionalLong;

/** The write budget of each query for this worker's cache. Thread-safe. */
public final class QueryBudgets
{
    // nothing signals the end of a query: its budget starts over if it opens no file for this long, or after this many other queries
    private static final Duration REMEMBERED = Duration.ofHours(1);
    private static final long MOST_QUERIES = 10_000;

    private final OptionalLong bytes;
    private final Cache<String, WriteBudget> budgets = Caffeine.newBuilder().expireAfterAccess(REMEMBERED).maximumSize(MOST_QUERIES).build();

    /** @param bytes the budget of each query; empty for no limit */
    public QueryBudgets(OptionalLong bytes)
    {
        this.bytes = bytes;
    }

    WriteBudget of(String queryId)
    {
        return bytes.isEmpty() ? WriteBudget.UNLIMITED : budgets.get(queryId, id -> new QueryBudget(bytes.getAsLong()));
    }
}
