// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static io.eyrie.affinity.placement.Nodes.key;
import static io.eyrie.affinity.placement.Nodes.node;
import static io.eyrie.affinity.placement.Nodes.nodes;
import static io.eyrie.affinity.placement.Nodes.owner;
import static io.eyrie.affinity.placement.Nodes.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class QueryPlacementTest
{
    private static final long SPLIT = 64 << 20;

    @Test
    void fiveFilesOnFiveWorkersLeaveOneIdle()
    {
        Random random = new Random(16997);
        for (int table = 0; table < 200; table++) {
            for (int workers : new int[] {3, 5, 16}) {
                List<SplitRequest> files = new ArrayList<>();
                for (int i = 0; i < workers; i++) {
                    // sizes that differ by a factor of a thousand
                    files.add(new SplitRequest(random.nextLong(), 0, 1L << (10 + random.nextInt(10))));
                }
                assertThat(new HashSet<>(firsts(placement(workers).placeAll(files, true)))).hasSize(workers);
            }
        }
    }

    @Test
    void scanOfMoreFilesThanAreRemembered()
    {
        QueryPlacement placement = placement(3);
        Random random = new Random(1);
        int files = KeyTable.MOST_KEYS + 3000;
        for (int i = 0; i < files; i++) {
            placement.place(new SplitRequest(random.nextLong(), 0, 1));
        }
        assertThat(placement.unrememberedSplits()).isEqualTo(3000);
        assertThat(placement.loads()).hasSize(3).allMatch(load -> load.splits() > files / 4 && load.splits() < files / 2);
    }

    @Property(tries = 200)
    void aSmallTableIsHeapedUp(@ForAll @IntRange(min = 1, max = 12) int workers, @ForAll @IntRange(min = 1, max = 40) int files, @ForAll long seed)
    {
        Random random = new Random(seed);
        List<SplitRequest> requests = IntStream.range(0, Math.min(files, 4 * workers)).mapToObj(ignored -> new SplitRequest(random.nextLong(), 0,
                random.nextInt(1000))).toList();
        Map<String, Integer> counts = new HashMap<>();
        firsts(placement(workers).placeAll(requests, true)).forEach(id -> counts.merge(id, 1, Integer::sum));
        assertThat(counts.values()).allMatch(count -> count <= (requests.size() + workers - 1) / workers);
    }

    @Property(tries = 100)
    void theOrderOfArrivalMovesASet(@ForAll @IntRange(min = 1, max = 12) int workers, @ForAll @IntRange(min = 1, max = 300) int splits,
            @ForAll long seed, @ForAll boolean complete)
    {
        Random random = new Random(seed);
        List<SplitRequest> requests = new ArrayList<>();
        for (int i = 0; i < splits; i++) {
            requests.add(new SplitRequest(key(random.nextInt(1 + splits / 3)), i * SPLIT, random.nextInt(1000)));
        }
        Map<SplitRequest, Decision> before = placeAll(workers, requests, complete);
        Collections.shuffle(requests, random);
        assertThat(placeAll(workers, requests, complete)).isEqualTo(before);
    }

    @Property(tries = 100)
    void aNodeExceedsItsPartByMoreThanEpsilonOrASplit(
            @ForAll @IntRange(min = 1, max = 20) int workers,
            @ForAll @IntRange(min = 1, max = 3000) int splits,
            @ForAll @IntRange(min = 1, max = 500) int keys,
            @ForAll @IntRange(min = 1, max = 50) int epsilonPercent,
            @ForAll long seed)
    {
        Random random = new Random(seed);
        List<Node> nodes = IntStream.range(0, workers).mapToObj(number -> node(number, 100L << random.nextInt(3))).toList();
        NodeView view = new NodeView(nodes, Set.of());
        double epsilon = epsilonPercent / 100.0;
        QueryPlacement placement = new QueryPlacement(view, new LoadBound(epsilon, 0, 1, 1));
        long total = 0;
        long largest = 0;
        for (int i = 0; i < splits; i++) {
            long weight = random.nextLong(1, 1001);
            total += weight;
            largest = Math.max(largest, weight);
            // a skewed load: most splits belong to few keys
            placement.place(new SplitRequest(key((int) (keys * Math.pow(random.nextDouble(), 4))), i, weight));
        }
        List<NodeLoad> loads = placement.loads();
        assertThat(loads.stream().mapToLong(NodeLoad::splits).sum()).isEqualTo(splits);
        assertThat(loads.stream().mapToLong(NodeLoad::weightBytes).sum()).isEqualTo(total);
        for (NodeLoad load : loads) {
            double share = IntStream.range(0, view.size()).filter(node -> view.node(node).id().equals(load.nodeId())).mapToDouble(view::share).sum();
            assertThat((double) load.weightBytes()).isLessThanOrEqualTo(Math.max((1 + epsilon) * total * share, total * share + largest) + 1);
        }
    }

    @Test
    void aHotFileHasOneReplica()
    {
        QueryPlacement placement = placement(20);
        Set<String> hot = new HashSet<>();
        Set<String> cold = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            // a fifth of the load is one file: the parts of four nodes
            hot.addAll(i % 5 == 0 ? firsts(List.of(placement.place(new SplitRequest(key(-1), i, SPLIT)))) : List.of());
            cold.addAll(i % 5 != 0 ? firsts(List.of(placement.place(new SplitRequest(key(i), i, SPLIT)))) : List.of());
        }
        assertThat(hot.size()).isBetween(4, 12);
        assertThat(cold).hasSize(20);
        assertThat(placement.loads()).allMatch(load -> load.splits() <= 1100);
        // the file is cold in the next query, which gives it one node
        QueryPlacement next = placement(20);
        List<SplitRequest> requests = IntStream.range(-1, 2000).mapToObj(number -> new SplitRequest(key(number), 0, SPLIT)).toList();
        assertThat(next.placeAll(requests, true).get(0).nodes()).hasSize(1);
    }

    @Test
    void aSplitNamesOtherNodesThanWherePlacementPutsIt()
    {
        QueryPlacement placement = placement(4);
        NodeView view = view(4);
        for (int i = 0; i < 1000; i++) {
            long key = key(i % 100);
            Decision decision = placement.place(new SplitRequest(key, i, SPLIT));
            Node owner = view.owner(key).orElseThrow();
            if (decision.reason() == Decision.Reason.OWNER) {
                assertThat(decision.nodes()).containsExactly(owner);
            }
            else {
                assertThat(decision.reason()).isEqualTo(Decision.Reason.OVERFLOW);
                assertThat(decision.nodes()).hasSize(2).endsWith(owner).doesNotHaveDuplicates();
            }
            assertThat(decision.isKept()).isTrue();
        }
    }

    @Test
    void aDisplacedFileIsTorn()
    {
        // a gathered set with enough room for random variation: every file is on one node
        List<SplitRequest> requests = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            requests.add(new SplitRequest(key(i / 4), i % 4 * SPLIT, SPLIT));
        }
        Map<Long, Set<String>> nodesOfKeys = new HashMap<>();
        placeAll(5, requests, true).forEach((request, decision) -> nodesOfKeys.computeIfAbsent(request.key(), ignored -> new HashSet<>()).add(decision
                .nodes().get(0).id()));
        // at most the file at which a node becomes full
        assertThat(nodesOfKeys.values().stream().filter(nodes -> nodes.size() > 1).count()).isLessThanOrEqualTo(5);
    }

    @Test
    void aPassInAnotherOrderIsCold()
    {
        List<SplitRequest> requests = new ArrayList<>();
        for (int i = 0; i < 2400; i++) {
            requests.add(new SplitRequest(key(i), 0, SPLIT));
        }
        Set<Map.Entry<SplitRequest, Decision>> before = placeInStream(requests).entrySet();
        Collections.shuffle(requests, new Random(1));
        Set<Map.Entry<SplitRequest, Decision>> after = placeInStream(requests).entrySet();
        long moved = after.stream().filter(entry -> !before.contains(entry)).count();
        assertThat(moved).isLessThanOrEqualTo(requests.size() / 100);
    }

    @Test
    void nextCandidatesOfANodeThatIsAwayKeepItsKeys()
    {
        NodeView view = new NodeView(nodes(5), Set.of("worker-2"));
        QueryPlacement placement = new QueryPlacement(view, LoadBound.DEFAULT);
        List<SplitRequest> requests = IntStream.range(0, 1000).mapToObj(number -> new SplitRequest(key(number), 0, 1)).toList();
        List<Decision> decisions = placement.placeAll(requests, true);
        for (int i = 0; i < requests.size(); i++) {
            boolean away = owner(view, requests.get(i).key()).equals("worker-2");
            assertThat(decisions.get(i).reason() == Decision.Reason.STAND_IN).isEqualTo(away);
            assertThat(decisions.get(i).isKept()).isEqualTo(!away);
            assertThat(firsts(decisions)).doesNotContain("worker-2");
        }
        assertThat(placement.loads()).extracting(NodeLoad::nodeId).doesNotContain("worker-2").hasSize(4);
        assertThat(placement.loads().stream().mapToLong(NodeLoad::standInSplits).sum()).isEqualTo(decisions.stream().filter(decision -> !decision
                .isKept()).count());
    }

    @Test
    void aClusterWithoutWorkers()
    {
        for (NodeView view : List.of(view(0), new NodeView(nodes(2), Set.of("worker-0", "worker-1")))) {
            QueryPlacement placement = new QueryPlacement(view, LoadBound.DEFAULT);
            assertThat(placement.gatherLimit()).isZero();
            assertThat(placement.placeAll(List.of(new SplitRequest(1, 0, 1)), true)).containsExactly(new Decision(List.of(),
                    Decision.Reason.NOWHERE));
            assertThat(placement.place(new SplitRequest(1, 0, 1)).nodes()).isEmpty();
            assertThat(placement.loads()).isEmpty();
        }
    }

    @Test
    void keysAndSplitsAreMiscounted()
    {
        QueryPlacement placement = placement(3);
        placement.placeAll(IntStream.range(0, 600).mapToObj(number -> new SplitRequest(key(number / 2), number % 2 * SPLIT, SPLIT)).toList(), false);
        assertThat(placement.loads().stream().mapToLong(NodeLoad::keys).sum()).isEqualTo(300);
        assertThat(placement.loads().stream().mapToLong(NodeLoad::splits).sum()).isEqualTo(600);
        assertThat(placement.gatherLimit()).isEqualTo(3 * 256);
    }

    @Test
    void wrongArguments()
    {
        assertThatThrownBy(() -> new LoadBound(0, 4, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadBound(0.1, -1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadBound(0.1, 4, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadBound(0.1, 4, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SplitRequest(1, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SplitRequest(1, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        QueryPlacement placement = placement(2);
        placement.place(new SplitRequest(1, 0, 0));
        assertThatThrownBy(() -> placement.placeAll(List.of(), true)).isInstanceOf(IllegalStateException.class);
    }

    private static QueryPlacement placement(int workers)
    {
        return new QueryPlacement(view(workers), LoadBound.DEFAULT);
    }

    private static Map<SplitRequest, Decision> placeAll(int workers, List<SplitRequest> requests, boolean complete)
    {
        List<Decision> decisions = placement(workers).placeAll(requests, complete);
        Map<SplitRequest, Decision> result = new HashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            result.put(requests.get(i), decisions.get(i));
        }
        return result;
    }

    /** Gathers up to the limit, and places the rest one by one. */
    private static Map<SplitRequest, Decision> placeInStream(List<SplitRequest> requests)
    {
        QueryPlacement placement = placement(4);
        int gathered = placement.gatherLimit();
        List<Decision> decisions = new ArrayList<>(placement.placeAll(requests.subList(0, gathered), false));
        requests.subList(gathered, requests.size()).forEach(request -> decisions.add(placement.place(request)));
        Map<SplitRequest, Decision> result = new HashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            result.put(requests.get(i), decisions.get(i));
        }
        return result;
    }

    private static List<String> firsts(List<Decision> decisions)
    {
        return decisions.stream().map(decision -> decision.nodes().get(0).id()).toList();
    }
}
