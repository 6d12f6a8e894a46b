package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.FixedPageSource;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.google.inject.Inject;
import io.airlift.slice.Slices;
import io.eyrie.cache.file.Scope;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.ClockConstants;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.Lookup;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.filesystem.CatalogName;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static com.facebook.presto.common.type.Varchars.isVarcharType;
import static java.util.Objects.requireNonNull;

/** Serves leaves from their results, or computes them; every other scan is read as without. */
public final class LeafPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final CachingPageSourceProvider scans;
    private final Optional<LeafEngine> engine;
    private final Optional<FragmentResults> results;
    private final SplitKeys keys;
    private final RowExpressionService expressions;
    private final CanonicalLeaf.Factory canonical;
    private final CatalogName catalog;

    @Inject
    LeafPageSourceProvider(
            CachingPageSourceProvider scans,
            FragmentParts parts,
            SplitKeys keys,
            RowExpressionService expressions,
            FunctionMetadataManager functions,
            BlockEncodingSerde blocks,
            CatalogName catalog)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.engine = parts.engine();
        this.results = parts.results();
        this.keys = requireNonNull(keys, "keys is null");
        this.expressions = requireNonNull(expressions, "expressions is null");
        this.canonical = new CanonicalLeaf.Factory(functions, blocks, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer));
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableLayoutHandle layout,
            List<ColumnHandle> columns,
            SplitContext splitContext,
            RuntimeStats stats)
    {
        if (!(layout instanceof FragmentLayoutHandle handle) || handle.getFragment().isEmpty()) {
            return scans.createPageSource(transaction, session, split, layout, columns, splitContext, stats);
        }
        HiveSplit hiveSplit = (HiveSplit) split;
        Leaf whole = asPlanned(handle.getFragment().get().leaf(), columns);
        SplitPredicate.Verdict verdict = SplitPredicate.of(whole.conjuncts(), expressions.getDomainTranslator(), session)
                .judge(variable -> partitionValue(hiveSplit, (HiveColumnHandle) requireNonNull(whole.columns().get(variable), "no column"), variable));
        Leaf leaf = verdict.none() ? whole : whole.withConjuncts(verdict.remaining());
        // a dynamic filter belongs to one query, the result to all
        SplitContext context = new SplitContext(splitContext.isCacheable());
        Supplier<ConnectorPageSource> scan = () -> verdict.none()
                ? new FixedPageSource(List.of())
                : scans.createPageSource(transaction, session, split, layout, List.copyOf(leaf.columns().values()), context, stats);
        Optional<Lookup> lookup = verdict.none() || !splitContext.isCacheable() ? Optional.empty() : lookup(session, hiveSplit, handle, leaf);
        LeafEngine runner = engine.orElseThrow(() -> new IllegalStateException("The coordinator runs leaves, and this node's engine is another one"));
        return new LeafPageSource(lookup, scan, () -> runner.compile(leaf, session.getSqlFunctionProperties()).get(), stats);
    }

    private Optional<Lookup> lookup(ConnectorSession session, HiveSplit split, FragmentLayoutHandle layout, Leaf leaf)
    {
        if (results.isEmpty() || !HiveSessionProperties.isCacheEnabled(session) || ClockConstants.in(leaf, session.getStartTime())) {
            return Optional.empty();
        }
        List<HiveColumnHandle> used = leaf.columns().values().stream().map(HiveColumnHandle.class::cast).toList();
        Scope scope = new Scope(catalog.name(), split.getDatabase(), split.getTable(), split.getPartitionName());
        return keys.of(session, split, layout, used).map(key -> results.get().lookup(FragmentKey.of(canonical.of(leaf), key), scope));
    }

    /* Nothing takes columns off a scan once the optimizers have run. */
    private static Leaf asPlanned(Leaf leaf, List<ColumnHandle> columns)
    {
        int[] places = columns.stream().mapToInt(column -> ((HiveColumnHandle) column).getHiveColumnIndex()).toArray();
        for (int place = 0; place < places.length; place++) {
            if (places[place] != place) {
                throw new IllegalStateException("The engine asks for column " + places[place] + " of a leaf in place " + place);
            }
        }
        if (places.length != leaf.outputs().size()) {
            throw new IllegalStateException("The engine asks for " + places.length + " columns of a leaf with " + leaf.outputs().size());
        }
        return leaf;
    }

    /* What the split's partition says of a column: text alone, other types are written in many ways. */
    private static Optional<Domain> partitionValue(HiveSplit split, HiveColumnHandle column, VariableReferenceExpression variable)
    {
        if (!column.isPartitionKey() || !isVarcharType(variable.getType())) {
            return Optional.empty();
        }
        return split.getPartitionKeys()
                .stream()
                .filter(key -> key.getName().equals(column.getName()))
                .findFirst()
                .map(HivePartitionKey::getValue)
                .map(value -> value.map(text -> Domain.singleValue(variable.getType(), (Object) Slices.utf8Slice(text)))
                        .orElseGet(() -> Domain.onlyNull(variable.getType())));
    }
}
