// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.affinity.simulation.PlacementStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Presto's own two ways to choose the nodes of a file, with classes loaded from the engine's jars. The placements are valid until {@link #close}.
 * Thread-safe.
 */
final class EngineHashing
        implements AutoCloseable
{
    /** Presto's default of {@code node-scheduler.min-virtual-node-count}. */
    private static final int MIN_VIRTUAL_NODES = 1000;
    private static final String SCHEDULER = "com.facebook.presto.execution.scheduler.";

    private final URLClassLoader engine;

    EngineHashing(Path engineLib)
    {
        try (Stream<Path> jars = Files.list(engineLib)) {
            engine = new URLClassLoader(jars.sorted().map(EngineHashing::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code MODULAR_HASHING}, the default. */
    PlacementStrategy modular(List<String> nodeIds)
    {
        try {
            Map<String, Object> nodes = nodes(nodeIds);
            Class<?> type = engine.loadClass(SCHEDULER + "ModularHashingNodeProvider");
            List<Object> sorted = nodeIds.stream().sorted().map(nodes::get).toList();
            return placement(type.getConstructor(List.class).newInstance(sorted), nodes);
        }
        catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This engine's modular hashing is not as expected", e);
        }
    }

    /** {@code CONSISTENT_HASHING}, with as many points per node as the engine's scheduler uses. */
    PlacementStrategy ring(List<String> nodeIds)
    {
        try {
            Map<String, Object> nodes = nodes(nodeIds);
            Method create = engine.loadClass(SCHEDULER + "ConsistentHashingNodeProvider").getDeclaredMethod("create", Collection.class, int.class);
            create.setAccessible(true);
            int pointsPerNode = (MIN_VIRTUAL_NODES + nodeIds.size() - 1) / nodeIds.size();
            return placement(create.invoke(null, nodes.values(), pointsPerNode), nodes);
        }
        catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This engine's consistent hashing is not as expected", e);
        }
    }

    @Override
    public void close()
    {
        try {
            engine.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> nodes(List<String> nodeIds)
            throws ReflectiveOperationException
    {
        Class<?> version = engine.loadClass("com.facebook.presto.client.NodeVersion");
        Object anyVersion = version.getConstructor(String.class).newInstance("benchmark");
        Constructor<?> node = engine.loadClass("com.facebook.presto.metadata.InternalNode")
                .getConstructor(String.class, URI.class, version, boolean.class);
        Map<String, Object> nodes = new HashMap<>();
        for (String id : nodeIds) {
            nodes.put(id, node.newInstance(id, URI.create("http://" + id + ":8080"), anyVersion, false));
        }
        return nodes;
    }

    /** A split of a file no larger than one section asks for {@code <path>#0}; its node is the first address of the answer. */
    private static PlacementStrategy placement(Object provider, Map<String, Object> nodes)
            throws ReflectiveOperationException
    {
        Map<Object, String> idsByAddress = new HashMap<>();
        for (Map.Entry<String, Object> node : nodes.entrySet()) {
            idsByAddress.put(node.getValue().getClass().getMethod("getHostAndPort").invoke(node.getValue()), node.getKey());
        }
        MethodHandle get = MethodHandles.publicLookup().unreflect(provider.getClass().getMethod("get", String.class, int.class)).bindTo(provider);
        return path -> {
            try {
                String id = idsByAddress.get(((List<?>) get.invoke(path + "#0", 1)).get(0));
                return requireNonNull(id, "an address of no node");
            }
            catch (RuntimeException | Error e) {
                throw e;
            }
            catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static URL url(Path jar)
    {
        try {
            return jar.toUri().toURL();
        }
        catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
