// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.BesideStock;
import io.eyrie.integration.Clients;
import io.eyrie.integration.UdfPlugin;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.presto.NodeMBeans;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random queries over random tables must have the answers of Presto's own Hive connector on the same metastore and files, including errors: cold,
 * warm, with other cache settings, after each kind of change and after a restart. They must also have the answers of their own rewritings (TLP,
 * NoREC). Every layer of Eyrie is enabled.
 *
 * <p>{@code -Deyrie.seed} runs one seed again, {@code -Deyrie.queries} sets the number of queries, {@code -Deyrie.shapes} selects shapes. Without them, the short form uses a fixed odd seed
 * and a new even one, each with one half of the formats and shapes, and ends when all cases that it claims to cover have occurred.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GeneratorIT
{
    /*
     * Doubles     Compared exactly. Sums and averages use multiples of an eighth, NaN and infinities, whose sum is the same in every order. A zero
     *             may have either sign only if one of several equal values represents all (GROUP BY, DISTINCT, min, max).
     * Order       array_agg, windows and top-N are ordered by the unique id; LIMIT is counted; samples are compared with all rows.
     * Clock       No date or moment comes within hours of an end of a window of now(). A difference counts only if stock, asked again, has the same
     *             answer as before.
     * Threads     Queries of a round run concurrently; changes run between rounds, with no query, so that both catalogs see the same tables.
     */
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final @Nullable Long SEED = Long.getLong("eyrie.seed");
    private static final long FIXED_SEED = 20261125;
    private static final long QUERIES = Long.getLong("eyrie.queries", STRESS ? 100_000 : 300);
    private static final int CLIENTS = 4;
    private static final int ENOUGH_DIFFERENCES = 10;
    private static final int ROUNDS_TO_RESTART = STRESS ? 25 : 2;
    private static final double NO_QUERIES = 0.1;
    private static final int ROUNDS_TO_COVER = 6;

    private static final String MBEAN = "io.eyrie:type=FragmentCache,name=" + Lake.CATALOG;
    private static final String STATISTICS = "io.eyrie:type=FileStatistics,name=" + Lake.CATALOG;
    private static final List<String> REFUSALS = List.of("NonDeterministic", "Lambda", "DynamicFilter", "TooLarge", "Layout");
    private static final List<String> OTHER_REFUSALS = List.of("BareScan", "AggregateKind", "NotBuiltIn", "Shape", "AggregationKind",
            "UnknownExpression", "Type", "Failed");
    private static final List<String> LEAVES = List.of("AcceptedLeaves", "RefusedLeaves", "Lookups", "Hits", "NarrowedHits", "SubsumedHits", "Misses",
            "Published",
            "Waits", "Undecodable", "ProofFailures", "AcceptedJoins", "RefusedJoins", "JoinBuilds", "JoinBuildsStreamed");

    private final Coverage coverage = new Coverage();
    // the node's counters since its start
    private final Map<String, Long> counted = new HashMap<>();
    private final Clients clients = new Clients(CLIENTS);
    private S3Server s3;
    private HiveMetastoreServer metastore;
    private Lake lake;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        s3 = EmbeddedS3Server.inMemory();
        metastore = BesideStock.metastore(checkout, s3, Path.of("target/generator-metastore.log"));
        lake = BesideStock.lake(checkout, "generator", s3, metastore, Map.of())
                .plugin("udf", UdfPlugin.write(Path.of("target/generator-udf"), checkout.engineLib(), 1))
                .property("hive.file-status-cache-tables", Changes.SEALED + "0.*," + Changes.SEALED + "1.*")
                .property("hive.file-status-cache-expire-time", "24h")
                .property("cache.open-partition-age", "1s")
                .property("fragment-result-cache.joined.admission", "always")
                .property("fragment-result-cache.joined.listing-time", "60s")
                .property("cache.file-statistics", "on")
                .start();
    }

    @AfterAll
    void stop()
    {
        clients.close();
        lake.close();
        metastore.close();
    }

    @Test
    void answersAreThoseOfPresto()
    {
        long started = System.nanoTime();
        Differences differences = new Differences(lake, coverage);
        Changes changes = new Changes(lake, List.of(Lake.CATALOG, BesideStock.STOCK), coverage);
        List<RandomTables> generators = new ArrayList<>();
        for (long seed : seeds()) {
            generators.add(new RandomTables(seed, generators.size(), STRESS, changes, differences, clients));
            System.out.println("GeneratorIT: -Deyrie.seed=" + seed);
        }
        generators.forEach(generator -> generator.create(lake));
        long created = System.nanoTime();
        for (int round = 1; !isEnough(differences, round) && differences.found().size() < ENOUGH_DIFFERENCES; round++) {
            generators.forEach(RandomTables::round);
            if (round % ROUNDS_TO_RESTART == 0) {
                restart(round);
                generators.forEach(generator -> generator.askAgain("after a restart"));
            }
            count();
            System.out.println(progress(differences, created) + ", never occurred: " + neverOccurred());
        }
        System.out.println(progress(differences, created) + ", tables made in " + Duration.ofNanos(created - started).toSeconds() + " s\n"
                + coverage);

        assertThat(differences.found()).as("differences").isEmpty();
        assertThat(neverOccurred()).as("claimed, and never occurred").isEmpty();
        assertThat(coverage.of("leaves", "Hits")).as("leaves served").isGreaterThan(differences.executions() / 10);
        assertThat(coverage.of("statistics", "DroppedSplits")).as("splits that the coordinator dropped").isPositive();
        assertThat(hasEnoughJoins(differences)).as("at least one joined scan in 100 executions").isTrue();
        assertThat(coverage.of("refusal", "Failed") + coverage.of("leaves", "Undecodable")).as("failures of the cache").isZero();
        assertThat(coverage.of("answers", "no query") + coverage.of("answers", "stock's own differ")).as("queries that prove nothing").isLessThan(
                (long) (differences.executions() * NO_QUERIES));
    }

    private boolean isEnough(Differences differences, int round)
    {
        return differences.executions() >= QUERIES && (round > ROUNDS_TO_COVER || (neverOccurred().isEmpty() && hasEnoughJoins(differences)));
    }

    private boolean hasEnoughJoins(Differences differences)
    {
        return coverage.of("leaves", "AcceptedJoins") > differences.executions() / 100;
    }

    private static List<Long> seeds()
    {
        if (SEED != null) {
            return List.of(SEED);
        }
        long fresh = System.currentTimeMillis() / 2 * 2;
        return STRESS ? List.of(fresh) : List.of(FIXED_SEED, fresh);
    }

    private List<String> neverOccurred()
    {
        List<String> missing = new ArrayList<>();
        if (SEED != null || RandomTables.SELECTED != null) {
            return missing;
        }
        missing.addAll(coverage.missing("shape", Shape.values()));
        missing.addAll(coverage.missing("type", DataType.Kind.values()));
        missing.addAll(coverage.missing("format", Format.values()));
        missing.addAll(coverage.missing("feature", Feature.values()));
        missing.addAll(coverage.missing("change", Change.values()));
        missing.addAll(coverage.missing("change", List.of("RESTART")));
        missing.addAll(coverage.missing("table", List.of("filled", "partitioned", "in one", "bucketed")));
        missing.addAll(coverage.missing("refusal", REFUSALS));
        missing.addAll(coverage.missing("leaves", List.of("SubsumedHits")));
        return missing;
    }

    private void restart(int round)
    {
        count();
        counted.clear();
        if (round / ROUNDS_TO_RESTART % 2 == 0) {
            lake.presto().crashAndRestart();
            coverage.count("change", "CRASH");
        }
        else {
            lake.presto().restart();
            coverage.count("change", "RESTART");
        }
    }

    private void count()
    {
        NodeMBeans node = lake.presto().coordinatorMBeans();
        LEAVES.forEach(attribute -> count("leaves", attribute, node.number(MBEAN, attribute)));
        count("statistics", "DroppedSplits", node.number(STATISTICS, "DroppedSplits"));
        Stream.of(REFUSALS, OTHER_REFUSALS).flatMap(List::stream).forEach(reason -> count("refusal", reason, node.number(MBEAN, "Refused" + reason)));
    }

    private void count(String group, String what, double sinceStart)
    {
        Long before = counted.put(what, (long) sinceStart);
        coverage.count(group, what, (long) sinceStart - (before == null ? 0 : before));
    }

    private static String progress(Differences differences, long since)
    {
        double seconds = (System.nanoTime() - since) / 1e9;
        return String.format(Locale.ROOT, "GeneratorIT: %s queries in %.0f s, %.1f a second, %s differences", differences.executions(), seconds,
                differences.executions() / seconds,
                differences.found().size());
    }
}
