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
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final DimensionListing listing = new DimensionListing(new Splits(3), (transaction, any, layout) -> {}, () -> 0);
    private final DimensionListing hanging = new DimensionListing(new Splits(3) {
        @Override
        public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession any, ConnectorTableLayoutHandle layout,
                SplitSchedulingContext context)
        {
            try {
                answers.await();
            }
            catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.getSplits(transaction, any, layout, context);
        }
    }, (transaction, any, layout) -> {}, () -> 0);

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
                    closed.complete(null);
                }
            };
        }
    }

    private static long in(Duration time)
    {
        return System.nanoTime() + time.toNanos();
    }

    @Test
    void filesWithinTheBounds()
    {
        DimensionListing.TableFiles files = listing.list(TABLE, session, 1 << 30, 100, in(Duration.ofMinutes(1))).orElseThrow();
        assertThat(files.splits().orElseThrow()).hasSize(3);
        assertThat(files.bytes()).isEqualTo(3 * HiveSplits.LENGTH);
        assertThat(closed).isCompleted();
    }

    @Test
    void filesBeyondABound()
    {
        assertThat(listing.list(TABLE, session, 3 * HiveSplits.LENGTH - 1, 100, in(Duration.ofMinutes(1))).orElseThrow().splits()).isEmpty();
        assertThat(listing.list(TABLE, session, 1 << 30, 2, in(Duration.ofMinutes(1))).orElseThrow().splits()).isEmpty();
    }

    @Test
    @Timeout(60)
    void aMetastoreThatHangsEndsWithTheTimeToList()
    {
        assertThat(hanging.list(TABLE, session, 1 << 30, 100, in(Duration.ofMillis(50)))).isEmpty();
        assertThat(closed).isNotCompleted();
        answers.countDown();
        closed.join();
    }

    @Test
    @Timeout(60)
    void aMetastoreThatHangsOccupiesABoundedNumberOfThreads()
    {
        for (int i = 0; i < 16; i++) {
            assertThat(hanging.list(TABLE, session, 1 << 30, 100, in(Duration.ofMillis(1)))).isEmpty();
        }
        // does not wait for the deadline
        assertThat(hanging.list(TABLE, session, 1 << 30, 100, in(Duration.ofHours(1)))).isEmpty();
        answers.countDown();
    }
}
