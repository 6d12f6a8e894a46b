package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as the generator knows it: what it was made with, and what its changes made of it. Each has a column {@code id}, unique over all of its rows, and {@code label}, each of whose
 * values begins with the same four letters, so that one file can be written over by another one of the same length. Used by one thread at a time.
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
     * @param turn each third one has buckets, counted on with each schema drawn
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

    /** All columns that a query may name, those of partitions last. */
    List<Column> allColumns()
    {
        return Stream.concat(columns.stream(), partitions.stream()).toList();
    }

    /** Draws another schema. */
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

    /** The statement that makes the table of the schema drawn. */
    String create()
    {
        return "CREATE TABLE " + name + " (" + allColumns().stream().map(Column::definition).collect(Collectors.joining(", ")) + ") WITH ("
                + properties + ")";
    }

    /** The same with rows: the only way to fill buckets without partitions. */
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

    /* Each kind of type in turn, so that a few tables have them all. */
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

    /** A statement that appends so many rows; ids go on where the last one ended. */
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

    /** A column that does not exist yet. */
    Column newColumn()
    {
        return column("n" + added++);
    }

    void add(Column column)
    {
        columns.add(column);
    }

    /** A column that may be renamed or dropped: the last but for one time in five. */
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

    /** What was done to the table since it was made. */
    void remember(String change)
    {
        history.add(change);
    }

    /** What a reader needs to make the table again, with all that was done to it. */
    @Override
    public String toString()
    {
        return name + ":\n    " + String.join(";\n    ", history);
    }
}
