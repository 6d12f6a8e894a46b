// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.SplitPlace;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PackedPageSourceTest
{
    private static final SplitPlace PLACE = new SplitPlace(List.of(HostAddress.fromParts("node-0", 8080)), List.of("node-0"));

    private final List<String> events = new ArrayList<>();
    private final RuntimeStats stats = new RuntimeStats();
    private final Map<String, FakeSource> sources = Map.of("a", new FakeSource("a", 2), "b", new FakeSource("b", 0), "c", new FakeSource("c", 1));

    @Test
    void pieceIsOpenedBeforeTheOneBeforeItIsClosed()
            throws IOException
    {
        ConnectorPageSource source = open("a", "b", "c");
        assertThat(readAll(source)).isEqualTo(3);
        assertThat(source.isFinished()).isTrue();
        source.close();
        assertThat(events).containsExactly("open a", "close a", "open b", "close b", "open c", "close c");
    }

    @Test
    void numbersOfPiecesThatAreClosedAreLost()
            throws IOException
    {
        ConnectorPageSource source = open("a", "b", "c");
        readAll(source);
        assertThat(source.getCompletedBytes()).isEqualTo(300);
        assertThat(source.getCompletedPositions()).isEqualTo(30);
        assertThat(source.getReadTimeNanos()).isEqualTo(3);
        source.close();
        assertThat(source.getCompletedBytes()).isEqualTo(300);
        assertThat(source.getSystemMemoryUsage()).isZero();
        assertThat(source.getRuntimeStats()).isSameAs(stats);
        assertThat(stats.getMetric("pages").getSum()).isEqualTo(3);
        assertThat(stats.getMetric("eyriePackedSplits").getSum()).isEqualTo(3);
    }

    @Test
    void cancelledQueryGoesOnToTheNextPiece()
            throws IOException
    {
        ConnectorPageSource source = open("a", "b", "c");
        assertThat(source.getNextPage()).isNotNull();
        source.close();
        assertThat(source.isFinished()).isTrue();
        assertThat(source.getNextPage()).isNull();
        assertThat(source.isBlocked()).isDone();
        source.close();
        assertThat(events).containsExactly("open a", "close a");
    }

    @Test
    void blockedPieceIsAskedAllTheTime()
    {
        FakeSource blocking = requireNonNull(sources.get("a"));
        blocking.blocked = new CompletableFuture<>();
        ConnectorPageSource source = open("a", "c");
        assertThat(source.isBlocked()).isNotDone();
        assertThat(source.getSystemMemoryUsage()).isEqualTo(7);
        blocking.blocked.complete(null);
        assertThat(source.isBlocked()).isDone();
    }

    @Test
    void pieceThatFailsIsPassedOver()
    {
        FakeSource failing = requireNonNull(sources.get("c"));
        failing.failure = new IllegalStateException("gone");
        ConnectorPageSource source = open("a", "c");
        assertThatThrownBy(() -> readAll(source)).isSameAs(failing.failure);
        assertThat(source.isFinished()).isFalse();
    }

    @Test
    void splitThatCarriesNothingIsWrapped()
    {
        assertThat(open("a")).isSameAs(sources.get("a"));
        assertThat(stats.getMetrics()).isEmpty();
    }

    private ConnectorPageSource open(String... paths)
    {
        List<EyrieSplit> splits = Stream.of(paths).map(path -> EyrieSplit.of(HiveSplits.soft(path), Optional.of(PLACE), 0)).toList();
        ConnectorSplit split = splits.size() == 1 ? splits.get(0) : EyrieSplit.packed(splits);
        return PackedPageSource.of(split, stats, piece -> {
            assertThat(EyrieSplit.pieces(piece)).hasSize(1);
            String path = ((HiveSplit) piece).getFileSplit().getPath();
            events.add("open " + path);
            return requireNonNull(sources.get(path));
        });
    }

    private static int readAll(ConnectorPageSource source)
    {
        int pages = 0;
        while (!source.isFinished()) {
            pages += source.getNextPage() == null ? 0 : 1;
        }
        return pages;
    }

    /** A source of {@code pages} pages of ten rows. */
    private final class FakeSource
            implements ConnectorPageSource
    {
        private final String name;
        private final int pages;
        private final RuntimeStats own = new RuntimeStats();
        private int given;
        private CompletableFuture<?> blocked = NOT_BLOCKED;
        private @Nullable RuntimeException failure;

        private FakeSource(String name, int pages)
        {
            this.name = name;
            this.pages = pages;
        }

        @Override
        public @Nullable Page getNextPage()
        {
            if (failure != null) {
                throw failure;
            }
            given++;
            own.addMetricValue("pages", NONE, 1);
            return new Page(10);
        }

        @Override
        public boolean isFinished()
        {
            return given == pages;
        }

        @Override
        public CompletableFuture<?> isBlocked()
        {
            return blocked;
        }

        @Override
        public long getCompletedBytes()
        {
            return given * 100L;
        }

        @Override
        public long getCompletedPositions()
        {
            return given * 10L;
        }

        @Override
        public long getReadTimeNanos()
        {
            return given;
        }

        @Override
        public long getSystemMemoryUsage()
        {
            return 7;
        }

        @Override
        public RuntimeStats getRuntimeStats()
        {
            return own;
        }

        @Override
        public void close()
        {
            events.add("close " + name);
        }
    }
}
