// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.console.Words;
import io.eyrie.cli.server.PrestoServer.Answer;
import io.eyrie.cli.server.PrestoServer.Column;
import io.eyrie.cli.server.WarmRules.Hours;
import io.eyrie.cli.server.WarmRules.Rule;

import java.io.IOException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/** Looks at the tables of the rules, warms partitions that are not done, and reports each decision in one line. For one thread. */
final class WarmRounds
{
    /*
     * Order      newest partitions first; each is one query of warm_cache
     * Done       all splits are warm, or max_bytes of the rule ended the query, or MOST_TRIES queries left splits that are not cached. The daily budget and failures
     *            leave a partition for later
     * Lines      a line that only repeats why a partition or a rule waits is printed once
     */
    private static final int MOST_TRIES = 3;
    private static final String WARM = "warm";
    // of warm_cache's messages
    private static final String BUDGET_ENDED = "max_size";
    private static final String TOO_LITTLE = "but the first split has";
    private static final String COORDINATOR = "coordinator";

    private final String catalog;
    private final WarmRules rules;
    private final WarmState state;
    private final Clock clock;
    private final Consumer<String> lines;
    private final boolean dryRun;
    private final Map<String, String> said = new HashMap<>();
    private final Map<String, Integer> tries = new HashMap<>();

    private record Partition(String name, String condition)
    {}

    /** Opens a connection to the coordinator, with the current credentials. */
    @FunctionalInterface
    interface Connection
    {
        PrestoServer open()
                throws IOException;
    }

