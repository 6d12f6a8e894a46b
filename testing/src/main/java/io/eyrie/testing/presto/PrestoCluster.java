// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.files.Directories;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toCollection;

/**
 * A Presto cluster of real processes on loopback: one coordinator and any number of workers. Each node has its own directories under one temporary
 * directory. The cluster runs from {@link PrestoClusterBuilder#start} to {@link #close}, which ends all processes and deletes the directories; if
 * this JVM dies in any other way, its processes end too. The logs remain, in one directory per cluster name, until a cluster of that name is started
 * again.
 *
 * <p>In values of the configuration and of catalogs, and in JVM options, <code>${node}</code> stands for the node's name ({@code coordinator},
 * {@code worker-0}, …) and <code>${node.directory}</code> for its own directory, which outlives its restarts. A property
 * {@code <node>:<name>} is the property {@code <name>} of that node only, in place of the others'.
 *
 * <p>Thread-safe; concurrent changes of the cluster wait for each other.
 */
public final class PrestoCluster
        implements AutoCloseable
{
    /*
     * Ports       A node gets a free port, and another one if that port is taken before it starts. It then reuses the port, so that the coordinator
     *             sees the same node after a restart.
     * Ready       Each node reports that it is up. The failure detector accepts each node; until then, a node is active, inactive, and active again.
     *             system.runtime.nodes lists the active nodes. That query runs its root stage on a worker and waits long for one that has just died,
     *             hence its time limit.
     * Failures    The failure detector forgets fast: a node that answered late at its start soon becomes active again, and a dead one soon becomes
     *             inactive.
     * Orphans     are ended by close(), or the shutdown hook, or PrestoServerMain, which notices in each process that its input has ended.
     */
    private static final int PORT_ATTEMPTS = 3;
    private static final Duration POLL = Duration.ofMillis(200);

    private final PrestoClusterConfig config;
    private final Consumer<String> progress;
    private final Path root;
    private final List<PrestoNode> nodes;
    private final Thread shutdownHook;
    private final CoordinatorProbe probe = new CoordinatorProbe();
    private boolean closed;

    private PrestoCluster(PrestoClusterConfig config, Consumer<String> progress)
    {
        this.config = requireNonNull(config, "config is null");
        this.progress = requireNonNull(progress, "progress is null");
        try {
            this.root = Files.createTempDirectory("eyrie-presto-").toRealPath();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<PrestoNode> created = new ArrayList<>();
        created.add(node("coordinator"));
        for (int i = 0; i < config.workers(); i++) {
            created.add(node("worker-" + i));
        }
        this.nodes = List.copyOf(created);
        this.shutdownHook = new Thread(this::abandon, "presto-cluster-shutdown");
    }

    /** Returns a builder of a cluster that runs from the jars in {@code engineLib} (target/lib of testing/presto-engine). */
    public static PrestoClusterBuilder builder(Path engineLib)
    {
        return new PrestoClusterBuilder(engineLib);
    }

    static PrestoCluster start(PrestoClusterConfig config, Consumer<String> progress)
    {
        PrestoCluster cluster = new PrestoCluster(config, progress);
        cluster.start();
        return cluster;
    }

    private PrestoNode node(String name)
    {
        return new PrestoNode(name, root.resolve(name), config.logDirectory().resolve(name + ".log"));
    }

    private PrestoNode coordinator()
    {
        return nodes.get(0);
    }

    private PrestoNode worker(int index)
    {
        if (index < 0 || index >= config.workers()) {
            throw new IndexOutOfBoundsException("worker " + index + " of " + config.workers());
        }
        return nodes.get(index + 1);
    }

    /** Returns the address of the coordinator and of its web page. */
    public synchronized URI coordinatorUri()
    {
        return coordinator().uri();
    }

    /** Returns a client of the coordinator. It is valid until a {@link #restart}. */
    public PrestoClient client(String catalog, String schema)
    {
        return new PrestoClient(coordinatorUri(), catalog, schema);
    }

    /** Returns the number of workers, running or not. */
    public int workers()
    {
        return config.workers();
    }

    /** Returns the directory of the coordinator, the value of <code>${node.directory}</code> there. */
    public Path coordinatorDirectory()
    {
        return coordinator().directory();
    }

    /** Returns the directory of a worker, the value of <code>${node.directory}</code> there. */
    public Path workerDirectory(int worker)
    {
        return worker(worker).directory();
    }

    /** Returns the coordinator's <code>${node.spare-port}</code>. */
    public synchronized int coordinatorSparePort()
    {
        return coordinator().sparePort();
    }

    /** Returns a worker's <code>${node.spare-port}</code>. */
    public synchronized int workerSparePort(int worker)
    {
        return worker(worker).sparePort();
    }

    /** Returns the MBeans of the coordinator's running process. */
    public synchronized NodeMBeans coordinatorMBeans()
    {
        return new NodeMBeans(coordinator().uri());
    }

    /** Returns the MBeans of a worker's running process. */
    public synchronized NodeMBeans workerMBeans(int worker)
    {
        return new NodeMBeans(worker(worker).uri());
    }

    /** Returns the directory of the nodes' logs, {@code <node>.log}. */
    public Path logDirectory()
    {
        return config.logDirectory();
    }

    /** Returns the ids of the running processes. */
    public synchronized List<Long> pids()
    {
        return nodes.stream().filter(PrestoNode::isRunning).map(PrestoNode::pid).toList();
    }

    /** Shuts down all nodes and starts them with the same directories; returns when all are active. */
    public synchronized void restart()
    {
        stopAll();
        startAll();
    }

    /** Kills all nodes, as a power failure does, and starts them with the same directories; returns when all are active. */
    public synchronized void crashAndRestart()
    {
        nodes.forEach(PrestoNode::kill);
        startAll();
    }

    /** Shuts down a worker. The coordinator may consider it active for a while, see {@link #awaitRunningNodes}. */
    public synchronized void stopWorker(int worker)
    {
        worker(worker).requestStop();
        worker(worker).awaitStopped();
    }

    /** Kills a worker, as a crash does. The coordinator may consider it active for a while, see {@link #awaitRunningNodes}. */
    public synchronized void killWorker(int worker)
    {
        worker(worker).kill();
    }

    /** Starts a stopped or killed worker with its directories; returns when it is active. */
    public synchronized void startWorker(int worker)
    {
        start(worker(worker));
        awaitRunningNodes();
    }

    /** Waits until the running nodes are up and the coordinator schedules on exactly them. */
    public synchronized void awaitRunningNodes()
    {
        List<PrestoNode> running = nodes.stream().filter(PrestoNode::isRunning).toList();
        Set<String> names = running.stream().map(PrestoNode::name).collect(toCollection(TreeSet::new));
        PrestoClient client = client("system", "runtime").withSession("query_max_run_time", "5s");
        await(names + " are up", () -> running.stream().allMatch(probe::isUp));
        await("the coordinator holds " + names + " for sound", () -> running.stream()
                .filter(node -> node != coordinator())
                .allMatch(worker -> probe.isSound(coordinator(), worker)));
        await("the coordinator counts exactly " + names + " as active", () -> activeNodes(client).equals(names));
    }

    private static Set<String> activeNodes(PrestoClient client)
    {
        try {
            return new TreeSet<>(client.execute("SELECT node_id FROM nodes WHERE state = 'active'").strings(0));
        }
        catch (QueryFailedException e) {
            // there is no node to run it on yet, or it was sent to one that has just died
            return Set.of();
        }
    }

    /** Kills all processes, because nothing outlives them, and deletes their directories. The logs remain. */
    @Override
    public synchronized void close()
    {
        if (closed) {
            return;
        }
        closed = true;
        abandon();
        removeHook();
    }

    private void start()
    {
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        try {
            nodes.forEach(PrestoNode::clearLog);
            nodes.forEach(PrestoNode::choosePort);
            PrestoDirectories.linkPlugins(root.resolve("plugin"), config.plugins());
            startAll();
        }
        catch (RuntimeException | Error e) {
            nodes.forEach(PrestoNode::kill);
            deleteRoot();
            removeHook();
            throw e;
        }
    }

    private synchronized void startAll()
    {
        for (int attempt = 1;; attempt++) {
            nodes.forEach(this::start);
            progress.accept(String.format(Locale.ROOT, "%s started, coordinator at %s", nodes.stream().map(PrestoNode::name).toList(),
                    coordinatorUri()));
            try {
                await("all nodes are up", () -> nodes.stream().allMatch(probe::isUp));
                break;
            }
            catch (PrestoStartException e) {
                List<PrestoNode> unlucky = nodes.stream().filter(PrestoNode::foundPortTaken).toList();
                if (unlucky.isEmpty() || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
                progress.accept("ports were taken meanwhile, starting again");
                nodes.forEach(PrestoNode::kill);
                nodes.forEach(PrestoNode::clearLog);
                unlucky.forEach(PrestoNode::choosePort);
            }
        }
        progress.accept("all nodes are up");
        awaitRunningNodes();
        progress.accept("all nodes are active");
    }

    private void start(PrestoNode node)
    {
        boolean isCoordinator = node == coordinator();
        Map<String, String> properties = new TreeMap<>();
        properties.put("coordinator", Boolean.toString(isCoordinator));
        properties.put("http-server.http.port", Integer.toString(node.port()));
        properties.put("http-server.log.enabled", "false");
        properties.put("discovery.uri", coordinatorUri().toString());
        properties.put("catalog.config-dir", node.directory().resolve("etc/catalog").toString());
        properties.put("plugin.dir", root.resolve("plugin").toString());
        properties.put("internal-communication.node-discovery-polling-interval-millis", "500");
        if (isCoordinator) {
            properties.put("discovery-server.enabled", "true");
            properties.put("failure-detector.threshold", "0.5");
            properties.put("failure-detector.exponential-decay-seconds", "5");
            properties.put("failure-detector.warmup-interval", "1s");
            properties.put("node-scheduler.include-coordinator", Boolean.toString(config.coordinatorWorks()));
        }
        int heap = isCoordinator ? config.coordinatorHeapMegabytes() : config.workerHeapMegabytes();
        properties.put("memory.heap-headroom-per-node", heap / 4 + "MB");
        properties.put("query.max-memory-per-node", heap / 2 + "MB");
        properties.put("query.max-total-memory-per-node", heap * 5 / 8 + "MB");
        properties.put("experimental.reserved-pool-enabled", "false");
        // the server searches its list of finished queries several times a second
        properties.put("query.min-expire-age", "1m");
        properties.put("task.info.max-age", "1m");
        properties.putAll(config.config());
        PrestoLaunch launch = new PrestoLaunch(config.engineLib(), config.javaHome(), heap, config.jvmOptions(isCoordinator));
        node.start(launch, properties, config.catalogs());
    }

    private void await(String what, BooleanSupplier condition)
    {
        long deadline = System.nanoTime() + config.startTimeout().toNanos();
        while (!condition.getAsBoolean()) {
            for (PrestoNode node : nodes) {
                if (node.wasStarted() && !node.isRunning()) {
                    throw failure(String.format(Locale.ROOT, "%s ended with exit code %s before %s", node.name(), node.exitCode(), what), node);
                }
            }
            if (System.nanoTime() > deadline) {
                throw failure(String.format(Locale.ROOT, "Waited %s in vain until %s", config.startTimeout(), what), coordinator());
            }
            try {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PrestoStartException("Interrupted while waiting until " + what, e);
            }
        }
    }

    private static PrestoStartException failure(String message, PrestoNode node)
    {
        return new PrestoStartException(String.format(Locale.ROOT, "%s. Log: %s, its end:%n%s", message, node.log(), node.logTail()), null);
    }

    private void stopAll()
    {
        // stop the workers first: they sign off at a coordinator that still listens
        for (int i = nodes.size() - 1; i >= 0; i--) {
            nodes.get(i).requestStop();
        }
        nodes.forEach(PrestoNode::awaitStopped);
    }

    private void abandon()
    {
        nodes.forEach(PrestoNode::killNow);
        nodes.forEach(PrestoNode::kill);
        deleteRoot();
    }

    private void deleteRoot()
    {
        try {
            Directories.delete(root);
        }
        catch (UncheckedIOException e) {
            progress.accept(String.format(Locale.ROOT, "cannot delete %s: %s", root, e));
        }
    }

    private void removeHook()
    {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        }
        catch (IllegalStateException e) {
            // the JVM is shutting down, and the hook will find nothing to do
        }
    }
}
