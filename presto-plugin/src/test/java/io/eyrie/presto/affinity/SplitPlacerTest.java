// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveBucketHandle;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.NodePoolType;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import io.airlift.units.DataSize;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveLayouts;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.handle.LeafHandle;
import io.eyrie.presto.handle.SplitPlace;
import org.junit.jupiter.api.Test;

import javax.management.MBeanServerFactory;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.GROUPED_SCHEDULING;
import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.REWINDABLE_GROUPED_SCHEDULING;
import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.UNGROUPED_SCHEDULING;
import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.HARD_AFFINITY;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.NO_PREFERENCE;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static org.assertj.core.api.Assertions.assertThat;

class SplitPlacerTest
{
    private static final TestingNodes NODES = new TestingNodes("coordinator", List.of("a", "b"));

    private static final HiveTableLayoutHandle BUCKETED = HiveLayouts.ORDERS.builder()
            .setBucketHandle(Optional.of(new HiveBucketHandle(List.of(), 8, 8)))
            .build();

    private SplitPlacer placer = placer(NODES);

    private static SplitPlacer placer(TestingNodes nodes)
    {
        return new SplitPlacer(
                nodes,
                new NodePlacements(new CatalogMBeans(MBeanServerFactory.newMBeanServer(), new CatalogName("hive"), Set.of())),
                new AffinityConfig(),
                () -> 0);
    }

    @Test
    void softSplitNamesOtherAddressesThanTheEngines()
    {
        SplitPlace place = place(SOFT_AFFINITY, UNGROUPED_SCHEDULING, false).orElseThrow();

        assertThat(place.preferred()).hasSize(1).isSubsetOf(HostAddress.fromString("a:8080"), HostAddress.fromString("b:8080"));
        assertThat(place.keepOn()).containsExactly(place.preferred().get(0).getHostText());
    }

    @Test
    void groupedExecutionAndOtherStrategiesGetAPlace()
    {
        assertThat(place(SOFT_AFFINITY, GROUPED_SCHEDULING, false)).isEmpty();
        assertThat(place(SOFT_AFFINITY, REWINDABLE_GROUPED_SCHEDULING, false)).isEmpty();
        assertThat(place(NO_PREFERENCE, UNGROUPED_SCHEDULING, false)).isEmpty();
        assertThat(place(HARD_AFFINITY, UNGROUPED_SCHEDULING, false)).isEmpty();
    }

    /* The engine runs a scan on the workers of one pool; the others would never cache the files that are placed on them. */
    @Test
    void engineChoosesAmongTheWorkersOfAPool()
    {
        for (NodePoolType pool : NodePoolType.values()) {
            placer = placer(new TestingNodes(NODES, "c", pool));
            assertThat(place(SOFT_AFFINITY, UNGROUPED_SCHEDULING, false).isPresent()).as("%s", pool).isEqualTo(pool == NodePoolType.DEFAULT);
        }
    }

    @Test
    void topologyAwareSchedulerIsNotWarnedOf()
    {
        List<String> warnings = new ArrayList<>();
        Logger logger = Logger.getLogger(SplitPlacer.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry)
            {
                if (entry.getLevel().equals(Level.WARNING)) {
                    warnings.add(entry.getMessage());
                }
            }

            @Override
            public void flush()
            {}

            @Override
            public void close()
            {}
        };
        logger.addHandler(handler);
        try {
            place(NO_PREFERENCE, UNGROUPED_SCHEDULING, true);
            place(SOFT_AFFINITY, UNGROUPED_SCHEDULING, false);
            assertThat(warnings).isEmpty();
            place(SOFT_AFFINITY, UNGROUPED_SCHEDULING, true);
            place(SOFT_AFFINITY, UNGROUPED_SCHEDULING, true);
            assertThat(warnings).singleElement().asString().contains("node-scheduler.network-topology=legacy");
        }
        finally {
            logger.removeHandler(handler);
        }
    }

    /* The engine does not see the buckets of joins, and none if bucket execution is disabled. */
    @Test
    void splitsOfBucketsAreSentElsewhereThanToTheWorkersThatCacheThem()
    {
        assertThat(place(BUCKETED, session(SOFT_AFFINITY, true))).as("the engine has a bucket map").isEmpty();
        assertThat(place(BUCKETED, session(SOFT_AFFINITY, false))).as("bucket execution is disabled").isPresent();
        LeafHandle fact = LeafHandle.of(new Leaf(Map.of(), List.of(), List.of(), List.of(), Optional.empty()), List.of());
        JoinHandle join = new JoinHandle(fact, new JoinRows(0, List.of(), List.of()), List.of());
        assertThat(place(EyrieLayoutHandle.joined(BUCKETED, join, Optional.empty()), session(SOFT_AFFINITY, true))).as("joins").isPresent();
    }

    @Test
    void splitsOfBucketsWaitForOthers()
    {
        TestingSplitSource listing = new TestingSplitSource();
        listing.offer(List.of(bucket()), false);
        ConnectorSplitSource source = placer.placed(listing, session(SOFT_AFFINITY, true), BUCKETED, context(UNGROUPED_SCHEDULING, false));
        assertThat(source.getNextBatch(NOT_PARTITIONED, 10)).isCompleted();
    }

    private Optional<SplitPlace> place(NodeSelectionStrategy strategy, SplitSchedulingStrategy scheduling, boolean usesHosts)
    {
        return place(HiveSplits.soft("s3://lake/table/a"), session(strategy, true), HiveLayouts.ORDERS, context(scheduling, usesHosts));
    }

    private Optional<SplitPlace> place(ConnectorTableLayoutHandle layout, ConnectorSession session)
    {
        return place(bucket(), session, layout, context(UNGROUPED_SCHEDULING, false));
    }

    private Optional<SplitPlace> place(HiveSplit split, ConnectorSession session, ConnectorTableLayoutHandle layout, SplitSchedulingContext context)
    {
        TestingSplitSource source = new TestingSplitSource();
        source.offer(List.of(split), true);
        ConnectorSplit placed = placer.placed(source, session, layout, context).getNextBatch(NOT_PARTITIONED, 10).join().getSplits().get(0);
        return ((EyrieSplit) placed).getPlace();
    }

    private static HiveSplit bucket()
    {
        return HiveSplits.split("s3://lake/table/000003_0", SOFT_AFFINITY, OptionalInt.of(3));
    }

    private static SplitSchedulingContext context(SplitSchedulingStrategy scheduling, boolean usesHosts)
    {
        return new SplitSchedulingContext(scheduling, usesHosts, WarningCollector.NOOP);
    }

    private static ConnectorSession session(NodeSelectionStrategy strategy, boolean bucketExecution)
    {
        RuntimeStats stats = new RuntimeStats();
        return (ConnectorSession) Proxy.newProxyInstance(ConnectorSession.class.getClassLoader(), new Class<?>[] {ConnectorSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getRuntimeStats" -> stats;
                    case "getProperty" -> {
                        if (DataSize.class.equals(arguments[1])) {
                            yield DataSize.valueOf("256MB");
                        }
                        yield "bucket_execution_enabled".equals(arguments[0]) ? bucketExecution : strategy;
                    }
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
