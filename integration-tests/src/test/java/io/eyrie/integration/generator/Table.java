// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The generator's model of a table: its creation and its changes. Each has a column {@code id}, unique over all of its rows, and {@code label}, each
 * of whose values begins with the same four letters, so that one file can be overwritten by another of the same length. Not thread-safe.
 */
final class Table
{
    private static final int COLUMNS = 7;
    private static final int BUCKETED_OF = 3;
    private static final List<String> PLACES = List.of("'a b'", "'a/b'", "'x=y;z~'", "'x%y'", "'plain'", "'2021-01-01'", "NULL");

    private final String name;
    private final Format format;
    private final Random random;
    private final Values values;
    private final List<Column> columns = new ArrayList<>();
    private final List<Column> partitions = new ArrayList<>();
    private final List<Kind> deck = new ArrayList<>();
    private String properties = "";
    private int turn;
    private boolean bucketed;
    private long nextId;
    private int added;
    private final List<String> history = new ArrayList<>();

    /**
     * @param name with its schema
     * @param turn every third table has buckets; incremented with each new schema
     */
    Table(String name, Format format, int turn, Random random)
    {
        this.name = name;
        this.format = format;
        this.turn = turn;
        this.random = random;
        this.values = new Values(random, format.takesNotANumber());
    }

    String name()
    {
        return name;
    }

    Format format()
    {
        return format;
    }

    boolean isPartitioned()
    {
        return !partitions.isEmpty();
    }

    boolean isBucketed()
    {
        return bucketed;
    }

    List<Column> partitions()
    {
        return List.copyOf(partitions);
    }

    /** Returns all columns that a query may name, partition columns last. */
    List<Column> allColumns()
    {
        return Stream.concat(columns.stream(), partitions.stream()).toList();
    }

    /** Draws a new schema. */
    void draw()
    {
        columns.clear();
        partitions.clear();
        history.clear();
        nextId = 0;
        boolean texts = format == Format.CSV;
        columns.add(new Column("id", DataType.of(texts ? Kind.VARCHAR : Kind.BIGINT, texts ? "varchar" : "bigint"), texts
                ? "cast(z AS varchar)"
                : "z"));
        columns.add(new Column("label", DataType.of(Kind.VARCHAR, "varchar"), "concat('mark', cast(z % 10 AS varchar))"));
        for (int i = 0; i < COLUMNS; i++) {
            columns.add(column("c" + i));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            partitions.add(partition("p" + partitions.size()));
        }
        properties = "format = '" + format + "'" + (partitions.isEmpty()
                ? ""
                : ", partitioned_by = ARRAY[" + partitions.stream().map(column -> "'" + column.name() + "'").collect(Collectors.joining(", ")) + "]")
                + buckets();
    }

    /** Returns the statement that creates the table with the drawn schema. */
    String create()
    {
        return "CREATE TABLE " + name + " (" + allColumns().stream().map(Column::definition).collect(Collectors.joining(", ")) + ") WITH ("
                + properties + ")";
    }

    /** Returns the same statement with rows: the only way to fill buckets without partitions. */
    String createAs(int rows)
    {
        return "CREATE TABLE " + name + " WITH (" + properties + ") AS SELECT " + allColumns().stream()
                .map(column -> "cast(" + column.formula() + " AS " + column.type().sql() + ") " + column.name())
                .collect(Collectors.joining(", ")) + from(rows);
    }

    private String buckets()
    {
        List<Column> keys = columns.stream()
                .filter(column -> column.type().kind().isInteger() || (column.type().sql().equals("varchar") && !column.name().equals("label")))
                .toList();
        bucketed = turn++ % BUCKETED_OF == 0;
        if (!bucketed) {
            return "";
        }
        String key = keys.get(random.nextInt(keys.size())).name();
        boolean sorted = format == Format.ORC || format == Format.PARQUET || format == Format.DWRF;
        return ", bucketed_by = ARRAY['" + key + "'], bucket_count = " + (random.nextInt(3) + 2)
                + (sorted && random.nextBoolean() ? ", sorted_by = ARRAY['" + key + "']" : "");
    }

    /* Uses each kind of type in turn, so that a few tables cover all. */
    private Column column(String called)
    {
        if (deck.isEmpty()) {
            deck.addAll(format.kinds());
            Collections.shuffle(deck, random);
        }
        DataType type = DataType.random(random, format, deck.remove(deck.size() - 1), random.nextInt(4) == 0 ? 2 : 1);
        return new Column(called, type, values.column("z", type));
    }

    private Column partition(String called)
    {
        return switch (random.nextInt(4)) {
            case 0 -> new Column(called, DataType.of(Kind.DATE, "date"), "date_add('day', -" + values.hash("z", 3) + ", " + Values.today() + ")");
            case 1 -> new Column(called, DataType.of(Kind.INTEGER, "integer"), "cast(nullif(" + values.hash("z", 3) + ", 0) - 5 AS integer)");
            default -> {
                List<String> places = new ArrayList<>(PLACES);
                Collections.shuffle(places, random);
                yield new Column(called, DataType.of(Kind.VARCHAR, "varchar"), "element_at(ARRAY[" + String.join(", ", places.subList(0, 3))
                        + "], cast("
                        + values.hash("z", 3) + " AS integer) + 1)");
            }
        };
    }

    /** Returns a statement that appends {@code rows} rows; their ids continue after the last one. */
    String insert(int rows)
    {
        return "INSERT INTO " + name + " SELECT " + allColumns().stream().map(Column::formula).collect(Collectors.joining(", ")) + from(rows);
    }

    private String from(int rows)
    {
        long first = nextId;
        nextId += rows;
        return " FROM UNNEST(sequence(" + first + ", " + (nextId - 1) + ")) AS n(z)";
    }

    /** Returns a column that does not exist yet. */
    Column newColumn()
    {
        return column("n" + added++);
    }

    void add(Column column)
    {
        columns.add(column);
    }

    /** Returns a column that may be renamed or dropped: usually the last, another one time in five. */
    Column changeable()
    {
        int last = columns.size() - 1;
        return columns.get(random.nextInt(5) == 0 ? 2 + random.nextInt(last - 1) : last);
    }

    boolean hasChangeable()
    {
        return columns.size() > 3 && !bucketed;
    }

    void drop(Column column)
    {
        columns.remove(column);
    }

    String newName()
    {
        return "r" + added++;
    }

    void rename(Column column, String newName)
    {
        columns.set(columns.indexOf(column), new Column(newName, column.type(), column.formula()));
    }

    /** Records a change since the table's creation. */
    void remember(String change)
    {
        history.add(change);
    }

    /** Returns the statements that create the table again, with all of its changes. */
    @Override
    public String toString()
    {
        return name + ":\n    " + String.join(";\n    ", history);
    }
}
