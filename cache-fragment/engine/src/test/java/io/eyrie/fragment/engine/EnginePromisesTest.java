// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.common.block.LongArrayBlockEncoding;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.operator.scalar.SessionFunctions;
import com.facebook.presto.spi.function.ScalarFunction;
import com.facebook.presto.spi.plan.SimplePlanFragmentSerde;
import com.facebook.presto.sql.analyzer.FeaturesConfig;
import com.facebook.presto.sql.planner.sanity.PlanChecker;
import com.facebook.presto.sql.planner.sanity.PlanCheckerProviderManager;
import com.facebook.presto.sql.planner.sanity.PlanCheckerProviderManagerConfig;
import io.airlift.slice.DynamicSliceOutput;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the properties of the engine that Eyrie relies on. */
final class EnginePromisesTest
{
    /* ThreadLocalRandom and others of Java, and the sketches of DataSketches that draw random numbers. */
    private static final Pattern RANDOM = Pattern.compile(
            "java/util/concurrent/ThreadLocalRandom|java/util/Random|java/security/SecureRandom|org/apache/datasketches/(kll|quantiles|req|sampling)/");

    /*
     * Decision 0033: a test on a cluster checks that plans with leaf fragments pass these checkers. If another engine has other checkers, the
     * guarantees of a leaf fragment's scan must be reviewed.
     */
    @Test
    void checkersOfPlansAreTheKnownOnes()
            throws ReflectiveOperationException
    {
        SimplePlanFragmentSerde unused = (SimplePlanFragmentSerde) Proxy.newProxyInstance(
                SimplePlanFragmentSerde.class.getClassLoader(),
                new Class<?>[] {SimplePlanFragmentSerde.class},
                (proxy, method, arguments) -> null);
        PlanChecker checker = new PlanChecker(
                new FeaturesConfig(),
                new PlanCheckerProviderManager(unused, new PlanCheckerProviderManagerConfig()));
        assertThat(names(checker, "FINAL")).containsExactlyInAnyOrder(
                "CheckUnsupportedExternalFunctions", "ValidateDependenciesChecker", "NoDuplicatePlanNodeIdsChecker", "TypeValidator",
                "VerifyOnlyOneOutputNode", "VerifyNoFilteredAggregations", "ValidateAggregationsWithDefaultValues", "ValidateStreamingAggregations",
                "VerifyNoIntermediateFormExpression", "VerifyProjectionLocality", "DynamicFiltersChecker", "WarnOnScanWithoutPartitionPredicate",
                "CallDistributedProcedureValidator");
        assertThat(names(checker, "FRAGMENT")).containsExactlyInAnyOrder(
                "ValidateDependenciesChecker", "NoDuplicatePlanNodeIdsChecker", "TypeValidator", "VerifyNoFilteredAggregations",
                "VerifyNoIntermediateFormExpression", "ValidateStreamingJoins");
    }

    private static List<String> names(PlanChecker checker, String stage)
            throws ReflectiveOperationException
    {
        Field checkers = PlanChecker.class.getDeclaredField("checkers");
        checkers.setAccessible(true);
        List<String> names = new ArrayList<>();
        ((Map<?, ?>) checkers.getType().getMethod("asMap").invoke(checkers.get(checker))).forEach((of, all) -> {
            if (of.toString().equals(stage)) {
                ((Collection<?>) all).forEach(one -> names.add(one.getClass().getSimpleName()));
            }
        });
        return names;
    }

    /* Decision 0045: the key of a result has neither the user nor the extra credentials, which other functions must not read. */
    @Test
    void onlyCurrentUserReadsTheUserOfASession()
            throws IOException
    {
        Set<String> readers = classes(constants -> constants.contains("SqlFunctionProperties") && (constants.contains("getSessionUser") || constants
                .contains(
                        "getExtraCredentials")));
        assertThat(readers).containsExactly(
                "com/facebook/presto/Session.class",
                "com/facebook/presto/common/function/SqlFunctionProperties.class",
                "com/facebook/presto/connector/system/SystemConnectorSessionUtil.class",
                "com/facebook/presto/operator/scalar/SessionFunctions.class",
                "com/facebook/presto/testing/TestingConnectorSession.class");
        assertThat(Stream.of(SessionFunctions.class.getDeclaredMethods()).filter(method -> method.isAnnotationPresent(ScalarFunction.class)).flatMap(
                method -> Stream.of(method.getAnnotation(ScalarFunction.class).value()))).containsExactly("$current_user");
    }

