// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource.ConnectorSplitBatch;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.NodeProvider;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import io.eyrie.affinity.placement.LoadBound;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.affinity.placement.QueryPlacement;
import io.eyrie.affinity.placement.SectionKeys;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.SplitPlace;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.HARD_AFFINITY;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PlacedSplitSourceTest
{
    private static final int NODES = 5;

    private final TestingSplitSource delegate = new TestingSplitSource();
    private final Queue<Runnable> alarms = new ArrayDeque<>();
    private final List<NodeLoad> reported = new ArrayList<>();
    private final RuntimeStats stats = new RuntimeStats();
    private int reports;

    @Test
    void fiveFilesLeaveAWorkerIdle()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> batch = source.getNextBatch(NOT_PARTITIONED, 1000);
        splits(NODES).forEach(split -> delegate.offer(List.of(split), false));
        assertThat(batch).isNotDone();
        delegate.offer(List.of(), true);

        assertThat(batch.join().isNoMoreSplits()).isTrue();
        assertThat(batch.join().getSplits().stream().map(split -> place(split).preferred().get(0)).distinct()).hasSize(NODES);
        assertThat(batch.join().getSplits()).allSatisfy(split -> assertThat(place(split).keepOn()).contains(place(split).preferred().get(0)
                .getHostText()));
    }

    @Test
    void placesDependOnTheOrderOfTheListing()
    {
        List<HiveSplit> splits = splits(600);
        Map<String, List<HostAddress>> places = places(splits);
        List<HiveSplit> shuffled = new ArrayList<>(splits);
        Collections.shuffle(shuffled, new Random(7));

        assertThat(places(shuffled)).isEqualTo(places).hasSize(600);
    }

    private Map<String, List<HostAddress>> places(List<HiveSplit> splits)
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        delegate.offer(splits, true);
        Map<String, List<HostAddress>> places = new TreeMap<>();
        boolean last = false;
        while (!last) {
            ConnectorSplitBatch batch = source.getNextBatch(NOT_PARTITIONED, 100).join();
            assertThat(batch.getSplits()).hasSizeLessThanOrEqualTo(100);
            batch.getSplits().forEach(split -> places.put(path(split), place(split).preferred()));
            last = batch.isNoMoreSplits();
        }
        return places;
    }

    @Test
    void firstSplitWaitsForASlowListing()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> first = source.getNextBatch(NOT_PARTITIONED, 1000);
        assertThat(alarms).as("nothing could run yet").isEmpty();
        delegate.offer(splits(3), false);
        assertThat(alarms).hasSize(1);
        alarms.remove().run();
        assertThat(first.join().getSplits()).hasSize(3);

        CompletableFuture<ConnectorSplitBatch> second = source.getNextBatch(NOT_PARTITIONED, 1000);
        assertThat(second).isNotDone();
        assertThat(source.isFinished()).isFalse();
        delegate.offer(List.of(HiveSplits.soft("s3://lake/late")), true);
        assertThat(second.join().getSplits()).singleElement().satisfies(split -> assertThat(place(split).preferred()).isNotEmpty());
        assertThat(second.join().isNoMoreSplits()).isTrue();
        assertThat(source.isFinished()).isTrue();
        assertThat(alarms).isEmpty();
    }

    @Test
    void gatheringNeverEndsWhileTheListingGoesOn()
    {
        LoadBound bound = new LoadBound(0.1, 4, 2, 16_384);
        PlacedSplitSource source = source(bound, Set.of());
        CompletableFuture<ConnectorSplitBatch> first = source.getNextBatch(NOT_PARTITIONED, 4);
        delegate.offer(splits(2 * NODES), false);
        assertThat(first.join().getSplits()).hasSize(4);
        assertThat(source.getNextBatch(NOT_PARTITIONED, 100).join().getSplits()).hasSize(2 * NODES - 4);
        delegate.offer(List.of(), true);
        assertThat(source.getNextBatch(NOT_PARTITIONED, 100).join().isNoMoreSplits()).isTrue();
    }

    @Test
    void gatheringThatEndsWhileItAsksTheListingAsksItTwice()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        List<CompletableFuture<ConnectorSplitBatch>> batches = new ArrayList<>();
        delegate.offer(splits(1), false);
        delegate.meanwhile = () -> {
            alarms.remove().run();
            batches.add(source.getNextBatch(NOT_PARTITIONED, 10));
            batches.add(source.getNextBatch(NOT_PARTITIONED, 10));
        };
        CompletableFuture<ConnectorSplitBatch> later = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(List.of(HiveSplits.soft("s3://lake/late")), true);
        batches.add(later);
        assertThat(batches).allSatisfy(batch -> assertThat(batch).isCompleted());
        assertThat(batches.stream().flatMap(batch -> batch.join().getSplits().stream())).hasSize(2);
        assertThat(batches).anyMatch(batch -> batch.join().isNoMoreSplits());
    }

    @Test
    void manySmallBatchesOverflowTheStack()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        splits(1_000).forEach(split -> delegate.offer(List.of(split), false));
        delegate.offer(List.of(), true);
        assertThat(source.getNextBatch(NOT_PARTITIONED, 10_000).join().getSplits()).hasSize(1_000);
    }

    @Test
    void failureOfTheListingIsWrappedOrLost()
    {
        RuntimeException failure = new IllegalArgumentException("no such bucket");
        PlacedSplitSource gathering = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> batch = gathering.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(1), false);
        delegate.fail(failure);
        assertThatThrownBy(batch::get).hasRootCause(failure);
        batch.whenComplete((ignored, thrown) -> assertThat(thrown).isSameAs(failure)).exceptionally(ignored -> null).join();

        PlacedSplitSource streaming = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> first = streaming.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(1), false);
        alarms.forEach(Runnable::run);
        assertThat(first.join().getSplits()).hasSize(1);
        CompletableFuture<ConnectorSplitBatch> second = streaming.getNextBatch(NOT_PARTITIONED, 10);
        delegate.fail(failure);
        assertThatThrownBy(second::get).hasRootCause(failure);
    }

    @Test
    void closeWhileGatheringLeavesTheEngineWaiting()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> batch = source.getNextBatch(NOT_PARTITIONED, 10);
        source.close();
        // Hive's source releases waiting callers
        delegate.offer(List.of(), false);
        assertThat(batch).isCompletedExceptionally();
    }

    @Test
    void splitThatCannotBePlacedLeavesTheEngineWaiting()
    {
        List<ConnectorSplit> foreign = Collections.singletonList(new EmptyForeignSplit());
        PlacedSplitSource gathering = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> first = gathering.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(foreign, true);
        assertThatThrownBy(first::get).hasRootCauseInstanceOf(ClassCastException.class);

        PlacedSplitSource streaming = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> placed = streaming.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(1), false);
        alarms.forEach(Runnable::run);
        assertThat(placed).isCompleted();
        CompletableFuture<ConnectorSplitBatch> second = streaming.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(foreign, true);
        assertThatThrownBy(second::get).hasRootCauseInstanceOf(ClassCastException.class);
    }

    @Test
    void splitsThatCannotBeCountedLeaveTheEngineWaiting()
    {
        PlacedSplitSource source = new PlacedSplitSource(delegate, placement(nodes(Set.of()), LoadBound.DEFAULT), alarms::add, loads -> {
            throw new IllegalStateException("the MBean could not be registered");
        });
        CompletableFuture<ConnectorSplitBatch> first = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(1), false);
        alarms.forEach(Runnable::run);
        assertThat(first).isCompleted();
        CompletableFuture<ConnectorSplitBatch> last = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(2), true);
        assertThat(last).isCompleted();
        assertThat(last.join().isNoMoreSplits()).isTrue();
    }

    private record EmptyForeignSplit()
            implements ConnectorSplit
    {
        @Override
        public NodeSelectionStrategy getNodeSelectionStrategy()
        {
            return SOFT_AFFINITY;
        }

        @Override
        public List<HostAddress> getPreferredNodes(NodeProvider nodeProvider)
        {
            return List.of();
        }

        @Override
        @Deprecated
        public Object getInfo()
        {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void hardSplitGetsAPlace()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        HiveSplit hard = HiveSplits.split("s3://lake/hard", HARD_AFFINITY, OptionalInt.empty());
        delegate.offer(List.of(HiveSplits.soft("s3://lake/soft"), hard), true);

        List<ConnectorSplit> splits = source.getNextBatch(NOT_PARTITIONED, 10).join().getSplits();
        assertThat(splits).extracting(PlacedSplitSourceTest::path).containsExactly("s3://lake/soft", "s3://lake/hard");
        assertThat(splits).extracting(split -> ((EyrieSplit) split).getPlace().isPresent()).containsExactly(true, false);
    }

    @Test
    void splitsThatGetNoPlaceWaitForOthers()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of());
        CompletableFuture<ConnectorSplitBatch> first = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(List.of(), false);
        assertThat(first).isNotDone();
        delegate.offer(List.of(HiveSplits.split("s3://lake/hard", HARD_AFFINITY, OptionalInt.empty())), false);

        assertThat(first).isCompleted();
        assertThat(alarms).isEmpty();
    }

    @Test
    void whatStandsInForANodeThatIsAwayIsKept()
    {
        PlacedSplitSource source = source(LoadBound.DEFAULT, Set.of("node-0"));
        delegate.offer(splits(200), true);
        List<ConnectorSplit> splits = source.getNextBatch(NOT_PARTITIONED, 1000).join().getSplits();

        assertThat(splits).noneMatch(split -> place(split).preferred().contains(HostAddress.fromParts("node-0", 8080)));
        assertThat(splits.stream().filter(split -> place(split).keepOn().isEmpty()).count()).isEqualTo(stats.getMetric("eyriePlacementStandInSplits")
                .getSum()).isBetween(20L, 60L);
    }

    @Test
    void clusterWithoutWorkersFailsThePlacement()
    {
        PlacedSplitSource source = new PlacedSplitSource(
                delegate,
                placement(new NodeView(List.of(), Set.of()), LoadBound.DEFAULT),
                alarms::add,
                this::report);
        CompletableFuture<ConnectorSplitBatch> batch = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(2), true);
        assertThat(batch.join().getSplits()).extracting(split -> ((EyrieSplit) split).getPlace()).containsOnly(Optional.empty());
    }

    @Test
    void scanIsCountedTwiceOrNotAtAll()
    {
        PlacedSplitSource ended = source(LoadBound.DEFAULT, Set.of());
        delegate.offer(splits(50), true);
        ended.getNextBatch(NOT_PARTITIONED, 1000).join();
        assertThat(reports).isEqualTo(1);
        ended.close();
        assertThat(reports).isEqualTo(1);
        assertThat(reported.stream().mapToLong(NodeLoad::splits).sum()).isEqualTo(50);
        assertThat(stats.getMetric("eyriePlacementOwnSplits").getSum() + overflows()).isEqualTo(50);

        PlacedSplitSource cancelled = source(LoadBound.DEFAULT, Set.of());
        cancelled.close();
        assertThat(reports).isEqualTo(2);
    }

    @Test
    void mappedSourceHidesItsDelegate()
    {
        MappedSplitSource source = new MappedSplitSource(delegate, batch -> ScanPlacement.unplaced(batch, 0));
        CompletableFuture<ConnectorSplitBatch> batch = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(splits(2), true);
        assertThat(batch.join().getSplits()).hasSize(2).allSatisfy(split -> assertThat(((EyrieSplit) split).getPlace()).isEmpty());
        assertThat(batch.join().isNoMoreSplits()).isTrue();
        assertThat(source.isFinished()).isTrue();
        source.rewind(NOT_PARTITIONED);
        assertThat(delegate.rewinds).isEqualTo(1);

        RuntimeException failure = new IllegalArgumentException("no such bucket");
        CompletableFuture<ConnectorSplitBatch> failed = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.fail(failure);
        assertThatThrownBy(failed::get).hasRootCause(failure);
        CompletableFuture<ConnectorSplitBatch> foreign = source.getNextBatch(NOT_PARTITIONED, 10);
        delegate.offer(Collections.singletonList(new EmptyForeignSplit()), false);
        assertThatThrownBy(foreign::get).as("leaves the engine waiting").hasRootCauseInstanceOf(ClassCastException.class);
        source.close();
        assertThatThrownBy(() -> source.getNextBatch(NOT_PARTITIONED, 1)).hasMessage("closed");
    }

    private long overflows()
    {
        return stats.getMetrics().containsKey("eyriePlacementOverflowSplits") ? stats.getMetric("eyriePlacementOverflowSplits").getSum() : 0;
    }

    private void report(Collection<NodeLoad> loads)
    {
        reports++;
        reported.addAll(loads);
    }

    private PlacedSplitSource source(LoadBound bound, Set<String> away)
    {
        return new PlacedSplitSource(delegate, placement(nodes(away), bound), alarms::add, this::report);
    }

    private static NodeView nodes(Set<String> away)
    {
        return new NodeView(
                IntStream.range(0, NODES).mapToObj(i -> new Node("node-" + i, "node-" + i + ":8080", Node.UNKNOWN_WEIGHT)).toList(),
                away);
    }

    private ScanPlacement placement(NodeView view, LoadBound bound)
    {
        return new ScanPlacement(new QueryPlacement(view, bound), new SectionKeys(SectionKeys.DEFAULT_SECTION_SIZE_BYTES), stats, () -> 0);
    }

    private static List<HiveSplit> splits(int count)
    {
        return IntStream.range(0, count).mapToObj(i -> HiveSplits.soft("s3://lake/table/part-" + i)).toList();
    }

    private static SplitPlace place(ConnectorSplit split)
    {
        return ((EyrieSplit) split).getPlace().orElseThrow();
    }

    private static String path(ConnectorSplit split)
    {
        return ((HiveSplit) split).getFileSplit().getPath();
    }
}
