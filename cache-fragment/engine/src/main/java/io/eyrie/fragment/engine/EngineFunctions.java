// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.metadata.BuiltInFunctionHandle;
import com.facebook.presto.metadata.BuiltInFunctionKind;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.operator.ParametricImplementation;
import com.facebook.presto.operator.ParametricImplementationsGroup;
import com.facebook.presto.operator.aggregation.AggregationImplementation;
import com.facebook.presto.operator.aggregation.ParametricAggregation;
import com.facebook.presto.operator.scalar.ParametricScalar;
import com.facebook.presto.operator.scalar.annotations.ParametricScalarImplementation;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.SqlFunction;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Tests whether a function or operator is the engine's own, by the class loader of its implementation classes. Plugins also register functions in the
 * engine's namespace, where neither the name nor the engine's version changes when the implementation does. A function counts as a plugin's unless it
 * is shown to be the engine's. Thread-safe.
 */
final class EngineFunctions
        implements Predicate<FunctionHandle>
{
    private static final ClassLoader ENGINE = FunctionAndTypeManager.class.getClassLoader();
    private static final ClassLoader SPI = SqlFunction.class.getClassLoader();

    private final FunctionAndTypeManager functions;

    EngineFunctions(FunctionAndTypeManager functions)
    {
        this.functions = requireNonNull(functions, "functions is null");
    }

    @Override
    public boolean test(FunctionHandle handle)
    {
        return handle instanceof BuiltInFunctionHandle builtIn
                && builtIn.getBuiltInFunctionKind() == BuiltInFunctionKind.ENGINE
                && isOwn(functions.getSpecializedFunctionKey(builtIn.getSignature()).getFunction());
    }

    static boolean isOwn(SqlFunction function)
    {
        if (function instanceof ParametricScalar scalar) {
            return implementations(scalar.getImplementations()).allMatch(EngineFunctions::isOwn);
        }
        if (function instanceof ParametricAggregation aggregation) {
            return implementations(aggregation.getImplementations()).allMatch(EngineFunctions::isOwn);
        }
        // a function made by the engine's annotation parsers holds the method that it calls
        return isOwn(function.getClass()) && Arrays.stream(function.getClass().getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .allMatch(field -> isOwn(field, function));
    }

    private static boolean isOwn(ParametricScalarImplementation scalar)
    {
        return scalar.getChoices().stream().allMatch(choice -> isOwn(choice.getMethodHandle())
                && choice.getConstructor().map(EngineFunctions::isOwn).orElse(true));
    }

    private static boolean isOwn(AggregationImplementation aggregation)
    {
        return isOwn(aggregation.getDefinitionClass()) && isOwn(aggregation.getStateClass());
    }

    private static boolean isOwn(Field field, Object holder)
    {
        try {
            field.setAccessible(true);
            Object value = field.get(holder);
            if (value instanceof Optional<?> optional) {
                value = optional.orElse(null);
            }
            if (value instanceof MethodHandle handle) {
                return isOwn(handle);
            }
            if (value instanceof Member member) {
                return isOwn(member.getDeclaringClass());
            }
            return value == null || isOwn(value instanceof Class<?> type ? type : value.getClass());
        }
        catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static boolean isOwn(MethodHandle handle)
    {
        try {
            return isOwn(MethodHandles.reflectAs(Member.class, handle).getDeclaringClass());
        }
        catch (IllegalArgumentException e) {
            // an adapted method of an object with state: its class is not visible
            return false;
        }
    }

    private static boolean isOwn(Class<?> type)
    {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader() || loader == ENGINE || loader == SPI;
    }

    private static <T extends ParametricImplementation> Stream<T> implementations(ParametricImplementationsGroup<T> group)
    {
        return Stream.of(group.getExactImplementations().values(), group.getSpecializedImplementations(), group.getGenericImplementations())
                .flatMap(Collection::stream);
    }
}
