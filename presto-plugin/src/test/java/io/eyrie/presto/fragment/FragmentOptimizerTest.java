// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.InputReferenceExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.slice.Slices;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.Tally;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.common.type.VarcharType.createVarcharType;
import static org.assertj.core.api.Assertions.assertThat;

class FragmentOptimizerTest
{
    private static final Domain SOME = range(10, 20);
    private static final VariableReferenceExpression COLUMN = new VariableReferenceExpression(Optional.empty(), "ds", BIGINT);
    private static final RowExpression IS_NULL = new SpecialFormExpression(SpecialFormExpression.Form.IS_NULL, BOOLEAN, COLUMN);

    private final Ledger ledger = new Ledger("eyrie");

    @Test
    void leafThatAsksForMoreThanItsLayoutReadsIsLeftAlone()
    {
        assertThat(isImplied(Map.of("a", range(10, 21)), Map.of("a", SOME))).as("a wider range").isFalse();
        assertThat(isImplied(Map.of("a", Domain.create(SOME.getValues(), true)), Map.of("a", SOME))).as("null, too").isFalse();
        assertThat(isImplied(Map.of(), Map.of("a", SOME))).as("everything").isFalse();
        assertThat(isImplied(Map.of("b", SOME), Map.of("a", SOME))).as("another column").isFalse();
        assertThat(isImplied(Map.of("a", SOME), Map.of("a", SOME, "b", SOME))).as("one column more").isFalse();
        assertThat(isImplied(Map.of("a", Domain.singleValue(VARCHAR, Slices.utf8Slice("abc"))),
                Map.of("a", Domain.singleValue(createVarcharType(3), Slices.utf8Slice("abc"))))).as("another type").isFalse();
        assertThat(isImplied(Map.of("a", SOME), Map.of("a.field", SOME))).as("a field, of which the leaf's conjuncts say nothing").isFalse();
        assertThat(FragmentOptimizer.impliesWhatIsPruned(TupleDomain.all(), layout(TupleDomain.none()))).as("a layout that reads nothing").isFalse();
    }

    @Test
    void leafThatAsksForWhatItsLayoutReadsIsTaken()
    {
        assertThat(isImplied(Map.of("a", SOME), Map.of("a", SOME))).isTrue();
        assertThat(isImplied(Map.of("a", range(12, 13), "b", SOME), Map.of("a", SOME))).isTrue();
        assertThat(isImplied(Map.of(), Map.of())).isTrue();
        assertThat(isImplied(Map.of(), Map.of("ds", SOME))).as("partitions are chosen by the coordinator").isTrue();
        assertThat(FragmentOptimizer.impliesWhatIsPruned(TupleDomain.none(), layout(TupleDomain.all()))).isTrue();
    }

    /* Its conjuncts and domains may come from nodes that Presto never combines. */
    @Test
    void leafThatCannotBePlannedIsLeftAlone()
    {
        RefusalCounters counters = new RefusalCounters();
        PlanNode planned = plannedByFailingTranslator(filters(1, IS_NULL, layout(TupleDomain.all())), counters);
        assertThat(planned).isInstanceOf(FilterNode.class);
        assertThat(planned.getSources().get(0)).isInstanceOf(TableScanNode.class);
        assertThat(counters.reasons()).containsEntry(Refusal.FAILED, 1L);
        assertThat(List.of(counters.accepted(), counters.refused())).containsExactly(0L, 1L);
        ledger.forEachQuery((id, query) -> {
            assertThat(id).isEqualTo("query");
            assertThat(query.layers().getOrDefault(CacheLayer.FRAGMENT, new Tally()).reasons()).isEqualTo(Map.of("planning_failed", 1L));
        });
        assertThat(ledger.scopes()).containsOnlyKeys(ledger.scope("schema", "table", ""));
    }

    @Test
    void refusedChainIsReadFromSixOfItsNodesAtMost()
    {
        int scans = 0;
        for (int length : List.of(5, 6, 7, 50)) {
            RefusalCounters counters = new RefusalCounters();
            PlanNode planned = plannedByFailingTranslator(filters(length, IS_NULL, layout(TupleDomain.all())), counters);
            assertThat(counters.refused()).as("readings of %s nodes", length).isEqualTo(Math.min(6, length));
            assertThat(ledger.layer(CacheLayer.FRAGMENT).misses()).as("misses of all scans").isEqualTo(++scans);
            for (int i = 0; i < length; i++) {
                assertThat(planned).isInstanceOf(FilterNode.class);
                planned = planned.getSources().get(0);
            }
            assertThat(planned).isInstanceOf(TableScanNode.class);
        }
    }

