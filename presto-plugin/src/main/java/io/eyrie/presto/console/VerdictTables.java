// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SystemTable;
import com.google.inject.Inject;
import io.eyrie.presto.config.PriceConfig.Prices;
import io.eyrie.presto.console.Advisor.Advice;
import io.eyrie.presto.console.Verdicts.Verdict;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.Savings;
import io.eyrie.presto.ledger.WorkKind;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.facebook.presto.spi.SystemTable.Distribution.SINGLE_COORDINATOR;
import static java.util.Objects.requireNonNull;

/** The tables of the schema {@code cache} with conclusions: verdicts on layers, savings, advice, and the meanings of reasons for misses. */
public final class VerdictTables
{
    private static final double NANOS_PER_MILLI = 1e6;

    private final String node;
    private final Verdicts verdicts;
    private final Advisor advisor;
    private final Ledger ledger;
    private final Prices prices;

    private record SavedRow(Savings.DayTable key, Savings.Amounts amounts)
    {}

    private record RankedAdvice(long rank, Advice advice)
    {}

    @Inject
    public VerdictTables(NodeManager nodes, Verdicts verdicts, Advisor advisor, Ledger ledger, Prices prices)
    {
        this.node = nodes.getCurrentNode().getNodeIdentifier();
        this.verdicts = requireNonNull(verdicts, "verdicts is null");
        this.advisor = requireNonNull(advisor, "advisor is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.prices = requireNonNull(prices, "prices is null");
    }

    /** Returns all tables. */
    public Set<SystemTable> all()
    {
        return Set.of(summary(), savings(), advice(), reasons());
    }

    private SystemTable summary()
    {
        Columns<Verdict> columns = Columns.<Verdict>of(node)
                .text("layer", "metastore, file_list, file_statistics, fragment, footer or data", row -> row.layer().label())
                .ratio("hit_ratio", "hits / lookups, 0 to 1; null without lookups", Verdict::hitRatio)
                .number("saved_bytes", "bytes of files that hits made unnecessary to read; null if hits of the layer save none", Verdict::savedBytes)
                .text("verdict", "whether the layer works, and if not, why", Verdict::text);
        return new NodeTable<>("summary", columns, rows -> verdicts.all().forEach(rows));
    }

    private SystemTable savings()
    {
        Columns<SavedRow> columns = Columns.<SavedRow>of(node)
                .day("day", "in UTC; 31 days", row -> row.key().epochDay())
                .text("schema_name", "", row -> row.key().schema())
                .text("table_name", "of more than 200 tables of a day, the rest is one row", row -> row.key().table());
        columns = amounts(columns, "get_requests", "reads of files: ranged GET requests of an object store", WorkKind.GET_REQUESTS);
        columns = amounts(columns, "list_requests", "listings of directories", WorkKind.LIST_REQUESTS);
        columns = amounts(columns, "metastore_calls", "calls of the metastore", WorkKind.METASTORE_CALLS);
        columns = amounts(columns, "bytes", "bytes of files", WorkKind.BYTES);
        return new NodeTable<>("savings", columns
                .ratio("saved_cpu_millis", "processor time to compute fragment results that were served instead",
                        row -> row.amounts().saved(WorkKind.CPU_NANOS) / NANOS_PER_MILLI)
                .ratio("saved_cost", "price of what was saved, by cache.price-list", row -> cost(prices, row.amounts())),
                rows -> ledger.savings().forEach((key, amounts) -> rows.accept(new SavedRow(key, amounts))));
    }

    private static Columns<SavedRow> amounts(Columns<SavedRow> columns, String name, String comment, WorkKind work)
    {
        return columns
                .number("requested_" + name, comment + ", as many as without caches", row -> row.amounts().requested(work))
                .number("saved_" + name, "how many fewer were needed; negative if the caches needed more, as while they fill", row -> row.amounts()
                        .saved(
                                work));
    }

    static double cost(Prices prices, Savings.Amounts amounts)
    {
        return prices.of(
                amounts.saved(WorkKind.GET_REQUESTS), amounts.saved(WorkKind.LIST_REQUESTS), amounts.saved(WorkKind.BYTES), amounts.saved(
                        WorkKind.CPU_NANOS));
    }

    private SystemTable advice()
    {
        Columns<RankedAdvice> columns = Columns.<RankedAdvice>of(node)
                .number("rank", "1 is the advice of the greatest gain on the node", RankedAdvice::rank)
                .ratio("gain_seconds",
                        "time of loads that it would have avoided, since the node started: waiting for the source, or computing results", row -> row
                                .advice()
                                .gainSeconds())
                .text("schema_name", "", row -> row.advice().table().schema())
                .text("table_name", "", row -> row.advice().table().table())
                .text("layer", "metastore, file_list, file_statistics, fragment, footer or data", row -> row.advice().layer().label())
                .text("advice", "", row -> row.advice().text());
        return new NodeTable<>("advice", columns, rows -> {
            List<Advice> all = advisor.advice();
            IntStream.range(0, all.size()).forEach(index -> rows.accept(new RankedAdvice(index + 1, all.get(index))));
        });
    }

    private static SystemTable reasons()
    {
        Columns<MissReason> columns = new Columns<MissReason>()
                .text("reason", "as in misses_by_reason", MissReason::label)
                .text("meaning", "what happened to the requested page, footer, list, result or metadata", MissReason::meaning)
                .text("remedy", "what to do; empty if nothing", MissReason::remedy);
        return new NodeTable<>("reasons", SINGLE_COORDINATOR, columns, rows -> Stream.of(MissReason.values()).forEach(rows));
    }
}
