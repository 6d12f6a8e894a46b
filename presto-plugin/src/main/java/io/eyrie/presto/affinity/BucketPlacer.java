// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.HivePartitioningHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.BucketFunction;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.connector.ConnectorBucketNodeMap;
import com.facebook.presto.spi.connector.ConnectorNodePartitioningProvider;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import com.facebook.presto.spi.connector.ConnectorPartitioningHandle;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import io.eyrie.affinity.placement.BucketPlacement;
import io.eyrie.cache.rendezvous.Hashing;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import static com.facebook.presto.hive.HiveCommonSessionProperties.getNodeSelectionStrategy;
import static com.facebook.presto.spi.StandardErrorCode.NO_NODES_AVAILABLE;
import static com.facebook.presto.spi.connector.ConnectorBucketNodeMap.createBucketNodeMap;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static java.util.Objects.requireNonNull;

/**
 * Assigns the buckets of tables to workers if the node selection strategy is {@code SOFT_AFFINITY}. Presto's provider assigns bucket i to worker i, so the
 * buckets of all tables are on the first workers. Partitionings that the engine takes for equal have the same workers. Thread-safe.
 */
public final class BucketPlacer
        implements ConnectorNodePartitioningProvider
{
    private final ConnectorNodePartitioningProvider hive;

    public BucketPlacer(ConnectorNodePartitioningProvider hive)
    {
        this.hive = requireNonNull(hive, "hive is null");
    }

    /** @param sortedNodes the workers; one that replaces a dead worker is in the list twice */
    @Override
    public ConnectorBucketNodeMap getBucketNodeMap(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            List<Node> sortedNodes)
    {
        if (getNodeSelectionStrategy(session) != SOFT_AFFINITY) {
            return hive.getBucketNodeMap(transaction, session, partitioning, sortedNodes);
        }
        if (sortedNodes.isEmpty()) {
            throw new PrestoException(NO_NODES_AVAILABLE, "No nodes available to run query");
        }
        TreeMap<String, Node> nodes = sortedNodes.stream().collect(
                Collectors.toMap(Node::getNodeIdentifier, Function.identity(), (one, same) -> one, TreeMap::new));
        HivePartitioningHandle buckets = (HivePartitioningHandle) partitioning;
        return createBucketNodeMap(
                BucketPlacement.place(nodes.navigableKeySet(), key(buckets), buckets.getBucketCount()).stream().map(nodes::get).toList(),
                SOFT_AFFINITY);
    }

    /* Of what HivePartitioningHandle.equals compares, so without maxCompatibleBucketCount; the same in every process. */
    private static long key(HivePartitioningHandle buckets)
    {
        return Hashing.hash(List.of(
                buckets.getBucketCount(),
                buckets.getBucketFunctionType().name(),
                buckets.getHiveTypes().stream().flatMap(List::stream).map(HiveType::toString).toList(),
                buckets.getTypes().stream().flatMap(List::stream).map(type -> type.getTypeSignature().toString()).toList()).toString());
    }

    @Override
    public int getBucketCount(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorPartitioningHandle partitioning)
    {
        return hive.getBucketCount(transaction, session, partitioning);
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning)
    {
        return hive.getSplitBucketFunction(transaction, session, partitioning);
    }

    @Override
    public BucketFunction getBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            List<Type> types,
            int bucketCount)
    {
        return hive.getBucketFunction(transaction, session, partitioning, types, bucketCount);
    }

    @Override
    public List<ConnectorPartitionHandle> listPartitionHandles(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning)
    {
        return hive.listPartitionHandles(transaction, session, partitioning);
    }
}
