// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.console.Words;
import io.eyrie.cli.server.PrestoServer.Answer;
import io.eyrie.cli.server.PrestoServer.Column;
import io.eyrie.cli.server.WarmRules.Hours;
import io.eyrie.cli.server.WarmRules.Query;
import io.eyrie.cli.server.WarmRules.Rule;
import io.eyrie.cli.server.WarmRules.What;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Looks at the tables of the rules, warms partitions that are not done, runs queries that wait, and reports each decision in one line. For one thread. */
final class WarmRounds
{
    /*
     * Order      newest partitions first; each is one query of warm_cache
     * Done       all splits are warm, or max_bytes of the rule ended the query, or MOST_TRIES queries left splits that are not cached. The daily budget and failures
     *            leave a partition for later
     * Failures   if something outside of Presto failed, such as one file, the other partitions and the queries do not wait for the partition. After MOST_TRIES, it is
     *            tried again once an hour
     * Queries    after all partitions of the rule are done or have failed, once for each set of newest partitions; or once a day, also after midnight if no round was
     *            in time before
     * Lines      a line that only repeats why a partition or a rule waits is printed once
     */
    private static final int MOST_TRIES = 3;
    private static final Duration PAUSE = Duration.ofHours(1);
    private static final String WARM = "warm";
    // of warm_cache's messages
    private static final String BUDGET_ENDED = "max_size";
    private static final String TOO_LITTLE = "but the first split has";
    private static final String COORDINATOR = "coordinator";

    private final String catalog;
    private final WarmRules rules;
    private final WarmState state;
    private final Clock clock;
    private final WarmLimits limits;
    private final WarmLog log;
    private final Replays replays;
    private final boolean dryRun;
    private final Map<String, Integer> tries = new HashMap<>();
    private final Map<String, LocalDate> ended = new HashMap<>(); // when the daily budget last ended a partition
    private final Map<String, Failures> failing = new HashMap<>();
    private int failedPartitions;

    private record Partition(List<String> keys, String name, String condition)
    {
        /** The name of a column of warm_cache for this table. */
        String column(String name)
        {
            return keys.contains(name) ? column("warm_" + name) : name;
        }
    }

