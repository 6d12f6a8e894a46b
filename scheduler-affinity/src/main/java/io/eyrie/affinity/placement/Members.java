// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Tracks the cluster's nodes through snapshots of the active ones. A node that is missing from a snapshot is away for a grace period: it still owns its keys,
 * so that it finds them when it comes back, and other nodes meanwhile read them without caching them. After the grace period, or at once if it was drained, it
 * is removed and its keys belong to their next candidates.
 *
 * <p>Thread-safe. A snapshot without changes costs one comparison and takes no lock. Reading the view takes no lock either.
 */
public final class Members
{
    private final long graceNanos;
    private final LongSupplier nanoClock;
    /** Written under the lock of this object, read without it. */
    private volatile State state;

    /**
     * @param grace how long a node may be missing, from zero (no grace)
     * @param nanoClock nanoseconds from any origin, never decreasing ({@code System::nanoTime})
     */
    public Members(Duration grace, LongSupplier nanoClock)
    {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is negative: " + grace);
        }
        this.graceNanos = grace.toNanos();
        this.nanoClock = requireNonNull(nanoClock, "nanoClock is null");
        this.state = State.of(Map.of(), Map.of(), Set.of());
    }

    /** Returns the nodes as of the last snapshot. */
    public NodeView view()
    {
        return state.view;
    }

    /**
     * Applies a snapshot of the active nodes. If several have one identifier (a node that came back under another address before its old announcement expired),
     * the last one counts.
     *
     * @return the resulting view
     */
    public NodeView update(Collection<Node> active)
    {
        Map<String, Node> seen = new LinkedHashMap<>();
        active.forEach(node -> seen.put(node.id(), node));
        State before = state;
        if (before.seen.equals(seen) && !before.anyGraceOver(nanoClock.getAsLong())) {
            return before.view;
        }
        synchronized (this) {
            state = state.next(seen, nanoClock.getAsLong(), graceNanos);
            return state.view;
        }
    }

    /**
     * Removes a node's keys without grace, though snapshots may still contain it: it is leaving. It becomes a member again when it reappears after it was
     * missing.
     */
    public synchronized void drain(String nodeId)
    {
        Set<String> draining = new HashSet<>(state.draining);
        draining.add(requireNonNull(nodeId, "nodeId is null"));
        Map<String, AbsentNode> away = new HashMap<>(state.away);
        away.remove(nodeId);
        state = State.of(state.seen, away, draining);
    }

    private record AbsentNode(Node node, long untilNanos)
    {}

    /** @param seen the last snapshot; its nodes are active unless they are draining */
    private record State(Map<String, Node> seen, Map<String, AbsentNode> away, Set<String> draining, NodeView view)
    {
        static State of(Map<String, Node> seen, Map<String, AbsentNode> away, Set<String> draining)
        {
            Map<String, Node> members = new HashMap<>(seen);
            members.keySet().removeAll(draining);
            away.forEach((id, entry) -> members.put(id, entry.node));
            return new State(Map.copyOf(seen), Map.copyOf(away), Set.copyOf(draining), new NodeView(members.values(), away.keySet()));
        }

        boolean anyGraceOver(long now)
        {
            return away.values().stream().anyMatch(entry -> entry.untilNanos - now <= 0);
        }

        State next(Map<String, Node> nowSeen, long now, long graceNanos)
        {
            Map<String, AbsentNode> nowAway = new HashMap<>();
            away.forEach((id, entry) -> {
                if (!nowSeen.containsKey(id) && entry.untilNanos - now > 0) {
                    nowAway.put(id, entry);
                }
            });
            if (graceNanos > 0) {
                seen.forEach((id, node) -> {
                    if (!nowSeen.containsKey(id) && !draining.contains(id)) {
                        nowAway.put(id, new AbsentNode(node, now + graceNanos));
                    }
                });
            }
            Set<String> nowDraining = new HashSet<>(draining);
            nowDraining.retainAll(nowSeen.keySet());
            return of(nowSeen, nowAway, nowDraining);
        }
    }
}
