package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Projection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/** A {@link Leaf} on its way from the coordinator to a worker, as plain lists: expressions lose their type where they are a handle's own properties. */
public final class LeafHandle
{
    private final List<VariableReferenceExpression> variables;
    private final List<HiveColumnHandle> columns;
    private final List<RowExpression> conjuncts;
    private final List<VariableReferenceExpression> defined;
    private final List<RowExpression> definitions;
    private final List<VariableReferenceExpression> outputs;
    private final List<RowExpression> projections;
    private final boolean aggregated;
    private final List<CallExpression> calls;
    private final List<List<RowExpression>> masks;

    @JsonCreator
    @SuppressWarnings("ParameterNumber")
    public LeafHandle(
            @JsonProperty("variables") List<VariableReferenceExpression> variables,
            @JsonProperty("columns") List<HiveColumnHandle> columns,
            @JsonProperty("conjuncts") List<RowExpression> conjuncts,
            @JsonProperty("defined") List<VariableReferenceExpression> defined,
            @JsonProperty("definitions") List<RowExpression> definitions,
            @JsonProperty("outputs") List<VariableReferenceExpression> outputs,
            @JsonProperty("projections") List<RowExpression> projections,
            @JsonProperty("aggregated") boolean aggregated,
            @JsonProperty("calls") List<CallExpression> calls,
            @JsonProperty("masks") List<List<RowExpression>> masks)
    {
        this.variables = requireNonNull(variables, "variables is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.conjuncts = requireNonNull(conjuncts, "conjuncts is null");
        this.defined = requireNonNull(defined, "defined is null");
        this.definitions = requireNonNull(definitions, "definitions is null");
        this.outputs = requireNonNull(outputs, "outputs is null");
        this.projections = requireNonNull(projections, "projections is null");
        this.aggregated = aggregated;
        this.calls = requireNonNull(calls, "calls is null");
        this.masks = requireNonNull(masks, "masks is null");
    }

    static LeafHandle of(Leaf leaf)
    {
        return new LeafHandle(
                List.copyOf(leaf.columns().keySet()),
                leaf.columns().values().stream().map(HiveColumnHandle.class::cast).toList(),
                leaf.conjuncts(),
                leaf.definitions().stream().map(Projection::variable).toList(),
                leaf.definitions().stream().map(Projection::expression).toList(),
                leaf.outputs(),
                leaf.projections().stream().map(Projection::expression).toList(),
                leaf.aggregation().isPresent(),
                leaf.aggregates().stream().map(Aggregate::call).toList(),
                leaf.aggregates().stream().map(aggregate -> aggregate.mask().map(List::of).orElse(List.of())).toList());
    }

    Leaf leaf()
    {
        Map<VariableReferenceExpression, ColumnHandle> scan = new LinkedHashMap<>();
        for (int i = 0; i < variables.size(); i++) {
            scan.put(variables.get(i), columns.get(i));
        }
        List<Aggregate> aggregates = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            aggregates.add(new Aggregate(outputs.get(projections.size() + i), calls.get(i), masks.get(i).stream().findFirst()));
        }
        return new Leaf(scan, conjuncts, projections(defined, definitions), projections(outputs, projections), aggregated
                ? Optional.of(aggregates)
                : Optional.empty());
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
}
