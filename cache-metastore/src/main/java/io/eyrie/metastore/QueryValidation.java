package io.eyrie.metastore;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.metastore.log.LogFollower;

import java.time.Duration;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Decides for each query once what may answer it: at its first lookup the log is read, where there is one, and later lookups rely on that for a minute. So a query
 * sees all that was changed before it began. Thread-safe.
 */
final class QueryValidation
{
    private static final Duration RELIED_ON = Duration.ofMinutes(1);
    private static final long MOST_QUERIES = 10_000;

    private final Optional<LogFollower> follower;
    private final Ticker ticker;
    private final Cache<String, Outcome> outcomes;

    QueryValidation(Optional<LogFollower> follower, Ticker ticker)
    {
        this.follower = requireNonNull(follower, "follower is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.outcomes = Caffeine.newBuilder().ticker(ticker).maximumSize(MOST_QUERIES).expireAfterWrite(RELIED_ON).build();
    }

    Outcome of(String queryId)
    {
        Outcome known = outcomes.getIfPresent(queryId);
        if (known != null) {
            return known;
        }
        long now = ticker.read();
        Outcome outcome = new Outcome(answer(), now);
        outcomes.put(queryId, outcome);
        return outcome;
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
     * What a query may rely on.
     *
     * @param sinceNanos when the query came
     */
    record Outcome(Answer answer, long sinceNanos)
    {
        static final Outcome OUT_OF_SCOPE = new Outcome(Answer.ASKED_FOR, 0);
    }

    /** What answers a query. */
    enum Answer
    {
        /** What is kept: the log vouches for it. */
        KEPT,
        /** What is kept and was found unchanged by a look at the metastore since the query came. */
        COMPARED,
        /** The metastore. */
        ASKED_FOR,
    }
}
