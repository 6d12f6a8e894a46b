// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests a store whose capacity is halved: half of its pages stay, and more of those that are used. */
final class ResizeTest
{
    private static final int PAGES = 4096;
    private static final long HALF = PAGES / 2 * (long) TestingStore.SLOT;
    private static final Scope PINNED = new Scope("hive", "web", "users", "");

    private static TestingStore full(EvictionKind kind)
    {
        TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A).capacityBytes(2 * HALF).evictionPolicy(kind).build());
        for (int page = 0; page < PAGES; page++) {
            assertThat(testing.write(key(page))).isEqualTo(WriteOutcome.STORED);
        }
        return testing;
    }

    private static PageKey key(int page)
    {
        return TestingStore.key(1, page);
    }

    private static int hits(TestingStore testing, IntPredicate which)
    {
        return (int) IntStream.range(0, PAGES).filter(which).filter(page -> testing.read(key(page)) == ReadOutcome.HIT).count();
    }

    @ParameterizedTest
    @EnumSource(EvictionKind.class)
    void usedAtRandom(EvictionKind kind)
    {
        boolean[] used = new boolean[PAGES];
        Random random = new Random(1);
        IntStream.range(0, PAGES).forEach(page -> used[page] = random.nextInt(4) == 0);
        try (TestingStore testing = full(kind)) {
            hits(testing, page -> used[page]);
            testing.store().resize(HALF);
            testing.check();
            assertThat(testing.store().stats().currentPages()).isBetween(PAGES / 2 - 20L, PAGES / 2L);
            int all = hits(testing, page -> true);
            int ofUsed = hits(testing, page -> used[page]);
            // half of the unused pages, more of the used ones
            assertThat(ofUsed).isGreaterThan(PAGES / 4 * 9 / 16);
            assertThat(all).isBetween(PAGES / 2 - 20, PAGES / 2);
        }
    }

    @ParameterizedTest
    @EnumSource(EvictionKind.class)
    void usedInARow(EvictionKind kind)
    {
        try (TestingStore testing = full(kind)) {
            hits(testing, page -> page >= PAGES / 4 && page < PAGES / 2);
            testing.restart(testing.config().toBuilder().capacityBytes(HALF).build());
            testing.check();
            assertThat(testing.store().stats().currentPages()).isBetween(PAGES / 2 - 20L, PAGES / 2L);
            assertThat(hits(testing, page -> page >= PAGES / 4 && page < PAGES / 2)).isGreaterThan(PAGES / 4 * 3 / 4);
        }
    }

    /* An operator had raised the capacity of the earlier process, and does so again only after the start. */
    @ParameterizedTest
    @EnumSource(EvictionKind.class)
    void capacityThatWaits(EvictionKind kind)
    {
        try (TestingStore testing = full(kind)) {
            PageCacheConfig halved = testing.config().toBuilder().capacityBytes(HALF).limitsWait(true).build();
            testing.restart(halved);
            testing.store().tend();
            assertThat(hits(testing, page -> true)).isEqualTo(PAGES);
            for (int page = 0; page < 64; page++) {
                assertThat(testing.write(TestingStore.key(2, page))).isEqualTo(WriteOutcome.STORED);
            }
            assertThat(testing.store().stats().currentPages()).as("it does not grow").isBetween(PAGES - 20L, (long) PAGES);
            testing.store().resize(2 * HALF);
            testing.store().enforceLimits();
            assertThat(testing.store().stats().currentPages()).isBetween(PAGES - 20L, (long) PAGES);
            requireNonNull(testing.store().directories().get(0).table()).inspect(space -> CompletableFuture.runAsync(testing.store()::enforceLimits)
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join());
            testing.restart(halved);
            testing.store().enforceLimits();
            testing.check();
            assertThat(testing.store().stats().currentPages()).isBetween(PAGES / 2 - 20L, PAGES / 2L);
            testing.restart(halved.toBuilder().capacityBytes(HALF / 2).build());
            testing.store().resize(HALF / 4);
            assertThat(testing.store().stats().currentPages()).as("a smaller one waits, too").isGreaterThan(PAGES / 2 - 20L);
            testing.store().enforceLimits();
            testing.check();
            assertThat(testing.store().stats().currentPages()).isBetween(PAGES / 8 - 20L, PAGES / 8L);
        }
    }

    @ParameterizedTest
    @EnumSource(EvictionKind.class)
    void pinnedPagesAndFootersStay(EvictionKind kind)
    {
        try (TestingStore testing = full(kind)) {
            for (int page = 0; page < 64; page++) {
                assertThat(testing.write(TestingStore.key(2, page), new PageTags(PINNED, StorageClass.DATA))).isEqualTo(WriteOutcome.STORED);
                assertThat(testing.write(TestingStore.key(3, page), new PageTags(Scope.NONE, StorageClass.FOOTER))).isEqualTo(WriteOutcome.STORED);
            }
            testing.store().setPins(Set.of(PINNED));
            testing.store().resize(HALF);
            testing.check();
            assertThat(testing.hits(2, 64)).isEqualTo(64);
            assertThat(testing.hits(3, 64)).isGreaterThan(32);
            testing.store().resize(HALF / 64);
            testing.check();
            assertThat(testing.store().stats().currentPages()).isBetween(20L, 32L);
        }
    }
}