    /* The start of the session is not in the key either: functions that read it are constants of a plan, or refused. */
    @Test
    void onlyKnownFunctionsReadTheStartOfASession()
            throws IOException
    {
        assertThat(classes(constants -> constants.contains("SqlFunctionProperties") && constants.contains("getSessionStartTime"))).containsExactly(
                "com/facebook/presto/common/function/SqlFunctionProperties.class",
                "com/facebook/presto/operator/scalar/DateTimeFunctions.class");
    }

    /* Functions are refused if the engine declares them as non-deterministic, which it does not of aggregates. */
    @Test
    void onlyKnownFunctionsDrawRandomNumbers()
            throws IOException
    {
        assertThat(classes(constants -> RANDOM.matcher(constants).find())).filteredOn(name -> name.startsWith(
                "com/facebook/presto/operator/aggregation")
                || name.startsWith("com/facebook/presto/operator/scalar") || name.startsWith("com/facebook/presto/tdigest")).containsExactly(
                        "com/facebook/presto/operator/aggregation/differentialentropy/UnweightedDoubleReservoirSample.class",
                        "com/facebook/presto/operator/aggregation/differentialentropy/WeightedDoubleReservoirSample.class",
                        "com/facebook/presto/operator/aggregation/noisyaggregation/NoisyCountAggregationUtils.class",
                        "com/facebook/presto/operator/aggregation/noisyaggregation/sketch/SecureRandomizationStrategy.class",
                        "com/facebook/presto/operator/aggregation/noisyaggregation/sketch/ThreadLocalRandomizationStrategy.class",
                        "com/facebook/presto/operator/aggregation/reservoirsample/ReservoirSample.class",
                        "com/facebook/presto/operator/aggregation/sketch/kll/KllSketchAggregationState$Grouped.class",
                        "com/facebook/presto/operator/aggregation/sketch/kll/KllSketchAggregationState$Single.class",
                        "com/facebook/presto/operator/aggregation/sketch/kll/KllSketchAggregationState.class",
                        "com/facebook/presto/operator/aggregation/sketch/kll/KllSketchStateSerializer.class",
                        "com/facebook/presto/operator/aggregation/sketch/kll/KllSketchWithKAggregationFunction.class",
                        // of functions that the engine declares as non-deterministic
                        "com/facebook/presto/operator/scalar/ArrayShuffleFunction.class",
                        // reads a sketch
                        "com/facebook/presto/operator/scalar/KllSketchFunctions.class",
                        "com/facebook/presto/operator/scalar/MathFunctions.class",
                        "com/facebook/presto/tdigest/TDigest.class",
                        "com/facebook/presto/tdigest/TDigestUtils.class");
    }

    private static Set<String> classes(Predicate<String> which)
            throws IOException
    {
        Set<String> found = new TreeSet<>();
        for (String jar : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (jar.contains("presto-") && jar.endsWith(".jar")) {
                found.addAll(classes(jar, which));
            }
        }
        return found;
    }

    /* Returns the classes of a jar whose constants match. */
    private static List<String> classes(String jar, Predicate<String> which)
            throws IOException
    {
        List<String> found = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar)) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().endsWith(".class")) {
                    String constants = new String(zip.getInputStream(entry).readAllBytes(), ISO_8859_1);
                    if (which.test(constants)) {
                        found.add(entry.getName());
                    }
                }
            }
        }
        return found;
    }

    /* Leaf fragments with types or functions of plugins are refused, so no block of a stored result needs an encoding that a plugin registered. */
    @Test
    void blocksOfTheEnginesTypesHaveEncodingsOfItsOwn()
    {
        // only with the encodings of presto-common, which a plugin cannot replace
        BlockEncodingManager encodings = new BlockEncodingManager();
        assertThatThrownBy(() -> encodings.addBlockEncoding(new LongArrayBlockEncoding())).hasMessageContaining("already registered");
        int types = 0;
        for (Type type : FunctionAndTypeManager.createTestFunctionAndTypeManager().getTypes()) {
            Optional<Block> block = oneNull(type);
            if (block.isPresent()) {
                DynamicSliceOutput out = new DynamicSliceOutput(100);
                encodings.writeBlock(out, block.get());
                assertThat(encodings.readBlock(out.slice().getInput()).isNull(0)).as(type.getDisplayName()).isTrue();
                types++;
            }
        }
        assertThat(types).isGreaterThan(20);
    }

    private static Optional<Block> oneNull(Type type)
    {
        try {
            return Optional.of(type.createBlockBuilder(null, 1).appendNull().build());
        }
        catch (RuntimeException e) {
            // patterns and paths cannot be in a block
            return Optional.empty();
        }
    }
}
