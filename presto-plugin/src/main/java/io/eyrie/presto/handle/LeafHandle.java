// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Order;
import io.eyrie.fragment.leaf.Leaf.Projection;
import io.eyrie.fragment.leaf.Leaf.Top;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/**
 * A {@link Leaf} in the form that travels from the coordinator to a worker. It consists of plain lists, because expressions lose their type if they
 * are direct properties of a handle. It omits information that the enclosing layout or an earlier list already contains: columns that are identical
 * to the table's, and outputs that are variables of the scan.
 */
public final class LeafHandle
{
    private static final int OTHER = -1;

    private final List<VariableReferenceExpression> variables;
    private final List<Integer> tableColumns;
    private final List<HiveColumnHandle> columns;
    private final List<RowExpression> conjuncts;
    private final List<VariableReferenceExpression> defined;
    private final List<RowExpression> definitions;
    private final List<Integer> bare;
    private final List<VariableReferenceExpression> outputs;
    private final List<RowExpression> projections;
    private final boolean aggregated;
    private final List<CallExpression> calls;
    private final List<List<RowExpression>> masks;
    private final long topCount;
    private final List<Integer> sorted;
    private final List<SortOrder> orders;

    /**
     * @param variables the variables of the scan
     * @param tableColumns for each variable, the index of the table's column that it reads, or {@link #OTHER} for the next of {@code columns}
     * @param bare for each projection, the index of the scan's variable that it returns under the same name, or {@link #OTHER} for the next of
     *         {@code outputs} and {@code projections}
     * @param outputs the variables of the other projections, followed by those of the aggregates
     * @param topCount how many of the first rows are needed, or 0 for all rows
     * @param sorted the indexes of the outputs by which rows are sorted, and {@code orders} how
     */
    @JsonCreator
    @SuppressWarnings("ParameterNumber")
    public LeafHandle(
            @JsonProperty("variables") List<VariableReferenceExpression> variables,
            @JsonProperty("tableColumns") List<Integer> tableColumns,
            @JsonProperty("columns") List<HiveColumnHandle> columns,
            @JsonProperty("conjuncts") List<RowExpression> conjuncts,
            @JsonProperty("defined") List<VariableReferenceExpression> defined,
            @JsonProperty("definitions") List<RowExpression> definitions,
            @JsonProperty("bare") List<Integer> bare,
            @JsonProperty("outputs") List<VariableReferenceExpression> outputs,
            @JsonProperty("projections") List<RowExpression> projections,
            @JsonProperty("aggregated") boolean aggregated,
            @JsonProperty("calls") List<CallExpression> calls,
            @JsonProperty("masks") List<List<RowExpression>> masks,
            @JsonProperty("topCount") long topCount,
            @JsonProperty("sorted") @Nullable List<Integer> sorted,
            @JsonProperty("orders") @Nullable List<SortOrder> orders)
    {
        this.variables = requireNonNull(variables, "variables is null");
        this.tableColumns = requireNonNull(tableColumns, "tableColumns is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.conjuncts = requireNonNull(conjuncts, "conjuncts is null");
        this.defined = requireNonNull(defined, "defined is null");
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.bare = requireNonNull(bare, "bare is null");
        this.outputs = requireNonNull(outputs, "outputs is null");
        this.projections = requireNonNull(projections, "projections is null");
        this.aggregated = aggregated;
        this.calls = requireNonNull(calls, "calls is null");
        this.masks = requireNonNull(masks, "masks is null");
        this.topCount = topCount;
        // coordinators of earlier builds do not send them
        this.sorted = requireNonNullElse(sorted, List.of());
        this.orders = requireNonNullElse(orders, List.of());
    }

    /**
     * Returns the handle of a plan fragment.
     *
     * @param table the data columns of the layout that will carry the handle
     */
    public static LeafHandle of(Leaf leaf, List<Column> table)
    {
        List<VariableReferenceExpression> variables = List.copyOf(leaf.columns().keySet());
        List<HiveColumnHandle> columns = leaf.columns().values().stream().map(HiveColumnHandle.class::cast).toList();
        List<Integer> tableColumns = columns.stream().map(column -> isOf(table, column) ? column.getHiveColumnIndex() : OTHER).toList();
        Map<VariableReferenceExpression, Integer> places = new HashMap<>();
        variables.forEach(variable -> places.put(variable, places.size()));
        List<VariableReferenceExpression> all = leaf.outputs();
        List<Order> sorting = leaf.top().map(Top::orders).orElse(List.of());
        List<Projection> others = leaf.projections().stream().filter(projection -> !isBare(projection, places)).toList();
        return new LeafHandle(
                variables,
                tableColumns,
                IntStream.range(0, columns.size()).filter(i -> tableColumns.get(i) == OTHER).mapToObj(columns::get).toList(),
                leaf.conjuncts(),
                leaf.definitions().stream().map(Projection::variable).toList(),
                leaf.definitions().stream().map(Projection::expression).toList(),
                leaf.projections().stream().map(projection -> isBare(projection, places) ? places.get(projection.variable()) : OTHER).toList(),
                Stream.concat(others.stream().map(Projection::variable), leaf.aggregates().stream().map(Aggregate::variable)).toList(),
                others.stream().map(Projection::expression).toList(),
                leaf.aggregation().isPresent(),
                leaf.aggregates().stream().map(Aggregate::call).toList(),
                leaf.aggregates().stream().map(aggregate -> aggregate.mask().map(List::of).orElse(List.of())).toList(),
                leaf.top().map(Top::count).orElse(0L),
                sorting.stream().map(order -> all.indexOf(order.output())).toList(),
                sorting.stream().map(Order::order).toList());
    }

    private static boolean isBare(Projection projection, Map<VariableReferenceExpression, Integer> scan)
    {
        return projection.expression().equals(projection.variable()) && scan.containsKey(projection.variable());
    }

    private static boolean isOf(List<Column> table, HiveColumnHandle column)
    {
        int place = column.getHiveColumnIndex();
        return column.getColumnType() == ColumnType.REGULAR && place >= 0 && place < table.size()
                && column.getRequiredSubfields().isEmpty()
                && column.getPartialAggregation().isEmpty()
                && column.getName().equals(table.get(place).getName())
                && column.getHiveType().equals(table.get(place).getType())
                && column.getTypeSignature().equals(table.get(place).getType().getTypeSignature())
                && column.getComment().equals(table.get(place).getComment());
    }

    private static HiveColumnHandle of(List<Column> table, int place)
    {
        Column column = table.get(place);
        return new HiveColumnHandle(
                column.getName(), column.getType(), column.getType().getTypeSignature(), place, ColumnType.REGULAR, column.getComment(), Optional
                        .empty());
    }

    /** @param table the data columns of the layout that carries the handle */
    Leaf leaf(List<Column> table)
    {
        Map<VariableReferenceExpression, ColumnHandle> scan = new LinkedHashMap<>();
        Iterator<HiveColumnHandle> others = columns.iterator();
        for (int i = 0; i < variables.size(); i++) {
            scan.put(variables.get(i), tableColumns.get(i) == OTHER ? others.next() : of(table, tableColumns.get(i)));
        }
        Iterator<Projection> computed = projections(outputs, projections).iterator();
        List<Projection> made = bare.stream()
                .map(place -> place == OTHER ? computed.next() : new Projection(variables.get(place), variables.get(place)))
                .toList();
        List<Aggregate> aggregates = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            aggregates.add(new Aggregate(outputs.get(projections.size() + i), calls.get(i), masks.get(i).stream().findFirst()));
        }
        return new Leaf(scan, conjuncts, projections(defined, definitions), made, aggregated ? Optional.of(aggregates) : Optional.empty(), top(made));
    }

