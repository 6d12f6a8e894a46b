package io.eyrie.metastore;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.metastore.log.LogFollower;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * Decides for each query once whether what is kept may answer it: at its first lookup the log is read, and later lookups rely on that for a minute. So a query
 * sees all that was changed before it began. Thread-safe.
 */
final class QueryValidation
{
    private static final Duration RELIED_ON = Duration.ofMinutes(1);
    private static final long MOST_QUERIES = 10_000;

    private final LogFollower follower;
    private final Cache<String, Boolean> outcomes;

    QueryValidation(LogFollower follower, Ticker ticker)
    {
        this.follower = requireNonNull(follower, "follower is null");
        this.outcomes = Caffeine.newBuilder().ticker(ticker).maximumSize(MOST_QUERIES).expireAfterWrite(RELIED_ON).build();
    }

    boolean holds(String queryId)
    {
        Boolean known = outcomes.getIfPresent(queryId);
        if (known != null) {
            return known;
        }
        boolean outcome = follower.follow();
        outcomes.put(queryId, outcome);
        return outcome;
    }
}
