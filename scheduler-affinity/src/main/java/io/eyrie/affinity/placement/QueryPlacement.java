// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Rendezvous;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

import static java.util.Objects.requireNonNull;

/**
 * Places each split of one query's table scan once: on its key's own node or, if that node has reached its share of the load, on the key's next candidate that
 * has not. A key with more splits than a node's share is thus spread over more nodes, for this query.
 *
 * <p>The caller should first gather splits (to the end of the enumeration, up to {@link #gatherLimit}, for as long as it can wait) and place them at once with
 * {@link #placeAll}, so that the result does not depend on their order. {@link #place} places the rest one by one.
 *
 * <p>Not thread-safe. The nodes are those of the moment at which the query began.
 */
public final class QueryPlacement
{
    /*
     * Room        A node has room for a split of weight w if load + w <= max((1 + epsilon) * total, total + w / share) * share: it may exceed its share by
     *             epsilon [1] or by one split, so that there is always a node with room. total is the weight placed so far, this split included, but at least
     *             the known weight of the scan: that of a set that was gathered whole, or twice that of a set that was not. Otherwise the first splits of a
     *             scan would find every node full, and their order would decide their nodes
     * Owner       the key's node by rendezvous; chosen if it is active and has room
     * Next        the best score among the nodes with room, which is the first of the key's candidates that has any
     * Replicas    The splits of a key stay on the node of the key's last split while it has room, so that a displaced key stays whole; then they go to any
     *             other of its nodes that has room, in turn; then to the next candidate
     * Many keys   If a scan has more than KeyTable.MOST_KEYS keys, only the first are remembered; the splits of the others are placed one by one, as if each
     *             had a key of its own
     * Small sets  If a set was gathered whole and has few keys a node, no node becomes the first node of more than its share of the keys, rounded up, even if
     *             that makes its load larger than its share
     * Order       A gathered set is placed by key and offset
     *
     * [1] Mirrokni, Thorup, Zadimoghaddam, Consistent Hashing with Bounded Loads, SODA 2018
     */
    private static final Comparator<SplitRequest> BY_KEY = Comparator.comparingLong(SplitRequest::key)
            .thenComparingLong(SplitRequest::offsetBytes)
            .thenComparingLong(SplitRequest::weightBytes);

    private final NodeView view;
    private final LoadBound bound;
    private final double epsilon;
    private final Rendezvous rendezvous;
    private final Decision[] ownDecisions;
    private final double[] shares;
    private final int activeCount;
    private final KeyTable table = new KeyTable();
    private final Map<Long, Replicas> replicas = new HashMap<>();

    private final long[] loads;
    private final long[] homeCounts;
    private final long[] keyCounts;
    private final long[] splitCounts;
    private final long[] overflows;
    private final long[] standIns;
    private long unrememberedSplits;
    private long placedWeight;
    private long expectedWeight;

    // of the split that is being placed; fields, so that the two predicates are created once
    private long weight;
    private double total;
    private final IntPredicate hasRoom = this::hasRoom;
    private final IntPredicate takesKey = this::takesKey;
    private long @Nullable [] keyLimits;

    public QueryPlacement(NodeView view, LoadBound bound)
    {
        this.view = requireNonNull(view, "view is null");
        this.bound = requireNonNull(bound, "bound is null");
        epsilon = bound.epsilon();
        rendezvous = view.rendezvous();
        int size = view.size();
        ownDecisions = new Decision[size];
        shares = new double[size];
        for (int i = 0; i < size; i++) {
            ownDecisions[i] = new Decision(List.of(view.node(i)), Decision.Reason.OWNER);
            shares[i] = view.share(i);
        }
        activeCount = (int) Arrays.stream(shares).filter(share -> share > 0).count();
        loads = new long[size];
        homeCounts = new long[size];
        keyCounts = new long[size];
        splitCounts = new long[size];
        overflows = new long[size];
        standIns = new long[size];
    }

    /** Returns how many splits are worth gathering for {@link #placeAll}. */
    public int gatherLimit()
    {
        return Math.min(activeCount * bound.gatheredSplitsPerNode(), bound.maxGatheredSplits());
    }

