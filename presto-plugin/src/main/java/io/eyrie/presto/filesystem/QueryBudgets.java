package io.eyrie.presto.filesystem;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.admission.QueryBudget;
import io.eyrie.cache.admission.WriteBudget;

import java.time.Duration;
import java.util.OptionalLong;

/** What each query may have written to the cache of this worker. Thread-safe. */
public final class QueryBudgets
{
    // a query that opens no file for so long, or so many queries ago, begins anew: nobody says when a query ends
    private static final Duration REMEMBERED = Duration.ofHours(1);
    private static final long MOST_QUERIES = 10_000;

    private final OptionalLong bytes;
    private final Cache<String, WriteBudget> budgets = Caffeine.newBuilder().expireAfterAccess(REMEMBERED).maximumSize(MOST_QUERIES).build();

    /** @param bytes of each query; empty: without a bound */
    public QueryBudgets(OptionalLong bytes)
    {
        this.bytes = bytes;
    }

    WriteBudget of(String queryId)
    {
        return bytes.isEmpty() ? WriteBudget.UNLIMITED : budgets.get(queryId, id -> new QueryBudget(bytes.getAsLong()));
    }
}
