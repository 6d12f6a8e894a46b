// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.leaf.LeafRun;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Loads the {@link LeafCompiler} from the jar in the plugin's folder {@code engine}, and caches what it returns for functions. Thread-safe. */
final class LeafEngine
{
    private static final Logger log = Logger.get(LeafEngine.class);
    private static final String JAR = "engine/eyrie-fragment-engine.jar";
    private static final String CLASS = "io.eyrie.fragment.engine.EngineLeaves";
    // a few kilobytes of function signatures
    private static final int MAX_FUNCTIONS = 10_000;

    private final LeafCompiler compiler;
    private final LoadingCache<FunctionHandle, Boolean> own;

    LeafEngine(LeafCompiler compiler)
    {
        this.compiler = requireNonNull(compiler, "compiler is null");
        this.own = Caffeine.newBuilder().maximumSize(MAX_FUNCTIONS).build(compiler::isOwn);
    }

    /** Loads the jar's classes beside the engine's, and the classes of the boundary from the plugin. */
    private static final class EngineLoader
            extends URLClassLoader
    {
        private static final String BOUNDARY = LeafCompiler.class.getPackageName() + ".";

        EngineLoader(URL jar, ClassLoader engine)
        {
            super(new URL[] {jar}, engine);
        }

        @Override
        protected Class<?> findClass(String name)
                throws ClassNotFoundException
        {
            return name.startsWith(BOUNDARY) ? Class.forName(name, true, LeafCompiler.class.getClassLoader()) : super.findClass(name);
        }
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
            log.warn(e,
                    "Fragment results and file statistics are off, because Eyrie's engine jar is missing or does not fit this Presto. Plans stay as Presto makes them. "
                            + "To fix: unpack the plugin's archive again, in a supported release of Presto");
            return Optional.empty();
        }
    }

    /* never closed: the classes live as long as the connector */
    private static LeafEngine load(File jar, FunctionMetadataManager functions)
            throws ReflectiveOperationException,
            MalformedURLException
    {
        ClassLoader loader = new EngineLoader(jar.toURI().toURL(), functions.getClass().getClassLoader());
        return new LeafEngine((LeafCompiler) loader.loadClass(CLASS).getConstructor(FunctionMetadataManager.class).newInstance(functions));
    }

    /** Whether a function is implemented by the engine itself. */
    boolean isOwn(FunctionHandle function)
    {
        return own.get(function);
    }

    /** Whether every aggregate has the intermediate type that the plan expects. */
    boolean hasIntermediates(Leaf leaf)
    {
        return leaf.aggregates().stream().allMatch(aggregate -> compiler.hasIntermediate(
                aggregate.call().getFunctionHandle(), aggregate.variable().getType()));
    }

    boolean isDecomposable(FunctionHandle aggregate)
    {
        return compiler.isDecomposable(aggregate);
    }

    boolean splitsAggregations(ConnectorSession session)
    {
        return compiler.splitsAggregations(session);
    }

    long maxTotalMemoryBytes(ConnectorSession session)
    {
        return compiler.maxTotalMemoryBytes(session);
    }

    JoinBuild build(JoinShape join, ConnectorSession session)
    {
        return compiler.build(join, session);
    }

    LeafRun streamed(JoinShape join, Map<Integer, Integer> groupKeys, Function<GroupPart, Iterator<Page>> build, long batchBytes,
            ConnectorSession session)
    {
        return compiler.streamed(join, groupKeys, build, batchBytes, session);
    }

    Supplier<LeafRun> merge(Leaf leaf, ConnectorSession session)
    {
        return compiler.merge(leaf, session);
    }

    Function<GroupPart, LeafRun> complete(Leaf leaf, ConnectorSession session)
    {
        return compiler.complete(leaf, session);
    }

    /** Compiles a leaf. The result creates runs, each over one split. */
    Supplier<LeafRun> compile(Leaf leaf, ConnectorSession session)
    {
        return compiler.compile(leaf, session);
    }
}
