// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.FixedSplitSource;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import io.eyrie.presto.fragment.DimensionListing.TableFiles;
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tables are listed up to the bounds of a dimension, and no longer than planning may take. */
class DimensionListingTest
{
    private static final ConnectorTableLayoutHandle LAYOUT = new ConnectorTableLayoutHandle() {};
    private static final TableHandle TABLE = new TableHandle(
            new ConnectorId("eyrie"), new HiveTableHandle("web", "pages"), new HiveTransactionHandle(), Optional.of(LAYOUT));

    private final ConnectorSession session = (ConnectorSession) Proxy.newProxyInstance(
            DimensionListingTest.class.getClassLoader(), new Class<?>[] {ConnectorSession.class}, (proxy, method, arguments) -> {
                throw new AssertionError("passed on only");
            });
    private final AtomicInteger closed = new AtomicInteger();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final DimensionListing listing = new DimensionListing(new Splits(3), (transaction, any, layout) -> {}, () -> 0, (any, file,
            layout) -> false);
    private final DimensionListing hanging = after(() -> await(answers));

    /* The metastore answers after this task. */
    private DimensionListing after(Runnable task)
    {
        return new DimensionListing(new Splits(3) {
            @Override
            public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession any, ConnectorTableLayoutHandle layout,
                    SplitSchedulingContext context)
            {
                task.run();
                return super.getSplits(transaction, any, layout, context);
            }
        }, (transaction, any, layout) -> {}, () -> 0, (any, file, layout) -> false);
    }

    private static void await(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns some files of a mebibyte. */
    private class Splits
            implements ConnectorSplitManager
    {
        private final int files;

        Splits(int files)
        {
            this.files = files;
        }

        @Override
        public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession any, ConnectorTableLayoutHandle layout,
                SplitSchedulingContext context)
        {
            return new FixedSplitSource(IntStream.range(0, files).<ConnectorSplit>mapToObj(i -> HiveSplits.soft("part-" + i)).toList()) {
                @Override
                public void close()
                {
                    closed.incrementAndGet();
                }
            };
        }
    }

    private Optional<TableFiles> list(DimensionListing from, long maxBytes, int maxSplits, Duration time)
    {
        try (DimensionListing.TableListings tables = from.begin(List.of(TABLE), session)) {
            return tables.next(maxBytes, maxSplits, in(time));
        }
    }

    private static long in(Duration time)
    {
        return System.nanoTime() + time.toNanos();
    }

    @Test
    void filesWithinTheBounds()
    {
        TableFiles files = list(listing, 1 << 30, 100, Duration.ofMinutes(1)).orElseThrow();
        assertThat(files.splits().orElseThrow()).hasSize(3);
        assertThat(files.bytes()).isEqualTo(3 * HiveSplits.LENGTH);
        assertThat(closed).hasValue(1);
    }

    @Test
    void filesBeyondABound()
    {
        assertThat(list(listing, 3 * HiveSplits.LENGTH - 1, 100, Duration.ofMinutes(1)).orElseThrow().splits()).isEmpty();
        assertThat(list(listing, 1 << 30, 2, Duration.ofMinutes(1)).orElseThrow().splits()).isEmpty();
    }

    @Test
    @Timeout(60)
    void tablesAreListedAtTheSameTime()
    {
        CountDownLatch asked = new CountDownLatch(3);
        DimensionListing together = after(() -> {
            asked.countDown();
            await(asked);
        });
        try (DimensionListing.TableListings tables = together.begin(List.of(TABLE, TABLE, TABLE), session)) {
            for (int i = 0; i < 3; i++) {
                assertThat(tables.next(1 << 30, 100, in(Duration.ofMinutes(1))).orElseThrow().splits().orElseThrow()).hasSize(3);
            }
        }
    }

    @Test
    @Timeout(60)
    void tablesForWhichNoThreadIsFreeAreListedInTheirTurn()
    {
        List<TableHandle> tables = Collections.nCopies(40, TABLE);
        try (DimensionListing.TableListings some = hanging.begin(tables, session)) {
            answers.countDown();
            tables.forEach(table -> assertThat(some.next(1 << 30, 100, in(Duration.ofMinutes(1))).orElseThrow().splits().orElseThrow()).hasSize(3));
        }
    }

    @Test
    @Timeout(60)
    void tablesThatAreNotReadAreClosed()
    {
        try (DimensionListing.TableListings tables = hanging.begin(List.of(TABLE, TABLE), session)) {
            assertThat(tables.next(1 << 30, 100, in(Duration.ofMillis(1)))).isEmpty();
        }
        assertThat(closed).hasValue(0);
        answers.countDown();
        while (closed.get() < 2) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(60)
    void aMetastoreThatHangsEndsWithTheTimeToList()
    {
        assertThat(list(hanging, 1 << 30, 100, Duration.ofMillis(50))).isEmpty();
        assertThat(closed).hasValue(0);
        answers.countDown();
        while (closed.get() == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(60)
    void aMetastoreThatHangsOccupiesABoundedNumberOfThreads()
    {
        for (int i = 0; i < 16; i++) {
            assertThat(list(hanging, 1 << 30, 100, Duration.ofMillis(1))).isEmpty();
        }
        // does not wait for the deadline
        assertThat(list(hanging, 1 << 30, 100, Duration.ofHours(1))).isEmpty();
        answers.countDown();
    }
}
