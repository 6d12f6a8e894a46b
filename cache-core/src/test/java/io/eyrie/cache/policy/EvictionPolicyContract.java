// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract of every {@link EvictionPolicy}. An implementation's test extends this class and supplies a policy. */
public abstract class EvictionPolicyContract
{
    private EvictionPolicy policy = createPolicy(new TestingEntryInfo());

    /** Returns a policy without groups. */
    protected abstract EvictionPolicy createPolicy(EvictionPolicy.EntryInfo entries);

    @BeforeEach
    void setUp()
    {
        policy = createPolicy(new TestingEntryInfo());
    }

    @Test
    void groupsAreNumbered()
    {
        assertThat(List.of(policy.newGroup(), policy.newGroup(), policy.newGroup())).containsExactly(0, 1, 2);
    }

    @Test
    void victimOfAnEmptyGroup()
    {
        int group = policy.newGroup();
        assertThat(policy.victim(group)).isEqualTo(EvictionPolicy.NONE);

        policy.add(7, group);
        assertThat(policy.victim(group)).isEqualTo(7);
        assertThat(policy.victim(group)).isEqualTo(EvictionPolicy.NONE);
    }

    @Test
    void victimOfAnotherGroup()
    {
        int one = policy.newGroup();
        int other = policy.newGroup();
        policy.add(1, one);
        policy.add(2, other);
        policy.hit(2);

        assertThat(policy.victim(other)).isEqualTo(2);
        assertThat(policy.victim(other)).isEqualTo(EvictionPolicy.NONE);
        assertThat(policy.victim(one)).isEqualTo(1);
    }

    @Test
    void everyEntryLeavesOnce()
    {
        int group = policy.newGroup();
        for (int entry = 0; entry < 10_000; entry++) {
            policy.add(entry, group);
            policy.hit(entry / 2);
        }
        List<Integer> victims = new ArrayList<>();
        for (int victim = policy.victim(group); victim != EvictionPolicy.NONE; victim = policy.victim(group)) {
            victims.add(victim);
        }
        assertThat(victims).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(policy.weightBytes(group)).isZero();
    }

    @Test
    void removedEntryIsNoVictim()
    {
        int group = policy.newGroup();
        policy.add(1, group);
        policy.add(2, group);
        policy.hit(1);
        policy.remove(1, group);

        assertThat(policy.victim(group)).isEqualTo(2);
        assertThat(policy.victim(group)).isEqualTo(EvictionPolicy.NONE);
    }

    @Test
    void entryMovesToAnotherGroup()
    {
        int one = policy.newGroup();
        int other = policy.newGroup();
        policy.add(1, one);
        policy.remove(1, one);
        policy.add(1, other);
        policy.hit(1);
        policy.drain();

        assertThat(policy.victim(one)).isEqualTo(EvictionPolicy.NONE);
        assertThat(policy.victim(other)).isEqualTo(1);
    }

    @Test
    void victimPutBack()
    {
        int group = policy.newGroup();
        policy.add(1, group);
        policy.add(2, group);
        int busy = policy.victim(group);
        policy.add(busy, group);

        assertThat(policy.victim(group)).isEqualTo(3 - busy);
        assertThat(policy.victim(group)).isEqualTo(busy);
    }

    @Test
    void weightsAreThoseOfTheEntriesWithin()
    {
        int group = policy.newGroup();
        policy.add(1, group);
        policy.add(2, group);
        policy.restore(5, group, 0);
        assertThat(policy.weightBytes(group)).isEqualTo(TestingEntryInfo.weight(1) + TestingEntryInfo.weight(2) + TestingEntryInfo.weight(5));

        policy.remove(2, group);
        int victim = policy.victim(group);
        assertThat(policy.weightBytes(group)).isEqualTo(TestingEntryInfo.weight(6 - victim));
    }

    @Test
    void hitOnAnEntryThatIsGone()
    {
        int group = policy.newGroup();
        policy.hit(123_456);
        policy.add(1, group);
        policy.victim(group);
        policy.hit(1);
        policy.hit(99);
        policy.drain();

        assertThat(policy.victim(group)).isEqualTo(EvictionPolicy.NONE);
    }

