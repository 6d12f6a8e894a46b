// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Rendezvous;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The nodes at one moment, and the owner of each key among them. A node may be away: it still owns its keys, and their next candidates stand in for it.
 * Immutable, thread-safe.
 */
public final class NodeView
{
    private final List<Node> nodes;
    private final boolean[] active;
    private final double[] shares;
    private final Rendezvous rendezvous;

    /**
     * @param nodes the nodes, in any order, with distinct identifiers
     * @param away the identifiers of those that nothing can be placed on now
     */
    public NodeView(Collection<Node> nodes, Set<String> away)
    {
        requireNonNull(away, "away is null");
        double unknown = nodes.stream().mapToLong(Node::weight).filter(weight -> weight != Node.UNKNOWN_WEIGHT).average().orElse(1);
        record WeightedNode(Node node, int step)
        {}
        List<WeightedNode> weighted = nodes.stream()
                .map(node -> new WeightedNode(node, Rendezvous.step(node.weight() == Node.UNKNOWN_WEIGHT ? unknown : node.weight())))
                .sorted(Comparator.comparingInt(WeightedNode::step).thenComparing(entry -> entry.node().id()))
                .toList();
        this.nodes = weighted.stream().map(WeightedNode::node).toList();
        if (this.nodes.stream().map(Node::id).distinct().count() != this.nodes.size()) {
            throw new IllegalArgumentException("two nodes have the same identifier: " + nodes);
        }
        rendezvous = new Rendezvous(this.nodes.stream().map(Node::id).toList(), weighted.stream().mapToInt(WeightedNode::step).toArray());
        active = new boolean[weighted.size()];
        shares = new double[weighted.size()];
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            active[i] = !away.contains(this.nodes.get(i).id());
            shares[i] = active[i] ? Rendezvous.weight(weighted.get(i).step()) : 0;
            sum += shares[i];
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] = sum == 0 ? 0 : shares[i] / sum;
        }
    }

    /** Returns all nodes, including those that are away, in no particular order. */
    public List<Node> nodes()
    {
        return nodes;
    }

    /** Returns the nodes that keys can be placed on, in no particular order. */
    public List<Node> activeNodes()
    {
        List<Node> result = new ArrayList<>(nodes.size());
        for (int i = 0; i < active.length; i++) {
            if (active[i]) {
                result.add(nodes.get(i));
            }
        }
        return List.copyOf(result);
    }

    /** Returns the node that owns a key, whether or not it is away; empty if there is no node at all. */
    public Optional<Node> owner(long key)
    {
        int best = rendezvous.best(key);
        return best == Rendezvous.NONE ? Optional.empty() : Optional.of(nodes.get(best));
    }

    /** Returns the first active nodes in the key's own order, at most {@code count}; fewer only if there are no more. */
    public List<Node> candidates(long key, int count)
    {
        List<Node> result = new ArrayList<>(Math.min(count, active.length));
        BitSet taken = new BitSet(active.length);
        while (result.size() < count) {
            int next = rendezvous.best(key, node -> active[node] && !taken.get(node));
            if (next == Rendezvous.NONE) {
                break;
            }
            taken.set(next);
            result.add(nodes.get(next));
        }
        return List.copyOf(result);
    }

    Node node(int index)
    {
        return nodes.get(index);
    }

    int size()
    {
        return active.length;
    }

    boolean isActive(int index)
    {
        return active[index];
    }

    /** Returns a node's share of all load: its fraction of the active nodes' weights, or 0 for a node that is away. */
    double share(int index)
    {
        return shares[index];
    }

    Rendezvous rendezvous()
    {
        return rendezvous;
    }
}
