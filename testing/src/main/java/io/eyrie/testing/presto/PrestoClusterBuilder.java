// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Builds and starts a {@link PrestoCluster}. Not thread-safe. */
public final class PrestoClusterBuilder
{
    private final Path engineLib;
    private final Map<String, String> config = new TreeMap<>();
    private final Map<String, Map<String, String>> catalogs = new TreeMap<>();
    private final Map<String, Path> plugins = new TreeMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> coordinatorJvmOptions = new ArrayList<>();
    private String name = "presto";
    private Path logRoot = Path.of("target", "presto-logs");
    private Path javaHome = Path.of(System.getProperty("java.home"));
    private int workers = 1;
    private boolean coordinatorWorks;
    private int coordinatorHeapMegabytes = 1024;
    private int workerHeapMegabytes = 1024;
    private Duration startTimeout = Duration.ofMinutes(5);
    private Consumer<String> progress = message -> {};

    PrestoClusterBuilder(Path engineLib)
    {
        this.engineLib = requireNonNull(engineLib, "engineLib is null");
    }

    /** Sets the cluster's name, which is also the folder of its logs under {@link #logRoot}. Only one cluster may use a name at a time. */
    public PrestoClusterBuilder name(String value)
    {
        name = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the directory of the logs; default: {@code target/presto-logs} of the working directory. */
    public PrestoClusterBuilder logRoot(Path value)
    {
        logRoot = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the JDK of the processes; default: that of this JVM. */
    public PrestoClusterBuilder javaHome(Path value)
    {
        javaHome = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the number of workers besides the coordinator; default: 1. */
    public PrestoClusterBuilder workers(int value)
    {
        workers = value;
        return this;
    }

    /** Sets whether splits also run on the coordinator. */
    public PrestoClusterBuilder coordinatorWorks(boolean value)
    {
        coordinatorWorks = value;
        return this;
    }

    /** Sets the heaps in MB; default: 1024 each. A query may use half of a node's heap; a quarter is headroom. */
    public PrestoClusterBuilder heapMegabytes(int coordinator, int worker)
    {
        coordinatorHeapMegabytes = coordinator;
        workerHeapMegabytes = worker;
        return this;
    }

    /** Adds an option to every process's JVM, in which <code>${node.spare-port}</code> stands for a port that the node's process may use. */
    public PrestoClusterBuilder jvmOption(String option)
    {
        jvmOptions.add(option);
        return this;
    }

    /** Adds an option to the coordinator's JVM only, after those of every process. */
    public PrestoClusterBuilder coordinatorJvmOption(String option)
    {
        coordinatorJvmOptions.add(option);
        return this;
    }

    /** Sets a property of every node's config.properties, overriding the cluster's own value. */
    public PrestoClusterBuilder config(String property, String value)
    {
        config.put(property, value);
        return this;
    }

    /** Adds a catalog to every node; the properties include {@code connector.name}. */
    public PrestoClusterBuilder catalog(String catalog, Map<String, String> properties)
    {
        catalogs.put(catalog, Map.copyOf(properties));
        return this;
    }

    /** Adds a plugin folder to every node. */
    public PrestoClusterBuilder plugin(String folder, Path directory)
    {
        plugins.put(folder, requireNonNull(directory, "directory is null"));
        return this;
    }

    /** Sets how long to wait for the cluster to start, or for a change of it to become visible; default: five minutes. */
    public PrestoClusterBuilder startTimeout(Duration value)
    {
        startTimeout = requireNonNull(value, "value is null");
        return this;
    }

    /** Sets the consumer of progress messages while the cluster starts, each a short line. */
    public PrestoClusterBuilder progress(Consumer<String> value)
    {
        progress = requireNonNull(value, "value is null");
        return this;
    }

    /**
     * Starts the cluster and returns when all nodes are active.
     *
     * @throws PrestoStartException if a node does not become active; all processes have then ended
     */
    public PrestoCluster start()
    {
        return PrestoCluster.start(
                new PrestoClusterConfig(
                        engineLib,
                        javaHome,
                        logRoot.resolve(name).toAbsolutePath(),
                        workers,
                        coordinatorWorks,
                        coordinatorHeapMegabytes,
                        workerHeapMegabytes,
                        jvmOptions,
                        coordinatorJvmOptions,
                        config,
                        catalogs,
                        plugins,
                        startTimeout),
                progress);
    }
}
