package io.eyrie.affinity.placement;

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
 * Places the splits of one table scan of one query, each once: on its key's own node, and where that node has had its part of the load,
 * on the key's next candidate that has not. A key whose splits are more than a node's part so gains nodes, for this query.
 *
 * <p>The first splits are best gathered (to the end of the enumeration, up to {@link #gatherLimit}, for as long as the caller cares to wait) and
 * placed at once by {@link #placeAll}: what follows does not depend on their order then. The rest goes one by one through {@link #place}.
 *
 * <p>Not thread-safe. The nodes are those of the moment at which the query began.
 */
public final class QueryPlacement
{
    /*
     * Room        A node has room for a split of weight w if load + w <= max((1 + epsilon) * total, total + w / share) * share: it may exceed its share
     *             by epsilon [1] or by one split, so that there is always a node with room. total is what was placed with this split, but at
     *             least what is known of the scan: a set that was gathered whole, or twice the set that was not. Without that, the first
     *             splits of a scan would find every node full and go where their order sends them
     * Owner       the key's node by rendezvous; taken if it is there and has room
     * Next        the best score among the nodes with room, which is the first of the key's candidates that has any
     * Replicas    The splits of a key stay where the key's last split went while there is room, so that a key that was displaced stays
     *             whole; then any other of its nodes that has room, in turn; then the next candidate
     * Many keys   Of a scan of very many keys the first are remembered; the splits of the others are placed one by one, as if each were a key
     * Small sets  With few keys a node, no node becomes the first node of more than its part of the keys, rounded up,
     *             even if that makes its load larger than its part
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

    // of the split that is being placed; fields, so that the two predicates are made once
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

    /** How many splits are worth gathering for {@link #placeAll}. */
    public int gatherLimit()
    {
        return Math.min(activeCount * bound.gatheredSplitsPerNode(), bound.maxGatheredSplits());
    }

    /**
     * Places the first splits as one set: the outcome depends on the set, not on its order.
     *
     * @param complete whether these are all splits of the scan
     * @return the decisions, in the order of the requests
     */
    public List<Decision> placeAll(List<SplitRequest> requests, boolean complete)
    {
        if (placedWeight > 0) {
            throw new IllegalStateException("splits were placed before");
        }
        long gatheredWeight = requests.stream().mapToLong(QueryPlacement::weight).sum();
        // what did not end while it was gathered will go on for at least as long; until then no key has to move for chance
        expectedWeight = complete ? gatheredWeight : gatheredWeight * 2;
        if (complete) {
            long keys = requests.stream().mapToLong(SplitRequest::key).distinct().count();
            if (keys <= (long) bound.smallKeysPerNode() * activeCount) {
                // the slack takes up the rounding of the shares: 5 keys on 5 nodes are one each
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

    /** What was placed so far, for the nodes that were given anything. */
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

    /** Splits of keys beyond those that are remembered. */
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

    /** Another node for a key whose current node is full. */
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

    /** The nodes of a key that outgrew one. */
    private static final class Replicas
    {
        private int[] nodes = new int[4];
        private int count;
        private int cursor;

        Replicas(int first)
        {
            add(first);
        }

        /** The next of them, in turn, that is eligible. */
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

        /** Adds a node, which is the current one from now on; false if it was there. */
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
