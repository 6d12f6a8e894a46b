// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Hashing;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Nodes and keys for tests. */
final class Nodes
{
    private Nodes()
    {}

    static Node node(int number)
    {
        return node(number, Node.UNKNOWN_WEIGHT);
    }

    static Node node(int number, long weight)
    {
        return new Node("worker-" + number, "10.0.0." + number + ":8080", weight);
    }

    static List<Node> nodes(int count)
    {
        return IntStream.range(0, count).mapToObj(Nodes::node).toList();
    }

    static NodeView view(int count)
    {
        return new NodeView(nodes(count), Set.of());
    }

    static long key(int number)
    {
        return Hashing.hash("s3://warehouse/sales.db/orders/part-" + number + ".orc");
    }

    static String owner(NodeView view, long key)
    {
        return view.owner(key).orElseThrow().id();
    }
}