    WarmRounds(String catalog, WarmRules rules, WarmState state, Clock clock, Consumer<String> lines, boolean dryRun)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.rules = requireNonNull(rules, "rules is null");
        this.state = requireNonNull(state, "state is null");
        this.clock = requireNonNull(clock, "clock is null").withZone(rules.zone());
        this.lines = requireNonNull(lines, "lines is null");
        this.dryRun = dryRun;
    }

    /**
     * Runs one round.
     *
     * @return the number of failures, which are reported and tried again in the next round
     */
    int run(Connection connection)
    {
        int failures = 0;
        for (Rule rule : rules.rules()) {
            try {
                follow(connection.open(), rule);
            }
            catch (ReportedException e) {
                failures++;
                once(rule.name(), failure(e));
            }
            catch (IOException e) {
                // the same for all rules
                once(COORDINATOR, failure(e));
                return failures + 1;
            }
        }
        said.remove(COORDINATOR);
        return failures;
    }

    private String failure(Exception e)
    {
        return "failed: " + Words.plain(String.valueOf(e.getMessage())) + "; tries again in " + rules.every().toSeconds() + " s";
    }

    private void follow(PrestoServer server, Rule rule)
            throws IOException
    {
        List<Partition> newest = newest(server, rule);
        state.retain(rule.name(), newest.stream().map(Partition::name).toList());
        tries.keySet().removeIf(key -> key.startsWith(rule.name() + " ") && newest.stream().noneMatch(partition -> key.equals(key(rule, partition))));
        List<Partition> waiting = newest.stream().filter(partition -> !state.isDone(rule.name(), partition.name())).toList();
        for (int i = 0; i < waiting.size(); i++) {
            Optional<String> obstacle = obstacle(waiting.size() - i);
            if (obstacle.isPresent()) {
                once(rule.name(), obstacle.get());
                return;
            }
            if (dryRun) {
                said.remove(rule.name());
                line(key(rule, waiting.get(i)), "would warm " + (rule.data() ? "data" : "footers") + size(most(rule)).map(size -> ", at most " + size)
                        .orElse(""));
            }
            else if (!warm(server, rule, waiting.get(i))) {
                once(rule.name(), "the rest of the daily budget is too small for the next split: " + Words.count(waiting.size() - i, "partition")
                        + " to warm tomorrow");
                return;
            }
        }
        said.remove(rule.name());
    }

    private Optional<String> obstacle(int partitions)
    {
        Optional<Hours> quiet = rules.quietAt(LocalTime.now(clock));
        if (quiet.isPresent()) {
            return Optional.of("quiet hours until " + quiet.get().end() + ": " + Words.count(partitions, "partition") + " to warm then");
        }
        OptionalLong left = leftToday();
        return left.isPresent() && left.getAsLong() <= 0
                ? Optional.of("the daily budget of " + Words.size(rules.dailyBytes().orElseThrow()) + " is used up: " + Words.count(partitions,
                        "partition")
                        + " to warm tomorrow")
                : Optional.empty();
    }

    private OptionalLong leftToday()
    {
        OptionalLong budget = rules.dailyBytes();
        return budget.isEmpty() ? budget : OptionalLong.of(budget.getAsLong() - state.loadedBytes(LocalDate.now(clock)));
    }

    /* Returns the maximum size of a query's files; empty for footers, or without a bound. */
    private OptionalLong most(Rule rule)
    {
        OptionalLong left = leftToday();
        if (!rule.data() || left.isEmpty()) {
            return rule.maxBytes();
        }
        return rule.maxBytes().isEmpty() ? left : OptionalLong.of(Math.min(rule.maxBytes().getAsLong(), left.getAsLong()));
    }

    private static Optional<String> size(OptionalLong bytes)
    {
        return bytes.isEmpty() ? Optional.empty() : Optional.of(Words.size(bytes.getAsLong()));
    }

    private List<Partition> newest(PrestoServer server, Rule rule)
            throws IOException
    {
        String table = Sql.name(catalog) + "." + Sql.name(rule.schema()) + "." + Sql.name(rule.table() + "$partitions");
        List<Column> columns = server.answer("SELECT * FROM " + table + " WHERE false").columns();
        String order = IntStream.rangeClosed(1, columns.size()).mapToObj(column -> column + " DESC NULLS LAST").collect(Collectors.joining(", "));
        return server.rows("SELECT * FROM " + table + " ORDER BY " + order + " LIMIT " + rule.newest()).stream().map(row -> partition(columns, row))
                .toList();
    }

    private static Partition partition(List<Column> columns, JsonNode row)
    {
        return new Partition(
                IntStream.range(0, columns.size()).mapToObj(i -> columns.get(i).name() + "=" + row.path(i).asText()).collect(Collectors.joining("/")),
                IntStream.range(0, columns.size()).mapToObj(i -> Sql.equal(columns.get(i), row.path(i))).collect(Collectors.joining(" AND ")));
    }

    /* Returns whether there was room in the daily budget. */
    private boolean warm(PrestoServer server, Rule rule, Partition partition)
            throws IOException
    {
        OptionalLong most = most(rule);
        try {
            report(rule, partition, most, query(server, rule, partition, most));
            return true;
        }
        catch (ReportedException e) {
            if (!most.equals(rule.maxBytes()) && String.valueOf(e.getMessage()).contains(TOO_LITTLE)) {
                return false;
            }
            throw e;
        }
    }

    private Answer query(PrestoServer server, Rule rule, Partition partition, OptionalLong most)
            throws IOException
    {
        return server.answer("SELECT state, count(*), sum(found_bytes), sum(loaded_bytes) FROM TABLE(" + Sql.name(catalog)
                + ".system.warm_cache(schema_name => " + Sql.text(rule.schema()) + ", table_name => " + Sql.text(rule.table()) + ", what => "
                + (rule.data() ? "'data'" : "'footers'") + (most.isPresent() ? ", max_size => '" + most.getAsLong() + "B'" : "") + ")) WHERE "
                + partition.condition() + " GROUP BY state ORDER BY state");
    }

    private void report(Rule rule, Partition partition, OptionalLong most, Answer answer)
    {
        long splits = 0;
        long found = 0;
        long loaded = 0;
        StringBuilder others = new StringBuilder();
        for (JsonNode row : answer.rows()) {
            found += row.path(2).asLong();
            loaded += row.path(3).asLong();
            if (row.path(0).asText().equals(WARM)) {
                splits = row.path(1).asLong();
            }
            else {
                others.append("; ").append(Words.count(row.path(1).asLong(), "split")).append(" not cached: ").append(Words.plain(row.path(0)
                        .asText()));
            }
        }
        state.loaded(LocalDate.now(clock), loaded);
        String key = key(rule, partition);
        boolean givenUp = !others.isEmpty() && tries.merge(key, 1, Integer::sum) >= MOST_TRIES;
        String end = "";
        boolean done = others.isEmpty();
        if (answer.warnings().stream().anyMatch(warning -> warning.contains(BUDGET_ENDED))) {
            done = most.equals(rule.maxBytes());
            end = done ? "; max_bytes of the rule ended it" : "; the daily budget ended it, and the rest follows tomorrow";
        }
        else if (givenUp) {
            done = true;
            end = "; gives up after " + MOST_TRIES + " queries";
        }
        if (done) {
            tries.remove(key);
            state.done(rule.name(), partition.name());
        }
        line(key, "warmed " + Words.count(splits, "split") + ", loaded " + Words.size(loaded) + ", " + Words.size(found) + " were cached before"
                + others + end);
    }

    private static String key(Rule rule, Partition partition)
    {
        return rule.name() + " " + partition.name();
    }

    private void once(String subject, String text)
    {
        if (!text.equals(said.put(subject, text))) {
            line(subject, text);
        }
    }

    private void line(String subject, String text)
    {
        lines.accept(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + Words.plain(subject) + ": " + text);
    }
}
