// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.plan.PlanCanonicalizationStrategy;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.BaseHiveColumnHandle;
import com.facebook.presto.hive.HiveBucketHandle;
import com.facebook.presto.hive.HiveBucketing.HiveBucketFilter;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayout;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.LocalProperty;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.control.PackedState;
import io.eyrie.presto.version.SplitEtag;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

/** A Hive layout and, if there are any, the leaf that the scan stands for, the operators' commands, and what the scan is to load into the cache. */
public final class EyrieLayoutHandle
        extends HiveTableLayoutHandle
{
    /** Maximum length of a leaf's description in displayed plans. */
    private static final int TEXT_LENGTH = 10_000;

    private final Optional<LeafHandle> fragment;
    private final Optional<PackedState> control;
    private final Optional<WarmRequest> warming;
    private final Optional<JoinHandle> join;
    // of an index that only names what joins read; not sent to workers
    private final Optional<Map<VariableReferenceExpression, ColumnHandle>> named;
    private volatile @Nullable Map<ColumnHandle, Integer> places;
    // ends with the handle: planning discards most handles, and each refers to the list of its partitions
    private volatile @Nullable ConnectorTableLayout described;

    /* The property names match the superclass's creator, so that this constructor reads the JSON that its getters write. */
    @JsonCreator
    @SuppressWarnings("ParameterNumber")
    public EyrieLayoutHandle(
            @JsonProperty("schemaTableName") SchemaTableName schemaTableName,
            @JsonProperty("tablePath") String tablePath,
            @JsonProperty("partitionColumns") List<HiveColumnHandle> partitionColumns,
            @JsonProperty("dataColumns") List<Column> dataColumns,
            @JsonProperty("tableParameters") Map<String, String> tableParameters,
            @JsonProperty("domainPredicate") TupleDomain<Subfield> domainPredicate,
            @JsonProperty("remainingPredicate") RowExpression remainingPredicate,
            @JsonProperty("predicateColumns") Map<String, HiveColumnHandle> predicateColumns,
            @JsonProperty("partitionColumnPredicate") TupleDomain<ColumnHandle> partitionColumnPredicate,
            @JsonProperty("bucketHandle") Optional<HiveBucketHandle> bucketHandle,
            @JsonProperty("bucketFilter") Optional<HiveBucketFilter> bucketFilter,
            @JsonProperty("pushdownFilterEnabled") boolean pushdownFilterEnabled,
            @JsonProperty("layoutString") String layoutString,
            @JsonProperty("requestedColumns") Optional<Set<HiveColumnHandle>> requestedColumns,
            @JsonProperty("partialAggregationsPushedDown") boolean partialAggregationsPushedDown,
            @JsonProperty("appendRowNumber") boolean appendRowNumber,
            @JsonProperty("footerStatsUnreliable") boolean footerStatsUnreliable,
            @JsonProperty("fragment") Optional<LeafHandle> fragment,
            @JsonProperty("control") Optional<PackedState> control,
            @JsonProperty("warming") Optional<WarmRequest> warming,
            @JsonProperty("join") Optional<JoinHandle> join)
    {
        super(
                schemaTableName,
                tablePath,
                List.<BaseHiveColumnHandle>copyOf(partitionColumns),
                dataColumns,
                tableParameters,
                domainPredicate,
                remainingPredicate,
                predicateColumns,
                partitionColumnPredicate,
                bucketHandle,
                bucketFilter,
                pushdownFilterEnabled,
                layoutString,
                requestedColumns,
                partialAggregationsPushedDown,
                appendRowNumber,
                Optional.empty(),
                footerStatsUnreliable,
                Optional.empty());
        this.fragment = requireNonNull(fragment, "fragment is null");
        this.control = requireNonNull(control, "control is null");
        this.warming = requireNonNull(warming, "warming is null");
        this.join = requireNonNull(join, "join is null");
        this.named = Optional.empty();
    }

    private EyrieLayoutHandle(HiveTableLayoutHandle layout, Optional<LeafHandle> fragment, Optional<PackedState> control,
            Optional<WarmRequest> warming)
    {
        this(layout, layout.getDomainPredicate(), fragment, control, warming, joinOf(layout), layout instanceof EyrieLayoutHandle own
                ? own.named
                : Optional.empty());
    }

    private static Optional<JoinHandle> joinOf(HiveTableLayoutHandle layout)
    {
        return layout instanceof EyrieLayoutHandle own ? own.join : Optional.empty();
    }

    private EyrieLayoutHandle(
            HiveTableLayoutHandle layout,
            TupleDomain<Subfield> domainPredicate,
            Optional<LeafHandle> fragment,
            Optional<PackedState> control,
            Optional<WarmRequest> warming,
            Optional<JoinHandle> join,
            Optional<Map<VariableReferenceExpression, ColumnHandle>> named)
    {
        super(
                layout.getSchemaTableName(),
                layout.getTablePath(),
                layout.getPartitionColumns(),
                layout.getDataColumns(),
                layout.getTableParameters(),
                domainPredicate,
                layout.getRemainingPredicate(),
                layout.getPredicateColumns(),
                layout.getPartitionColumnPredicate(),
                layout.getBucketHandle(),
                layout.getBucketFilter(),
                layout.isPushdownFilterEnabled(),
                layout.getLayoutString(),
                layout.getRequestedColumns(),
                layout.isPartialAggregationsPushedDown(),
                layout.isAppendRowNumberEnabled(),
                layout.getPartitions(),
                layout.isFooterStatsUnreliable(),
                layout.getHiveTableHandle());
        this.fragment = fragment;
        this.control = control;
        this.warming = warming;
        this.join = join;
        this.named = named;
    }

    /** Returns the layout in the class that the handle resolver names: the layout itself if it already has that class. */
    public static ConnectorTableLayoutHandle own(ConnectorTableLayoutHandle layout)
    {
        return layout instanceof EyrieLayoutHandle ? layout : plain(layout, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the layout in the class that the handle resolver names, without a leaf. Returns a layout with a leaf unchanged.
     *
     * @param control the operators' commands to the caches
     * @param warming the data that the scan loads into the cache, if it only warms
     */
    public static ConnectorTableLayoutHandle plain(ConnectorTableLayoutHandle layout, Optional<PackedState> control, Optional<WarmRequest> warming)
    {
        return layout instanceof HiveTableLayoutHandle hive && !isLeaf(layout) && !isJoined(layout)
                ? new EyrieLayoutHandle(hive, Optional.empty(), control, warming)
                : layout;
    }

    /** Returns the second layout with the leaf, the operators' commands and the warming of the first. */
    public static ConnectorTableLayoutHandle like(ConnectorTableLayoutHandle one, ConnectorTableLayoutHandle other)
    {
        return one instanceof EyrieLayoutHandle layout && other instanceof HiveTableLayoutHandle hive
                ? new EyrieLayoutHandle(hive, layout.fragment, layout.control, layout.warming)
                : own(other);
    }

    /** Returns the layout that {@link #describe} has set, if any. Not sent to workers. */
    public Optional<ConnectorTableLayout> described()
    {
        return Optional.ofNullable(described);
    }

    /** Sets the layout of this handle. */
    public void describe(ConnectorTableLayout layout)
    {
        described = layout;
    }

    /** Returns the layout of a scan of this connector. */
    public static HiveTableLayoutHandle layout(TableScanNode scan)
    {
        return (HiveTableLayoutHandle) scan.getTable().getLayout().orElseThrow();
    }

    /** Whether the scan of a layout stands for a leaf. */
    public static boolean isLeaf(Object layout)
    {
        return layout instanceof EyrieLayoutHandle handle && handle.fragment.isPresent();
    }

    /** Whether the scan of a layout stands for joins, or the layout is that of an index that names a table of them. */
    public static boolean isJoined(Object layout)
    {
        return layout instanceof EyrieLayoutHandle handle && (handle.join.isPresent() || handle.named.isPresent());
    }

    /** Returns a layout whose scan stands for joins of the table with others. */
    public static EyrieLayoutHandle joined(HiveTableLayoutHandle layout, JoinHandle join, Optional<PackedState> control)
    {
        return new EyrieLayoutHandle(layout, layout.getDomainPredicate(), Optional.empty(), control, Optional.empty(), Optional.of(join), Optional
                .empty());
    }

    /** Returns the layout of an index that only names a table and its columns in the plan. */
    public static EyrieLayoutHandle naming(HiveTableLayoutHandle layout, Map<VariableReferenceExpression, ColumnHandle> columns)
    {
        return new EyrieLayoutHandle(layout, layout.getDomainPredicate(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.of(Map.copyOf(columns)));
    }

    /** Returns a layout whose scan stands for a leaf. */
    public static EyrieLayoutHandle of(HiveTableLayoutHandle layout, LeafHandle fragment, Optional<PackedState> control)
    {
        return new EyrieLayoutHandle(layout, Optional.of(fragment), control, Optional.empty());
    }

    /**
     * Returns the grouping and sorting of the scan's rows, given those of the table's rows. The rows of an aggregation have no order; that its groups
     * are distinct is not promised, because no streaming operator reads partial groups. The top rows of a split have another order.
     */
    public List<LocalProperty<ColumnHandle>> localProperties(List<LocalProperty<ColumnHandle>> table)
    {
        return isJoined(this) || fragment.filter(leaf -> leaf.isAggregated() || leaf.getTopCount() > 0).isPresent() ? List.of() : table;
    }

    /** Returns the positions of the scan's columns in the outputs of its leaf. */
    public int[] places(List<ColumnHandle> columns)
    {
        Map<ColumnHandle, Integer> known = places;
        if (known == null) {
            known = LeafColumns.places(leaf().orElseThrow());
            places = known;
        }
        Map<ColumnHandle, Integer> all = known;
        return columns.stream().mapToInt(column -> requireNonNull(all.get(column), () -> "Not a column of the leaf: " + column)).toArray();
    }

    /** Returns the same scan without the leaf, and without the domains by which stripes and row groups are skipped. */
    public EyrieLayoutHandle unconstrained()
    {
        return new EyrieLayoutHandle(this, TupleDomain.all(), Optional.empty(), control, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @JsonProperty
    public Optional<LeafHandle> getFragment()
    {
        return fragment;
    }

    /** Returns the leaf that the scan stands for. */
    public Optional<Leaf> leaf()
    {
        return fragment.map(handle -> handle.leaf(getDataColumns()));
    }

    /** Returns the joins that the scan stands for. A leaf that the scan stands for, too, is over their rows. */
    @JsonProperty
    public Optional<JoinHandle> getJoin()
    {
        return join;
    }

    /** Returns the columns that an index of joined scans names. */
    public Optional<Map<VariableReferenceExpression, ColumnHandle>> named()
    {
        return named;
    }

    /** Returns the leaf directly over the table: that of the joins' fact, or the leaf that the scan stands for. */
    public Optional<Leaf> tableLeaf()
    {
        return join.map(handle -> handle.factLeaf(getDataColumns())).or(this::leaf);
    }

    /** Returns the operators' commands to the caches when the scan was planned; empty if there were none. */
    @JsonProperty
    public Optional<PackedState> getControl()
    {
        return control;
    }

    /** Returns the data that the scan loads into the cache instead of reading rows. */
    @JsonProperty
    public Optional<WarmRequest> getWarming()
    {
        return warming;
    }

    /*
     * The engine's own fragment cache, if it is enabled, uses this identifier to recognize the same scan of the same split. Predicates on partition
     * columns only select splits. They are replaced by the split's partition values and file version, which determine more. The scan of a leaf and a
     * warming scan do not return the table's rows: their identifiers equal no other.
     */
    @Override
    public Object getIdentifier(Optional<ConnectorSplit> split, PlanCanonicalizationStrategy strategy)
    {
        if (fragment.isPresent() || warming.isPresent() || isJoined(this)) {
            return UUID.randomUUID().toString();
        }
        if (split.isEmpty() || !(split.get() instanceof HiveSplit)) {
            return super.getIdentifier(split, strategy);
        }
        return List.of(
                new EyrieLayoutHandle(this, withoutPartitionColumns(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty()).scanIdentifier(strategy),
                EyrieSplit.pieces(split.get()).stream().map(EyrieLayoutHandle::fileIdentifier).toList());
    }

    private static List<Object> fileIdentifier(HiveSplit split)
    {
        HiveFileSplit file = split.getFileSplit();
        return List.of(
                split.getPartitionKeys().stream().map(key -> key.getName() + key.getValue().map(value -> "=" + value).orElse("")).toList(),
                List.of(file.getFileSize(), file.getFileModifiedTime(), SplitEtag.decode(file.getExtraFileInfo()).orElse("")));
    }

    /* Omits the split: given a split, Hive's method drops predicates that the partition's statistics prove, and those proofs ignore null. */
    private Object scanIdentifier(PlanCanonicalizationStrategy strategy)
    {
        return super.getIdentifier(Optional.empty(), strategy);
    }

    private TupleDomain<Subfield> withoutPartitionColumns()
    {
        Set<String> names = getPartitionColumns().stream().map(BaseHiveColumnHandle::getName).collect(toUnmodifiableSet());
        return getDomainPredicate().getDomains()
                .map(domains -> domains.entrySet().stream().filter(entry -> !names.contains(entry.getKey().getRootName())).collect(
                        toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue)))
                .map(TupleDomain::withColumnDomains)
                .orElseGet(TupleDomain::none);
    }

    @Override
    public String toString()
    {
        return super.toString()
                + join.map(handle -> handle.text() + ", with the fact's " + handle.factLeaf(getDataColumns()).text(TEXT_LENGTH)).orElse("")
                + leaf().map(leaf -> ", replacing the plan fragment: " + leaf.text(TEXT_LENGTH)).orElse("");
    }
}
