package io.eyrie.presto.affinity;

import com.facebook.presto.hive.CacheQuotaRequirement;
import com.facebook.presto.hive.EncryptionInformation;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.TableToPartitionMapping;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.NodeProvider;
import com.facebook.presto.spi.SplitWeight;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** A Hive split with the place that was chosen for it; without one it is scheduled and cached as Presto does it. */
public final class AffinityHiveSplit
        extends HiveSplit
{
    private final Optional<SplitPlace> place;
    private final long controlEpoch;

    /* The names are those of the getters, so that what the superclass's getters write is what is read here. */
    @JsonCreator
    @SuppressWarnings("ParameterNumber")
    public AffinityHiveSplit(
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
            @JsonProperty("controlEpoch") long controlEpoch)
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
    }

    static AffinityHiveSplit of(HiveSplit split, Optional<SplitPlace> place, long controlEpoch)
    {
        return new AffinityHiveSplit(
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
                split.getSplitWeight(),
                split.getRowIdPartitionComponent(),
                place,
                controlEpoch);
    }

    @JsonProperty
    public Optional<SplitPlace> getPlace()
    {
        return place;
    }

    /** The latest that operators had told the caches when the split was made; 0 = nothing. */
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
}
