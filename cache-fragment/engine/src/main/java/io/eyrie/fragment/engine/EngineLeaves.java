// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.Session;
import com.facebook.presto.SystemSessionProperties;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.metadata.Metadata;
import com.facebook.presto.operator.InterpretedHashGenerator;
import com.facebook.presto.operator.aggregation.AccumulatorFactory;
import com.facebook.presto.operator.aggregation.GenericAccumulatorFactory;
import com.facebook.presto.operator.project.PageProcessor;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.JavaAggregationFunctionImplementation;
import com.facebook.presto.spi.plan.AggregationNode.Step;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.ExpressionOptimizer.Level;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.analyzer.FeaturesConfig.PartialAggregationStrategy;
import com.facebook.presto.sql.gen.ExpressionCompiler;
import com.facebook.presto.sql.gen.JoinCompiler;
import com.facebook.presto.sql.gen.JoinFilterFunctionCompiler;
import com.facebook.presto.sql.gen.JoinFilterFunctionCompiler.JoinFilterFunctionFactory;
import com.facebook.presto.sql.gen.PageFunctionCompiler;
import com.facebook.presto.sql.planner.RowExpressionInterpreter;
import com.facebook.presto.sql.relational.VariableToChannelTranslator;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.leaf.LeafRun;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Compiles leaf fragments to the page processors and accumulators of the engine's operators. Thread-safe. */
public final class EngineLeaves
        implements LeafCompiler
{
    private static final int EXPRESSIONS_KEPT = 1000;
    // of the groups of a partial aggregation, like the engine's
    private static final long MAX_BYTES = 16 << 20;

    private final FunctionAndTypeManager functions;
    private final EngineFunctions own;
    private final ExpressionCompiler expressions;
    private final JoinCompiler joins;
    private final JoinFilterFunctionCompiler filters;
    private final EngineJoins engineJoins;

    /**
     * Creates a compiler; a {@link LinkageError} shows that the engine is another one than this class was compiled for.
     *
     * @param functions the engine's {@link FunctionAndTypeManager}
     */
    public EngineLeaves(FunctionMetadataManager functions)
    {
        this.functions = (FunctionAndTypeManager) requireNonNull(functions, "functions is null");
        this.own = new EngineFunctions(this.functions);
        Metadata metadata = functionsAlone(this.functions);
        // fails here and not in a query if the engine's interface lacks the method
        requireNonNull(metadata.getFunctionAndTypeManager(), "the engine has no functions");
        this.expressions = new ExpressionCompiler(metadata, new PageFunctionCompiler(metadata, EXPRESSIONS_KEPT));
        this.joins = new JoinCompiler(metadata);
        this.filters = new JoinFilterFunctionCompiler(metadata);
        this.engineJoins = new EngineJoins(metadata, joins);
    }

    /* The compilers only ask for functions and types. */
    private static Metadata functionsAlone(FunctionAndTypeManager functions)
    {
        return (Metadata) Proxy.newProxyInstance(EngineLeaves.class.getClassLoader(), new Class<?>[] {Metadata.class}, (proxy, method, arguments) -> {
            if (method.getReturnType() == FunctionAndTypeManager.class) {
                return functions;
            }
            throw new UnsupportedOperationException("The engine's compilers call an unexpected method: " + method);
        });
    }

    @Override
    public boolean isOwn(FunctionHandle function)
    {
        return own.test(function);
    }

    @Override
    public boolean hasIntermediate(FunctionHandle aggregate, Type intermediate)
    {
        JavaAggregationFunctionImplementation implementation = functions.getJavaAggregateFunctionImplementation(aggregate);
        return implementation.isDecomposable() && implementation.getIntermediateType().equals(intermediate);
    }

    @Override
    public boolean isDecomposable(FunctionHandle aggregate)
    {
        return functions.getJavaAggregateFunctionImplementation(aggregate).isDecomposable();
    }

    @Override
    public boolean splitsAggregations(ConnectorSession session)
    {
        Session whole = EngineJoins.sessionOf(session);
        return SystemSessionProperties.getPartialAggregationStrategy(whole) == PartialAggregationStrategy.ALWAYS
                && !SystemSessionProperties.isSingleNodeExecutionEnabled(whole);
    }

    @Override
    public long maxTotalMemoryBytes(ConnectorSession session)
    {
        return SystemSessionProperties.getQueryMaxTotalMemory(EngineJoins.sessionOf(session)).toBytes();
    }

    @Override
    public JoinBuild build(JoinShape join, ConnectorSession session)
    {
        return engineJoins.build(join, join.condition().map(pair -> filter(pair.conjuncts(), pair.build(), pair.probe(), session)), session);
    }

    @Override
    public LeafRun streamed(JoinShape join, Map<Integer, Integer> groupKeys, Function<GroupPart, Iterator<Page>> build, long batchBytes,
            ConnectorSession session)
    {
        return engineJoins.streamed(
                join, join.condition().map(pair -> filter(pair.conjuncts(), pair.probe(), pair.build(), session)), groupKeys, build, batchBytes,
                session);
    }

    /**
     * Compiles conditions on a pair of rows.
     *
     * @param table the variables of the row in the hash table
     * @param probe those of the row that is looked up
     */
    private JoinFilterFunctionFactory filter(List<RowExpression> conjuncts, List<VariableReferenceExpression> table,
            List<VariableReferenceExpression> probe, ConnectorSession session)
    {
        Map<VariableReferenceExpression, Integer> channels = new HashMap<>();
        Stream.concat(table.stream(), probe.stream()).forEach(variable -> channels.put(variable, channels.size()));
        return filters.compileJoinFilterFunction(
                session.getSqlFunctionProperties(),
                Map.of(),
                bound(LogicalRowExpressions.and(conjuncts), channels, session),
                table.size());
    }

    @Override
    public Supplier<LeafRun> compile(Leaf leaf, ConnectorSession session)
    {
        List<RowExpression> outputs = values(leaf);
        if (leaf.aggregation().isEmpty()) {
            Supplier<ProjectionStack> projection = projection(leaf, outputs, session);
            List<Type> types = types(outputs);
            return leaf.top().<Supplier<LeafRun>>map(top -> () -> new TopRun(projection.get(), leaf.outputs(), top))
                    .orElse(() -> new RowsRun(projection.get(), types));
        }
        return run(aggregation(leaf, outputs, session), Step.PARTIAL, MAX_BYTES);
    }

    @Override
    public Supplier<LeafRun> merge(Leaf leaf, ConnectorSession session)
    {
        return run(aggregation(leaf, values(leaf), session), Step.INTERMEDIATE, Long.MAX_VALUE);
    }

    private Supplier<LeafRun> run(CompiledAggregation aggregation, Step step, long maxBytes)
    {
        return () -> aggregation.keys.length == 0
                ? new GlobalRun(aggregation.projection.get(), aggregation.accumulators, step)
                : new GroupedRun(aggregation.projection.get(), aggregation.groups(joins, step), maxBytes);
    }

    private static List<RowExpression> values(Leaf leaf)
    {
        return leaf.projections().stream().map(Leaf.Projection::expression).toList();
    }

    @Override
    public Function<GroupPart, LeafRun> complete(Leaf leaf, ConnectorSession session)
    {
        CompiledAggregation aggregation = aggregation(leaf, values(leaf), session);
        return part -> aggregation.keys.length == 0
                ? new GlobalRun(aggregation.projection.get(), aggregation.accumulators, Step.SINGLE)
                : new CompleteRun(
                        aggregation.projection.get(),
                        aggregation.groups(joins, Step.SINGLE),
                        aggregation.keys,
                        part,
                        new InterpretedHashGenerator(aggregation.keyTypes, aggregation.keys));
    }

    /** An aggregation, and the projection of the keys and arguments that it reads. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record CompiledAggregation(
            Supplier<ProjectionStack> projection,
            List<Type> keyTypes,
            int[] keys,
            List<AccumulatorFactory> accumulators,
            List<Type> intermediates)
    {
        Groups groups(JoinCompiler joins, Step step)
        {
            return new Groups(keyTypes, keys, accumulators, intermediates, joins, step);
        }
    }

    private CompiledAggregation aggregation(Leaf leaf, List<RowExpression> outputs, ConnectorSession session)
    {
        ProjectedExpressions projected = new ProjectedExpressions(new ArrayList<>(), new LinkedHashMap<>());
        int[] keys = outputs.stream().mapToInt(projected::channel).toArray();
        List<AccumulatorFactory> accumulators = new ArrayList<>();
        List<Type> intermediates = new ArrayList<>();
        for (Leaf.Aggregate aggregate : leaf.aggregates()) {
            CallExpression call = aggregate.call();
            JavaAggregationFunctionImplementation implementation = functions.getJavaAggregateFunctionImplementation(call.getFunctionHandle());
            List<Integer> inputs = call.getArguments().stream().map(projected::channel).toList();
            accumulators.add(GenericAccumulatorFactory.generateAccumulatorFactory(implementation, inputs, aggregate.mask().map(projected::channel)));
            intermediates.add(implementation.getIntermediateType());
        }
        return new CompiledAggregation(projection(leaf, projected.expressions, session), types(outputs), keys, accumulators, intermediates);
    }

    /* The condition is evaluated before any output is computed. */
    private Supplier<ProjectionStack> projection(Leaf leaf, List<RowExpression> outputs, ConnectorSession session)
    {
        SqlFunctionProperties properties = session.getSqlFunctionProperties();
        List<Supplier<PageProcessor>> processors = new ArrayList<>();
        Map<VariableReferenceExpression, RowExpression> definitions = new LinkedHashMap<>();
        leaf.definitions().forEach(definition -> definitions.put(definition.variable(), definition.expression()));
        for (Levels.Level level : new Levels(List.copyOf(leaf.columns().keySet()), definitions).of(outputs)) {
            Map<VariableReferenceExpression, Integer> channels = new HashMap<>();
            level.input().forEach(variable -> channels.put(variable, channels.size()));
            processors.add(expressions.compilePageProcessor(
                    properties,
                    processors.isEmpty() ? leaf.condition().map(expression -> bound(expression, channels, session)) : Optional.empty(),
                    level.output().stream().map(expression -> bound(expression, channels, session)).toList(),
                    true,
                    Map.of(),
                    Optional.empty()));
        }
        return () -> new ProjectionStack(processors.stream().map(Supplier::get).toList(), properties);
    }

    /* Like the engine's planner, evaluates constants such as a LIKE pattern once, not for each row. */
    private RowExpression bound(RowExpression expression, Map<VariableReferenceExpression, Integer> channels, ConnectorSession session)
    {
        Object value = new RowExpressionInterpreter(expression, functions, session, Level.OPTIMIZED).optimize();
        RowExpression optimized = value instanceof RowExpression left ? left : new ConstantExpression(value, expression.getType());
        return VariableToChannelTranslator.translate(optimized, channels);
    }

    private static List<Type> types(List<RowExpression> expressions)
    {
        return expressions.stream().map(RowExpression::getType).toList();
    }

    /** The expressions that the aggregation reads, each projected once. */
    private record ProjectedExpressions(List<RowExpression> expressions, Map<RowExpression, Integer> channels)
    {
        int channel(RowExpression expression)
        {
            return channels.computeIfAbsent(expression, added -> {
                expressions.add(added);
                return expressions.size() - 1;
            });
        }
    }
}
