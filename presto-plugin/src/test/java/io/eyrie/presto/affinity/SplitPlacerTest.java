// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.NodePoolType;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import io.airlift.units.DataSize;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.SplitPlace;
import org.junit.jupiter.api.Test;

import javax.management.MBeanServerFactory;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private Optional<SplitPlace> place(NodeSelectionStrategy strategy, SplitSchedulingStrategy scheduling, boolean usesHosts)
    {
        ConnectorSplit split = placer.placed(oneSplit(), session(strategy), new SplitSchedulingContext(scheduling, usesHosts, WarningCollector.NOOP))
                .getNextBatch(NOT_PARTITIONED, 10)
                .join()
                .getSplits()
                .get(0);
        return ((EyrieSplit) split).getPlace();
    }

    private static TestingSplitSource oneSplit()
    {
        TestingSplitSource source = new TestingSplitSource();
        source.offer(List.of(HiveSplits.soft("s3://lake/table/a")), true);
        return source;
    }

    private static ConnectorSession session(NodeSelectionStrategy strategy)
    {
        RuntimeStats stats = new RuntimeStats();
        return (ConnectorSession) Proxy.newProxyInstance(ConnectorSession.class.getClassLoader(), new Class<?>[] {ConnectorSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getRuntimeStats" -> stats;
                    case "getProperty" -> DataSize.class.equals(arguments[1]) ? DataSize.valueOf("256MB") : strategy;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