    private Optional<Top> top(List<Projection> made)
    {
        return topCount == 0
                ? Optional.empty()
                : Optional.of(new Top(topCount, IntStream.range(0, sorted.size())
                        .mapToObj(i -> new Order(made.get(sorted.get(i)).variable(), orders.get(i)))
                        .toList()));
    }

    private static List<Projection> projections(List<VariableReferenceExpression> variables, List<RowExpression> expressions)
    {
        return IntStream.range(0, expressions.size()).mapToObj(i -> new Projection(variables.get(i), expressions.get(i))).toList();
    }

    @JsonProperty
    public List<VariableReferenceExpression> getVariables()
    {
        return variables;
    }

    @JsonProperty
    public List<Integer> getTableColumns()
    {
        return tableColumns;
    }

    @JsonProperty
    public List<HiveColumnHandle> getColumns()
    {
        return columns;
    }

    @JsonProperty
    public List<RowExpression> getConjuncts()
    {
        return conjuncts;
    }

    @JsonProperty
    public List<VariableReferenceExpression> getDefined()
    {
        return defined;
    }

    @JsonProperty
    public List<RowExpression> getDefinitions()
    {
        return definitions;
    }

    @JsonProperty
    public List<Integer> getBare()
    {
        return bare;
    }

    @JsonProperty
    public List<VariableReferenceExpression> getOutputs()
    {
        return outputs;
    }

    @JsonProperty
    public List<RowExpression> getProjections()
    {
        return projections;
    }

    @JsonProperty
    public boolean isAggregated()
    {
        return aggregated;
    }

    @JsonProperty
    public List<CallExpression> getCalls()
    {
        return calls;
    }

    @JsonProperty
    public List<List<RowExpression>> getMasks()
    {
        return masks;
    }

    @JsonProperty
    public long getTopCount()
    {
        return topCount;
    }

    @JsonProperty
    public List<Integer> getSorted()
    {
        return sorted;
    }

    @JsonProperty
    public List<SortOrder> getOrders()
    {
        return orders;
    }
}
