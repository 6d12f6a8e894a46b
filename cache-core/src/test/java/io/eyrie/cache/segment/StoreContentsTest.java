// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.DiskStatus.Health;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.StorageClass;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the contents and disk states that a store reports to operators. */
final class StoreContentsTest
{
    private static final Scope CLICKS = new Scope("hive", "web", "clicks", "ds=1");
    private static final PageTags DATA = new PageTags(CLICKS, StorageClass.DATA);
    private static final PageTags RESULT = new PageTags(CLICKS, StorageClass.RESULT);
    private static final PageTags FOOTER = new PageTags(new Scope("hive", "web", "views", ""), StorageClass.FOOTER);

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A, TestingStore.B).build());

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    private void write(int file, PageTags tags, int pages)
    {
        for (int page = 0; page < pages; page++) {
            testing.write(TestingStore.key(file, page), tags);
        }
    }

    private static ScopeUsage held(int pages)
    {
        return new ScopeUsage(pages, (long) pages * TestingStore.SLOT);
    }

    @Test
    void contentsAreToldByScopeAndClassAndSurviveARestart()
    {
        write(1, DATA, 5);
        write(2, RESULT, 3);
        write(3, FOOTER, 2);
        Map<PageTags, ScopeUsage> expected = Map.of(DATA, held(5), RESULT, held(3), FOOTER, held(2));
        assertThat(testing.store().contents()).isEqualTo(expected);
        testing.restart();
        assertThat(testing.store().contents()).isEqualTo(expected);
        testing.store().invalidate(CLICKS);
        assertThat(testing.store().contents()).isEqualTo(Map.of(FOOTER, held(2)));
    }

    @Test
    void dataLeavesBeforeResultsAndResultsBeforeFooters()
    {
        testing.restart(TestingStore.config(TestingStore.A).build());
        write(3, FOOTER, 2);
        write(2, RESULT, 2);
        write(1, DATA, 2);
        testing.store().resize(4L * TestingStore.SLOT);
        testing.store().tend();
        assertThat(testing.store().contents()).doesNotContainKey(DATA);
        testing.store().resize(2L * TestingStore.SLOT);
        testing.store().tend();
        assertThat(testing.store().contents().keySet()).doesNotContain(DATA, RESULT);
    }

    @Test
    void disksTellHowTheyAre()
    {
        write(1, DATA, 8);
        assertThat(testing.store().disks()).extracting(DiskStatus::directory).containsExactly(TestingStore.A, TestingStore.B);
        assertThat(testing.store().disks()).allSatisfy(disk -> {
            assertThat(disk.health()).isEqualTo(Health.SERVING);
            assertThat(disk.usableBytes()).isPositive();
        });
        assertThat(testing.store().disks().stream().mapToLong(DiskStatus::pages).sum()).isEqualTo(8);
        assertThat(testing.store().disks().stream().mapToLong(DiskStatus::currentBytes).sum()).isEqualTo(8L * TestingStore.SLOT);
        assertThat(testing.store().disks().stream().mapToLong(DiskStatus::dayWrittenBytes).sum()).isBetween(8L * TestingStore.PAGE, 8L
                * TestingStore.SLOT);
        testing.store().close();
        assertThat(testing.store().disks()).extracting(DiskStatus::health).containsOnly(Health.CLOSED);
        testing.restart();
    }

    @Test
    void pagesThatMadeRoomAreRememberedAndOthersAreNot()
    {
        write(1, DATA, 100);
        int evicted = 0;
        for (int page = 0; page < 100; page++) {
            boolean there = testing.hits(1, 100) > 0 && testing.read(TestingStore.key(1, page)) == ReadOutcome.HIT;
            boolean remembered = testing.store().pastEviction(TestingStore.key(1, page), 0) != PastEviction.NONE;
            assertThat(there && remembered).as("page %s", page).isFalse();
            evicted += remembered ? 1 : 0;
            assertThat(testing.store().pastEviction(TestingStore.key(2, page), 0)).isEqualTo(PastEviction.NONE);
        }
        assertThat(evicted).isEqualTo((int) testing.store().stats().evictions()).isPositive();
        long held = testing.store().stats().currentPages();
        long lately = IntStream.range(0, 100).filter(page -> testing.store().pastEviction(TestingStore.key(1, page), 0) == PastEviction.LATELY)
                .count();
        assertThat(lately).as("as many as a store of twice the capacity would still have").isEqualTo(Math.min(evicted, held)).isLessThan(100);
        testing.store().invalidate(Scope.NONE);
        assertThat(testing.store().pastEviction(TestingStore.key(1, 99), 0)).as("invalidated, not evicted").isEqualTo(PastEviction.NONE);
    }

    @Test
    void pagesEvictedForAQuotaWouldNotBeInALargerStore()
    {
        testing.restart(TestingStore.config(TestingStore.A).capacityBytes(100L * TestingStore.SLOT).build());
        testing.setQuota(CLICKS, 10L * TestingStore.SLOT);
        write(2, FOOTER, 50);
        write(1, DATA, 20);
        assertThat(testing.hits(2, 50)).isEqualTo(50);
        assertThat(testing.store().stats().evictions()).isEqualTo(10);
        assertThat(IntStream.range(0, 20).mapToObj(page -> testing.store().pastEviction(TestingStore.key(1, page), 0)).filter(
                past -> past != PastEviction.NONE)).containsOnly(PastEviction.EARLIER).hasSize(10);
    }

    /* The timeout of a disk, for which other calls wait, is an hour. */
    @Test
    void countersAndPastEvictionsDoNotWaitForOtherThreads()
    {
        testing.restart(TestingStore.config(TestingStore.A).diskTimeoutMillis(3_600_000).build());
        write(1, DATA, 4);
        requireNonNull(testing.store().directories().get(0).table()).inspect(space -> {
            assertThat(inAnotherThread(() -> testing.store().stats().currentPages())).isEqualTo(4);
            assertThat(inAnotherThread(() -> testing.store().disks().get(0).pages())).isEqualTo(4);
            assertThat(inAnotherThread(() -> testing.store().pastEviction(TestingStore.key(1, 0), 0))).isEqualTo(PastEviction.NONE);
        });
    }

    private static <T> T inAnotherThread(Supplier<T> supplier)
    {
        return CompletableFuture.supplyAsync(supplier).orTimeout(30, TimeUnit.SECONDS).join();
    }
}