    /**
     * Places the first splits as one set: the result depends on the set, not on its order.
     *
     * @param complete whether these are all splits of the scan
     * @return the decisions, in the order of the requests
     */
    public List<Decision> placeAll(List<SplitRequest> requests, boolean complete)
    {
        if (placedWeight > 0) {
            throw new IllegalStateException("placeAll must come before any other placement");
        }
        long gatheredWeight = requests.stream().mapToLong(QueryPlacement::weight).sum();
        // a scan that did not end while it was gathered will go on for at least as long; until then no key has to move by chance
        expectedWeight = complete ? gatheredWeight : gatheredWeight * 2;
        if (complete) {
            long keys = requests.stream().mapToLong(SplitRequest::key).distinct().count();
            if (keys <= (long) bound.smallKeysPerNode() * activeCount) {
                // the slack absorbs the rounding of the shares: 5 keys on 5 nodes are one each
                keyLimits = Arrays.stream(shares).mapToLong(share -> (long) Math.ceil(keys * share - 1e-9)).toArray();
            }
        }
        List<Integer> order = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing(requests::get, BY_KEY));
        Decision[] decisions = new Decision[requests.size()];
        for (int index : order) {
            decisions[index] = place(requests.get(index));
        }
        keyLimits = null;
        return List.of(decisions);
    }

    /** Places one more split. */
    public Decision place(SplitRequest request)
    {
        if (activeCount == 0) {
            return Decision.OF_NO_NODE;
        }
        weight = weight(request);
        placedWeight += weight;
        total = Math.max(placedWeight, expectedWeight);

        long key = request.key();
        int slot = table.find(key);
        int owner;
        int node;
        if (slot < 0) {
            owner = rendezvous.best(key);
            node = takesKey(owner) ? owner : firstElsewhere(key);
            if (table.isFull()) {
                unrememberedSplits++;
            }
            else {
                table.put(key, owner, node);
            }
            homeCounts[node]++;
            keyCounts[node]++;
        }
        else {
            owner = table.owner(slot);
            node = table.current(slot);
            if (!hasRoom(node)) {
                node = another(key, node);
                table.setCurrent(slot, node);
            }
        }
        loads[node] += weight;
        splitCounts[node]++;
        return decision(owner, node);
    }

    /** Returns the loads placed so far, for the nodes that received any. */
    public List<NodeLoad> loads()
    {
        List<NodeLoad> result = new ArrayList<>();
        for (int i = 0; i < loads.length; i++) {
            if (splitCounts[i] > 0) {
                result.add(new NodeLoad(view.node(i).id(), keyCounts[i], splitCounts[i], loads[i], overflows[i], standIns[i]));
            }
        }
        return List.copyOf(result);
    }

    /** Returns the number of splits placed with keys beyond those that are remembered. */
    public long unrememberedSplits()
    {
        return unrememberedSplits;
    }

    private Decision decision(int owner, int node)
    {
        if (node == owner) {
            return ownDecisions[node];
        }
        if (!view.isActive(owner)) {
            standIns[node]++;
            return new Decision(List.of(view.node(node)), Decision.Reason.STAND_IN);
        }
        overflows[node]++;
        return new Decision(List.of(view.node(node), view.node(owner)), Decision.Reason.OVERFLOW);
    }

    private int firstElsewhere(long key)
    {
        int node = rendezvous.best(key, takesKey);
        if (node != Rendezvous.NONE) {
            return node;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < loads.length; i++) {
            if (hasKeyRoom(i)) {
                least = Math.min(least, relativeLoad(i));
            }
        }
        double bar = least;
        return rendezvous.best(key, candidate -> hasKeyRoom(candidate) && relativeLoad(candidate) <= bar);
    }

    /** Returns another node for a key whose current node is full. */
    private int another(long key, int current)
    {
        Replicas known = replicas.computeIfAbsent(key, ignored -> new Replicas(current));
        int node = known.next(hasRoom);
        if (node == Rendezvous.NONE) {
            node = rendezvous.best(key, hasRoom);
            if (known.add(node)) {
                keyCounts[node]++;
            }
        }
        return node;
    }

    private double relativeLoad(int node)
    {
        return (loads[node] + weight) / shares[node];
    }

    private boolean hasRoom(int node)
    {
        double share = shares[node];
        long load = loads[node];
        // the share of a node that is away is 0
        return share > 0 && (load <= total * share || load + weight <= (1 + epsilon) * total * share);
    }

    private boolean takesKey(int node)
    {
        return hasRoom(node) && hasKeyRoom(node);
    }

    private boolean hasKeyRoom(int node)
    {
        return shares[node] > 0 && (keyLimits == null || homeCounts[node] < keyLimits[node]);
    }

    private static long weight(SplitRequest request)
    {
        return Math.max(1, request.weightBytes());
    }

    /** The nodes of a key that has outgrown one. */
    private static final class Replicas
    {
        private int[] nodes = new int[4];
        private int count;
        private int cursor;

        Replicas(int first)
        {
            add(first);
        }

        /** Returns the next of them, in turn, that is eligible. */
        int next(IntPredicate eligible)
        {
            for (int i = 0; i < count; i++) {
                cursor = cursor + 1 == count ? 0 : cursor + 1;
                if (eligible.test(nodes[cursor])) {
                    return nodes[cursor];
                }
            }
            return Rendezvous.NONE;
        }

        /** Adds a node and makes it the current one. Returns false if it was already there. */
        boolean add(int node)
        {
            for (int i = 0; i < count; i++) {
                if (nodes[i] == node) {
                    cursor = i;
                    return false;
                }
            }
            if (count == nodes.length) {
                nodes = Arrays.copyOf(nodes, count * 2);
            }
            nodes[count] = node;
            cursor = count++;
            return true;
        }
    }
}
