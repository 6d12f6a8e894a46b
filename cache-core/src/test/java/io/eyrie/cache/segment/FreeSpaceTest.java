// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.page.Readers;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the space that must stay free, on a file system that frees the space of deleted files late. */
final class FreeSpaceTest
{
    private static final int PAGES = 1024;
    private static final long SLOT = TestingStore.SLOT;
    private static final long MIN_FREE = 600 * SLOT;
    // the journal grows during the test
    private static final long JOURNAL = 40 * SLOT;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A)
            .capacityBytes(PAGES * SLOT)
            .minFreeSpaceBytes(MIN_FREE)
            .build());

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    private static PageKey key(int page)
    {
        return TestingStore.key(1, page);
    }

    private void fill(int pages)
    {
        for (int page = 0; page < pages; page++) {
            assertThat(testing.write(key(page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    private long pages()
    {
        return testing.store().stats().currentPages();
    }

    private void setUsable(long bytes)
            throws DeviceException
    {
        testing.device().setCapacityBytes(1 << 30);
        testing.device().setCapacityBytes(bytes + (1 << 30) - testing.device().usableBytes(TestingStore.A));
    }

    @Test
    void onlyWhatIsMissingIsGivenUpForSpaceThatIsFreedLate()
            throws DeviceException
    {
        fill(PAGES);
        testing.device().freeLate(true);
        setUsable(MIN_FREE - SLOT);
        for (int i = 0; i < 20; i++) {
            testing.store().tend();
            assertThat(testing.write(key(PAGES + i))).isEqualTo(WriteOutcome.DECLINED);
            testing.clockMillis.addAndGet(1000);
        }
        assertThat(pages()).isGreaterThan(PAGES - PAGES / 16);
        assertThat(testing.store().stats().spaceDeclines()).isPositive();

        testing.device().freeLate(false);
        setUsable(MIN_FREE + JOURNAL);
        testing.store().tend();
        assertThat(testing.write(key(PAGES))).isEqualTo(WriteOutcome.STORED);
        assertThat(pages()).isGreaterThan(PAGES - PAGES / 16);
    }

    @Test
    void spaceThatIsNotFreedAtAllIsMadeUpForAfterAWhile()
            throws DeviceException
    {
        fill(PAGES);
        testing.device().freeLate(true);
        setUsable(MIN_FREE - SLOT);
        testing.store().tend();
        long before = pages();
        testing.clockMillis.addAndGet(Duration.ofMinutes(2).toMillis());
        testing.store().tend();
        assertThat(pages()).isLessThan(before);
        testing.device().freeLate(false);
    }

    @Test
    void spaceThatSomethingElseTakesMeanwhileIsMissing()
            throws DeviceException
    {
        fill(PAGES);
        testing.device().freeLate(true);
        setUsable(MIN_FREE - SLOT);
        testing.store().tend();
        long before = pages();
        setUsable(MIN_FREE - PAGES / 2 * SLOT);
        testing.store().tend();
        assertThat(pages()).isBetween(PAGES / 2 - PAGES / 8L, PAGES / 2 + PAGES / 8L).isLessThan(before);
        testing.device().freeLate(false);
    }

    @Test
    void writesThatAreUnderWayCountAsWritten()
            throws Exception
    {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        testing.point = name -> {
            if (name.equals("write.begun") && begun.getCount() > 0) {
                begun.countDown();
                Readers.awaitUninterrupted(go);
            }
        };
        FutureTask<WriteOutcome> first = new FutureTask<>(() -> testing.write(key(0)));
        new Thread(first).start();
        begun.await();
        // there is room for one page of 4,608 bytes, even though the journal takes another block
        setUsable(MIN_FREE + 9000);
        assertThat(testing.write(key(1))).isEqualTo(WriteOutcome.DECLINED);
        go.countDown();
        WriteOutcome unused = first.get();
    }
}
