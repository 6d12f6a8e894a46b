// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.lake;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.ShapedLink;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.s3.S3Server;
import io.eyrie.testing.tpch.TpchQueries;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * An S3 server, the link in front of it, and a Presto cluster. The cluster has a main catalog on that server, {@value #CATALOG} by default, and the
 * {@code tpch} catalog, with the standard's column names, to create tables from. {@link #close} ends all of them.
 *
 * <p>Thread-safe; the link's counts are those of one query only if nothing else runs.
 */
public final class Lake
        implements AutoCloseable
{
    public static final String CATALOG = "eyrie";
    public static final String BUCKET = "lake";

    private static final Pattern SERDE_PARAMETERS = Pattern.compile("(\"serdeParameters\"\\s*:\\s*\\{)\\s*(?=\\})");
    private static final long QUIET_MILLIS = 100;
    private static final Map<String, String> DATE_OF = Map.of("lineitem", "l_shipdate", "orders", "o_orderdate");

    private final String catalog;
    private final S3Server s3;
    private final ShapedLink link;
    private final @Nullable HiveMetastoreServer metastore;
    private final PrestoCluster presto;

    Lake(String catalog, S3Server s3, ShapedLink link, @Nullable HiveMetastoreServer metastore, PrestoCluster presto)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.metastore = metastore;
        this.s3 = requireNonNull(s3, "s3 is null");
        this.link = requireNonNull(link, "link is null");
        this.presto = requireNonNull(presto, "presto is null");
    }

    public static LakeBuilder builder(Checkout checkout)
    {
        return new LakeBuilder(checkout);
    }

    public S3Server s3()
    {
        return s3;
    }

    public ShapedLink link()
    {
        return link;
    }

    public PrestoCluster presto()
    {
        return presto;
    }

    /** Returns the metastore of {@link LakeBuilder#hiveMetastore}. */
    public HiveMetastoreServer metastore()
    {
        return requireNonNull(metastore, "this lake has a file metastore");
    }

    /** Returns a client of the main catalog. */
    public PrestoClient client(String schema)
    {
        return presto.client(catalog, schema);
    }

    /** Returns a client of that catalog with the cache disabled. */
    public PrestoClient uncachedClient(String schema)
    {
        return client(schema).withSession(catalog + ".cache_enabled", "false");
    }

    /** Returns the location of a table's files. */
    public static String location(String schema, String table)
    {
        return "s3a://" + BUCKET + "/" + schema + "/" + table + "/";
    }

    /**
     * Creates TPC-H's tables of a scale factor in a new schema.
     *
     * @param format one of Presto's file formats, such as {@code ORC}
     * @param partitioned whether lineitem and orders are partitioned by the year of their date
     * @param created receives the name and the number of rows of each table
     */
    public void createTpchTables(String schema, double scale, String format, boolean partitioned, BiConsumer<String, Long> created)
    {
        String source = "tpch.\"" + TpchQueries.sourceSchema(scale) + "\".";
        PrestoClient client = uncachedClient(schema);
        client.execute("CREATE SCHEMA " + catalog + "." + schema);
        for (String table : TpchQueries.TABLES) {
            boolean byYear = partitioned && DATE_OF.containsKey(table);
            createTable(
                    schema,
                    table,
                    columnsOf(source + table) + (byYear ? ", data_year integer" : ""),
                    "format = '" + format + "'" + (byYear ? ", partitioned_by = ARRAY['data_year']" : ""));
            String columns = byYear ? "*, CAST(year(" + DATE_OF.get(table) + ") AS integer)" : "*";
            created.accept(table, client.execute("INSERT INTO " + table + " SELECT " + columns + " FROM " + source + table).updateCount());
        }
    }

    /**
     * Creates TPC-H's tables of a scale factor in a new schema, with statistics. Lineitem and orders are partitioned by the month of their date, a varchar
     * {@code data_month} such as {@code 1995-03}.
     *
     * @param filled whether the tables have rows
     */
    public void createMonthlyTpchTables(String schema, double scale, String format, boolean filled)
    {
        String source = "tpch.\"" + TpchQueries.sourceSchema(scale) + "\".";
        PrestoClient client = uncachedClient(schema).withSession("task_writer_count", "1");
        client.execute("CREATE SCHEMA " + catalog + "." + schema);
        for (String table : TpchQueries.TABLES) {
            String date = DATE_OF.get(table);
            createTable(
                    schema,
                    table,
                    columnsOf(source + table) + (date == null ? "" : ", data_month varchar"),
                    "format = '" + format + "'" + (date == null ? "" : ", partitioned_by = ARRAY['data_month']"));
            if (filled) {
                String month = date == null ? "" : ", substr(CAST(" + date + " AS varchar), 1, 7)";
                client.execute("INSERT INTO " + table + " SELECT *" + month + " FROM " + source + table);
                analyze(schema, table);
            }
        }
    }

    /** Collects the statistics of a table, unless INSERT has stored them. Without statistics, every join shuffles both sides. */
    public void analyze(String schema, String table)
    {
        if (metastore != null) {
            uncachedClient(schema).execute("ANALYZE " + table);
        }
    }

    /** Creates an empty table with its files at {@link #location}. */
    public void createTable(String schema, String table, String columns, String properties)
    {
        // an external location must exist; Hive ignores files whose names begin with an underscore
        s3.client().put(BUCKET, schema + "/" + table + "/_location", new byte[0]);
        client(schema).execute("CREATE TABLE " + table + " (" + columns + ") WITH (" + properties + ", external_location = '"
                + location(schema, table) + "')");
    }

    /**
     * Creates a table of {@code copies} identical files, each with the rows of a query. Their paths differ, so caches treat them as different files.
     *
     * @return the total size of the files in bytes
     */
    public long createTableOfCopies(String schema, String table, String columns, String rows, int copies)
    {
        createTable(schema, table, columns, "format = 'ORC'");
        uncachedClient(schema).withSession("task_writer_count", "1").withSession("scale_writers", "true")
                .execute("INSERT INTO " + table + " " + rows);
        List<S3Object> written = s3.client().list(BUCKET, schema + "/" + table + "/").stream().filter(object -> object.size() > 0).toList();
        if (written.size() != 1) {
            throw new IllegalStateException(written.size() + " files were written, expected one");
        }
        byte[] file = s3.client().get(BUCKET, written.get(0).key());
        s3.client().delete(BUCKET, written.get(0).key());
        for (int i = 0; i < copies; i++) {
            s3.client().put(BUCKET, schema + "/" + table + "/" + String.format(Locale.ROOT, "part-%05d.orc", i), file);
        }
        return (long) file.length * copies;
    }

    /**
     * Adds serde parameters that CREATE TABLE has no syntax for, by editing the metastore's file.
     *
     * @param parameters as members of a JSON object, such as {@code "field.delim" : "|"}
     */
    public void setSerdeParameters(String schema, String table, String parameters)
    {
        Path metadata = presto.coordinatorDirectory().resolveSibling("metastore").resolve(schema).resolve(table).resolve(".prestoSchema");
        try {
            String changed = SERDE_PARAMETERS.matcher(Files.readString(metadata)).replaceFirst("$1" + Matcher.quoteReplacement(parameters));
            if (!changed.contains(parameters)) {
                throw new IllegalStateException("No empty serdeParameters in " + metadata);
            }
            Files.writeString(metadata, changed);
            Files.deleteIfExists(metadata.resolveSibling("..prestoSchema.crc"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the columns of a table in the syntax of CREATE TABLE, because LIKE cannot refer to another catalog. */
    public String columnsOf(String table)
    {
        return client("information_schema").execute("SHOW COLUMNS FROM " + table)
                .rows()
                .stream()
                .map(column -> column.get(0) + " " + column.get(1))
                .collect(joining(", "));
    }

    /** Returns the link's counts once it has been idle for a while, so that they include requests that a query leaves running in the background. */
    public LinkCounts quietCounts()
    {
        LinkCounts last = link.counts();
        while (true) {
            try {
                TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the link became quiet", e);
            }
            LinkCounts now = link.counts();
            if (now.equals(last)) {
                return now;
            }
            last = now;
        }
    }

    @Override
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    public void close()
    {
        try (s3; link; HiveMetastoreServer third = metastore; presto) {
            return;
        }
    }
}
