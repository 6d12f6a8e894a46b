// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.DailyBudget;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

final class StoredBudgetTest
{
    private static final PageKey PAGE = new PageKey(1, 2, 3);

    private final AtomicLong clock = new AtomicLong(Duration.ofDays(20_000).toMillis());
    private final TestingPageStore store = new TestingPageStore(4 << 10);

    private record OpenStore(PageWriter writer, DailyBudget budget, StoredBudget stored)
    {
        Admission take(long bytes)
        {
            return stored.admit(PAGE, Scope.NONE, bytes, WriteBudget.UNLIMITED);
        }

        void close()
                throws InterruptedException
        {
            stored.close();
            kill();
        }

        void kill()
                throws InterruptedException
        {
            writer.close(10);
        }
    }

    private OpenStore open()
    {
        PageWriter writer = new PageWriter(store, 1 << 20, 1 << 20);
        BlobCache blobs = new StoreBlobCache(store, writer, 1 << 20, 1 << 16);
        DailyBudget budget = new DailyBudget(256_000, clock::get);
        return new OpenStore(writer, budget, new StoredBudget(budget, blobs, () -> true));
    }

    @Test
    void restartGivesNothingBack()
            throws InterruptedException
    {
        for (int restart = 0; restart < 4; restart++) {
            OpenStore opened = open();
            assertThat(opened.budget.spentBytes()).isEqualTo(restart * 60_000L);
            assertThat(opened.take(60_000)).isEqualTo(Admission.ADMITTED);
            opened.close();
        }
        assertThat(open().take(60_000)).isEqualTo(Admission.OVER_DAILY_BUDGET);
        clock.addAndGet(Duration.ofHours(25).toMillis());
        assertThat(open().take(60_000)).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void diskThatAnswersLateGivesNothingBack()
            throws InterruptedException
    {
        OpenStore earlier = open();
        assertThat(earlier.take(60_000)).isEqualTo(Admission.ADMITTED);
        earlier.close();
        PageWriter writer = new PageWriter(store, 1 << 20, 1 << 20);
        DailyBudget budget = new DailyBudget(256_000, clock::get);
        AtomicBoolean recovered = new AtomicBoolean();
        OpenStore late = new OpenStore(writer, budget, new StoredBudget(
                budget,
                new StoreBlobCache(store, writer, 1 << 20, 1 << 16),
                recovered::get));
        assertThat(late.take(20_000)).isEqualTo(Admission.ADMITTED);
        recovered.set(true);
        eventually("the state is read", () -> budget.spentBytes() == 80_000);
        late.close();
        assertThat(open().budget.spentBytes()).isEqualTo(80_000);
    }

    @Test
    void processThatIsKilledGivesLittleBack()
            throws InterruptedException
    {
        OpenStore opened = open();
        for (int i = 0; i < 100; i++) {
            opened.take(700);
        }
        opened.kill();
        assertThat(open().budget.spentBytes()).isBetween(68_000L, 70_000L);
    }

    @Test
    void refusedWritesLeaveTheStateBeforeThem()
            throws InterruptedException
    {
        PageWriter writer = new PageWriter(store, 1 << 20, 1 << 20);
        BlobCache blobs = new StoreBlobCache(store, writer, 1 << 20, 1 << 16);
        StoredState state = new StoredState("state", blobs);
        state.write(new byte[] {1});
        state.write(new byte[] {2});
        for (int i = 0; i < 5; i++) {
            state.write(new byte[1 << 16]);
        }
        writer.close(10);
        assertThat(new StoredState("state", blobs).read()).hasValue(new byte[] {2});
    }

    @Test
    void blobOfSomethingElseIsIgnored()
            throws InterruptedException
    {
        OpenStore opened = open();
        opened.take(60_000);
        opened.close();
        store.invalidate(Scope.NONE);
        assertThat(open().budget.spentBytes()).isZero();
    }
}
