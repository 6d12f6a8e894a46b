// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.Words;
import io.eyrie.cli.server.WarmRules.Query;
import io.eyrie.cli.server.WarmRules.Rule;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** Runs the queries of rules, so that their fragment results are cached before users ask for them. For one thread. */
final class Replays
{
    /*
     * Runs       Until a run computes nothing that can be cached, MOST_RUNS at most: of joins that are admitted when they are seen twice, the second run
     *            computes the results; a large result is stored when it is computed for the second time
     * Failures   A query that failed MOST_TRIES times waits for the next occasion. If something outside of Presto fails, not before PATIENCE is over
     */
    private static final int MOST_RUNS = 3;
    private static final int MOST_TRIES = 3;
    private static final Duration PATIENCE = Duration.ofHours(1);
    private static final double MILLIS_PER_SECOND = 1000;
    private static final String REFUSED = "eyrieFragmentRefused";
    private static final String MISSED = "eyrieFragmentMisses";

    private final String catalog;
    private final WarmState state;
    private final WarmLimits limits;
    private final WarmLog log;
    private final Clock clock;
    private final Map<String, Failures> failures = new HashMap<>();

    private record Failures(int tries, Instant first)
    {}

    Replays(String catalog, WarmState state, WarmLimits limits, WarmLog log, Clock clock)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.state = requireNonNull(state, "state is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.log = requireNonNull(log, "log is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Returns the queries of a rule that did not run on an occasion, which may be the date or the newest partitions. */
    List<Query> waiting(Rule rule, String occasion)
    {
        return rule.queries().stream().filter(query -> !state.isReplayed(rule.name(), occasion, query.file())).toList();
    }

    /**
     * Runs these queries.
     *
     * @param again when failed queries run again, as the end of a sentence
     * @return the number of queries that failed
     */
    int run(PrestoServer server, Rule rule, String occasion, String again)
            throws IOException
    {
        Map<String, String> headers = new HashMap<>(rule.replay().headers());
        headers.put("X-Presto-Catalog", catalog);
        headers.put("X-Presto-Schema", rule.schema());
        PrestoServer session = server.with(headers);
        int failed = 0;
        List<Query> waiting = waiting(rule, occasion);
        for (int i = 0; i < waiting.size(); i++) {
            Optional<String> obstacle = limits.obstacle(count(waiting.size() - i) + " to replay");
            if (obstacle.isPresent()) {
                log.once(rule.name(), obstacle.get());
                return failed;
            }
            failed += run(session, rule, waiting.get(i), occasion, again) ? 0 : 1;
        }
        log.forget(rule.name());
        return failed;
    }

    private static String count(int queries)
    {
        return queries == 1 ? "1 query" : Words.number(queries) + " queries";
    }

    /* Returns false if the query failed. */
    private boolean run(PrestoServer session, Rule rule, Query query, String occasion, String again)
            throws IOException
    {
        String key = rule.name() + " " + query.file();
        Instant start = clock.instant();
        long loaded = 0;
        for (int runs = 1;; runs++) {
            ReplayRun run = ReplayRun.of(session, query.sql(), limits.leftToday());
            limits.loaded(run.loadedBytes());
            loaded += run.loadedBytes();
            if (run.overBudget()) {
                log.line(key, "canceled after it had loaded " + Words.size(loaded) + ", because the daily budget is used up; runs again tomorrow");
                return true;
            }
            if (run.failure().isPresent()) {
                failed(key, rule, query, occasion, run.failure().get(), again);
                return false;
            }
            if (!run.mayImprove() || runs == MOST_RUNS || limits.obstacle("").isPresent()) {
                failures.remove(key);
                log.forget(key);
                state.replayed(rule.name(), occasion, query.file());
                log.line(key, String.format(Locale.ROOT, "ran %s in %.1f s: ", runs == 1 ? "once" : runs + " times", Duration.between(start, clock
                        .instant()).toMillis() / MILLIS_PER_SECOND) + outcome(run) + "; loaded " + Words.size(loaded));
                return true;
            }
        }
    }

    private void failed(String key, Rule rule, Query query, String occasion, FailedStatementException failure, String again)
    {
        Failures before = failures.getOrDefault(key, new Failures(0, clock.instant()));
        Failures now = new Failures(before.tries() + 1, before.first());
        String text = "failed: " + Words.plain(String.valueOf(failure.getMessage()));
        if (now.tries() < MOST_TRIES || (failure.external() && clock.instant().isBefore(now.first().plus(PATIENCE)))) {
            failures.put(key, now);
            log.once(key, text + "; " + again);
            return;
        }
        failures.remove(key);
        log.forget(key);
        state.replayed(rule.name(), occasion, query.file());
        log.line(key, text + "; gives up after " + Words.count(now.tries(), "run") + " until " + (rule.replay().at().isPresent()
                ? "tomorrow"
                : "the next partition"));
    }

    private static String outcome(ReplayRun last)
    {
        if (last.hits() + last.misses() > 0) {
            String misses = reasons(last, MISSED);
            return "its last run was served " + last.hits() + " of " + Words.count(last.hits() + last.misses(), "split") + " from results" + (misses
                    .isEmpty() ? "" : " (misses: " + misses + ")");
        }
        String refusals = reasons(last, REFUSED);
        return "no split of it has a result" + (refusals.isEmpty() ? "" : " (" + refusals + ")");
    }

    /* Returns the statistics whose names continue after the prefix. */
    private static String reasons(ReplayRun run, String prefix)
    {
        return new TreeSet<>(run.statistics().keySet()).stream().filter(name -> name.startsWith(prefix) && name.length() > prefix.length()).map(
                name -> Words.plain(name) + " " + run.statistics().get(name)).collect(Collectors.joining(", "));
    }
}
