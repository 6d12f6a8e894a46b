// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.FixedSplitSource;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.JoinNode;
import com.facebook.presto.spi.plan.JoinType;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.units.Duration;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.join.Conditions;
import io.eyrie.fragment.join.ImpliedConditions;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.JoinAdmission;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static io.eyrie.presto.handle.HiveSplits.LENGTH;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which tables are listed while joins are planned. */
class JoinOptimizerTest
{
    private static final VariableReferenceExpression A = new VariableReferenceExpression(Optional.empty(), "a", BIGINT);
    private static final VariableReferenceExpression B = new VariableReferenceExpression(Optional.empty(), "b", BIGINT);
    private static final long START_MILLIS = 1_700_000_000_123L;
    private static final FunctionMetadataManager FUNCTIONS = Proxies.of(FunctionMetadataManager.class, (proxy, method, arguments) -> {
        throw new UnsupportedOperationException("no expression here has a function");
    });
    private static final DomainTranslator DOMAINS = Proxies.of(DomainTranslator.class,
            (proxy, method, arguments) -> new DomainTranslator.ExtractionResult<>(TupleDomain.all(), LogicalRowExpressions.TRUE_CONSTANT));

    // file counts; each file has a mebibyte
    private final Map<String, Integer> files = new HashMap<>(Map.of("fact", 3, "dimension", 1));
    private final List<String> listed = new ArrayList<>();
    private PageCache cache;
    private FragmentParts parts;
    private JoinOptimizer optimizer;
    private long maxTotalMemoryBytes;

