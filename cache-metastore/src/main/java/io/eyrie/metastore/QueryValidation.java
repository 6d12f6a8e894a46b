// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.metastore.log.LogFollower;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * Decides once for each query how its lookups may be answered. The first lookup reads the log, if there is one, and later lookups rely on that for a minute. A
 * query therefore sees every change that was made before it began. Versions rely on the latest decision as long as the query uses it. Thread-safe.
 */
final class QueryValidation
{
    private static final long RELIED_ON_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final long MOST_QUERIES = 10_000;

    private final Optional<LogFollower> follower;
    private final Ticker ticker;
    private final Cache<String, Outcome> outcomes;

    QueryValidation(Optional<LogFollower> follower, Ticker ticker)
    {
        this.follower = requireNonNull(follower, "follower is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.outcomes = Caffeine.newBuilder().ticker(ticker).maximumSize(MOST_QUERIES).expireAfterAccess(REMEMBERED).build();
    }

    Outcome of(String queryId)
    {
        Outcome known = outcomes.getIfPresent(queryId);
        long now = ticker.read();
        if (known != null && now - known.untilNanos() < 0) {
            return known;
        }
        Outcome outcome = new Outcome(answer(), now, ticker.read() + RELIED_ON_NANOS);
        outcomes.put(queryId, outcome);
        return outcome;
    }

    /** Returns the latest decision for the query, whatever its age. If there is none, the query's validation is now. */
    Outcome latest(String queryId)
    {
        Outcome known = outcomes.getIfPresent(queryId);
        return known == null ? of(queryId) : known;
    }

    private Answer answer()
    {
        if (follower.isEmpty()) {
            return Answer.COMPARED;
        }
        LogFollower log = follower.orElseThrow();
        if (log.follow()) {
            return Answer.KEPT;
        }
        return log.isWithoutLog() ? Answer.COMPARED : Answer.ASKED_FOR;
    }

    /**
     * The decision for a query.
     *
     * @param sinceNanos a time just before the validation; only metastore calls that began at or after it count
     * @param untilNanos when lookups need another decision
     */
    record Outcome(Answer answer, long sinceNanos, long untilNanos)
    {
        static final Outcome OUT_OF_SCOPE = new Outcome(Answer.ASKED_FOR, 0, 0);
    }

    /** How a query's lookups are answered. */
    enum Answer
    {
        /** By cached entries: the log validates them. */
        KEPT,
        /** By cached entries that a metastore call found unchanged since the query's validation. */
        COMPARED,
        /** By the metastore. */
        ASKED_FOR,
    }
}
