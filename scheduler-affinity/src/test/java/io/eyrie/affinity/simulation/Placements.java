// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.simulation;

import io.eyrie.affinity.placement.LoadBound;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.affinity.placement.QueryPlacement;
import io.eyrie.affinity.placement.SectionKeys;
import io.eyrie.affinity.placement.SplitRequest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Eyrie's placement, and the alternatives that were considered (decision 0006). */
public final class Placements
{
    private static final long FILE_SIZE_BYTES = 64 << 20;
    private static final SectionKeys KEYS = new SectionKeys(SectionKeys.DEFAULT_SECTION_SIZE_BYTES);

    private Placements()
    {}

    /** Rendezvous hashing with bounded load. */
    public static PlacementStrategy eyrie(List<String> nodeIds)
    {
        NodeView view = new NodeView(nodeIds.stream().map(id -> new Node(id, id, Node.UNKNOWN_WEIGHT)).toList(), Set.of());
        return new PlacementStrategy() {
            @Override
            public String owner(String path)
            {
                return view.owner(key(path)).orElseThrow().id();
            }

            @Override
            public Query query()
            {
                QueryPlacement placement = new QueryPlacement(view, LoadBound.DEFAULT);
                return path -> placement.place(new SplitRequest(key(path), 0, 1)).nodes().get(0).id();
            }
        };
    }

    /** The reference for balance: each file is on a random node. */
    public static PlacementStrategy.Factory random(long seed)
    {
        return nodeIds -> path -> nodeIds.get(new SplittableRandom(seed + key(path)).nextInt(nodeIds.size()));
    }

    /** The hash modulo the number of nodes, as Presto does by default. */
    public static PlacementStrategy modular(List<String> nodeIds)
    {
        List<String> sorted = nodeIds.stream().sorted().toList();
        return path -> sorted.get((int) Long.remainderUnsigned(key(path), sorted.size()));
    }

    /** A ring with {@code points} points in total, as Presto uses with consistent hashing. */
    public static PlacementStrategy.Factory ring(int points)
    {
        return nodeIds -> {
            TreeMap<Long, String> ring = new TreeMap<>();
            int pointsPerNode = (points + nodeIds.size() - 1) / nodeIds.size();
            for (String id : nodeIds) {
                for (int i = 0; i < pointsPerNode; i++) {
                    ring.put(key(id + "#" + i), id);
                }
            }
            return path -> {
                Map.Entry<Long, String> next = ring.ceilingEntry(key(path));
                return next == null ? ring.firstEntry().getValue() : next.getValue();
            };
        };
    }

    /** Jump consistent hashing (Lamping, Veach 2014): buckets have numbers, and only the last can leave without a shift. */
    public static PlacementStrategy jump(List<String> nodeIds)
    {
        List<String> sorted = nodeIds.stream().sorted().toList();
        return path -> {
            SplittableRandom random = new SplittableRandom(key(path));
            long bucket = 0;
            long next = 0;
            while (next < sorted.size()) {
                bucket = next;
                next = (long) ((bucket + 1) / random.nextDouble());
            }
            return sorted.get((int) bucket);
        };
    }

    /** Multi-probe consistent hashing (Appleton, O'Reilly 2015): one point per node, the closest of 21 probes. */
    public static PlacementStrategy multiProbe(List<String> nodeIds)
    {
        TreeMap<Long, String> ring = new TreeMap<>();
        nodeIds.forEach(id -> ring.put(key(id), id));
        return path -> {
            SplittableRandom random = new SplittableRandom(key(path));
            String best = nodeIds.get(0);
            long bestDistance = -1;
            for (int i = 0; i < 21; i++) {
                long probe = random.nextLong();
                Map.Entry<Long, String> next = ring.ceilingEntry(probe);
                next = next == null ? ring.firstEntry() : next;
                long distance = next.getKey() - probe;
                if (Long.compareUnsigned(distance, bestDistance) <= 0) {
                    bestDistance = distance;
                    best = next.getValue();
                }
            }
            return best;
        };
    }

    /** Maglev's table (Eisenbud et al. 2016): each node takes the next free slot of its own permutation, in turn. */
    public static PlacementStrategy maglev(List<String> nodeIds)
    {
        int slots = 65_537;
        List<String> sorted = nodeIds.stream().sorted().toList();
        int[] table = new int[slots];
        Arrays.fill(table, -1);
        long[] positions = sorted.stream().mapToLong(id -> Long.remainderUnsigned(key(id), slots)).toArray();
        long[] skips = sorted.stream().mapToLong(id -> Long.remainderUnsigned(key(id + "#"), slots - 1) + 1).toArray();
        for (int taken = 0; taken < slots; taken++) {
            int node = taken % sorted.size();
            while (table[(int) positions[node]] >= 0) {
                positions[node] = (positions[node] + skips[node]) % slots;
            }
            table[(int) positions[node]] = node;
        }
        return path -> sorted.get(table[(int) Long.remainderUnsigned(key(path), slots)]);
    }

    private static long key(String path)
    {
        return KEYS.key(path, FILE_SIZE_BYTES, 0);
    }
}
