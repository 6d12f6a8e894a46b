// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.Clients;
import io.eyrie.testing.lake.Lake;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tables, queries and changes of one seed. The same seed always gives the same ones, regardless of the machine's speed. Not thread-safe. */
final class RandomTables
{
    /** The shapes of queries that the user selected, separated by commas. */
    static final @Nullable String SELECTED = System.getProperty("eyrie.shapes");

    private static final int ASKED_AGAIN = 10;
    private static final int REMEMBERED = 400;
    private static final int SEALED_OF = 4;

    private final long seed;
    private final Random random;
    private final Changes changes;
    private final Differences differences;
    private final Clients clients;
    private final List<Table> tables = new ArrayList<>();
    private final List<RandomQuery> asked = new ArrayList<>();
    private final List<Shape> shapes;
    private final Queries queries;
    private int round;

    /**
     * @param number the suffix of the schemas' names
     * @param whole whether all formats and shapes occur; otherwise those at even places for an even seed, at odd places for an odd one
     */
    RandomTables(long seed, int number, boolean whole, Changes changes, Differences differences, Clients clients)
    {
        this.seed = seed;
        this.random = new Random(seed);
        this.changes = changes;
        this.differences = differences;
        this.clients = clients;
        List<Format> further = whole ? List.of(Format.ORC, Format.PARQUET, Format.ORC, Format.AVRO) : List.of(Format.ORC, Format.PARQUET);
        for (Format format : Stream.concat(part(whole, Format.values()), further.stream()).toList()) {
            String schema = (tables.size() % SEALED_OF == SEALED_OF - 1 ? Changes.SEALED : "plain") + number;
            tables.add(new Table(schema + ".t" + tables.size(), format, tables.size(), new Random(random.nextLong())));
        }
        this.shapes = SELECTED == null
                // these occur more often, because few of them are answered from finer groups or become joined scans
                ? Stream.concat(part(whole, Shape.values()), Stream.of(Shape.DRILL_DOWN, Shape.STAR_JOIN, Shape.SNOWFLAKE_JOIN)).toList()
                : Stream.of(SELECTED.split(",", -1)).map(Shape::valueOf).toList();
        this.queries = new Queries(random, shapes, tables);
    }

    private <T> Stream<T> part(boolean whole, T[] values)
    {
        return IntStream.range(0, values.length).filter(place -> whole || (place + seed) % 2 == 0).mapToObj(place -> values[place]);
    }

    void create(Lake lake)
    {
        tables.stream().map(table -> table.name().substring(0, table.name().indexOf('.'))).distinct().forEach(
                schema -> lake.client("default").execute("CREATE SCHEMA " + schema + " WITH (location = 's3a://" + Lake.BUCKET + "/" + schema
                        + "/')"));
        clients.each(tables.stream().map(table -> {
            Random own = new Random(random.nextLong());
            return (Runnable) () -> changes.create(table, own);
        }).toList(), Runnable::run);
    }

    /** Applies each change to some table, then repeats earlier queries of changed tables, then runs a query of each shape. */
    void round()
    {
        List<Table> changed = new ArrayList<>();
        if (round++ > 0) {
            for (Change change : Change.values()) {
                changed.addAll(changes.apply(change, tables, random));
            }
        }
        askAgain(asked.stream().filter(query -> query.facts().tables().stream().anyMatch(changed::contains)).toList(), "after changes");
        List<RandomQuery> fresh = shapes.stream().map(shape -> queries.next()).toList();
        check(fresh, "asked first");
        asked.addAll(fresh);
        while (asked.size() > REMEMBERED) {
            asked.remove(0);
        }
    }

    /** Repeats earlier queries. */
    void askAgain(String when)
    {
        askAgain(asked, when);
    }

    private void askAgain(List<RandomQuery> again, String when)
    {
        List<RandomQuery> some = new ArrayList<>(again);
        Collections.shuffle(some, random);
        check(some.subList(0, Math.min(some.size(), ASKED_AGAIN)), when);
    }

    private void check(List<RandomQuery> some, String when)
    {
        String where = "eyrie.seed=" + seed + ", round " + round + ", " + when;
        List<RandomQuery> gone = Collections.synchronizedList(new ArrayList<>());
        clients.each(some.stream().map(query -> {
            int turn = random.nextInt(1000);
            return (Runnable) () -> {
                if (!differences.check(query, turn, where)) {
                    gone.add(query);
                }
            };
        }).toList(), Runnable::run);
        asked.removeAll(gone);
    }
}
