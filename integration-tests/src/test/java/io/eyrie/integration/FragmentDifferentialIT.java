package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.S3Object;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random queries, each by a plan left alone, cold, warm, of another zone, user or session, after a restart and after files were overwritten: the answers are the same every time. A failure
 * names seed and query; {@code -Deyrie.seed} runs them again, {@code -Deyrie.queries} as many as one likes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FragmentDifferentialIT
{
    private static final String SCHEMA = "differential";
    private static final int QUERIES = Integer.getInteger("eyrie.queries", Boolean.getBoolean("eyrie.stress") ? 2000 : 24);
    private static final long SEED = Long.getLong("eyrie.seed", Boolean.getBoolean("eyrie.stress") ? System.nanoTime() : 20261121L);
    private static final String ANOTHER_ZONE = "America/New_York";

    private final Lake lake = Lake.builder(Checkout.find())
            .name("differential")
            .property("fragment-result-cache.enabled", "true")
            .property("hive.allow-add-column", "true")
            // small tables, too, come in packs
            .property("hive.affinity-scheduling-unpacked-splits-per-node", "1")
            .start();
    private final List<Asked> asked = new ArrayList<>();

    private record Asked(String sql, Session session)
    {}

    /** Who asks, and how. */
    private enum Session
    {
        PLAIN, ZONE, USER, PROPERTIES;

        private PrestoClient of(PrestoClient client)
        {
            return switch (this) {
                case PLAIN -> client;
                case ZONE -> client.withTimeZone(ANOTHER_ZONE);
                case USER -> client.withUser("another");
                case PROPERTIES -> client.withSession("eyrie.parquet_use_column_names", "true").withSession("eyrie.orc_max_read_block_size", "8kB")
                        .withSession("legacy_timestamp", "false");
            };
        }
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void answersAreTheSameEveryTime()
    {
        List<String> tables = createTables();
        LeafQueries queries = new LeafQueries(SEED, tables);
        List<Optional<QueryResult>> expected = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            Asked query = new Asked(queries.next(), Session.values()[i % Session.values().length]);
            Optional<QueryResult> answer = alone(query);
            same(query, answer, "cold");
            same(query, answer, "warm");
            asked.add(query);
            expected.add(answer);
        }
        assertThat(expected.stream().filter(Optional::isPresent)).as("answers, seed %s", SEED).hasSizeGreaterThan(QUERIES / 2);
        long served = asked.stream().limit(10).mapToLong(this::hits).sum();
        assertThat(served).as("leaves served, seed %s", SEED).isPositive();

        lake.presto().restart();
        for (int i = 0; i < asked.size(); i++) {
            same(asked.get(i), expected.get(i), "after a restart");
        }

        swapFiles(tables.get(0));
        swapFiles(tables.get(1));
        for (Asked query : asked) {
            same(query, alone(query), "after files were overwritten");
        }
    }

    /* Formats with statistics in their footers and one without, buckets, columns that old files and old partitions lack. */
    private List<String> createTables()
    {
        client().execute("CREATE SCHEMA " + SCHEMA);
        for (String format : List.of("orc", "parquet", "rcbinary")) {
            String table = "t_" + format;
            lake.createTable(SCHEMA, table, LeafQueries.COLUMNS + ", ds varchar", "format = '" + format + "', partitioned_by = ARRAY['ds']");
            insert(table, 0, 2000);
            insert(table, 2000, 3000);
        }
        // Presto refuses to read empty files of the other two
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/t_orc/ds=2021-01/empty", new byte[0]);
        lake.createTable(
                SCHEMA,
                "b_orc",
                LeafQueries.COLUMNS + ", ds varchar",
                "format = 'ORC', partitioned_by = ARRAY['ds'], bucketed_by = ARRAY['i'], bucket_count = 4");
        insert("b_orc", 0, 1000);
        client().execute("ALTER TABLE t_orc ADD COLUMN added bigint");
        String columns = LeafQueries.ROW.substring(0, LeafQueries.ROW.lastIndexOf(", concat"));
        client().execute("INSERT INTO t_orc SELECT " + columns + ", z, '2021-09' FROM " + numbers(3000, 3100));
        return List.of("t_orc", "t_parquet", "t_rcbinary", "b_orc");
    }

    private void insert(String table, int from, int to)
    {
        client().execute("INSERT INTO " + table + " SELECT " + LeafQueries.ROW + " FROM " + numbers(from, to));
    }

    private static String numbers(int from, int to)
    {
        return "UNNEST(sequence(" + from + ", " + (to - 1) + ")) AS numbers(z)";
    }

    /* Every file gets another one's content: what was kept of either is of neither. */
    private void swapFiles(String table)
    {
        List<S3Object> files = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").stream().filter(file -> file.size() > 0).toList();
        assertThat(files).hasSizeGreaterThan(2);
        List<byte[]> contents = files.stream().map(file -> lake.s3().client().get(Lake.BUCKET, file.key())).toList();
        for (int i = 0; i < files.size(); i++) {
            lake.s3().client().put(Lake.BUCKET, files.get(i).key(), contents.get((i + 1) % files.size()));
        }
    }

    private void same(Asked query, Optional<QueryResult> expected, String when)
    {
        try {
            Optional<QueryResult> actual = run(client(), query);
            assertThat(actual.isPresent()).as("answered").isEqualTo(expected.isPresent());
            if (actual.isPresent()) {
                Rows.assertSameRows(actual.get(), expected.orElseThrow());
            }
        }
        catch (AssertionError e) {
            throw new AssertionError("Seed " + SEED + ", " + when + ", " + query.session() + ": " + query.sql(), e);
        }
    }

    private Optional<QueryResult> alone(Asked query)
    {
        return run(client().withSession("eyrie.fragment_result_cache_enabled", "false"), query);
    }

    /* A query may fail of its data, an overflow, say: then it fails every time. */
    private static Optional<QueryResult> run(PrestoClient client, Asked query)
    {
        try {
            return Optional.of(query.session().of(client).execute(query.sql()));
        }
        catch (QueryFailedException e) {
            @Nullable
            String message = e.getMessage();
            if (message != null && message.contains("line 1:")) {
                throw new AssertionError("No query: " + query.sql(), e);
            }
            return Optional.empty();
        }
    }

    private long hits(Asked query)
    {
        return run(client(), query).map(result -> client().statistics(result).metric("eyrieFragmentHits").sum()).orElse(0L);
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }
}
