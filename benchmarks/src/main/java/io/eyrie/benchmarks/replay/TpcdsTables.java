// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import com.teradata.tpcds.Results;
import com.teradata.tpcds.Session;
import com.teradata.tpcds.Table;
import com.teradata.tpcds.column.Column;
import com.teradata.tpcds.column.ColumnType;
import io.eyrie.testing.lake.Lake;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Creates TPC-DS's tables. Presto's connector for them fits no engine that we test with, so the rows of its generator go through text files. */
public final class TpcdsTables
{
    /** The default separator of columns in a text table. */
    public static final String SEPARATOR = "\u0001";

    private static final String NULL = "\\N";

    private TpcdsTables()
    {}

    /** Creates all tables in a new schema. */
    public static void create(Lake lake, String schema, double scale, String format)
    {
        create(lake, schema, Table.getBaseTables(), scale, format);
    }

    /** Creates some tables in a new schema. */
    public static void create(Lake lake, String schema, List<Table> tables, double scale, String format)
    {
        lake.uncachedClient(schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        tables.forEach(table -> create(lake, schema, table, scale, format));
    }

    /** Returns the tables that queries read. Some of the others are large at any scale. */
    public static List<Table> of(List<String> queries)
    {
        return Table.getBaseTables().stream().filter(table -> queries.stream().anyMatch(sql -> contains(sql, table.getName()))).toList();
    }

    /** Returns whether a query contains the name of a table. */
    public static boolean contains(String sql, String table)
    {
        return Pattern.compile("\\b" + table + "\\b", Pattern.CASE_INSENSITIVE).matcher(sql).find();
    }

    /** Creates all tables without rows in a new schema. */
    public static void createEmpty(Lake lake, String schema, String format)
    {
        lake.uncachedClient(schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        for (Table table : Table.getBaseTables()) {
            lake.createTable(schema, table.getName(), columns(table), "format = '" + format + "'");
        }
    }

    private static void create(Lake lake, String schema, Table table, double scale, String format)
    {
        String name = table.getName();
        createText(lake, schema, name + "_text", table, scale, SEPARATOR);
        lake.createTable(schema, name, columns(table), "format = '" + format + "'");
        lake.uncachedClient(schema).execute("INSERT INTO " + name + " SELECT * FROM " + name + "_text");
    }

    /** Creates a text table of one file with this separator of columns. */
    public static void createText(Lake lake, String schema, String name, Table table, double scale, String separator)
    {
        lake.createTable(schema, name, columns(table), "format = 'TEXTFILE'");
        try {
            Path file = Files.createTempFile(name, ".txt");
            try {
                writeRows(table, scale, separator, file);
                lake.s3().client().put(Lake.BUCKET, schema + "/" + name + "/rows", file);
            }
            finally {
                Files.delete(file);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the columns of a table in the syntax of CREATE TABLE. */
    public static String columns(Table table)
    {
        return Stream.of(table.getColumns()).map(column -> column.getName() + " " + type(column)).collect(Collectors.joining(", "));
    }

    /** Returns queries of TPC-DS, on all of its channels, from {@code tpcds.sql}. */
    public static List<String> queries()
    {
        try (InputStream in = requireNonNull(TpcdsTables.class.getResourceAsStream("tpcds.sql"))) {
            String all = new String(in.readAllBytes(), UTF_8);
            return Stream.of(all.split(";")).map(String::strip).filter(query -> !query.isEmpty()).toList();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeRows(Table table, double scale, String separator, Path file)
            throws IOException
    {
        try (BufferedWriter writer = Files.newBufferedWriter(file, UTF_8)) {
            for (List<List<String>> rows : Results.constructResults(table, Session.getDefaultSession().withScale(scale).withTable(table))) {
                // a second list would be a row of the table of returns
                String before = "";
                for (String value : rows.get(0)) {
                    writer.append(before).append(value == null ? NULL : value);
                    before = separator;
                }
                writer.append('\n');
            }
        }
    }

    private static String type(Column column)
    {
        ColumnType type = column.getType();
        return switch (type.getBase()) {
            case IDENTIFIER -> "bigint";
            case INTEGER -> "integer";
            case DATE -> "date";
            case DECIMAL -> "decimal(" + type.getPrecision().orElseThrow() + ", " + type.getScale().orElseThrow() + ")";
            case CHAR, VARCHAR, TIME -> "varchar";
        };
    }
}