    @Test
    void chainOverWhatIsRefusedIsReadOnce()
    {
        RefusalCounters counters = new RefusalCounters();
        RowExpression unknown = new InputReferenceExpression(Optional.empty(), 0, BOOLEAN);
        PlanNode planned = plannedByFailingTranslator(filters(50, unknown, layout(TupleDomain.all())), counters);
        assertThat(counters.reasons()).as("a part at the bottom").containsEntry(Refusal.UNKNOWN_EXPRESSION, 1L);
        assertThat(counters.refused()).isEqualTo(1);
        for (int i = 0; i < 50; i++) {
            assertThat(planned).isInstanceOf(FilterNode.class);
            planned = planned.getSources().get(0);
        }
        assertThat(planned).isInstanceOf(TableScanNode.class);

        RefusalCounters others = new RefusalCounters();
        plannedByFailingTranslator(filters(50, IS_NULL, layout(TupleDomain.all(), true)), others);
        assertThat(others.reasons()).as("the layout").containsEntry(Refusal.LAYOUT, 1L);
        assertThat(others.refused()).isEqualTo(1);
    }

    /* The first filter, over the scan, has another predicate. */
    private static PlanNode filters(int count, RowExpression first, EyrieLayoutHandle layout)
    {
        HiveColumnHandle handle = new HiveColumnHandle("ds", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0, ColumnType.REGULAR, Optional.empty(),
                Optional.empty());
        TableHandle table = new TableHandle(new ConnectorId("eyrie"), new HiveTableHandle("schema", "table"), new HiveTransactionHandle(), Optional
                .of(layout));
        PlanNode plan = new TableScanNode(Optional.empty(), new PlanNodeId("scan"), table, List.of(COLUMN), Map.of(COLUMN, handle),
                TupleDomain.all(), TupleDomain.all(), Optional.empty());
        for (int i = 0; i < count; i++) {
            plan = new FilterNode(Optional.empty(), new PlanNodeId("filter " + i), plan, i == 0 ? first : IS_NULL);
        }
        return plan;
    }

    private PlanNode plannedByFailingTranslator(PlanNode plan, RefusalCounters counters)
    {
        DomainTranslator failing = Proxies.of(DomainTranslator.class, (proxy, method, arguments) -> {
            throw new IllegalArgumentException("Mismatched Domain types: varchar(3) vs varchar");
        });
        FragmentOptimizer optimizer = new FragmentOptimizer(
                Optional.of(new LeafEngine(Proxies.of(LeafCompiler.class, (proxy, method, arguments) -> true))),
                new LeafReader(Proxies.of(FunctionMetadataManager.class, (proxy, method, arguments) -> null), function -> true),
                failing,
                session -> true,
                counters,
                Optional::empty,
                ledger);
        RuntimeStats stats = new RuntimeStats();
        return optimizer.optimize(plan, Proxies.of(ConnectorSession.class,
                (proxy, method, arguments) -> method.getName().equals("getQueryId") ? "query" : stats), new VariableAllocator(),
                new PlanNodeIdAllocator());
    }

    private static boolean isImplied(Map<String, Domain> asked, Map<String, Domain> pruned)
    {
        return FragmentOptimizer.impliesWhatIsPruned(
                TupleDomain.withColumnDomains(asked),
                layout(TupleDomain.withColumnDomains(pruned).transform(Subfield::new)));
    }

    private static EyrieLayoutHandle layout(TupleDomain<Subfield> pruned)
    {
        return layout(pruned, false);
    }

    private static EyrieLayoutHandle layout(TupleDomain<Subfield> pruned, boolean pushdownFilterEnabled)
    {
        return layout(new SchemaTableName("schema", "table"), pruned, pushdownFilterEnabled);
    }

    static EyrieLayoutHandle layout(SchemaTableName table)
    {
        return layout(table, TupleDomain.all(), false);
    }

    private static EyrieLayoutHandle layout(SchemaTableName table, TupleDomain<Subfield> pruned, boolean pushdownFilterEnabled)
    {
        HiveColumnHandle partitionKey = new HiveColumnHandle("ds", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), -1, ColumnType.PARTITION_KEY,
                Optional
                        .empty(), Optional.empty());
        return new EyrieLayoutHandle(
                table,
                "path",
                List.of(partitionKey),
                List.of(),
                Map.of(),
                pruned,
                new ConstantExpression(true, BOOLEAN),
                Map.of(),
                TupleDomain.all(),
                Optional.empty(),
                Optional.empty(),
                pushdownFilterEnabled,
                "layout",
                Optional.empty(),
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Domain range(long low, long high)
    {
        return Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, high, true)), false);
    }
}
