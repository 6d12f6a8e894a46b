// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Hashing;
import io.eyrie.cache.rendezvous.Rendezvous;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
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

class NodeViewTest
{
    @Test
    void twoCoordinatorsDisagree()
    {
        // recorded: another order would make all caches of a cluster cold after an upgrade
        NodeView view = new NodeView(List.of(node(1, 100), node(2, 100), node(3, 200), node(4), node(5, 400)), Set.of());
        assertThat(IntStream.range(0, 8).mapToObj(number -> view.candidates(key(number), 5).stream().map(Node::id).map(id -> id.substring(7)).reduce(
                "", String::concat)))
                .containsExactly("24513", "53412", "32541", "45231", "25431", "35241", "52431", "15243");
    }

    @Property(tries = 50)
    void orderOfDiscoveryMatters(@ForAll @IntRange(min = 1, max = 40) int count, @ForAll long seed, @ForAll long key)
    {
        List<Node> nodes = new ArrayList<>(weighted(count, seed));
        NodeView view = new NodeView(nodes, Set.of());
        Collections.shuffle(nodes, new Random(seed));
        assertThat(new NodeView(nodes, Set.of()).candidates(key, count)).isEqualTo(view.candidates(key, count)).hasSize(count)
                .doesNotHaveDuplicates();
    }

    @Property(tries = 200)
    void theWinnerOfTheClassesIsNotTheBestScore(@ForAll @IntRange(min = 1, max = 40) int count, @ForAll long seed, @ForAll long key)
    {
        List<Node> nodes = weighted(count, seed);
        Comparator<Node> byScore = Comparator.comparingDouble(
                node -> Rendezvous.weight(Rendezvous.step((double) node.weight())) / -Math.log(Hashing.unit(Hashing.score(Hashing.hash(node.id()),
                        key))));
        assertThat(new NodeView(nodes, Set.of()).candidates(key, count)).isEqualTo(nodes.stream().sorted(byScore.reversed()).toList());
    }

    @Property(tries = 30)
    void keysMoveBetweenNodesThatStay(@ForAll @IntRange(min = 2, max = 30) int count, @ForAll long seed)
    {
        List<Node> nodes = weighted(count, seed);
        Node gone = nodes.get(count / 2);
        NodeView with = new NodeView(nodes, Set.of());
        NodeView without = new NodeView(nodes.stream().filter(node -> !node.equals(gone)).toList(), Set.of());
        for (int i = 0; i < 500; i++) {
            String before = owner(with, key(i));
            if (before.equals(gone.id())) {
                assertThat(owner(without, key(i))).isEqualTo(with.candidates(key(i), 2).get(1).id());
            }
            else {
                assertThat(owner(without, key(i))).isEqualTo(before);
            }
        }
    }

    @Test
    void oneOfNMovesMoreThanItsPart()
    {
        int keys = 20_000;
        double moved = 0;
        int rounds = 0;
        for (int count : new int[] {8, 50}) {
            for (int seed = 0; seed < 20; seed++) {
                List<Node> nodes = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    nodes.add(new Node("node-" + seed + "-" + i, "a", 7));
                }
                NodeView with = new NodeView(nodes, Set.of());
                NodeView without = new NodeView(nodes.subList(1, count), Set.of());
                long differing = IntStream.range(0, keys).filter(number -> !owner(with, key(number)).equals(owner(without, key(number)))).count();
                // for one seed, five standard deviations around 1/N
                double expected = (double) keys / count;
                assertThat((double) differing).isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
                moved += differing / expected;
                rounds++;
            }
        }
        assertThat(moved / rounds).isLessThanOrEqualTo(1.05);
    }

    @Test
    void aNodeOfTwiceTheWeightGetsOtherThanTwiceTheKeys()
    {
        NodeView view = new NodeView(List.of(node(1, 1L << 40), node(2, 1L << 40), node(3, 2L << 40), node(4, 4L << 40)), Set.of());
        int keys = 80_000;
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < keys; i++) {
            counts.merge(owner(view, key(i)), 1, Integer::sum);
        }
        assertThat(counts.get("worker-1")).isBetween(9_600, 10_400);
        assertThat(counts.get("worker-2")).isBetween(9_600, 10_400);
        assertThat(counts.get("worker-3")).isBetween(19_500, 20_500);
        assertThat(counts.get("worker-4")).isBetween(39_400, 40_600);
    }

    @Test
    void aWaveringCapacityMovesKeys()
    {
        NodeView before = new NodeView(List.of(node(1, 1_000_000), node(2, 1_000_000), node(3, 1_000_000)), Set.of());
        NodeView after = new NodeView(List.of(node(1, 1_005_000), node(2, 995_000), node(3, 1_000_000)), Set.of());
        assertThat(IntStream.range(0, 5_000)).allMatch(number -> owner(before, key(number)).equals(owner(after, key(number))));
    }

    @Test
    void unknownWeightsCountAsTheMean()
    {
        NodeView known = new NodeView(List.of(node(1, 500), node(2, 500), node(3, 500)), Set.of());
        NodeView unknown = new NodeView(List.of(node(1, 500), node(2), node(3, 500)), Set.of());
        assertThat(IntStream.range(0, 2_000)).allMatch(number -> owner(known, key(number)).equals(owner(unknown, key(number))));
    }

    @Test
    void anAddressMovesKeys()
    {
        NodeView before = view(4);
        NodeView after = new NodeView(IntStream.range(0, 4).mapToObj(number -> new Node("worker-" + number, "elsewhere-" + number, 0)).toList(), Set
                .of());
        assertThat(IntStream.range(0, 2_000)).allMatch(number -> owner(before, key(number)).equals(owner(after, key(number))));
    }

    @Test
    void aNodeThatIsAwayIsACandidate()
    {
        NodeView view = new NodeView(nodes(4), Set.of("worker-2"));
        assertThat(view.activeNodes()).extracting(Node::id).containsExactlyInAnyOrder("worker-0", "worker-1", "worker-3");
        for (int i = 0; i < 200; i++) {
            assertThat(owner(view, key(i))).isEqualTo(owner(view(4), key(i)));
            assertThat(view.candidates(key(i), 10)).hasSize(3).extracting(Node::id).doesNotContain("worker-2");
        }
    }

    @Test
    void noNodes()
    {
        NodeView view = new NodeView(List.of(), Set.of());
        assertThat(view.owner(1)).isEmpty();
        assertThat(view.candidates(1, 3)).isEmpty();
    }

    @Test
    void oneIdentifierTwice()
    {
        assertThatThrownBy(() -> new NodeView(List.of(new Node("a", "x", 0), new Node("a", "y", 0)), Set.of())).isInstanceOf(
                IllegalArgumentException.class);
        assertThatThrownBy(() -> new Node("a", "x", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Node> weighted(int count, long seed)
    {
        Random random = new Random(seed);
        return IntStream.range(0, count).mapToObj(number -> node(number, 1000L << random.nextInt(4))).toList();
    }
}
