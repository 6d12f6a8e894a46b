package io.eyrie.benchmarks.replay;

import com.teradata.tpcds.Results;
import com.teradata.tpcds.Session;
import com.teradata.tpcds.Table;
import com.teradata.tpcds.column.Column;
import com.teradata.tpcds.column.ColumnType;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Makes TPC-DS's tables: Presto's connector for them fits no engine that we test with, so its generator's rows go through text files. */
final class TpcdsTables
{
    private static final String SEPARATOR = "\u0001";
    private static final String NULL = "\\N";

    private TpcdsTables()
    {}

    static void create(Lake lake, String schema, double scale, String format)
    {
        PrestoClient client = lake.uncachedClient(schema);
        client.execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        for (Table table : Table.getBaseTables()) {
            String name = table.getName();
            String columns = Stream.of(table.getColumns())
                    .map(column -> column.getName() + " " + type(column))
                    .collect(Collectors.joining(", "));
            lake.createTable(schema, name + "_text", columns, "format = 'TEXTFILE'");
            lake.s3().client().put(Lake.BUCKET, schema + "/" + name + "_text/rows", rows(table, scale).getBytes(UTF_8));
            lake.createTable(schema, name, columns, "format = '" + format + "'");
            client.execute("INSERT INTO " + name + " SELECT * FROM " + name + "_text");
        }
    }

    /** Queries of TPC-DS, on all of its channels; {@code tpcds.sql}. */
    static List<String> queries()
            throws IOException
    {
        try (InputStream in = requireNonNull(TpcdsTables.class.getResourceAsStream("tpcds.sql"))) {
            String all = new String(in.readAllBytes(), UTF_8);
            return Stream.of(all.split(";")).map(String::strip).filter(query -> !query.isEmpty()).toList();
        }
    }

    private static String rows(Table table, double scale)
    {
        StringBuilder text = new StringBuilder();
        for (List<List<String>> rows : Results.constructResults(table, Session.getDefaultSession().withScale(scale).withTable(table))) {
            // a second one would be of the table of returns
            String separator = "";
            for (String value : rows.get(0)) {
                text.append(separator).append(value == null ? NULL : value);
                separator = SEPARATOR;
            }
            text.append('\n');
        }
        return text.toString();
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
