// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.StandardTypes;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.metadata.FunctionExtractor;
import com.facebook.presto.operator.aggregation.state.LongState;
import com.facebook.presto.spi.function.AggregationFunction;
import com.facebook.presto.spi.function.CodegenScalarFunction;
import com.facebook.presto.spi.function.CombineFunction;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionKind;
import com.facebook.presto.spi.function.InputFunction;
import com.facebook.presto.spi.function.OutputFunction;
import com.facebook.presto.spi.function.ScalarFunction;
import com.facebook.presto.spi.function.SqlType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.sql.analyzer.TypeSignatureProvider.fromTypes;
import static org.assertj.core.api.Assertions.assertThat;

final class EngineFunctionsTest
{
    private static final FunctionAndTypeManager FUNCTIONS = FunctionAndTypeManager.createTestFunctionAndTypeManager();
    private static final EngineFunctions OWN = new EngineFunctions(FUNCTIONS);

    /** A plugin's functions. */
    public static final class Scalars
    {
        private Scalars()
        {}

        @ScalarFunction("plugin_scalar")
        @SqlType(StandardTypes.BIGINT)
        public static long scalar(@SqlType(StandardTypes.BIGINT) long value)
        {
            return value;
        }

        // with a name that the engine uses, too
        @ScalarFunction("abs")
        @SqlType(StandardTypes.BOOLEAN)
        public static boolean abs(@SqlType(StandardTypes.BOOLEAN) boolean value)
        {
            return value;
        }

        @CodegenScalarFunction("plugin_codegen")
        @SqlType(StandardTypes.BIGINT)
        public static MethodHandle codegen(@SqlType(StandardTypes.BIGINT) Type value)
        {
            return MethodHandles.identity(long.class);
        }
    }

    /** A plugin's function with an instance. */
    @ScalarFunction("plugin_instance")
    public static final class Instance
    {
        public Instance()
        {}

        @SqlType(StandardTypes.BIGINT)
        public long value(@SqlType(StandardTypes.BIGINT) long value)
        {
            return value;
        }
    }

    /** A plugin's aggregate. */
    @AggregationFunction("plugin_sum")
    public static final class Sum
    {
        private Sum()
        {}

        @InputFunction
        public static void input(LongState state, @SqlType(StandardTypes.BIGINT) long value)
        {
            state.setLong(state.getLong() + value);
        }

        @CombineFunction
        public static void combine(LongState state, LongState other)
        {
            state.setLong(state.getLong() + other.getLong());
        }

        @OutputFunction(StandardTypes.BIGINT)
        public static void output(LongState state, BlockBuilder out)
        {
            BIGINT.writeLong(out, state.getLong());
        }
    }

    /* Defines classes of the test itself, as a plugin's loader defines the plugin's classes. */
    private static final class PluginLoader
            extends ClassLoader
    {
        PluginLoader()
        {
            super(EngineFunctionsTest.class.getClassLoader());
        }

        Class<?> copy(Class<?> original)
        {
            try (InputStream in = original.getResourceAsStream("/" + original.getName().replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(original.getName(), bytes, 0, bytes.length);
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void functionsOfPluginsAreNotTheEngines()
    {
        PluginLoader loader = new PluginLoader();
        for (Class<?> original : List.of(Scalars.class, Instance.class, Sum.class)) {
            FUNCTIONS.registerBuiltInFunctions(FunctionExtractor.extractFunctions(loader.copy(original)));
        }
        for (String function : List.of("plugin_scalar", "plugin_codegen", "plugin_instance", "plugin_sum")) {
            assertThat(OWN.test(lookup(function, BIGINT))).as(function).isFalse();
        }
        assertThat(OWN.test(lookup("abs", BOOLEAN))).as("a plugin's, of a name of the engine's").isFalse();
        assertThat(OWN.test(lookup("abs", BIGINT))).as("the engine's, of a name of a plugin's").isTrue();
        assertThat(OWN.test(lookup("sum", BIGINT))).isTrue();
        assertThat(OWN.test(FUNCTIONS.resolveOperator(ADD, fromTypes(DOUBLE, DOUBLE)))).isTrue();
    }

    /* For the listed functions, the engine's annotation parser does not expose the class, because they have an instance. */
    @Test
    void functionsOfTheEngineAreItsOwn()
    {
        assertThat(FunctionAndTypeManager.createTestFunctionAndTypeManager().listBuiltInFunctions())
                .filteredOn(function -> function.getSignature().getKind() != FunctionKind.WINDOW && !EngineFunctions.isOwn(function))
                .extracting(function -> function.getSignature().getNameSuffix())
                .containsOnly("reverse", "split_to_map", "split_to_multimap", "bing_tile_coordinates", "array_remove", "array_sort", "shuffle",
                        "map_entries",
                        "map_from_entries", "multimap_from_entries", "map", "regexp_replace");
    }

    private static FunctionHandle lookup(String function, Type argument)
    {
        return FUNCTIONS.lookupFunction(function, fromTypes(argument));
    }
}