    @Test
    void recentlyHitEntriesOutliveTheOthers()
    {
        int group = policy.newGroup();
        for (int entry = 0; entry < 1000; entry++) {
            policy.add(entry, group);
        }
        for (int round = 0; round < 3; round++) {
            for (int entry = 1000; entry < 1020; entry++) {
                // so that time passes
                policy.add(entry + 20 * round, group);
            }
            for (int entry = 0; entry < 100; entry++) {
                if (policy.hit(entry)) {
                    policy.drain();
                }
            }
        }
        for (int i = 0; i < 500; i++) {
            assertThat(policy.victim(group)).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void orderSurvivesARestart()
    {
        int group = policy.newGroup();
        SplittableRandom random = new SplittableRandom(1);
        for (int entry = 0; entry < 3000; entry++) {
            policy.add(entry, group);
            if (policy.hit(random.nextInt(entry + 1))) {
                policy.drain();
            }
            if (entry >= 2000) {
                policy.victim(group);
            }
        }
        EvictionPolicy restarted = createPolicy(new TestingEntryInfo());
        int newGroup = restarted.newGroup();
        policy.forEach(group, entry -> restarted.restore(entry, newGroup, policy.state(entry)));

        assertThat(restarted.weightBytes(newGroup)).isEqualTo(policy.weightBytes(group));
        assertThat(order(restarted, newGroup)).isEqualTo(order(policy, group));
        for (int i = 0; i < 2000; i++) {
            assertThat(restarted.victim(newGroup)).isEqualTo(policy.victim(group));
        }
    }

    @Test
    void anyStateIsRestored()
    {
        int group = policy.newGroup();
        for (int state = 0; state <= 255; state++) {
            policy.restore(state, group, state);
        }
        HashSet<Integer> victims = new HashSet<>();
        for (int i = 0; i <= 255; i++) {
            victims.add(policy.victim(group));
        }
        assertThat(victims).hasSize(256).doesNotContain(EvictionPolicy.NONE);
    }

    @Test
    void memoryOfAnEntryIsAFewBytes()
    {
        int group = policy.newGroup();
        int count = 1_000_000;
        for (int entry = 0; entry < count; entry++) {
            policy.add(entry, group);
        }
        for (int entry = 0; entry < count; entry++) {
            policy.add(policy.victim(group), group);
        }
        assertThat((double) policy.memoryBytes() / count).isBetween(8.0, maximumBytesAnEntry());
    }

    /** Returns the implementation's limit, including all of its data. */
    protected abstract double maximumBytesAnEntry();

    @Test
    void hitsWhileEntriesComeAndGo()
            throws Exception
    {
        int group = policy.newGroup();
        int capacity = 500;
        for (int entry = 0; entry < capacity; entry++) {
            policy.add(entry, group);
        }
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                SplittableRandom random = new SplittableRandom(reader);
                readers.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 300_000; i++) {
                        policy.hit(random.nextInt(capacity * 2));
                    }
                    return null;
                }));
            }
            start.countDown();
            int next = capacity;
            while (readers.stream().anyMatch(reader -> !reader.isDone())) {
                int victim = policy.victim(group);
                assertThat(victim).isBetween(0, capacity * 2 - 1);
                policy.add(next % 7 == 0 ? victim : freeNumber(victim, capacity), group);
                next++;
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
        finally {
            threads.shutdownNow();
        }
        assertThat(order(policy, group)).hasSize(capacity).doesNotHaveDuplicates();
    }

    /** Of each pair of numbers that differ by the capacity, one is in use; returns the other. */
    private static int freeNumber(int used, int capacity)
    {
        return used < capacity ? used + capacity : used - capacity;
    }

    private static List<Integer> order(EvictionPolicy policy, int group)
    {
        List<Integer> order = new ArrayList<>();
        policy.forEach(group, order::add);
        return order;
    }
}