    @BeforeEach
    void open(@TempDir Path directory)
    {
        cache = PageCaches.open(PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build());
        BlockEncodingManager blocks = new BlockEncodingManager();
        MemoryPlan memory = MemoryPlan.of(new CatalogFile("hive", Map.of("cache.enabled", "true", "fragment-result-cache.enabled", "true")),
                16L << 30);
        LeafCompiler compiler = Proxies.of(LeafCompiler.class,
                (proxy, method, arguments) -> method.getName().equals("maxTotalMemoryBytes") ? maxTotalMemoryBytes : (Object) true);
        parts = new FragmentParts(
                new FragmentConfig().setEnabled(true).setJoinedListingTime(new Duration(1, MINUTES)), memory, Optional.of(cache), blocks,
                () -> Optional.of(new LeafEngine(compiler)));
        Conditions conditions = new Conditions(FUNCTIONS, Proxies.of(StandardFunctionResolution.class, (proxy, method, arguments) -> false));
        JoinAdmissions admissions = new JoinAdmissions(
                parts,
                conditions,
                new CanonicalJoin.Factory(FUNCTIONS, blocks),
                new CanonicalLeaf.Factory(FUNCTIONS, blocks, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer)),
                Proxies.of(NodeManager.class, (proxy, method, arguments) -> Collections.singleton(Proxies.of(Node.class, (a, b, c) -> null))));
        ConnectorSplitManager splits = (transaction, session, layout, context) -> new FixedSplitSource(
                IntStream.range(0, files.getOrDefault(table(layout), 0)).<ConnectorSplit>mapToObj(i -> HiveSplits.soft("part-" + i)).toList());
        optimizer = new JoinOptimizer(
                parts,
                new LeafReader(FUNCTIONS, function -> true),
                admissions,
                new DimensionListing(splits, (transaction, session, layout) -> listed.add(table(layout)), () -> 0, (session, file, layout) -> false),
                new ImpliedConditions(DOMAINS, conditions),
                new Control("hive", new ControlConfig(), Set.of(), Optional.empty()),
                new Ledger("hive"));
    }

    @AfterEach
    void close()
            throws Exception
    {
        cache.close();
    }

    private static String table(ConnectorTableLayoutHandle layout)
    {
        return ((HiveTableLayoutHandle) layout).getSchemaTableName().getTableName();
    }

    @Test
    void joinsThatExceedTheMemoryOfAQueryAreNotListedAgain()
    {
        maxTotalMemoryBytes = 8 * LENGTH - 2;
        assertThat(isReplaced()).isFalse();
        assertThat(listed).containsExactly("fact", "dimension");
        listed.clear();
        assertThat(isReplaced()).isFalse();
        assertThat(listed).isEmpty();
        assertThat(parts.joins().refused(JoinRefusal.OVER_MEMORY)).isEqualTo(2);

        maxTotalMemoryBytes = 8 * LENGTH;
        assertThat(isReplaced()).as("for a session with more memory").isTrue();
        assertThat(listed).as("the fact is known").containsExactly("dimension");

        listed.clear();
        files.put("dimension", 2);
        for (int i = 0; i < 2; i++) {
            assertThat(isReplaced()).as("the table has grown").isFalse();
            assertThat(listed).containsExactly("dimension");
        }
    }

    @Test
    void factOfJoinsThatFollowTheClockIsNotListedAgain()
    {
        maxTotalMemoryBytes = Long.MAX_VALUE;
        PlanNode fact = scan("fact", A);
        PlanNode dimension = scan("dimension", B);
        assertThat(isReplaced(fact, filter(dimension, B, START_MILLIS))).isFalse();
        assertThat(listed).containsExactly("fact", "dimension");
        listed.clear();
        assertThat(isReplaced(fact, filter(dimension, B, START_MILLIS))).isFalse();
        assertThat(listed).containsExactly("dimension");
        assertThat(parts.joins().refused(JoinRefusal.CLOCK)).isEqualTo(2);

        listed.clear();
        assertThat(isReplaced(filter(fact, A, START_MILLIS), dimension)).as("conditions of the fact").isTrue();
        assertThat(listed).containsExactly("dimension");
    }

    private static PlanNode filter(PlanNode source, VariableReferenceExpression variable, long millis)
    {
        return new FilterNode(Optional.empty(), new PlanNodeId("filter"), source, new SpecialFormExpression(
                SpecialFormExpression.Form.IN, BOOLEAN, variable, new ConstantExpression(millis, TIMESTAMP)));
    }

    private boolean isReplaced()
    {
        return isReplaced(scan("fact", A), scan("dimension", B));
    }

    private boolean isReplaced(PlanNode fact, PlanNode dimension)
    {
        PlanNode join = new JoinNode(
                Optional.empty(), new PlanNodeId("join"), JoinType.INNER, fact, dimension, List.of(new EquiJoinClause(A, B)),
                List.of(A, B), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
        PlanNode groups = new AggregationNode(
                Optional.empty(), new PlanNodeId("groups"), join, Map.of(), AggregationNode.singleGroupingSet(List.of(A)), List.of(),
                AggregationNode.Step.SINGLE, Optional.empty(), Optional.empty(), Optional.empty());
        return optimizer.optimize(groups, session(), new VariableAllocator(List.of(A, B)), new PlanNodeIdAllocator()) != groups;
    }

    private static TableScanNode scan(String table, VariableReferenceExpression variable)
    {
        TableHandle handle = new TableHandle(
                new ConnectorId("hive"),
                new HiveTableHandle("schema", table),
                new HiveTransactionHandle(),
                Optional.of(FragmentOptimizerTest.layout(new SchemaTableName("schema", table))));
        return new TableScanNode(
                Optional.empty(), new PlanNodeId(table), handle, List.of(variable), Map.of(variable, SplitKeysMutationTest.column(
                        ColumnType.REGULAR)),
                TupleDomain.all(), TupleDomain.all(), Optional.empty());
    }

    private static ConnectorSession session()
    {
        RuntimeStats stats = new RuntimeStats();
        return Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getProperty" -> arguments[1] == Boolean.class
                    ? true
                    : arguments[1] == CacheMode.class ? CacheMode.READ_WRITE : JoinAdmission.ALWAYS;
            case "getQueryId" -> "query";
            case "getStartTime" -> START_MILLIS;
            case "getRuntimeStats" -> stats;
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }
}
