// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Projection;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Runs leaves on the engine's own compiled functions, through a jar in the plugin's folder {@code engine} whose class loader has the engine's as its
 * parent. Thread-safe.
 */
final class LeafEngine
{
    private static final Logger log = Logger.get(LeafEngine.class);
    private static final String JAR = "engine/eyrie-fragment-engine.jar";
    private static final String CLASS = "io.eyrie.fragment.engine.EngineLeaves";
    private static final String FUNCTIONS_CLASS = "io.eyrie.fragment.engine.EngineFunctions";
    // a few kilobytes of function signatures
    private static final int MAX_FUNCTIONS = 10_000;

    private final BiFunction<List<Object>, ConnectorSession, Supplier<Function<Optional<Page>, Iterator<Page>>>> compiler;
    private final BiPredicate<FunctionHandle, Type> intermediates;
    private final LoadingCache<FunctionHandle, Boolean> own;

    LeafEngine(
            BiFunction<List<Object>, ConnectorSession, Supplier<Function<Optional<Page>, Iterator<Page>>>> compiler,
            BiPredicate<FunctionHandle, Type> intermediates,
            Predicate<FunctionHandle> own)
    {
        this.own = Caffeine.newBuilder().maximumSize(MAX_FUNCTIONS).build(own::test);
        this.compiler = requireNonNull(compiler, "compiler is null");
        this.intermediates = requireNonNull(intermediates, "intermediates is null");
    }

    /** Loads the jar; returns empty, and logs the reason, if it is missing or does not fit the engine. */
    static Optional<LeafEngine> load(FunctionMetadataManager functions)
    {
        try {
            Path own = Path.of(LeafEngine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            File jar = requireNonNull(own.getParent(), "the plugin's jar has no parent directory").resolve(JAR).toFile();
            if (!jar.isFile()) {
                throw new IllegalStateException("there is no " + jar);
            }
            return Optional.of(load(jar, functions));
        }
        catch (ReflectiveOperationException | LinkageError | RuntimeException | URISyntaxException | MalformedURLException e) {
            log.warn(e, "Fragment results are off: Eyrie's engine jar is missing or does not fit this engine. Plans stay as Presto makes them");
            return Optional.empty();
        }
    }

    /* never closed: the classes live as long as the connector */
    @SuppressWarnings("unchecked")
    private static LeafEngine load(File jar, FunctionMetadataManager functions)
            throws ReflectiveOperationException,
            MalformedURLException
    {
        ClassLoader loader = new URLClassLoader(new URL[] {jar.toURI().toURL()}, functions.getClass().getClassLoader());
        Object leaves = loader.loadClass(CLASS).getConstructor(FunctionMetadataManager.class).newInstance(functions);
        return new LeafEngine(
                (BiFunction<List<Object>, ConnectorSession, Supplier<Function<Optional<Page>, Iterator<Page>>>>) leaves,
                (BiPredicate<FunctionHandle, Type>) leaves,
                (Predicate<FunctionHandle>) loader.loadClass(FUNCTIONS_CLASS).getConstructor(FunctionMetadataManager.class).newInstance(functions));
    }

    /** Whether a function is implemented by the engine itself. */
    boolean isOwn(FunctionHandle function)
    {
        return own.get(function);
    }

    /** Whether every aggregate has the intermediate type that the plan expects. */
    boolean hasIntermediates(Leaf leaf)
    {
        return leaf.aggregates().stream().allMatch(aggregate -> intermediates.test(aggregate.call().getFunctionHandle(), aggregate.variable()
                .getType()));
    }

    /**
     * Compiles a leaf. The result creates runs, each over one split: a run maps a page, or empty at the end of the split, to pages. A run is also a
     * {@code LongSupplier} of the bytes that it retains.
     */
    Supplier<Function<Optional<Page>, Iterator<Page>>> compile(Leaf leaf, ConnectorSession session)
    {
        return compiler.apply(
                List.of(
                        List.copyOf(leaf.columns().keySet()),
                        leaf.conjuncts().isEmpty() ? Optional.empty() : Optional.of(LogicalRowExpressions.and(leaf.conjuncts())),
                        leaf.definitions().stream().map(Projection::variable).toList(),
                        leaf.definitions().stream().map(Projection::expression).toList(),
                        leaf.projections().stream().map(Projection::expression).toList(),
                        leaf.aggregation().map(aggregates -> aggregates.stream().map(Aggregate::call).toList()),
                        leaf.aggregates().stream().map(Aggregate::mask).toList()),
                session);
    }
}