    private record Failures(int tries, Instant last)
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
        limits = new WarmLimits(rules, state, this.clock);
        log = new WarmLog(this.clock, lines);
        replays = new Replays(catalog, state, limits, log, this.clock);
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
        failedPartitions = 0;
        for (Rule rule : rules.rules()) {
            try {
                failures += follow(connection.open(), rule);
            }
            catch (ReportedException e) {
                failures++;
                log.once(rule.name(), failure(e));
            }
            catch (IOException e) {
                // the same for all rules
                log.once(COORDINATOR, failure(e));
                return failures + failedPartitions + 1;
            }
        }
        log.forget(COORDINATOR);
        return failures + failedPartitions;
    }

    /** Returns the time until the next round: until queries of a time of day are due, or quiet hours end, if that is sooner than the next look at the tables. */
    Duration pause()
    {
        ZonedDateTime now = ZonedDateTime.now(clock);
        Stream<LocalTime> times = Stream.concat(
                rules.rules().stream().flatMap(rule -> rule.replay().at().stream()),
                rules.quietAt(now.toLocalTime()).map(Hours::end).stream());
        return Stream.concat(Stream.of(rules.every()), times.map(time -> Duration.between(now, next(now, time)))).min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static ZonedDateTime next(ZonedDateTime now, LocalTime time)
    {
        ZonedDateTime today = now.with(time);
        return today.isAfter(now) ? today : now.plusDays(1).with(time);
    }

    private String failure(Exception e)
    {
        return "failed: " + Words.plain(String.valueOf(e.getMessage())) + "; " + again();
    }

    private String again()
    {
        return "tries again in " + rules.every().toSeconds() + " s";
    }

    /* Returns the number of queries that failed. */
    private int follow(PrestoServer server, Rule rule)
            throws IOException
    {
        if (rule.replay().at().isPresent()) {
            LocalTime at = rule.replay().at().get();
            LocalDateTime now = LocalDateTime.now(clock);
            if (dryRun) {
                return wouldRun(rule, now.toLocalDate().toString(), " from " + at + " on");
            }
            LocalDate day = now.toLocalTime().isBefore(at) ? now.toLocalDate().minusDays(1) : now.toLocalDate();
            if (!day.equals(now.toLocalDate()) && !state.hasOccasion(rule.name())) {
                // a new rule begins today
                rule.queries().forEach(query -> state.replayed(rule.name(), day.toString(), query.file()));
            }
            return replays.run(server, rule, day.toString(), again());
        }
        List<Partition> newest = newest(server, rule);
        if (rule.what() != What.QUERIES && !warm(server, rule, newest)) {
            return 0;
        }
        if (newest.isEmpty() || rule.queries().isEmpty()) {
            log.forget(rule.name());
            return 0;
        }
        String names = newest.stream().map(Partition::name).collect(Collectors.joining("\n"));
        String occasion = UUID.nameUUIDFromBytes(names.getBytes(UTF_8)).toString();
        return dryRun ? wouldRun(rule, occasion, "") : replays.run(server, rule, occasion, again());
    }

    private int wouldRun(Rule rule, String occasion, String when)
    {
        for (Query query : replays.waiting(rule, occasion)) {
            log.line(rule.name() + " " + query.file(), "would run" + when);
        }
        return 0;
    }

    /* Returns whether all of these partitions are done. */
    private boolean warm(PrestoServer server, Rule rule, List<Partition> newest)
            throws IOException
    {
        state.retain(rule.name(), newest.stream().map(Partition::name).toList());
        Stream.of(tries, ended, failing).forEach(known -> known.keySet().removeIf(
                key -> key.startsWith(rule.name() + " ") && newest.stream().noneMatch(partition -> key.equals(key(rule, partition)))));
        List<Partition> waiting = newest.stream().filter(partition -> !state.isDone(rule.name(), partition.name()) && !isPaused(key(rule, partition)))
                .toList();
        for (int i = 0; i < waiting.size(); i++) {
            Optional<String> obstacle = limits.obstacle(Words.count(waiting.size() - i, "partition") + " to warm");
            if (obstacle.isPresent()) {
                log.once(rule.name(), obstacle.get());
                return false;
            }
            if (dryRun) {
                log.forget(rule.name());
                log.line(key(rule, waiting.get(i)), "would warm " + rule.what().label() + size(most(rule, 0)).map(size -> ", at most " + size).orElse(
                        ""));
            }
            else if (!triedToWarm(server, rule, waiting.get(i))) {
                log.once(rule.name(), "the rest of the daily budget is too small for the next split: " + Words.count(waiting.size() - i, "partition")
                        + " to warm tomorrow");
                return false;
            }
        }
        if (dryRun || newest.stream().allMatch(partition -> state.isDone(rule.name(), partition.name()) || failing.containsKey(key(rule,
                partition)))) {
            return true;
        }
        log.forget(rule.name());
        return false;
    }

    private boolean isPaused(String key)
    {
        Failures failures = failing.get(key);
        return failures != null && failures.tries() >= MOST_TRIES && clock.instant().isBefore(failures.last().plus(PAUSE));
    }

    /* Returns whether there was room in the daily budget. */
    private boolean triedToWarm(PrestoServer server, Rule rule, Partition partition)
            throws IOException
    {
        String key = key(rule, partition);
        try {
            boolean room = warm(server, rule, partition);
            failing.remove(key);
            return room;
        }
        catch (FailedStatementException e) {
            if (!e.external()) {
                throw e;
            }
            failedPartitions++;
            Failures before = failing.getOrDefault(key, new Failures(0, clock.instant()));
            failing.put(key, new Failures(before.tries() + 1, clock.instant()));
            log.once(key, "failed: " + Words.plain(String.valueOf(e.getMessage())) + "; " + (before.tries() + 1 < MOST_TRIES
                    ? again()
                    : "tries again in an hour"));
            return true;
        }
    }

    /*
     * Returns the maximum size of a query's files; empty for footers, or without a bound. It counts all files in the order of their listing, also those that were warmed
     * before.
     */
    private OptionalLong most(Rule rule, long warmedBytes)
    {
        OptionalLong left = limits.leftToday();
        if (rule.what() != What.DATA || left.isEmpty()) {
            return rule.maxBytes();
        }
        return OptionalLong.of(Math.min(rule.maxBytes().orElse(Long.MAX_VALUE), warmedBytes + left.getAsLong()));
    }

    private static Optional<String> size(OptionalLong bytes)
    {
        return bytes.isEmpty() ? Optional.empty() : Optional.of(Words.size(bytes.getAsLong()));
    }

    private List<Partition> newest(PrestoServer server, Rule rule)
            throws IOException
    {
        String table = Sql.name(catalog) + "." + Sql.name(rule.schema()) + "." + Sql.name(rule.table().orElseThrow() + "$partitions");
        List<Column> columns = server.answer("SELECT * FROM " + table + " WHERE false").columns();
        String order = IntStream.rangeClosed(1, columns.size()).mapToObj(column -> column + " DESC NULLS LAST").collect(Collectors.joining(", "));
        return server.rows("SELECT * FROM " + table + " ORDER BY " + order + " LIMIT " + rule.newest()).stream().map(row -> partition(columns, row))
                .toList();
    }

    private static Partition partition(List<Column> columns, JsonNode row)
    {
        return new Partition(
                columns.stream().map(Column::name).toList(),
                IntStream.range(0, columns.size()).mapToObj(i -> columns.get(i).name() + "=" + row.path(i).asText()).collect(Collectors.joining("/")),
                IntStream.range(0, columns.size()).mapToObj(i -> Sql.equal(columns.get(i), row.path(i))).collect(Collectors.joining(" AND ")));
    }

    /* Returns whether there was room in the daily budget. */
    private boolean warm(PrestoServer server, Rule rule, Partition partition)
            throws IOException
    {
        OptionalLong most = most(rule, state.begunBytes(rule.name(), partition.name()));
        if (!most.equals(rule.maxBytes()) && LocalDate.now(clock).equals(ended.get(key(rule, partition)))) {
            return false;
        }
        try {
            report(server, rule, partition, most, query(server, rule, partition, most));
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
        return server.answer("SELECT " + partition.column("state") + ", count(*), sum(" + partition.column("found_bytes") + "), sum("
                + partition.column("loaded_bytes") + "), sum(" + partition.column("length") + ") FROM TABLE(" + Sql.name(catalog)
                + ".system.warm_cache(schema_name => " + Sql.text(rule.schema()) + ", table_name => " + Sql.text(rule.table().orElseThrow())
                + ", what => "
                + Sql.text(rule.what().label()) + (most.isPresent() ? ", max_size => '" + most.getAsLong() + "B'" : "") + ")) WHERE "
                + partition.condition() + " GROUP BY 1 ORDER BY 1");
    }

    private void report(PrestoServer server, Rule rule, Partition partition, OptionalLong most, Answer answer)
    {
        long splits = 0;
        long length = 0;
        long found = 0;
        long loaded = 0;
        StringBuilder others = new StringBuilder();
        for (JsonNode row : answer.rows()) {
            found += row.path(2).asLong();
            loaded += row.path(3).asLong();
            if (row.path(0).asText().equals(WARM)) {
                splits = row.path(1).asLong();
                length = row.path(4).asLong();
            }
            else {
                others.append("; ").append(Words.count(row.path(1).asLong(), "split")).append(" not cached: ").append(Words.plain(row.path(0)
                        .asText()));
            }
        }
        limits.loaded(loaded);
        String key = key(rule, partition);
        boolean givenUp = !others.isEmpty() && tries.merge(key, 1, Integer::sum) >= MOST_TRIES;
        String end = "";
        boolean done = others.isEmpty();
        if (answer.warnings().stream().anyMatch(warning -> warning.contains(BUDGET_ENDED))) {
            done = most.equals(rule.maxBytes());
            if (!done) {
                ended.put(key, LocalDate.now(clock));
                state.begun(rule.name(), partition.name(), found + loaded);
            }
            end = done ? "; max_bytes of the rule ended it" : "; the daily budget ended it, and the rest follows tomorrow";
        }
        else if (givenUp) {
            done = true;
            end = "; gives up after " + MOST_TRIES + " queries";
        }
        if (done) {
            tries.remove(key);
            ended.remove(key);
            state.done(rule.name(), partition.name());
        }
        log.line(key, "warmed " + Words.count(splits, "split") + ", loaded " + Words.size(loaded) + ", " + Words.size(found) + " were cached before"
                + others + end + (rule.what() == What.DATA && others.isEmpty() ? evicted(server, rule, partition, length) : ""));
    }

    /* Returns how much of a partition was evicted while the rest was loaded, as the end of a line. */
    private String evicted(PrestoServer server, Rule rule, Partition partition, long length)
    {
        try {
            JsonNode cached = server.rows("SELECT sum(current_bytes) FROM " + Sql.name(catalog)
                    + ".cache.tables WHERE layer = 'data' AND schema_name = "
                    + Sql.text(rule.schema()) + " AND table_name = " + Sql.text(rule.table().orElseThrow())
                    // directories of partitions have escaped names
                    + " AND replace(url_decode(replace(partition_name, '+', '%2B')), '__HIVE_DEFAULT_PARTITION__', 'null') = " + Sql.text(partition
                            .name()))
                    .get(0).path(0);
            return cached.isNull() || cached.asLong() >= length
                    ? ""
                    : "; only " + Words.size(cached.asLong()) + " of " + Words.size(length)
                            + " are still cached, because the caches are too small for it";
        }
        catch (IOException | ReportedException e) {
            return "; how much of it is still cached is not known: " + Words.plain(String.valueOf(e.getMessage()));
        }
    }

    private static String key(Rule rule, Partition partition)
    {
        return rule.name() + " " + partition.name();
    }
}
