package io.eyrie.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Tables over files by other writers than Presto, which {@code generate.py} beside the files has made. */
enum ForeignFiles
{
    PRIMITIVES_ORC("primitives", "ORC", Shape.PRIMITIVES),
    PRIMITIVES_PARQUET("primitives", "PARQUET", Shape.PRIMITIVES),
    NESTED_ORC("nested", "ORC", Shape.NESTED),
    NESTED_PARQUET("nested", "PARQUET", Shape.NESTED),
    SPARK_ORC("spark", "ORC", Shape.SPARK),
    SPARK_PARQUET("spark", "PARQUET", Shape.SPARK),
    TEXTS_CSV("texts", "CSV", Shape.TEXTS),
    DOCUMENTS_JSON("documents", "JSON", Shape.DOCUMENTS),
    RECORDS_AVRO("records", "AVRO", Shape.RECORDS);

    private static final Path DIRECTORY = Path.of("src/test/resources/foreign");

    /** Presto itself reads neither LZ4_RAW in Parquet nor ORC without a row index. */
    private static final Set<String> REFUSED = Set.of("primitives-lz4.parquet", "nested-lz4.parquet", "spark-unindexed.orc");

    private final String name;
    private final String format;
    private final Shape shape;

    private enum Shape
    {
        PRIMITIVES(
                "id bigint, flag boolean, tiny tinyint, small smallint, whole integer, single real, twice double, words varchar, bytes varbinary, day date,"
                        + " moment timestamp, short_decimal decimal(9, 2), long_decimal decimal(30, 4)",
                "sum(id), sum(short_decimal), max(words), max(moment), count(long_decimal)",
                "id >= 0", "id > 100000", "id BETWEEN 10 AND 40", "NOT flag", "tiny < 0", "small IS NULL", "whole > 0", "words > 'word 3'",
                "day < DATE '1970-01-05'", "moment > TIMESTAMP '1974-01-01 00:00:00'", "short_decimal > 0",
                "long_decimal < 1", "twice > 3"),
        NESTED("id bigint, items array(bigint), pairs map(varchar, bigint), fields row(a bigint, b array(varchar), c row(d double)),"
                + " lists array(array(integer)), structs array(row(a bigint, b array(varchar), c row(d double))), maps map(bigint, array(varchar)), words varchar",
                "sum(id), sum(cardinality(items)), sum(pairs['k1']), max(fields.b), sum(fields.c.d), sum(structs[1].a), max(words)",
                "cardinality(pairs) > 1 AND contains(map_keys(pairs), 'k1') AND cardinality(structs) > 0 AND id > 30"),
        SPARK("id bigint, words varchar, moment timestamp, price decimal(20, 3), items array(bigint), pairs map(varchar, bigint), fields row(a bigint, b varchar)",
                "sum(id), max(words), max(moment), sum(price), sum(cardinality(items)), sum(pairs['k']), max(fields.b)",
                "id >= 0", "id > 100000", "words > 'row 5'", "moment > TIMESTAMP '1974-01-01 00:00:00'", "price > 10", "fields.a < 20"),
        TEXTS("id varchar, words varchar", "count(id), max(words)", "words > 'w,\"4'"),
        DOCUMENTS("id bigint, items array(bigint), words varchar", "sum(id), max(words), sum(cardinality(items))", "id > 7"),
        RECORDS("id bigint, words varchar, items array(bigint), pairs map(varchar, double)",
                "sum(id), max(words), sum(cardinality(items)), sum(pairs['k'])",
                "id > 7", "words > 'w2'");

        private final String columns;
        private final String aggregates;
        @SuppressWarnings("ImmutableEnumChecker") // a copy
        private final List<String> predicates;

        Shape(String columns, String aggregates, String... predicates)
        {
            this.columns = columns;
            this.aggregates = aggregates;
            this.predicates = List.of(predicates);
        }
    }

    ForeignFiles(String name, String format, Shape shape)
    {
        this.name = name;
        this.format = format;
        this.shape = shape;
    }

    String table()
    {
        return "foreign_" + name().toLowerCase(Locale.ROOT);
    }

    String columns()
    {
        return shape.columns;
    }

    String format()
    {
        return format;
    }

    /** The files by their names. */
    Map<String, byte[]> files()
            throws IOException
    {
        Map<String, byte[]> files = new TreeMap<>();
        String extension = "." + format.toLowerCase(Locale.ROOT);
        try (Stream<Path> all = Files.list(DIRECTORY)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                String fileName = file.getFileName().toString();
                if (fileName.startsWith(name) && fileName.endsWith(extension) && !REFUSED.contains(fileName)) {
                    files.put(fileName, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    /** Whole rows, and aggregates of those that satisfy predicates of each kind. */
    List<String> queries()
    {
        return Stream.concat(
                Stream.of("SELECT \"$path\", * FROM " + table()),
                shape.predicates.stream().map(predicate -> "SELECT count(*), " + shape.aggregates + " FROM " + table() + " WHERE " + predicate))
                .toList();
    }
}
