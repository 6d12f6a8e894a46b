// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

final class HitBufferTest
{
    private final HitBuffer buffer = new HitBuffer();
    private final List<Integer> drained = new ArrayList<>();

    @Test
    void hitsComeOutInTheirOrder()
    {
        for (int entry = 0; entry < 20; entry++) {
            assertThat(buffer.offer(entry)).isFalse();
        }
        buffer.drain(drained::add);
        buffer.drain(drained::add);
        assertThat(drained).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    }

    @Test
    void fullBufferLosesHitsAndAsksForADrain()
    {
        boolean asked = false;
        for (int entry = 0; entry < 1000; entry++) {
            asked = buffer.offer(entry);
        }
        assertThat(asked).isTrue();
        buffer.drain(drained::add);
        assertThat(drained).isNotEmpty().isSorted().hasSizeLessThan(1000).startsWith(0, 1, 2);
        assertThat(buffer.offer(1)).isFalse();
    }

    @Test
    void nothingIsInventedOrDoubledByThreads()
            throws Exception
    {
        int threadCount = 4;
        int each = 200_000;
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            List<Future<?>> offers = new ArrayList<>();
            for (int thread = 0; thread < threadCount; thread++) {
                int first = thread * each;
                offers.add(threads.submit(() -> {
                    for (int entry = first; entry < first + each; entry++) {
                        buffer.offer(entry);
                    }
                }));
            }
            while (offers.stream().anyMatch(offer -> !offer.isDone())) {
                buffer.drain(drained::add);
            }
            for (Future<?> offer : offers) {
                offer.get();
            }
        }
        finally {
            threads.shutdownNow();
        }
        buffer.drain(drained::add);
        assertThat(drained).isNotEmpty().doesNotHaveDuplicates().allMatch(entry -> entry >= 0 && entry < threadCount * each);
        for (int thread = 0; thread < threadCount; thread++) {
            int number = thread;
            assertThat(drained.stream().filter(entry -> entry / each == number)).isSorted();
        }
    }
}
