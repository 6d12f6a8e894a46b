// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import com.teradata.tpcds.Table;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queries of TPC-DS, and those of TPC-H over tables that are partitioned by month, must have the answers of Presto's own Hive connector when their joins
 * become one scan: in the first run and in later ones, after a restart, and after changes of facts and dimensions. The stress profile runs all queries in
 * both formats, the short form a selection, each in one of them.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinRoundsIT
{
    /*
     * Answers   Presto's connector answers each query once after each change. If Eyrie's answer differs, it answers again: a query with two different
     *           answers from Presto proves nothing, and is counted.
     * Served    Not asserted for a query with a table that was listed too slowly: its joins are computed in a later round.
     * Order     Queries have no LIMIT at their end, because rows may tie there.
     */
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final double SCALE = 0.01;
    private static final List<String> FORMATS = List.of("orc", "parquet");
    private static final String JOINS = "eyrieFragmentJoins";
    private static final String REFUSED = JOINS + "Refused";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";
    private static final int ENOUGH_DIFFERENCES = 20;
    /** The short form has every so-many-th query of each format. */
    private static final int STEP = Integer.getInteger("eyrie.step", 40);
    /** Tables and a condition for the rows that a change inserts once more, if a query reads the table. */
    private static final Map<String, String> FACTS = Map.of(
            "tpcds.store_sales", "ss_item_sk % 5 = 1",
            "tpcds.store_returns", "sr_item_sk % 5 = 1",
            "tpcds.catalog_sales", "cs_item_sk % 5 = 1",
            "tpcds.catalog_returns", "cr_item_sk % 5 = 1",
            "tpcds.web_sales", "ws_item_sk % 5 = 1",
            "tpcds.web_returns", "wr_item_sk % 5 = 1",
            "tpcds.inventory", "inv_item_sk % 5 = 1",
            "tpch.lineitem", "data_month = '1995-03'",
            "tpch.partsupp", "ps_partkey % 5 = 1");
    private static final Map<String, String> DIMENSIONS = Map.of(
            "tpcds.item", "i_item_sk % 7 = 2",
            "tpcds.date_dim", "d_dow = 3",
            "tpcds.store", "true",
            "tpcds.customer", "c_customer_sk % 7 = 2",
            "tpcds.customer_address", "ca_address_sk % 7 = 2",
            "tpcds.promotion", "p_promo_sk % 2 = 0",
            "tpch.orders", "data_month = '1995-03'",
            "tpch.part", "p_partkey % 3 = 1",
            "tpch.customer", "c_custkey % 7 = 2",
            "tpch.nation", "n_nationkey % 5 = 2");

    private final Lake lake = Lake.builder(Checkout.find())
            .name("join-rounds")
            .logRoot(Checkout.find().root().resolve("benchmarks/target/presto-logs"))
            .workers(0)
            // the coordinator also works, and its statistics of a hundred such queries are large
            .jvmOption("-Xmx3g")
            .config("task.concurrency", "2")
            .plugin("hive-stock", Checkout.find().stockPlugin())
            .catalog(Variant.VANILLA.catalog(), PeerLake.vanilla(Map.of()))
            .property("fragment-result-cache.enabled", "true")
            .property("fragment-result-cache.joined.admission", "always")
            .property("fragment-result-cache.joined.listing-time", "60s")
            .start();
    private final long started = System.nanoTime();
    private final List<Query> queries = new ArrayList<>();
    private final Map<Query, Outcome> expected = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> differences = new ConcurrentLinkedQueue<>();
    private final Set<Query> joined = new ConcurrentSkipListSet<>();
    private final Set<Query> unstable = new ConcurrentSkipListSet<>();
    /** Queries by the reason why not all of their joins became one scan. */
    private final Map<String, Set<Query>> refused = new ConcurrentSkipListMap<>();
    private final LongAdder executions = new LongAdder();

    /** A query over the tables of one schema. */
    private record Query(String schema, String name, String sql)
            implements Comparable<Query>
    {
        private static final Comparator<Query> ORDER = Comparator.comparing(Query::schema).thenComparing(Query::name);

        @Override
        public int compareTo(Query other)
        {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString()
        {
            return schema + " " + name;
        }
    }

    /** The rows of a query, or Presto's error code. */
    private record Outcome(Optional<QueryResult> result, int errorCode, String error)
    {
        static Outcome of(PrestoClient client, String sql)
        {
            try {
                return new Outcome(Optional.of(client.execute(sql)), 0, "");
            }
            catch (QueryFailedException e) {
                return new Outcome(Optional.empty(), e.errorCode(), String.valueOf(e.getMessage()));
            }
        }

        String difference(Outcome other)
        {
            if (result.isEmpty() || other.result.isEmpty()) {
                return result.isPresent() == other.result.isPresent() && errorCode == other.errorCode ? "" : this + ", expected " + other;
            }
            try {
                Rows.assertSameRows(result.get(), other.result.get());
                return "";
            }
            catch (AssertionError e) {
                return String.valueOf(e.getMessage());
            }
        }

        @Override
        public String toString()
        {
            return result.map(rows -> rows.rows().size() + " rows").orElseGet(() -> "error " + errorCode + " " + error.lines().findFirst().orElse(
                    ""));
        }
    }

    @BeforeAll
    void createTables()
    {
        for (int format = 0; format < FORMATS.size(); format++) {
            List<String> names = SparksTpcds.names();
            for (int place = 0; place < names.size(); place++) {
                add(format, place, new Query("tpcds_" + FORMATS.get(format), names.get(place), SparksTpcds.sql(names.get(place))));
            }
            for (int number = 1; number <= TpchQueries.COUNT; number++) {
                add(format, number, new Query("tpch_" + FORMATS.get(format), TpchQueries.name(number), TpchQueries.sql(number)));
            }
        }
        createTpcds();
        for (String format : FORMATS) {
            if (queries.stream().anyMatch(query -> query.schema.equals("tpch_" + format))) {
                lake.createMonthlyTpchTables("tpch_" + format, SCALE, format, true);
            }
        }
        print("tables made");
    }

    private void add(int format, int place, Query query)
    {
        if (STRESS || place % (STEP * FORMATS.size()) == format * STEP) {
            queries.add(new Query(query.schema, query.name, SparksTpcds.withoutLimit(query.sql)));
        }
    }

    private void createTpcds()
    {
        FORMATS.forEach(format -> lake.uncachedClient("tpcds_" + format).execute("CREATE SCHEMA " + Lake.CATALOG + ".tpcds_" + format));
        for (Table table : TpcdsTables.of(queries.stream().map(Query::sql).toList())) {
            String name = table.getName();
            String source = "";
            for (String format : FORMATS) {
                String schema = "tpcds_" + format;
                if (isRead(schema, name)) {
                    if (source.isEmpty()) {
                        source = schema + "." + name + "_text";
                        TpcdsTables.createText(lake, schema, name + "_text", table, SCALE, TpcdsTables.SEPARATOR);
                    }
                    lake.createTable(schema, name, TpcdsTables.columns(table), "format = '" + format + "'");
                    lake.uncachedClient(schema).execute("INSERT INTO " + name + " SELECT * FROM " + source);
                    source = schema + "." + name;
                }
            }
        }
    }

    private boolean isRead(String schema, String table)
    {
        return queries.stream().anyMatch(query -> query.schema.equals(schema) && TpcdsTables.contains(query.sql, table));
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void answersOfJoinedScansAreThoseOfPresto()
    {
        compare("without joined scans", "NEVER", false);
        compare("computed", "ALWAYS", false);
        compare("served", "ALWAYS", true);
        compare("served again", "ALWAYS", true);
        lake.presto().restart();
        compare("served after a restart", "ALWAYS", true);
        change(FACTS);
        compare("after a change of facts", "ALWAYS", false);
        change(DIMENSIONS);
        compare("after a change of dimensions", "ALWAYS", false);
        change(FACTS);
        change(DIMENSIONS);
        compare("after a change of both", "ALWAYS", false);
        compare("served after all changes", "ALWAYS", true);
        print(queries.size() + " queries, " + executions + " executions, " + expected.values().stream().filter(outcome -> outcome.result.isEmpty())
                .count()
                + " errors of Presto, " + unstable.size() + " queries with two answers of Presto " + unstable + "\n" + joined.size()
                + " with joined scans: " + joined + "\nnot all joins of these are replaced:\n  " + refused
                        .entrySet().stream()
                        .map(reason -> reason.getKey() + " " + reason.getValue().size() + " " + reason.getValue())
                        .collect(Collectors.joining("\n  ")));
        assertThat(differences).as("differences").isEmpty();
        assertThat(joined.size()).as("queries with joined scans").isGreaterThan(queries.size() / 2);
    }

    private void change(Map<String, String> rows)
    {
        expected.clear();
        for (String schema : queries.stream().map(Query::schema).distinct().toList()) {
            rows.forEach((table, condition) -> {
                String name = table.substring(table.indexOf('.') + 1);
                if (table.startsWith(schema.substring(0, schema.indexOf('_')) + ".") && isRead(schema, name)) {
                    lake.client(schema).withSession("task_writer_count", "1").execute(
                            "INSERT INTO " + name + " SELECT * FROM " + name + " WHERE " + condition);
                }
            });
        }
    }

    private void compare(String round, String admission, boolean served)
    {
        queries.parallelStream().filter(query -> differences.size() < ENOUGH_DIFFERENCES).forEach(query -> compare(query, round, admission, served));
        print(round + ", " + executions + " executions, " + joined.size() + " with joined scans, " + differences.size() + " differences");
    }

    private void compare(Query query, String round, String admission, boolean served)
    {
        Outcome presto = expected.computeIfAbsent(query, this::presto);
        PrestoClient client = lake.client(query.schema).withSession("eyrie.fragment_result_cache_joined_admission", admission);
        Outcome eyrie = Outcome.of(client, query.sql);
        executions.increment();
        String difference = eyrie.difference(presto);
        if (!difference.isEmpty() && !presto(query).difference(presto).isEmpty()) {
            unstable.add(query);
        }
        else if (!difference.isEmpty()) {
            differs(query, round, difference);
        }
        eyrie.result.ifPresent(result -> {
            QueryStatistics statistics = client.statistics(result);
            statistics.runtimeMetrics().keySet().stream().filter(metric -> metric.startsWith(REFUSED) && !metric.equals(REFUSED)).forEach(
                    metric -> refused.computeIfAbsent(metric.substring(REFUSED.length()), any -> new ConcurrentSkipListSet<>()).add(query));
            if (statistics.metric(JOINS).sum() == 0) {
                return;
            }
            joined.add(query);
            long hits = statistics.metric(HITS).sum();
            long misses = statistics.metric(MISSES).sum();
            if (admission.equals("NEVER")) {
                differs(query, round, "joined");
            }
            else if (served && (hits == 0 || misses > 0)) {
                differs(query, round, hits + " splits served, " + misses + " computed again");
            }
        });
    }

    private Outcome presto(Query query)
    {
        executions.increment();
        return Outcome.of(lake.presto().client(Variant.VANILLA.catalog(), query.schema), query.sql);
    }

    private void differs(Query query, String round, String difference)
    {
        String report = query + ", " + round + ": " + difference;
        System.out.println("DIFFERENCE " + report + "\n" + query.sql);
        differences.add(report);
    }

    private void print(String what)
    {
        System.out.println("JoinRoundsIT: " + Duration.ofNanos(System.nanoTime() - started).toSeconds() + " s, " + what);
    }
}
