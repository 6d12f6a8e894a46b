// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.LongArrayBlock;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.fragment.statistics.ValueRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static org.assertj.core.api.Assertions.assertThat;

class RangePageSourceTest
{
    private static final Page ROWS = page(new long[] {1, 2, 3}, new long[] {4, 5, 6});

    private final List<List<ValueRange>> found = new ArrayList<>();
    private final Scan scan = new Scan();
    private int leaves;
    private final RangePageSource source = new RangePageSource(() -> scan, List.of(TIMESTAMP, TIMESTAMP), found::add, () -> {
        leaves++;
        return new FixedPageSource(List.of(ROWS));
    });

    @Test
    void columnsAreReadBeforeTheLeafIsOpened()
            throws IOException
    {
        scan.pages.addAll(List.of(page(new long[] {5, 9}, new long[] {-1, 0}), page(new long[] {-3}, new long[] {7})));
        while (leaves == 0) {
            assertThat(found).isEmpty();
            assertThat(source.isFinished()).isFalse();
            assertThat(source.getNextPage()).isNull();
        }
        assertThat(found).containsExactly(List.of(new ValueRange(false, -3, 9), new ValueRange(false, -1, 7)));
        assertThat(scan.closed).isTrue();
        assertThat(source.getCompletedPositions()).as("rows of the columns' reading").isZero();
        assertThat(source.getNextPage()).isSameAs(ROWS);
        assertThat(source.isFinished()).isTrue();
        assertThat(source.getCompletedBytes()).isEqualTo(ROWS.getSizeInBytes());
        assertThat(source.getReadTimeNanos()).isEqualTo(Scan.READ_NANOS);
        source.close();
    }

    @Test
    void splitWithoutRowsHasEmptyRanges()
    {
        assertThat(source.getNextPage()).isNull();
        assertThat(found).containsExactly(List.of(ValueRange.EMPTY, ValueRange.EMPTY));
    }

    @Test
    void failureKeepsNothingAndTheLeafIsOpened()
    {
        scan.pages.add(page(new long[] {5}, new long[] {6}));
        scan.failing = true;
        assertThat(source.getNextPage()).isNull();
        assertThat(source.getNextPage()).isNull();
        assertThat(found).isEmpty();
        assertThat(scan.closed).isTrue();
        assertThat(source.getNextPage()).isSameAs(ROWS);
        assertThat(leaves).isEqualTo(1);
    }

    @Test
    void splitThatCannotBeOpenedForItsColumnsIsOpenedForItsLeaf()
    {
        RangePageSource unopened = new RangePageSource(() -> {
            throw new IllegalStateException("gone");
        }, List.of(TIMESTAMP), found::add, () -> new FixedPageSource(List.of(ROWS)));
        assertThat(unopened.getNextPage()).isNull();
        assertThat(unopened.getNextPage()).isSameAs(ROWS);
        assertThat(found).isEmpty();
    }

    @Test
    void closedBeforeTheEndKeepsNothing()
            throws IOException
    {
        scan.pages.addAll(List.of(page(new long[] {5}, new long[] {6}), page(new long[] {7}, new long[] {8})));
        assertThat(source.getNextPage()).isNull();
        assertThat(source.getSystemMemoryUsage()).isEqualTo(Scan.MEMORY_BYTES);
        source.close();
        assertThat(scan.closed).isTrue();
        assertThat(source.isFinished()).isTrue();
        assertThat(source.getNextPage()).isNull();
        assertThat(found).isEmpty();
        assertThat(leaves).isZero();
    }

    @Test
    void blockedScanIsWaitedFor()
    {
        scan.pages.add(page(new long[] {5}, new long[] {6}));
        assertThat(source.isBlocked()).isDone();
        assertThat(source.getNextPage()).isNull();
        scan.blocked = new CompletableFuture<>();
        assertThat(source.isBlocked()).isNotDone();
    }

    private static Page page(long[] first, long[] second)
    {
        return new Page(block(first), block(second));
    }

    private static Block block(long[] values)
    {
        return new LongArrayBlock(values.length, Optional.empty(), values);
    }

    private static final class Scan
            implements ConnectorPageSource
    {
        private static final long READ_NANOS = 12;
        private static final long MEMORY_BYTES = 34;

        private final Deque<Page> pages = new ArrayDeque<>();
        private CompletableFuture<?> blocked = NOT_BLOCKED;
        private boolean failing;
        private boolean finished;
        private boolean closed;

        @Override
        public @Nullable Page getNextPage()
        {
            Page page = pages.poll();
            if (page == null) {
                if (failing) {
                    throw new IllegalStateException("cut off");
                }
                finished = true;
            }
            return page;
        }

        @Override
        public boolean isFinished()
        {
            return finished;
        }

        @Override
        public CompletableFuture<?> isBlocked()
        {
            return blocked;
        }

        @Override
        public long getCompletedBytes()
        {
            return 1000;
        }

        @Override
        public long getCompletedPositions()
        {
            return 1000;
        }

        @Override
        public long getReadTimeNanos()
        {
            return READ_NANOS;
        }

        @Override
        public long getSystemMemoryUsage()
        {
            return MEMORY_BYTES;
        }

        @Override
        public void close()
        {
            closed = true;
        }
    }
}
