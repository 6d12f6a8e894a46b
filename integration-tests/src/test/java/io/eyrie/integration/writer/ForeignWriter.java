// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.writer;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.S3Client;
import io.eyrie.testing.s3.S3Object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Changes the tables of one metastore at random: metadata by statements of another Presto cluster, and files directly in the store. A change of files in
 * {@link #SEALED} is announced to the metastore, as sealed directories require; one in {@link #OPEN} usually is not. Not thread-safe.
 */
final class ForeignWriter
{
    /** The schema whose changes the metastore knows. */
    static final String SEALED = "sealed";
    /** The schema whose files change without the metastore. */
    static final String OPEN = "open";

    static final int ROWS = 20;
    /** The least values of {@code x} in the files; all files have the same distance between their least and largest value. */
    static final List<Integer> FIRST_VALUES = List.of(1000, 2000, 3000, 4000, 5000, 6000);

    private static final List<String> FORMATS = List.of("ORC", "PARQUET");
    private static final List<String> TABLES = List.of("a", "b");
    private static final List<String> PARTITIONS = List.of("1", "2", "3", "4");
    private static final int MOST_COLUMNS = 2;
    private static final int MOST_FILES = 4;

    private final String catalog;
    private final PrestoClient client;
    private final S3Client s3;
    private final Map<String, List<byte[]>> donors;
    private final Random random;
    private final Map<String, Created> tables = new TreeMap<>();
    private final List<String> done = new ArrayList<>();
    private int serial;
    private int overwrites;

    /** A table that exists. */
    private record Created(String format, Set<String> partitions, List<String> columns)
    {}

    /**
     * Creates a writer.
     *
     * @param client of another cluster, in whose catalog the same metastore is
     * @param donors files by format
     */
    ForeignWriter(String catalog, PrestoClient client, S3Client s3, Map<String, List<byte[]>> donors, Random random)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.client = requireNonNull(client, "client is null");
        this.s3 = requireNonNull(s3, "s3 is null");
        this.donors = Map.copyOf(donors);
        this.random = requireNonNull(random, "random is null");
        for (String schema : List.of(SEALED, OPEN)) {
            client.execute("CREATE SCHEMA " + schema);
        }
    }

    /** Writes one file for each of {@link #FIRST_VALUES} in each format; the files of a format that have the same length differ only in their values. */
    static Map<String, List<byte[]>> donors(PrestoClient client, String catalog, S3Client s3)
    {
        client.execute("CREATE SCHEMA donors");
        PrestoClient writer = client.withSession("task_writer_count", "1")
                .withSession(catalog + ".compression_codec", "NONE")
                .withSession(catalog + ".orc_compression_codec", "NONE");
        Map<String, List<byte[]>> donors = new TreeMap<>();
        for (String format : FORMATS) {
            List<byte[]> files = new ArrayList<>();
            for (int first : FIRST_VALUES) {
                String table = format + first;
                String place = "donors/" + table + "/";
                s3.put(Lake.BUCKET, place + "_location", new byte[0]);
                writer.execute("CREATE TABLE donors." + table + " (x bigint, v varchar) WITH (format = '" + format + "', external_location = 's3a://"
                        + Lake.BUCKET + "/" + place + "')");
                writer.execute("INSERT INTO donors." + table + " " + rows(first));
                S3Object file = s3.list(Lake.BUCKET, place).stream().filter(object -> object.size() > 0).findFirst().orElseThrow();
                files.add(s3.get(Lake.BUCKET, file.key()));
            }
            donors.put(format, List.copyOf(files));
        }
        return donors;
    }

    private static String rows(int first)
    {
        return "SELECT x, if(x % 5 = 0, NULL, 'k' || cast(x AS varchar)) FROM UNNEST(sequence(" + first + ", " + (first + ROWS - 1) + ")) AS t(x)";
    }

    /** Returns the tables that exist now, and one that may not. */
    List<String> tables()
    {
        return Stream.concat(tables.keySet().stream(), Stream.of(OPEN + ".a")).distinct().toList();
    }

    /** Returns descriptions of all changes. */
    List<String> done()
    {
        return done;
    }

    /** Remembers what somebody else did between two changes. */
    void remember(String event)
    {
        done.add(event);
    }

    /** Returns the number of files that were overwritten by files of the same length. */
    int overwrites()
    {
        return overwrites;
    }

    /** Makes one change and returns the name of its table. */
    String change()
    {
        while (true) {
            String table = pick(List.of(SEALED, OPEN)) + "." + pick(TABLES);
            Created created = tables.get(table);
            String what = created == null ? create(table) : change(table, created);
            if (!what.isEmpty()) {
                done.add(what + " " + table);
                return table;
            }
        }
    }

    private String change(String table, Created created)
    {
        String partition = pick(PARTITIONS);
        boolean exists = created.partitions.contains(partition);
        return switch (random.nextInt(22)) {
            case 0 -> drop(table);
            case 1 -> exists ? dropPartition(table, created, partition) : "";
            case 2 -> addColumn(table, created);
            case 3, 4 -> insert(table, created, partition);
            case 5, 6 -> exists ? "" : discover(table, created, partition);
            case 7, 8 -> exists && files(table, partition).size() < MOST_FILES ? addFile(table, created, partition) : "";
            case 9 -> exists ? deleteFile(table, partition) : "";
            default -> exists ? overwrite(table, created, partition) : "";
        };
    }

    private String create(String table)
    {
        String format = pick(FORMATS);
        s3.put(Lake.BUCKET, place(table) + "_location", new byte[0]);
        client.execute("CREATE TABLE " + table + " (x bigint, v varchar, p varchar) WITH (format = '" + format
                + "', partitioned_by = ARRAY['p'], external_location = 's3a://" + Lake.BUCKET + "/" + place(table) + "')");
        tables.put(table, new Created(format, new TreeSet<>(), new ArrayList<>()));
        return "create in " + format;
    }

    private String drop(String table)
    {
        client.execute("DROP TABLE " + table);
        delete(place(table));
        tables.remove(table);
        return "drop";
    }

    private String dropPartition(String table, Created created, String partition)
    {
        client.execute("DELETE FROM " + table + " WHERE p = '" + partition + "'");
        delete(place(table, partition));
        created.partitions.remove(partition);
        return "drop p=" + partition + " of";
    }

    private String addColumn(String table, Created created)
    {
        if (created.columns.size() == MOST_COLUMNS) {
            return "";
        }
        String column = "c" + ++serial;
        client.execute("ALTER TABLE " + table + " ADD COLUMN " + column + " bigint");
        created.columns.add(column);
        return "add a column to";
    }

    private String insert(String table, Created created, String partition)
    {
        int first = pick(FIRST_VALUES);
        if (created.partitions.contains(partition) && files(table, partition).size() >= MOST_FILES) {
            return "";
        }
        client.execute("INSERT INTO " + table + " (x, v, p) SELECT x, v, '" + partition + "' FROM (" + rows(first) + ") AS t(x, v)");
        created.partitions.add(partition);
        return "insert " + first + " into p=" + partition + " of";
    }

    private String discover(String table, Created created, String partition)
    {
        int donor = putFile(table, created, partition);
        client.execute("CALL system.sync_partition_metadata('" + table.replace(".", "', '") + "', 'FULL')");
        created.partitions.add(partition);
        return "discover p=" + partition + " with " + donor + " in";
    }

    private String addFile(String table, Created created, String partition)
    {
        int donor = putFile(table, created, partition);
        return "add " + donor + announced(table, partition) + " to p=" + partition + " of";
    }

    private int putFile(String table, Created created, String partition)
    {
        int donor = random.nextInt(FIRST_VALUES.size());
        s3.put(Lake.BUCKET, place(table, partition) + "file-" + ++serial, ofFormat(created).get(donor));
        return FIRST_VALUES.get(donor);
    }

    private String deleteFile(String table, String partition)
    {
        List<S3Object> files = files(table, partition);
        if (files.isEmpty()) {
            return "";
        }
        s3.delete(Lake.BUCKET, pick(files).key());
        return "delete a file" + announced(table, partition) + " of p=" + partition + " of";
    }

    /* By a file of the same length, if there is one. */
    private String overwrite(String table, Created created, String partition)
    {
        List<S3Object> files = files(table, partition);
        if (files.isEmpty()) {
            return "";
        }
        S3Object file = pick(files);
        byte[] before = s3.get(Lake.BUCKET, file.key());
        List<byte[]> others = ofFormat(created).stream().filter(donor -> !Arrays.equals(donor, before)).toList();
        List<byte[]> alike = others.stream().filter(donor -> donor.length == before.length).toList();
        s3.put(Lake.BUCKET, file.key(), pick(alike.isEmpty() ? others : alike));
        overwrites += alike.isEmpty() ? 0 : 1;
        return "overwrite a file" + announced(table, partition) + " of p=" + partition + " of";
    }

    /* ANALYZE changes the partition in each kind of metastore. */
    private String announced(String table, String partition)
    {
        if (!table.startsWith(SEALED) && random.nextInt(4) > 0) {
            return "";
        }
        client.execute("ANALYZE " + table + " WITH (partitions = ARRAY[ARRAY['" + partition + "']])");
        return ", announced,";
    }

    private List<byte[]> ofFormat(Created created)
    {
        return requireNonNull(donors.get(created.format), "no donors");
    }

    private void delete(String prefix)
    {
        s3.list(Lake.BUCKET, prefix).forEach(object -> s3.delete(Lake.BUCKET, object.key()));
    }

    private List<S3Object> files(String table, String partition)
    {
        return s3.list(Lake.BUCKET, place(table, partition)).stream().filter(object -> object.size() > 0).toList();
    }

    private String place(String table)
    {
        return catalog + "/" + table.replace('.', '/') + "/";
    }

    private String place(String table, String partition)
    {
        return place(table) + "p=" + partition + "/";
    }

    private <T> T pick(List<T> values)
    {
        return values.get(random.nextInt(values.size()));
    }
}
