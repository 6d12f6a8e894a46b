// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.S3Client;
import io.eyrie.testing.s3.S3Object;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Creates tables and changes them, through either catalog or directly in the store. */
final class Changes
{
    /** The schema whose directories count as sealed: the metastore knows all of their changes. */
    static final String SEALED = "sealed";

    // the metastore's database rejects infinite ones
    private static final String STATISTICS = ".collect_column_statistics_on_write";
    private static final int TRIES = 5;
    private static final List<Map<String, String>> WRITERS = List.of(
            Map.of(".compression_codec", "NONE", STATISTICS, "false"),
            Map.of(".compression_codec", "NONE", ".orc_string_statistics_limit", "0B", ".parquet_optimized_writer_enabled", "true"),
            Map.of(".compression_codec", "NONE", "task_writer_count", "2", STATISTICS, "false"),
            Map.of(".compression_codec", "SNAPPY", ".parquet_optimized_writer_enabled", "true", STATISTICS, "false"),
            Map.of(".compression_codec", "GZIP", "task_writer_count", "2", STATISTICS, "false"));

    private final Lake lake;
    private final List<String> catalogs;
    private final Coverage coverage;

    Changes(Lake lake, List<String> catalogs, Coverage coverage)
    {
        this.lake = lake;
        this.catalogs = List.copyOf(catalogs);
        this.coverage = coverage;
    }

    /** Creates the table with a new schema, and fills it. */
    void create(Table table, Random random)
    {
        for (int i = 0; i < TRIES; i++) {
            table.draw();
            boolean filledAtOnce = table.isBucketed() || random.nextInt(4) == 0;
            if (run(table, filledAtOnce ? table.createAs(random.nextInt(120) + 1) : table.create(), Map.of(), random)) {
                // Presto cannot append to buckets
                int inserts = table.isBucketed() || random.nextInt(12) == 0 ? 0 : 2 + random.nextInt(2);
                coverage.count("table", inserts == 0 && !filledAtOnce ? "empty" : "filled");
                coverage.count("table", table.isPartitioned() ? "partitioned" : "in one");
                if (table.isBucketed()) {
                    coverage.count("table", "bucketed");
                }
                boolean filled = true;
                for (int insert = 0; insert < inserts && filled; insert++) {
                    filled = insert(table, random, Map.of());
                }
                if (filled) {
                    return;
                }
                run(table, "DROP TABLE " + table.name(), Map.of(), random);
            }
        }
        throw new IllegalStateException("No table after " + TRIES + " tries: " + table);
    }

    /** Applies the change to one of the tables that allow it. */
    List<Table> apply(Change change, List<Table> tables, Random random)
    {
        List<Table> candidates = new ArrayList<>(tables);
        Collections.shuffle(candidates, random);
        for (Table table : candidates) {
            if ((!change.isBehindTheMetastore() || !table.name().startsWith(SEALED)) && apply(change, table, random)) {
                coverage.count("change", change);
                return List.of(table);
            }
        }
        return List.of();
    }

    private boolean apply(Change change, Table table, Random random)
    {
        String alter = "ALTER TABLE " + table.name();
        return switch (change) {
            case INSERT -> !table.isBucketed() && insert(table, random, Map.of());
            case INSERT_OVERWRITE -> table.isPartitioned() && insert(table, random, Map.of(".insert_existing_partitions_behavior", "OVERWRITE"));
            case DELETE_PARTITION -> table.isPartitioned() && run(table, "DELETE FROM " + table.name() + " WHERE " + place(table.partitions().get(0),
                    random), Map.of(), random);
            case ADD_COLUMN -> {
                Column column = table.newColumn();
                yield run(table, alter + " ADD COLUMN " + column.definition(), Map.of(), random) && changed(() -> table.add(column));
            }
            case RENAME_COLUMN -> {
                Column column = table.changeable();
                String name = table.newName();
                yield table.hasChangeable() && run(table, alter + " RENAME COLUMN " + column.name() + " TO " + name, Map.of(), random)
                        && changed(() -> table.rename(column, name));
            }
            case DROP_COLUMN -> {
                Column column = table.changeable();
                yield table.hasChangeable() && run(table, alter + " DROP COLUMN " + column.name(), Map.of(), random) && changed(() -> table.drop(
                        column));
            }
            case RECREATE -> run(table, "DROP TABLE " + table.name(), Map.of(), random) && changed(() -> create(table, random));
            case WRITE_OVER -> writeOver(table, random);
            case SWAP_FILES -> !table.isBucketed() && swap(table, random);
            case EMPTY_FILE -> !table.isBucketed() && table.format().skipsEmptyFiles() && empty(table, random);
        };
    }

