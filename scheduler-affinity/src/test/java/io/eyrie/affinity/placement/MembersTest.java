// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static io.eyrie.affinity.placement.Nodes.key;
import static io.eyrie.affinity.placement.Nodes.nodes;
import static io.eyrie.affinity.placement.Nodes.owner;
import static io.eyrie.affinity.placement.Nodes.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MembersTest
{
    // begins near the overflow, as System.nanoTime may
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Members members = new Members(Duration.ofSeconds(60), clock::get);

    @Test
    void aFlapMovesKeysOfOthers()
    {
        members.update(nodes(5));
        NodeView during = members.update(without(2));
        assertThat(owners(during)).isEqualTo(owners(view(5)));
        assertThat(during.activeNodes()).hasSize(4);
        for (int i = 0; i < 500; i++) {
            Node first = during.candidates(key(i), 1).get(0);
            List<Node> whole = view(5).candidates(key(i), 2);
            assertThat(first).isEqualTo(whole.get(0).id().equals("worker-2") ? whole.get(1) : whole.get(0));
        }
        advance(59);
        assertThat(owners(members.update(nodes(5)))).isEqualTo(owners(view(5)));
        assertThat(members.view().activeNodes()).hasSize(5);
    }

    @Test
    void aNodeThatStaysAwayKeepsItsKeys()
    {
        members.update(nodes(5));
        members.update(without(2));
        advance(59);
        assertThat(owners(members.update(without(2)))).contains("worker-2");
        advance(1);
        assertThat(owners(members.update(without(2)))).doesNotContain("worker-2").isEqualTo(owners(new NodeView(without(2), Set.of())));
        // it gets its former keys back
        assertThat(owners(members.update(nodes(5)))).isEqualTo(owners(view(5)));
    }

    @Test
    void aSecondAbsenceIsCountedFromTheFirst()
    {
        members.update(nodes(3));
        members.update(without(3, 1));
        advance(50);
        members.update(nodes(3));
        members.update(without(3, 1));
        advance(50);
        assertThat(owners(members.update(without(3, 1)))).contains("worker-1");
    }

    @Test
    void aDrainingNodeKeepsItsKeysForTheGrace()
    {
        members.update(nodes(5));
        members.drain("worker-2");
        assertThat(owners(members.view())).doesNotContain("worker-2");
        assertThat(owners(members.update(nodes(5)))).doesNotContain("worker-2");
        assertThat(owners(members.update(without(2)))).doesNotContain("worker-2");
        // restarted
        assertThat(owners(members.update(nodes(5)))).isEqualTo(owners(view(5)));
    }

    @Test
    void aNodeDrainedWhileItIsAwayKeepsItsKeys()
    {
        members.update(nodes(5));
        members.update(without(2));
        members.drain("worker-2");
        assertThat(owners(members.view())).doesNotContain("worker-2");
    }

    @Test
    void noGraceKeepsANode()
    {
        Members strict = new Members(Duration.ZERO, clock::get);
        strict.update(nodes(5));
        assertThat(owners(strict.update(without(2)))).doesNotContain("worker-2");
        assertThatThrownBy(() -> new Members(Duration.ofSeconds(-1), clock::get)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRestartUnderANewAddressIsSeenAsTwoNodes()
    {
        members.update(nodes(2));
        NodeView view = members.update(List.of(Nodes.node(0), Nodes.node(1), new Node("worker-1", "new:8080", 0)));
        assertThat(view.activeNodes()).extracting(Node::address).containsExactlyInAnyOrder("10.0.0.0:8080", "new:8080");
    }

    @Test
    void snapshotsThatChangeNothingBuildAView()
    {
        NodeView view = members.update(nodes(3));
        assertThat(members.update(nodes(3))).isSameAs(view);
        assertThat(members.view()).isSameAs(view);
    }

    @Test
    void readersSeeHalfAnUpdate()
            throws Exception
    {
        members.update(nodes(8));
        List<String> whole = owners(view(8));
        CountDownLatch done = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(executor.submit(() -> {
                    do {
                        // an absent node keeps its keys during its grace period, so every view has the same owners
                        NodeView view = members.view();
                        assertThat(owners(view)).isEqualTo(whole);
                        assertThat(view.activeNodes().size()).isBetween(7, 8);
                    }
                    while (done.getCount() > 0);
                }));
            }
            for (int i = 0; i < 300; i++) {
                members.update(without(8, i % 8));
                members.update(nodes(8));
            }
            done.countDown();
            for (Future<?> reader : readers) {
                reader.get(60, TimeUnit.SECONDS);
            }
        }
        finally {
            executor.shutdownNow();
        }
    }

    private void advance(long seconds)
    {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private static List<Node> without(int gone)
    {
        return without(5, gone);
    }

    private static List<Node> without(int count, int gone)
    {
        return nodes(count).stream().filter(node -> !node.id().equals("worker-" + gone)).toList();
    }

    private static List<String> owners(NodeView view)
    {
        return IntStream.range(0, 300).mapToObj(number -> owner(view, key(number))).toList();
    }
}
