// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Lake;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Queries the tables and compares each answer with the truth. Thread-safe. */
final class Askers
{
    private static final int MOST_TOLD = 20;
    private static final int ROWS_SHOWN = 6;

    private final Lake lake;
    private final List<SoakTable> tables;
    private final Windows windows;
    private final Consumer<String> progress;
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong uncheckable = new AtomicLong();
    private final ConcurrentMap<String, Long> failed = new ConcurrentHashMap<>();
    private final Queue<String> unexplained = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** @param progress also receives wrong answers and unexplained errors */
    Askers(Lake lake, List<SoakTable> tables, Windows windows, Consumer<String> progress)
    {
        this.progress = progress;
        this.lake = lake;
        this.tables = List.copyOf(tables);
        this.windows = windows;
    }

    long queries()
    {
        return queries.get();
    }

    long uncheckable()
    {
        return uncheckable.get();
    }

    Map<String, Long> failed()
    {
        return Map.copyOf(failed);
    }

    List<String> unexplained()
    {
        return List.copyOf(unexplained);
    }

    List<String> wrong()
    {
        return List.copyOf(wrong);
    }

    /** Runs a random query in a random mode. */
    void askAnything(Random random)
    {
        PrestoClient client = lake.client(Soak.SCHEMA);
        int dice = random.nextInt(10);
        if (dice == 0) {
            // distinguishes an error of the truth from one of the cache
            client = lake.uncachedClient(Soak.SCHEMA);
        }
        else if (dice < 4) {
            client = client.withSession(Lake.CATALOG + ".fragment_cache_mode", "BYPASS");
        }
        SoakTable table = tables.get(random.nextInt(tables.size()));
        ask(client, dice != 0, table, question(table, random));
    }

    /** Queries each table once. Returns whether all answers are right. */
    boolean allAreRight(Random random)
    {
        boolean right = true;
        for (SoakTable table : tables) {
            right &= ask(lake.client(Soak.SCHEMA), true, table, question(table, random));
        }
        return right;
    }

    /** Runs an endless query as the user whose queries are killed. */
    void askAsVictim(Random random)
    {
        SoakTable table = tables.get(random.nextInt(tables.size()));
        ask(Canceller.victim(lake.client(Soak.SCHEMA)), true, table, new Question(Question.Kind.ENDLESS, table.name(), Optional.empty(), 0,
                Integer.MAX_VALUE));
    }

    private boolean ask(PrestoClient client, boolean cached, SoakTable table, Question question)
    {
        long from = System.nanoTime();
        List<String> answer;
        String id;
        try {
            QueryResult result = client.execute(question.sql());
            id = result.queryId();
            answer = result.rows().stream().map(row -> row.stream().map(Objects::toString).collect(Collectors.joining(" "))).sorted().toList();
        }
        catch (QueryFailedException e) {
            queries.incrementAndGet();
            String error = String.valueOf(e.getMessage());
            long until = System.nanoTime();
            Optional<String> explained = windows.explain(table.name(), from, until, error);
            if (explained.isEmpty() && !cached) {
                explained = windows.explainMixture(table.name(), from, until);
            }
            explained.ifPresentOrElse(
                    reason -> failed.merge(reason, 1L, Long::sum),
                    () -> tell(unexplained, error));
            return false;
        }
        long until = System.nanoTime();
        queries.incrementAndGet();
        try {
            List<Truth.State> states = table.truth().states(question.partition(), from, until);
            if (states.stream().anyMatch(state -> question.answer(state).equals(answer))) {
                return true;
            }
            tell(wrong, id + " " + question.sql() + ": " + shown(answer) + ", not " + states.stream().limit(3).map(state -> shown(question.answer(
                    state)))
                    .toList());
            return false;
        }
        catch (IllegalStateException e) {
            uncheckable.incrementAndGet();
            return true;
        }
    }

    private static Question question(SoakTable table, Random random)
    {
        Question.Kind kind = Question.ANSWERED.get(random.nextInt(Question.ANSWERED.size()));
        List<String> partitions = table.truth().partitions();
        Optional<String> partition = random.nextBoolean() ? Optional.of(partitions.get(random.nextInt(partitions.size()))) : Optional.empty();
        int from = random.nextInt(3) * 100;
        // few bounds, so that queries repeat and find cached results
        int to = kind == Question.Kind.ROWS ? from + 20 : random.nextBoolean() ? from + 150 : Integer.MAX_VALUE;
        return new Question(kind, table.name(), partition, from, to);
    }

    private static String shown(List<String> rows)
    {
        return rows.size() + " rows " + rows.stream().limit(ROWS_SHOWN).toList();
    }

    private void tell(Queue<String> told, String what)
    {
        if (told.size() < MOST_TOLD) {
            told.add(what);
            progress.accept((told == wrong ? "WRONG " : "UNEXPLAINED ") + what);
        }
    }
}
