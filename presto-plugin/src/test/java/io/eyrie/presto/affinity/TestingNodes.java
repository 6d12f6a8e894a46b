// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.NodePoolType;

import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A cluster of workers whose identifiers are their addresses. */
final class TestingNodes
        implements NodeManager
{
    private final Node current;
    private final Set<Node> workers;

    TestingNodes(String current, Collection<String> workers)
    {
        this.current = new TestingNode(current, NodePoolType.DEFAULT);
        this.workers = workers.stream().map(id -> new TestingNode(id, NodePoolType.DEFAULT)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** With one more worker, in a pool. */
    TestingNodes(TestingNodes nodes, String worker, NodePoolType pool)
    {
        current = nodes.current;
        workers = new LinkedHashSet<>(nodes.workers);
        workers.add(new TestingNode(worker, pool));
    }

    @Override
    public Set<Node> getAllNodes()
    {
        return workers;
    }

    @Override
    public Set<Node> getWorkerNodes()
    {
        return workers;
    }

    @Override
    public Node getCurrentNode()
    {
        return current;
    }

    @Override
    public Node getSidecarNode()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getEnvironment()
    {
        return "test";
    }

    private record TestingNode(String id, NodePoolType pool)
            implements Node
    {
        @Override
        public String getHost()
        {
            return id;
        }

        @Override
        public HostAddress getHostAndPort()
        {
            return HostAddress.fromParts(id, 8080);
        }

        @Override
        @Deprecated
        public URI getHttpUri()
        {
            return URI.create("http://" + id + ":8080");
        }

        @Override
        public String getNodeIdentifier()
        {
            return id;
        }

        @Override
        public String getVersion()
        {
            return "test";
        }

        @Override
        public boolean isCoordinator()
        {
            return false;
        }

        @Override
        public boolean isResourceManager()
        {
            return false;
        }

        @Override
        public boolean isCatalogServer()
        {
            return false;
        }

        @Override
        public boolean isCoordinatorSidecar()
        {
            return false;
        }

        @Override
        public NodePoolType getPoolType()
        {
            return pool;
        }
    }
}