    private static boolean changed(Runnable model)
    {
        model.run();
        return true;
    }

    private boolean insert(Table table, Random random, Map<String, String> how)
    {
        return run(table, table.insert(random.nextInt(60) + 1), how, random);
    }

    private static String place(Column partition, Random random)
    {
        return partition.name() + switch (partition.type().kind()) {
            case DATE -> " = " + Values.today();
            case VARCHAR -> List.of(" IS NULL", " = 'a b'", " = 'a/b'", " = 'plain'", " > 'ü'").get(random.nextInt(5));
            default -> random.nextBoolean() ? " IS NULL" : " = -4";
        };
    }

    private boolean run(Table table, String sql, Map<String, String> how, Random random)
    {
        // Presto overwrites partitions on object stores without notifying the metastore: only the coordinator that runs the INSERT knows
        boolean anyMay = how.isEmpty() || !table.name().startsWith(SEALED);
        String catalog = anyMay ? catalogs.get(random.nextInt(catalogs.size())) : Lake.CATALOG;
        Map<String, String> writer = WRITERS.get(random.nextInt(WRITERS.size()));
        PrestoClient client = Sessions.of(Sessions.of(lake.presto().client(catalog, "default"), catalog, how), catalog, writes(sql)
                ? writer
                : Map.of());
        String outcome = "";
        try {
            client.execute(sql);
        }
        catch (QueryFailedException e) {
            outcome = ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            coverage.count("refused statement", table.format() + " " + sql.substring(0, 12).strip() + outcome.replaceAll("[(]#\\w+[)]|\\d+", ""));
        }
        table.remember(catalog + " " + how + (writes(sql) ? writer : "") + ": " + sql + outcome);
        return outcome.isEmpty();
    }

    private static boolean writes(String sql)
    {
        return sql.startsWith("INSERT") || sql.contains(" AS SELECT ");
    }

    private boolean writeOver(Table table, Random random)
    {
        for (S3Object file : files(table, random)) {
            String text = new String(s3().get(Lake.BUCKET, file.key()), StandardCharsets.ISO_8859_1);
            String other = text.contains("mark") ? text.replace("mark", "murk") : text.replace("murk", "mark");
            if (!other.equals(text)) {
                s3().put(Lake.BUCKET, file.key(), other.getBytes(StandardCharsets.ISO_8859_1));
                table.remember("another letter in the labels of " + file.key());
                return true;
            }
        }
        return false;
    }

    private boolean swap(Table table, Random random)
    {
        List<S3Object> files = files(table, random);
        if (files.isEmpty()) {
            return false;
        }
        String one = files.get(0).key();
        // with the same compression
        String other = files.stream().skip(1).map(S3Object::key).filter(key -> extension(key).equals(extension(one))).findFirst().orElse(one);
        byte[] ofOne = s3().get(Lake.BUCKET, one);
        byte[] ofOther = s3().get(Lake.BUCKET, other);
        s3().put(Lake.BUCKET, one, ofOther);
        s3().put(Lake.BUCKET, other, ofOne);
        table.remember("swapped " + one + " and " + other);
        return !Arrays.equals(ofOne, ofOther);
    }

    private static String extension(String key)
    {
        return key.substring(key.lastIndexOf('.') + 1).replaceAll(".*/.*", "");
    }

    private boolean empty(Table table, Random random)
    {
        return files(table, random).stream().findFirst().map(file -> {
            String key = file.key().substring(0, file.key().lastIndexOf('/') + 1) + "empty" + random.nextInt(1000);
            s3().put(Lake.BUCKET, key, new byte[0]);
            table.remember("an empty file " + key);
            return true;
        }).orElse(false);
    }

    private List<S3Object> files(Table table, Random random)
    {
        List<S3Object> files = new ArrayList<>(s3().list(Lake.BUCKET, table.name().replace('.', '/') + "/").stream().filter(file -> file.size() > 0)
                .toList());
        Collections.shuffle(files, random);
        return files;
    }

    private S3Client s3()
    {
        return lake.s3().client();
    }
}
