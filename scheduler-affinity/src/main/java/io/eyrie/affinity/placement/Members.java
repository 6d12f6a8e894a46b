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
 * Follows who is there. Fed with snapshots of the active nodes, as often as there is one; keeps a node that is missing for a grace
 * period as away: its keys stay its own, so that it finds them again, and others read them meanwhile without keeping them. After
 * that, or at once when it was drained, it is gone and its keys belong to their next candidates.
 *
 * <p>Thread-safe. A snapshot that changes nothing costs a comparison and takes no lock; nor does reading the view.
 */
public final class Members
{
    private final long graceNanos;
    private final LongSupplier nanoClock;
    /** Written under the lock of this object, read without. */
    private volatile State state;

    /**
     * @param grace how long a node may be missing, from zero (no grace)
     * @param nanoClock nanoseconds from any origin, never going back ({@code System::nanoTime})
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

    /** The nodes as of the last snapshot. */
    public NodeView view()
    {
        return state.view;
    }

    /**
     * Takes in the nodes that are active now. Of several with one identifier (a node that came back under another address before
     * its old announcement ran out) the last counts.
     *
     * @return the view that follows
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
     * Takes a node's keys away without grace, though snapshots may still hold it: it is leaving. It is a member again when it shows
     * up after it was missing.
     */
    public synchronized void drain(String nodeId)
    {
        Set<String> draining = new HashSet<>(state.draining);
        draining.add(requireNonNull(nodeId, "nodeId is null"));
        Map<String, Away> away = new HashMap<>(state.away);
        away.remove(nodeId);
        state = State.of(state.seen, away, draining);
    }

    private record Away(Node node, long untilNanos)
    {}

    /** @param seen the last snapshot, of which those not draining are active */
    private record State(Map<String, Node> seen, Map<String, Away> away, Set<String> draining, NodeView view)
    {
        static State of(Map<String, Node> seen, Map<String, Away> away, Set<String> draining)
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
            Map<String, Away> nowAway = new HashMap<>();
            away.forEach((id, entry) -> {
                if (!nowSeen.containsKey(id) && entry.untilNanos - now > 0) {
                    nowAway.put(id, entry);
                }
            });
            if (graceNanos > 0) {
                seen.forEach((id, node) -> {
                    if (!nowSeen.containsKey(id) && !draining.contains(id)) {
                        nowAway.put(id, new Away(node, now + graceNanos));
                    }
                });
            }
            Set<String> nowDraining = new HashSet<>(draining);
            nowDraining.retainAll(nowSeen.keySet());
            return of(nowSeen, nowAway, nowDraining);
        }
    }
}
