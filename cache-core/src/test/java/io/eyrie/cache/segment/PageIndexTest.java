// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.EvictionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class PageIndexTest
{
    private static final int PAGES = 2_000_000;
    // the collector allocates whole regions for the table and the ghosts
    private static final double ROUNDED_UP_BYTES = 4 << 20;

    @Test
    void changesBesideAMap()
    {
        PageIndex index = new PageIndex();
        Map<Long, Integer> model = new HashMap<>();
        Random random = new Random(42);
        for (int step = 0; step < 400_000; step++) {
            // grows, then shrinks, with few and with many collisions
            long fingerprint = random.nextInt(step % 100_000 < 50_000 ? 30_000 : 300);
            Integer entry = model.get(fingerprint);
            assertThat(index.find(fingerprint)).isEqualTo(entry == null ? PageIndex.NONE : entry);
            if (entry == null) {
                entry = index.add(fingerprint, (int) fingerprint, step, step + 1, 1 + (int) fingerprint, step & 1);
                index.publish(entry, 1L << (step % 60));
                model.put(fingerprint, entry);
                assertThat(index.stamp(entry)).isEqualTo(step + 1);
                assertThat(index.scope(entry)).isEqualTo(step);
                assertThat(index.storageClass(entry)).isEqualTo(step & 1);
                assertThat(index.granules(entry)).isEqualTo(1L << (step % 60));
            }
            else {
                assertThat(index.location(entry)).isEqualTo((int) fingerprint);
                assertThat(index.lengthBytes(entry)).isEqualTo(1 + (int) fingerprint);
                index.remove(entry);
                model.remove(fingerprint);
            }
            assertThat(index.size()).isEqualTo(model.size());
        }
        model.forEach((fingerprint, entry) -> assertThat(index.find(fingerprint)).isEqualTo(entry));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 90_000, 100_000, 100_100, 1_000_000})
    void filledTableFindsAllAndGivesBackWhatItTookAhead(int expected)
    {
        PageIndex index = new PageIndex();
        index.startFilling();
        index.expect(expected);
        for (int page = 0; page < 100_000; page++) {
            assertThat(index.add(Mix.mix(page), page, 1, 1, 1, 1)).isEqualTo(page);
        }
        index.endFilling();
        for (int page = 0; page < 100_000; page++) {
            assertThat(index.find(Mix.mix(page))).isEqualTo(page);
        }
        int arrays = 25 * 4096 * 32;
        int versions = 4096 * 4;
        assertThat(index.memoryBytes()).isLessThan(arrays + versions + 100_000 * 5);
        assertThat(index.add(Mix.mix(100_000), 100_000, 1, 1, 1, 1)).isEqualTo(100_000);
        assertThat(index.find(Mix.mix(100_000))).isEqualTo(100_000);
    }

    @ParameterizedTest
    @EnumSource
    void pageTakesNoMoreMemoryThanItIsCountedFor(EvictionKind kind)
    {
        long before = usedHeapBytes();
        PageIndex index = new PageIndex();
        EvictionPolicy policy = kind.create(new EvictionPolicy.EntryInfo() {
            @Override
            public long hash(int entry)
            {
                return Mix.mix(index.fingerprint(entry));
            }

            @Override
            public int weightBytes(int entry)
            {
                return index.lengthBytes(entry);
            }
        });
        int group = policy.newGroup();
        for (int page = 0; page < PAGES; page++) {
            policy.add(index.add(Mix.mix(page), page, 1, 1, 1 << 20, 1), group);
        }
        // some pages are removed and added, as in a store that has been full for a long time
        for (int page = 0; page < PAGES / 2; page++) {
            index.remove(policy.victim(group));
            policy.add(index.add(Mix.mix(PAGES + page), page, 1, 1, 1 << 20, 1), group);
        }
        long counted = index.memoryBytes() + policy.memoryBytes();
        long measured = usedHeapBytes() - before;
        // this use prevents the policy from being collected before the measurement
        assertThat(policy.weightBytes(group)).isPositive();
        assertThat(index.size()).isEqualTo(PAGES);
        assertThat((double) counted / PAGES).isLessThanOrEqualTo(TableSettings.BYTES_PER_PAGE);
        assertThat((double) (measured - counted)).isCloseTo(0, within(ROUNDED_UP_BYTES + PAGES * 0.5));
    }

    private static long usedHeapBytes()
    {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
            used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    @Test
    void pageThatStaysIsFoundWhileOthersComeAndGo()
    {
        PageIndex index = new PageIndex();
        for (int page = 0; page < 1000; page++) {
            index.publish(index.add(Mix.mix(page), page, 1, 1, 100 + page, 0), 1);
        }
        AtomicBoolean stopped = new AtomicBoolean();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            readers.add(CompletableFuture.runAsync(() -> {
                int page = 0;
                while (!stopped.get()) {
                    page = (page + 1) % 1000;
                    int entry = index.find(Mix.mix(page));
                    assertThat(entry).isNotEqualTo(PageIndex.NONE);
                    assertThat(index.lengthBytes(entry)).isEqualTo(100 + page);
                }
            }, task -> new Thread(task).start()));
        }
        List<Integer> others = new ArrayList<>();
        Random random = new Random(1);
        for (int step = 0; step < 300_000; step++) {
            if (others.size() < 20_000 * (1 + step / 100_000) && random.nextInt(3) > 0) {
                others.add(index.add(Mix.mix(1000 + step), step, 2, 2, 2, 1));
            }
            else if (!others.isEmpty()) {
                index.remove(others.remove(others.size() - 1));
            }
        }
        stopped.set(true);
        readers.forEach(CompletableFuture::join);
    }

    /** A reader that sees the same version before and after has read the fields of one page, not a mixture with the next one's. */
    @Test
    void fieldsReadUnderOneVersionBelongTogether()
    {
        PageIndex index = new PageIndex();
        AtomicBoolean stopped = new AtomicBoolean();
        long[] seen = new long[3];
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            int number = reader;
            readers.add(CompletableFuture.runAsync(() -> {
                while (!stopped.get()) {
                    for (int page = 0; page < 8; page++) {
                        long fingerprint = Mix.mix(page);
                        int version = index.version(fingerprint);
                        int entry = index.find(fingerprint);
                        if (entry == PageIndex.NONE) {
                            continue;
                        }
                        long granules = index.granules(entry);
                        int stamp = index.stamp(entry);
                        int location = index.location(entry);
                        int length = index.lengthBytes(entry);
                        if (index.isUnchanged(fingerprint, version) && granules != 0) {
                            assertThat(location).isEqualTo(stamp);
                            assertThat(length).isEqualTo(1 + page);
                            assertThat(granules).isEqualTo(1L + stamp);
                            seen[number]++;
                        }
                    }
                }
            }, task -> new Thread(task).start()));
        }
        Random random = new Random(2);
        int steps = Boolean.getBoolean("eyrie.stress") ? 50_000_000 : 1_000_000;
        for (int step = 0; step < steps; step++) {
            int page = random.nextInt(8);
            int entry = index.find(Mix.mix(page));
            if (entry == PageIndex.NONE) {
                index.publish(index.add(Mix.mix(page), step, 1, step, 1 + page, 0), 1L + step);
            }
            else {
                index.remove(entry);
            }
        }
        stopped.set(true);
        readers.forEach(CompletableFuture::join);
        assertThat(seen).doesNotContain(0);
    }
}
