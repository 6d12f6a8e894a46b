// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.CatalogSchemaName;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.type.StandardTypes;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeUtils;
import com.facebook.presto.expressions.DynamicFilters.DynamicFilterPlaceholderFunction;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadata;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.LambdaDefinitionExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.RowExpressionVisitor;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.slice.Slice;
import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import static com.facebook.presto.spi.function.FunctionImplementationType.JAVA;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.BIND;
import static java.util.Objects.requireNonNull;

/** Reports the reasons to refuse an expression. */
final class ExpressionCheck
        implements RowExpressionVisitor<@Nullable Void, @Nullable Void>
{
    private static final CatalogSchemaName BUILT_IN_NAMESPACE = new CatalogSchemaName("presto", "default");
    private static final String CURRENT_USER = "$current_user";
    /**
     * The engine declares no aggregate as non-deterministic. Two of these draw random rows into their states, and others add noise, which must not repeat. The scalar
     * {@code merge_tdigest} shuffles what it merges, although the engine declares it as deterministic.
     */
    private static final Set<String> SAMPLING = Set.of("reservoir_sample", "differential_entropy", "merge_tdigest");
    private static final String NOISY = "noisy_";
    private static final String NOISY_SKETCH = "SfmSketch";
    /** Of a time with a zone, the first depends on when its query started, and the casts on when the process started: in which season. */
    private static final Set<String> SEASONAL = Set.of("at_timezone", OperatorType.CAST.getFunctionName().getObjectName(), "TRY_CAST");
    private static final Set<Class<?>> STORABLE = Set.of(boolean.class, long.class, double.class, Slice.class, Block.class);

    private final ClassLoader engine;
    private final Function<FunctionHandle, Set<Refusal>> functions;
    private final Consumer<Refusal> against;

    /**
     * @param engine the engine's class loader
     * @param functions returns the reasons to refuse a function
     */
    ExpressionCheck(ClassLoader engine, Function<FunctionHandle, Set<Refusal>> functions, Consumer<Refusal> against)
    {
        this.engine = requireNonNull(engine, "engine is null");
        this.functions = requireNonNull(functions, "functions is null");
        this.against = requireNonNull(against, "against is null");
    }

    /**
     * Returns the reasons to refuse a function.
     *
     * @param engines whether the engine itself implements a function
     */
    static Set<Refusal> reasons(FunctionHandle function, FunctionMetadataManager functions, Predicate<FunctionHandle> engines)
    {
        Set<Refusal> reasons = EnumSet.noneOf(Refusal.class);
        FunctionMetadata metadata = functions.getFunctionMetadata(function);
        // plugins also register functions in the engine's namespace
        if (!metadata.getName().getCatalogSchemaName().equals(BUILT_IN_NAMESPACE) || metadata.getImplementationType() != JAVA
                || !engines.test(function)) {
            reasons.add(Refusal.NOT_BUILT_IN);
        }
        String name = metadata.getName().getObjectName();
        // the user is not in the key of a result
        if (!metadata.isDeterministic() || name.equals(CURRENT_USER) || SAMPLING.contains(name) || name.startsWith(NOISY)
                || isNoisyMerge(name, metadata) || isSeasonal(name, metadata)) {
            reasons.add(Refusal.NON_DETERMINISTIC);
        }
        if (name.equals(DynamicFilterPlaceholderFunction.NAME)) {
            reasons.add(Refusal.DYNAMIC_FILTER);
        }
        return reasons;
    }

    private static boolean isNoisyMerge(String name, FunctionMetadata metadata)
    {
        return name.equals("merge") && metadata.getArgumentTypes().get(0).getBase().equals(NOISY_SKETCH);
    }

    private static boolean isSeasonal(String name, FunctionMetadata metadata)
    {
        return SEASONAL.contains(name) && metadata.getArgumentTypes().get(0).getBase().equals(StandardTypes.TIME_WITH_TIME_ZONE);
    }

    @Override
    public @Nullable Void visitExpression(RowExpression expression, @Nullable Void context)
    {
        against.accept(Refusal.UNKNOWN_EXPRESSION);
        return null;
    }

    @Override
    public @Nullable Void visitCall(CallExpression call, @Nullable Void context)
    {
        functions.apply(call.getFunctionHandle()).forEach(against);
        return within(call);
    }

    @Override
    public @Nullable Void visitSpecialForm(SpecialFormExpression form, @Nullable Void context)
    {
        if (form.getForm() == BIND) {
            against.accept(Refusal.LAMBDA);
        }
        return within(form);
    }

    @Override
    public @Nullable Void visitLambda(LambdaDefinitionExpression lambda, @Nullable Void context)
    {
        against.accept(Refusal.LAMBDA);
        return null;
    }

    @Override
    public @Nullable Void visitConstant(ConstantExpression constant, @Nullable Void context)
    {
        if (!constant.isNull() && !STORABLE.contains(constant.getType().getJavaType())) {
            against.accept(Refusal.TYPE);
        }
        return within(constant);
    }

    @Override
    public @Nullable Void visitVariableReference(VariableReferenceExpression variable, @Nullable Void context)
    {
        return within(variable);
    }

    private @Nullable Void within(RowExpression expression)
    {
        check(expression.getType());
        expression.getChildren().forEach(child -> child.accept(this, null));
        return null;
    }

    /** Checks the type of an expression, a column, or an aggregate's state. */
    void check(Type type)
    {
        if (isNamed(type) || isForeign(type)) {
            against.accept(Refusal.TYPE);
        }
    }

    /* A plugin's type: its name stays the same when its behavior changes. */
    private boolean isForeign(Type type)
    {
        ClassLoader loader = type.getClass().getClassLoader();
        return (loader != Type.class.getClassLoader() && loader != engine)
                || type.getTypeParameters().stream().anyMatch(this::isForeign);
    }

    private static boolean isNamed(Type type)
    {
        return TypeUtils.isEnumType(type) || TypeUtils.isDistinctType(type) || type.getTypeParameters().stream().anyMatch(ExpressionCheck::isNamed);
    }
}
