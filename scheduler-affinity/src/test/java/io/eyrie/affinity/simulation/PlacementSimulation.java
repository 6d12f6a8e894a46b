// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.simulation;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures the quality of a placement. All results except the cost are the same in every run. */
public final class PlacementSimulation
{
    private final PlacementStrategy.Factory placements;

    public PlacementSimulation(PlacementStrategy.Factory placements)
    {
        this.placements = placements;
    }

    /** The ratio of the largest load of a node to the mean. */
    public record Balance(int nodes, int keys, double maxOverMean)
    {}

    /**
     * The keys that changed their node, in units of 1/N of the larger cluster, and how many of them neither left nor reached the node that joined or
     * left.
     */
    public record Movement(int nodes, double onJoin, double onLeave, double strayKeys)
    {}

    /** The processor time of one split, including the hash of its path. */
    public record Cost(int nodes, double microsPerSplit)
    {}

    /** The fraction of reads that a day's caches served. */
    public record Day(double hitRatio, double hitRatioOfTheFewest, double hitRatioOfTheMost)
    {
        /** Returns how many percentage points the changes of the cluster cost, compared with the better of the two constant clusters. */
        public double pointsLost()
        {
            return 100 * (Math.max(hitRatioOfTheFewest, hitRatioOfTheMost) - hitRatio);
        }
    }

    /** Places each key once, without a bound on load. */
    public Balance keysPerNode(int nodes, int keys)
    {
        PlacementStrategy placement = placements.over(ids(nodes));
        Map<String, Integer> loads = new HashMap<>();
        for (int i = 0; i < keys; i++) {
            loads.merge(placement.owner(path(i)), 1, Integer::sum);
        }
        return balance(nodes, keys, loads);
    }

    /** Places the splits of one query, whose keys are drawn from {@code keys} by Zipf's law. */
    public Balance zipfLoad(int nodes, int keys, int splits, double exponent, long seed)
    {
        double[] zipf = DayTrace.zipf(keys, exponent);
        SplittableRandom random = new SplittableRandom(seed);
        PlacementStrategy.Query query = placements.over(ids(nodes)).query();
        Map<String, Integer> loads = new HashMap<>();
        for (int i = 0; i < splits; i++) {
            loads.merge(query.place(path(DayTrace.draw(zipf, random))), 1, Integer::sum);
        }
        return balance(nodes, splits, loads);
    }

    /** Measures a node that joins, and one that leaves; the mean over {@code rounds} of each. */
    public Movement movement(int nodes, int keys, int rounds)
    {
        List<String> before = ids(nodes);
        String[] owners = owners(before, keys);
        long movedOnJoin = 0;
        long movedOnLeave = 0;
        long stray = 0;
        for (int round = 0; round < rounds; round++) {
            String joiner = id(nodes + round);
            String leaver = before.get(round * nodes / rounds);
            String[] joined = owners(Stream.concat(before.stream(), Stream.of(joiner)).toList(), keys);
            String[] left = owners(before.stream().filter(id -> !id.equals(leaver)).toList(), keys);
            for (int i = 0; i < keys; i++) {
                if (!joined[i].equals(owners[i])) {
                    movedOnJoin++;
                    stray += joined[i].equals(joiner) ? 0 : 1;
                }
                if (!left[i].equals(owners[i])) {
                    movedOnLeave++;
                    stray += owners[i].equals(leaver) ? 0 : 1;
                }
            }
        }
        double all = (double) keys * rounds;
        return new Movement(nodes, movedOnJoin * (nodes + 1.0) / all, (double) movedOnLeave * nodes / all, stray / all);
    }

    /** Places a query's splits several times, and returns the best time. */
    public Cost cost(int nodes, int splits)
    {
        List<String> paths = IntStream.range(0, splits).mapToObj(PlacementSimulation::path).toList();
        PlacementStrategy placement = placements.over(ids(nodes));
        long best = Long.MAX_VALUE;
        int sink = 0;
        for (int round = 0; round < 10; round++) {
            // of the thread, so other work on the machine does not count
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            PlacementStrategy.Query query = placement.query();
            for (String path : paths) {
                sink += query.place(path).length();
            }
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        if (sink == 0) {
            throw new IllegalStateException("nothing was placed");
        }
        return new Cost(nodes, best / 1e3 / splits);
    }

    /** Replays a day on a cluster with autoscaling, and on two constant ones. */
    public Day autoscalingDay(DayTrace trace)
    {
        return new Day(replay(trace, DayTrace::nodesAt), replay(trace, ignored -> DayTrace.FEWEST), replay(trace, ignored -> DayTrace.MOST));
    }

    private double replay(DayTrace trace, IntUnaryOperator nodesAt)
    {
        double[] zipf = DayTrace.zipf(trace.files(), trace.zipfExponent());
        SplittableRandom random = new SplittableRandom(trace.seed());
        List<LruCache> caches = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        int[] owners = new int[trace.files()];
        long reads = 0;
        long hits = 0;
        for (int minute = 0; minute < DayTrace.MINUTES; minute++) {
            int nodes = nodesAt.applyAsInt(minute);
            if (nodes != caches.size()) {
                while (caches.size() > nodes) {
                    // the cache of a node that leaves is lost
                    caches.remove(caches.size() - 1);
                }
                while (caches.size() < nodes) {
                    numbers.put(id(caches.size()), caches.size());
                    caches.add(new LruCache(trace.cachedFilesPerNode()));
                }
                PlacementStrategy placement = placements.over(ids(nodes));
                for (int file = 0; file < owners.length; file++) {
                    owners[file] = numbers.getOrDefault(placement.owner(path(file)), -1);
                }
            }
            // the work of the day is the same for every cluster
            int work = DayTrace.nodesAt(minute) * trace.readsPerNodeMinute();
            for (int i = 0; i < work; i++) {
                int file = DayTrace.draw(zipf, random);
                hits += caches.get(owners[file]).read(file) ? 1 : 0;
                reads++;
            }
        }
        return (double) hits / reads;
    }

    private String[] owners(List<String> nodeIds, int keys)
    {
        PlacementStrategy placement = placements.over(nodeIds);
        return IntStream.range(0, keys).mapToObj(number -> placement.owner(path(number))).toArray(String[]::new);
    }

    private static Balance balance(int nodes, int keys, Map<String, Integer> loads)
    {
        int max = loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return new Balance(nodes, keys, (double) max * nodes / keys);
    }

    private static List<String> ids(int count)
    {
        return IntStream.range(0, count).mapToObj(PlacementSimulation::id).toList();
    }

    private static String id(int number)
    {
        return "worker-" + (10_000 + number);
    }

    private static String path(int number)
    {
        return "s3://warehouse/sales.db/orders/ds=2026-11-" + (10 + number % 20) + "/part-" + number + ".orc";
    }

    private static final class LruCache
            extends LinkedHashMap<Integer, Boolean>
    {
        private static final long serialVersionUID = 1;

        private final int capacity;

        LruCache(int capacity)
        {
            super(16, 0.75f, true);
            this.capacity = capacity;
        }

        boolean read(int file)
        {
            return put(file, true) != null;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest)
        {
            return size() > capacity;
        }
    }
}
