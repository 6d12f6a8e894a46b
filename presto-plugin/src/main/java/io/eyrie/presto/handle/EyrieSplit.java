// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.CacheQuotaRequirement;
import com.facebook.presto.hive.EncryptionInformation;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.TableToPartitionMapping;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.NodeProvider;
import com.facebook.presto.spi.SplitWeight;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A Hive split with the place chosen for it. A split without a place is scheduled and cached as in Presto. A split may carry other splits of the same
 * worker as a pack: the engine treats the pack as one split at the place of the first; all other code treats each piece as a separate split
 * ({@link #pieces}).
 */
public final class EyrieSplit
        extends HiveSplit
{
    private final Optional<SplitPlace> place;
    private final long controlEpoch;
    private final List<EyrieSplit> carried;

    /* The property names match the superclass's getters, so that this constructor reads the JSON that those getters write. */
    @JsonCreator
    @SuppressWarnings("ParameterNumber")
    public EyrieSplit(
            @JsonProperty("fileSplit") HiveFileSplit fileSplit,
            @JsonProperty("database") String database,
            @JsonProperty("table") String table,
            @JsonProperty("partitionName") String partitionName,
            @JsonProperty("storage") Storage storage,
            @JsonProperty("partitionKeys") List<HivePartitionKey> partitionKeys,
            @JsonProperty("addresses") List<HostAddress> addresses,
            @JsonProperty("readBucketNumber") OptionalInt readBucketNumber,
            @JsonProperty("tableBucketNumber") OptionalInt tableBucketNumber,
            @JsonProperty("nodeSelectionStrategy") NodeSelectionStrategy nodeSelectionStrategy,
            @JsonProperty("partitionDataColumnCount") int partitionDataColumnCount,
            @JsonProperty("tableToPartitionMapping") TableToPartitionMapping tableToPartitionMapping,
            @JsonProperty("bucketConversion") Optional<BucketConversion> bucketConversion,
            @JsonProperty("s3SelectPushdownEnabled") boolean s3SelectPushdownEnabled,
            @JsonProperty("cacheQuotaRequirement") CacheQuotaRequirement cacheQuotaRequirement,
            @JsonProperty("encryptionInformation") Optional<EncryptionInformation> encryptionInformation,
            @JsonProperty("redundantColumnDomains") Set<ColumnHandle> redundantColumnDomains,
            @JsonProperty("splitWeight") SplitWeight splitWeight,
            @JsonProperty("rowIdPartitionComponent") Optional<byte[]> rowIdPartitionComponent,
            @JsonProperty("place") Optional<SplitPlace> place,
            @JsonProperty("controlEpoch") long controlEpoch,
            @JsonProperty("carried") List<EyrieSplit> carried)
    {
        super(
                fileSplit,
                database,
                table,
                partitionName,
                storage,
                partitionKeys,
                addresses,
                readBucketNumber,
                tableBucketNumber,
                nodeSelectionStrategy,
                partitionDataColumnCount,
                tableToPartitionMapping,
                bucketConversion,
                s3SelectPushdownEnabled,
                cacheQuotaRequirement,
                encryptionInformation,
                redundantColumnDomains,
                splitWeight,
                rowIdPartitionComponent);
        this.place = requireNonNull(place, "place is null");
        this.controlEpoch = controlEpoch;
        this.carried = List.copyOf(carried);
    }

    /** Returns the split with a place, if it has one, and the latest control epoch that the coordinator knows. */
    public static EyrieSplit of(HiveSplit split, Optional<SplitPlace> place, long controlEpoch)
    {
        return of(split, split.getSplitWeight(), place, controlEpoch, List.of());
    }

    /**
     * Packs splits, none of which carries others, into one split. It weighs at most as much as one split without a weight: the engine bounds the weight that
     * a worker has, and a thread reads a whole pack.
     */
    public static EyrieSplit packed(List<EyrieSplit> splits)
    {
        EyrieSplit first = splits.get(0);
        long sum = SplitWeight.rawValueSum(splits, ConnectorSplit::getSplitWeight);
        SplitWeight weight = SplitWeight.fromRawValue(Math.min(sum, SplitWeight.standard().getRawValue()));
        return of(first, weight, first.place, first.controlEpoch, splits.subList(1, splits.size()));
    }

    private static EyrieSplit of(
            HiveSplit split,
            SplitWeight weight,
            Optional<SplitPlace> place,
            long controlEpoch,
            List<EyrieSplit> carried)
    {
        return new EyrieSplit(
                split.getFileSplit(),
                split.getDatabase(),
                split.getTable(),
                split.getPartitionName(),
                split.getStorage(),
                split.getPartitionKeys(),
                split.getAddresses(),
                split.getReadBucketNumber(),
                split.getTableBucketNumber(),
                split.getNodeSelectionStrategy(),
                split.getPartitionDataColumnCount(),
                split.getTableToPartitionMapping(),
                split.getBucketConversion(),
                split.isS3SelectPushdownEnabled(),
                split.getCacheQuotaRequirement(),
                split.getEncryptionInformation(),
                split.getRedundantColumnDomains(),
                weight,
                split.getRowIdPartitionComponent(),
                place,
                controlEpoch,
                carried);
    }

    @JsonProperty
    public Optional<SplitPlace> getPlace()
    {
        return place;
    }

    /** Returns the latest control epoch that the coordinator knew when it made the split; 0 if operators had issued no command. */
    @JsonProperty
    public long getControlEpoch()
    {
        return controlEpoch;
    }

    @Override
    public List<HostAddress> getPreferredNodes(NodeProvider nodeProvider)
    {
        return place.map(SplitPlace::preferred).orElseGet(() -> super.getPreferredNodes(nodeProvider));
    }

    /** Returns the other splits of this pack. They carry no splits themselves. */
    @JsonProperty
    public List<EyrieSplit> getCarried()
    {
        return carried;
    }

    /** Returns the splits that a split of this connector stands for: only the split itself if it carries none. */
    public static List<HiveSplit> pieces(ConnectorSplit split)
    {
        return split instanceof EyrieSplit affinity && !affinity.carried.isEmpty()
                ? Stream.concat(Stream.of(affinity.alone()), affinity.carried.stream()).toList()
                : List.of((HiveSplit) split);
    }

    private HiveSplit alone()
    {
        return of(this, place, controlEpoch);
    }

    /* The engine's own fragment cache uses this identifier to recognize the same split. */
    @Override
    public Object getSplitIdentifier()
    {
        return carried.isEmpty() ? super.getSplitIdentifier() : pieces(this).stream().map(ConnectorSplit::getSplitIdentifier).toList();
    }

    @Override
    public OptionalLong getSplitSizeInBytes()
    {
        return OptionalLong.of(pieces(this).stream().mapToLong(piece -> piece.getFileSplit().getLength()).sum());
    }
}
