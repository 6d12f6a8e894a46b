// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.HiveNodePartitioningProvider;
import com.facebook.presto.hive.HivePartitioningHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.connector.ConnectorBucketNodeMap;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.hive.HivePartitioningHandle.createHiveCompatiblePartitioningHandle;
import static com.facebook.presto.hive.HivePartitioningHandle.createPrestoNativePartitioningHandle;
import static com.facebook.presto.hive.HiveType.HIVE_INT;
import static com.facebook.presto.hive.HiveType.HIVE_LONG;
import static com.facebook.presto.hive.HiveType.HIVE_STRING;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.HARD_AFFINITY;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.NO_PREFERENCE;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BucketPlacerTest
{
    private final BucketPlacer placer = new BucketPlacer(new HiveNodePartitioningProvider());

    @Test
    void tablesOfEightBucketsShareTheFirstEightWorkers()
    {
        Set<Node> used = new HashSet<>();
        for (int columns = 1; columns <= 20; columns++) {
            used.addAll(map(hive(8, Collections.nCopies(columns, HIVE_LONG)), nodes(40)));
        }
        assertThat(used).hasSizeGreaterThan(30);
    }

    @Test
    void tablesThatAreJoinedByBucketAreOnOtherWorkers()
    {
        List<Node> nodes = nodes(40);
        List<Type> types = List.of(BIGINT, VARCHAR);
        for (int buckets : List.of(1, 8, 100)) {
            assertThat(map(createHiveCompatiblePartitioningHandle(buckets, List.of(HIVE_INT, HIVE_STRING), OptionalInt.of(4)), nodes))
                    .isEqualTo(map(hive(buckets, List.of(HIVE_INT, HIVE_STRING)), nodes)).hasSize(buckets);
            assertThat(map(createPrestoNativePartitioningHandle(buckets, types, OptionalInt.of(4)), nodes))
                    .isEqualTo(map(createPrestoNativePartitioningHandle(buckets, types, OptionalInt.empty()), nodes)).hasSize(buckets);
        }
    }

    /* The engine lists a worker twice if it replaces a dead one. */
    @Test
    void workerThatReplacesADeadOneGetsTheBucketsOfTwo()
    {
        List<Node> nodes = nodes(5);
        List<Node> twice = new ArrayList<>(nodes);
        twice.add(3, nodes.get(3));
        HivePartitioningHandle handle = hive(10, List.of(HIVE_LONG));
        assertThat(map(handle, twice)).isEqualTo(map(handle, nodes));
    }

    @Test
    void otherStrategiesHaveAnotherMapThanInPresto()
    {
        HivePartitioningHandle handle = hive(3, List.of(HIVE_LONG));
        List<Node> nodes = nodes(5);
        assertThat(map(handle, nodes, HARD_AFFINITY).getFixedMapping()).isEqualTo(nodes.subList(0, 3));
        assertThat(map(handle, nodes, NO_PREFERENCE).getNodeSelectionStrategy()).isEqualTo(NO_PREFERENCE);
        assertThat(map(handle, nodes, NO_PREFERENCE).getBucketCount()).isEqualTo(3);
        assertThat(map(handle, nodes, SOFT_AFFINITY).getNodeSelectionStrategy()).isEqualTo(SOFT_AFFINITY);
    }

    /* Presto's own provider never returns. */
    @Test
    void clusterWithoutWorkersHangs()
    {
        assertThatThrownBy(() -> map(hive(3, List.of(HIVE_LONG)), List.of())).isInstanceOf(PrestoException.class).hasMessageContaining("No nodes");
    }

    private static HivePartitioningHandle hive(int buckets, List<HiveType> types)
    {
        return createHiveCompatiblePartitioningHandle(buckets, types, OptionalInt.empty());
    }

    private static List<Node> nodes(int count)
    {
        return List.copyOf(new TestingNodes("coordinator", IntStream.range(0, count).mapToObj(i -> "worker-" + (100 + i)).toList()).getWorkerNodes());
    }

    private List<Node> map(HivePartitioningHandle handle, List<Node> nodes)
    {
        return map(handle, nodes, SOFT_AFFINITY).getFixedMapping();
    }

    private ConnectorBucketNodeMap map(HivePartitioningHandle handle, List<Node> nodes, NodeSelectionStrategy strategy)
    {
        ConnectorSession session = Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> strategy);
        return placer.getBucketNodeMap(new HiveTransactionHandle(), session, handle, nodes);
    }
}
