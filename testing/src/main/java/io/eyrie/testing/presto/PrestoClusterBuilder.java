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

    /** The cluster's name and the folder of its logs below {@link #logRoot}; one name is used by one cluster at a time. */
    public PrestoClusterBuilder name(String value)
    {
        name = requireNonNull(value, "value is null");
        return this;
    }

    /** Where the logs go, {@code target/presto-logs} of the working directory if nothing is said. */
    public PrestoClusterBuilder logRoot(Path value)
    {
        logRoot = requireNonNull(value, "value is null");
        return this;
    }

    /** The JDK of the processes, this JVM's own if nothing is said. */
    public PrestoClusterBuilder javaHome(Path value)
    {
        javaHome = requireNonNull(value, "value is null");
        return this;
    }

    /** The number of workers beside the coordinator, 1 if nothing is said. */
    public PrestoClusterBuilder workers(int value)
    {
        workers = value;
        return this;
    }

    /** Whether splits are scheduled on the coordinator too. */
    public PrestoClusterBuilder coordinatorWorks(boolean value)
    {
        coordinatorWorks = value;
        return this;
    }

    /** Heaps in MB, 1024 each if nothing is said; a query may use half of a node's, a quarter is headroom. */
    public PrestoClusterBuilder heapMegabytes(int coordinator, int worker)
    {
        coordinatorHeapMegabytes = coordinator;
        workerHeapMegabytes = worker;
        return this;
    }

    /** An option of every process's JVM, in which <code>${node.spare-port}</code> stands for a port that the node's process may use. */
    public PrestoClusterBuilder jvmOption(String option)
    {
        jvmOptions.add(option);
        return this;
    }

    /** A property of every node's config.properties; stands before what the cluster sets itself. */
    public PrestoClusterBuilder config(String property, String value)
    {
        config.put(property, value);
        return this;
    }

    /** A catalog of every node; the properties include {@code connector.name}. */
    public PrestoClusterBuilder catalog(String catalog, Map<String, String> properties)
    {
        catalogs.put(catalog, Map.copyOf(properties));
        return this;
    }

    /** A plugin folder of every node. */
    public PrestoClusterBuilder plugin(String folder, Path directory)
    {
        plugins.put(folder, requireNonNull(directory, "directory is null"));
        return this;
    }

    /** How long the cluster may take to come up, and a change of it to be seen; five minutes if nothing is said. */
    public PrestoClusterBuilder startTimeout(Duration value)
    {
        startTimeout = requireNonNull(value, "value is null");
        return this;
    }

    /** Is told what happens while the cluster starts, a short line each. */
    public PrestoClusterBuilder progress(Consumer<String> value)
    {
        progress = requireNonNull(value, "value is null");
        return this;
    }

    /**
     * Starts the cluster and returns when all nodes are active.
     *
     * @throws PrestoStartException if they do not become so; no process is left then
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
                        config,
                        catalogs,
                        plugins,
                        startTimeout),
                progress);
    }
}
