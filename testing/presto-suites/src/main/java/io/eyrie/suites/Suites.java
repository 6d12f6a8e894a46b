// SPDX-License-Identifier: Apache-2.0
package io.eyrie.suites;

import com.facebook.presto.testing.ExpectedQueryRunner;
import com.facebook.presto.tests.AbstractTestAggregations;
import com.facebook.presto.tests.AbstractTestDistributedQueries;
import com.facebook.presto.tests.AbstractTestEngineOnlyQueries;
import com.facebook.presto.tests.AbstractTestIntegrationSmokeTest;
import com.facebook.presto.tests.AbstractTestJoinQueries;
import com.facebook.presto.tests.AbstractTestNanQueries;
import com.facebook.presto.tests.AbstractTestOrderByQueries;
import com.facebook.presto.tests.AbstractTestQueryFramework;
import com.facebook.presto.tests.AbstractTestRepartitionQueries;
import com.facebook.presto.tests.AbstractTestTopNQueries;
import com.facebook.presto.tests.AbstractTestWindowQueries;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.StubMethod;

import java.util.List;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

/**
 * The suites of presto-tests that a Hive connector can run.
 *
 * <p>Excluded are {@code AbstractTestIndexedQueries} (needs a connector with indexes), {@code AbstractTestNativeTpchConnectorQueries} (the tpch
 * connector on native workers), {@code AbstractTestSqlInvokedFunctions} (needs a function namespace in MySQL) and
 * {@code AbstractTestVerboseMemoryExceededErrors} (error messages of a query of the tpch connector that exceeds its memory).
 */
final class Suites
{
    /** {@code AbstractTestDistributedQueries} includes {@code AbstractTestQueries}. */
    private static final List<Class<? extends AbstractTestQueryFramework>> SUITES = List.of(
            AbstractTestAggregations.class,
            AbstractTestDistributedQueries.class,
            AbstractTestEngineOnlyQueries.class,
            AbstractTestIntegrationSmokeTest.class,
            AbstractTestJoinQueries.class,
            AbstractTestNanQueries.class,
            AbstractTestOrderByQueries.class,
            AbstractTestRepartitionQueries.class,
            AbstractTestTopNQueries.class,
            AbstractTestWindowQueries.class);

    private Suites()
    {}

    /** Returns, for each suite, a class that TestNG can run. The runner outlives the classes. */
    static Class<?>[] on(RecordingQueryRunner runner, ExpectedQueryRunner expected)
    {
        return SUITES.stream().map(suite -> on(suite, runner, expected)).toArray(Class<?>[]::new);
    }

    private static Class<?> on(Class<? extends AbstractTestQueryFramework> suite, RecordingQueryRunner runner, ExpectedQueryRunner expected)
    {
        return new ByteBuddy().subclass(suite)
                .name("io.eyrie.suites." + suite.getSimpleName().replace("Abstract", ""))
                .method(named("createQueryRunner").and(takesNoArguments()))
                .intercept(FixedValue.reference(runner))
                .method(named("createExpectedQueryRunner").and(takesNoArguments()))
                .intercept(FixedValue.reference(expected))
                .method(named("close").and(takesNoArguments()))
                .intercept(StubMethod.INSTANCE)
                .make()
                .load(Suites.class.getClassLoader(), ClassLoadingStrategy.Default.INJECTION)
                .getLoaded();
    }
}
