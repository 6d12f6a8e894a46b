// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.metadata.Metadata;
import com.facebook.presto.operator.aggregation.AccumulatorFactory;
import com.facebook.presto.operator.aggregation.GenericAccumulatorFactory;
import com.facebook.presto.operator.project.PageProcessor;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.JavaAggregationFunctionImplementation;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.ExpressionOptimizer.Level;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.gen.ExpressionCompiler;
import com.facebook.presto.sql.gen.JoinCompiler;
import com.facebook.presto.sql.gen.PageFunctionCompiler;
import com.facebook.presto.sql.planner.RowExpressionInterpreter;
import com.facebook.presto.sql.relational.VariableToChannelTranslator;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Compiles leaf fragments; the supplier that it returns creates runs, each for one split. As a predicate, tests whether an aggregate can be split into
 * partial aggregates with a given intermediate type. Thread-safe.
 *
 * <p>A leaf is passed as a list: the variables of the page columns, an optional condition, the defined variables (each over columns and earlier
 * definitions), their definitions, the projected or grouping expressions, the aggregate calls (empty if the leaf does not aggregate), and their
 * masks. A run takes one page after another and returns output pages for each; an empty optional ends the input and returns the remaining pages. As a
 * {@link java.util.function.LongSupplier}, a run reports the bytes that it holds.
 */
public final class EngineLeaves
        implements BiFunction<List<Object>, ConnectorSession, Supplier<Function<Optional<Page>, Iterator<Page>>>>,
        BiPredicate<FunctionHandle, Type>
{
    private static final int EXPRESSIONS_KEPT = 1000;

    private final FunctionAndTypeManager functions;
    private final ExpressionCompiler expressions;
    private final JoinCompiler joins;

    /** @param functions the engine's {@link FunctionAndTypeManager} */
    public EngineLeaves(FunctionMetadataManager functions)
    {
        this.functions = (FunctionAndTypeManager) requireNonNull(functions, "functions is null");
        Metadata metadata = functionsAlone(this.functions);
        this.expressions = new ExpressionCompiler(metadata, new PageFunctionCompiler(metadata, EXPRESSIONS_KEPT));
        this.joins = new JoinCompiler(metadata);
    }

    /* The compilers only ask for functions and types. */
    private static Metadata functionsAlone(FunctionAndTypeManager functions)
    {
        return (Metadata) Proxy.newProxyInstance(EngineLeaves.class.getClassLoader(), new Class<?>[] {Metadata.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("getFunctionAndTypeManager")) {
                return functions;
            }
            throw new UnsupportedOperationException("The engine's compilers call an unexpected method: " + method);
        });
    }

    @Override
    public boolean test(FunctionHandle aggregate, Type intermediate)
    {
        JavaAggregationFunctionImplementation implementation = functions.getJavaAggregateFunctionImplementation(aggregate);
        return implementation.isDecomposable() && implementation.getIntermediateType().equals(intermediate);
    }

    @Override
    public Supplier<Function<Optional<Page>, Iterator<Page>>> apply(List<Object> leaf, ConnectorSession session)
    {
        return compile(LeafParts.of(leaf), session);
    }

    private Supplier<Function<Optional<Page>, Iterator<Page>>> compile(LeafParts leaf, ConnectorSession session)
    {
        if (leaf.calls().isEmpty()) {
            Supplier<Projection> projection = projection(leaf, leaf.outputs(), session);
            List<Type> types = types(leaf.outputs());
            return () -> new RowsRun(projection.get(), types);
        }
        Projected projected = new Projected(new ArrayList<>(), new LinkedHashMap<>());
        int[] keys = leaf.outputs().stream().mapToInt(projected::channel).toArray();
        List<AccumulatorFactory> accumulators = new ArrayList<>();
        List<Type> intermediates = new ArrayList<>();
        List<CallExpression> calls = leaf.calls().get();
        for (int i = 0; i < calls.size(); i++) {
            JavaAggregationFunctionImplementation implementation = functions.getJavaAggregateFunctionImplementation(calls.get(i).getFunctionHandle());
            List<Integer> inputs = calls.get(i).getArguments().stream().map(projected::channel).toList();
            accumulators.add(GenericAccumulatorFactory.generateAccumulatorFactory(implementation, inputs, leaf.masks().get(i).map(
                    projected::channel)));
            intermediates.add(implementation.getIntermediateType());
        }
        Supplier<Projection> projection = projection(leaf, projected.expressions, session);
        List<Type> keyTypes = types(leaf.outputs());
        return () -> keys.length == 0
                ? new GlobalRun(projection.get(), accumulators, intermediates)
                : new GroupedRun(projection.get(), new Groups(keyTypes, keys, accumulators, intermediates, joins));
    }

    /* The condition is evaluated before any output is computed. */
    private Supplier<Projection> projection(LeafParts leaf, List<RowExpression> outputs, ConnectorSession session)
    {
        SqlFunctionProperties properties = session.getSqlFunctionProperties();
        List<Supplier<PageProcessor>> processors = new ArrayList<>();
        for (Levels.Level level : new Levels(leaf.columns(), leaf.definitions()).of(outputs)) {
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
        return () -> new Projection(processors.stream().map(Supplier::get).toList(), properties);
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
    private record Projected(List<RowExpression> expressions, Map<RowExpression, Integer> channels)
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
