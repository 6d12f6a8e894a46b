// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.RandomQuery.RowComparison;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static io.eyrie.integration.BesideStock.STOCK;
import static io.eyrie.testing.lake.Lake.CATALOG;

/** Runs queries in both catalogs, several times, and compares the answers. Thread-safe. */
final class Differences
{
    private final Lake lake;
    private final Coverage coverage;
    private final AtomicLong executions = new AtomicLong();
    private final Collection<String> found = new ConcurrentLinkedQueue<>();

    Differences(Lake lake, Coverage coverage)
    {
        this.lake = lake;
        this.coverage = coverage;
    }

    /** Returns how many queries were run. */
    long executions()
    {
        return executions.get();
    }

    Collection<String> found()
    {
        return found;
    }

    /**
     * Runs the query on stock, on Eyrie cold and warm, and on every fourth turn with other cache settings; each answer must be stock's. Also compares
     * the query's rewriting, if it has one.
     *
     * @param turn selects the cache settings
     * @param where the seed, and earlier changes of the tables
     * @return false if the analyzer rejects the query, or Eyrie's answer to it differs
     */
    boolean check(RandomQuery query, int turn, String where)
    {
        Answer expected = expected(query);
        if (expected.isNoQuery()) {
            coverage.count("answers", "no query");
            coverage.count("no query", query.shape() + " " + expected.error().lines().findFirst().orElse("").replaceAll("[(]#\\w+[)]|'[^']*'|\\d+",
                    ""));
        }
        else {
            count(query, expected);
        }
        for (String when : List.of("cold", "warm")) {
            if (differs(query, query.session(), expected, where + ", " + when)) {
                return false;
            }
        }
        if (turn % 4 == 0) {
            Map<String, String> caches = Sessions.CACHES.get(turn / 4 % Sessions.CACHES.size());
            coverage.count("caches", caches);
            Map<String, String> session = new TreeMap<>(query.session());
            session.putAll(caches);
            if (differs(query, session, expected, where + ", " + caches)) {
                return false;
            }
        }
        for (RandomQuery coarser : query.coarserQueries()) {
            Answer stock = expected(coarser);
            for (String when : List.of("after the finer query", "again")) {
                if (differs(coarser, coarser.session(), stock, where + ", " + when + ", " + query.sql())) {
                    return false;
                }
            }
        }
        if (!query.equivalent().isEmpty() && query.compared() != RowComparison.SUBSET && !expected.isError()) {
            compareRewritten(query, expected, where);
        }
        return !expected.isNoQuery();
    }

    private void compareRewritten(RandomQuery query, Answer expected, String where)
    {
        Answer rewritten = ask(CATALOG, query.session(), query.equivalentSql());
        if (!rewritten.isError() && new Answer("", 0, "", expected.columns(), rewritten.rows()).difference(expected, query.compared()).isEmpty()) {
            return;
        }
        // an error of the rewriting, or a defect of Presto, must be stock's, too
        String difference = rewritten.difference(ask(STOCK, query.session(), query.equivalentSql()), query.compared());
        if (!difference.isEmpty()) {
            report(query, where + ", rewritten as " + query.equivalentSql(), difference);
        }
        else if (!rewritten.isError()) {
            coverage.count("answers", "stock's own differ");
            coverage.count("stock's own differ", query.sql() + " and its rewriting " + query.equivalentSql());
        }
    }

    private void count(RandomQuery query, Answer expected)
    {
        if (expected.isError()) {
            coverage.count("answers", "errors");
            coverage.count("errors", query.shape() + " " + expected.error().lines().findFirst().orElse("").replaceAll(
                    "[(]#\\w+[)]|'[^']*'|\\d+|s3a:\\S+", ""));
            if (query.shape() == Shape.FAILING) {
                coverage.count("shape", query.shape());
                coverage.count("feature", Feature.FAILING);
            }
            return;
        }
        coverage.count("answers", expected.rows().isEmpty() ? "without rows" : "with rows");
        coverage.count("shape", query.shape());
        query.facts().tables().forEach(table -> coverage.count("format", table.format()));
        query.facts().kinds().forEach(kind -> coverage.count("type", kind));
        query.facts().features().forEach(feature -> coverage.count("feature", feature));
        query.session().forEach((name, value) -> coverage.count("session", name));
    }

    private Answer expected(RandomQuery query)
    {
        return ask(STOCK, query.session(), query.compared() == RowComparison.SUBSET ? query.equivalentSql() : query.sql());
    }

    private boolean differs(RandomQuery query, Map<String, String> session, Answer expected, String where)
    {
        String difference = ask(CATALOG, session, query.sql()).difference(expected, query.compared());
        if (difference.isEmpty()) {
            return false;
        }
        if (!expected(query).difference(expected, query.compared()).isEmpty()) {
            // depends on a clock, or on an order that is not guaranteed
            coverage.count("answers", "stock's own differ");
            coverage.count("stock's own differ", query.sql());
            return false;
        }
        RandomQuery reduced = reduced(query.withSession(session), query.session());
        report(reduced, where + ", reduced from " + query.sql(), difference);
        return true;
    }

    /* Removes the parts of a query that the difference does not need. */
    private RandomQuery reduced(RandomQuery query, Map<String, String> stockSession)
    {
        RandomQuery smallest = query;
        for (boolean smaller = true; smaller;) {
            smaller = false;
            List<RandomQuery> candidates = new ArrayList<>();
            for (int i = 0; i < smallest.items().size() && smallest.items().size() > 1; i++) {
                candidates.add(smallest.withParts(without(smallest.items(), i), smallest.conjuncts()));
            }
            for (int i = 0; i < smallest.conjuncts().size(); i++) {
                candidates.add(smallest.withParts(smallest.items(), without(smallest.conjuncts(), i)));
            }
            if (!smallest.session().isEmpty()) {
                candidates.add(smallest.withSession(Map.of()));
            }
            for (RandomQuery candidate : candidates) {
                Answer expected = expected(candidate.session().isEmpty() ? candidate : candidate.withSession(stockSession));
                if (!ask(CATALOG, candidate.session(), candidate.sql()).difference(expected, candidate.compared()).isEmpty()) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<String> without(List<String> parts, int index)
    {
        return IntStream.range(0, parts.size()).filter(i -> i != index).mapToObj(parts::get).toList();
    }

    private void report(RandomQuery query, String where, String difference)
    {
        String report = query.shape() + " " + query.session() + ": " + query.sql() + "\n  " + difference + "\n  " + where + "\n  "
                + query.facts().tables().stream().distinct().map(Table::toString).collect(Collectors.joining("\n  "));
        System.out.println("DIFFERENCE " + report);
        found.add(report);
    }

    private Answer ask(String catalog, Map<String, String> session, String sql)
    {
        executions.incrementAndGet();
        PrestoClient client = lake.presto().client(catalog, "default");
        return Answer.of(Sessions.of(client, catalog, session), sql);
    }
}
