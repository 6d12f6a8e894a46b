// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.fragment.FileStatistics.TypedColumn;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static java.util.Objects.requireNonNull;

/**
 * What the coordinator needs of the workers' proofs by footers: the identity under which a file's facts are valid, the facts themselves, and whether they
 * exclude the file from a scan. Thread-safe.
 */
public final class FileProofs
{
    // partitions of one scan; their identities are computed once
    private static final int MOST_PARTITIONS = 10_000;

    private final SplitVersions versions;
    private final SplitKeys keys;
    private final SplitPredicate.Factory predicates;
    private final FileStatistics statistics;
    private final CachingPageSourceProvider scans;
    private final TypeManager types;
    private final boolean oneZone;

    @Inject
    FileProofs(SplitVersions versions, SplitKeys keys, SplitPredicate.Factory predicates, FileStatistics statistics, CachingPageSourceProvider scans,
            TypeManager types, CatalogSettings settings)
    {
        this.versions = requireNonNull(versions, "versions is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.predicates = requireNonNull(predicates, "predicates is null");
        this.statistics = requireNonNull(statistics, "statistics is null");
        this.scans = requireNonNull(scans, "scans is null");
        this.types = requireNonNull(types, "types is null");
        this.oneZone = settings.properties().containsKey("hive.time-zone");
    }

    /** The known facts of a file. */
    @FunctionalInterface
    public interface KnownFacts
    {
        /** Returns all values of a column of the table, including null; empty unless they are known for certain. */
        Optional<Domain> column(int index, Type type);
    }

    /**
     * Identifies the facts of a file.
     *
     * @param facts identifies the version of the file, and everything else on which the facts and the opening of the file depend
     * @param place is the same for the next version of the file: its path, and a hash of everything else
     */
    public record FactsKey(BlobKey facts, String place)
    {}

    /* What the splits of one partition have in common. */
    private record PartitionOfScan(Storage storage, List<HivePartitionKey> keys, int columns, Optional<Map<Integer, Integer>> mapping)
    {}

    /** A scan of a table with a predicate that footers may exclude files from. Thread-safe. */
    public final class ExcludingScan
    {
        private final ConnectorSession session;
        private final EyrieLayoutHandle layout;
        private final Leaf leaf;
        private final SplitPredicate predicate;
        private final SplitKey.Builder shared;
        private final Cache<PartitionOfScan, BlobKey> partitions = Caffeine.newBuilder().maximumSize(MOST_PARTITIONS).build();

        private ExcludingScan(ConnectorSession session, EyrieLayoutHandle layout, Leaf leaf, SplitPredicate predicate)
        {
            this.session = session;
            this.layout = layout;
            this.leaf = leaf;
            this.predicate = predicate;
            this.shared = keys.shared(session, layout);
        }

        /**
         * Returns under which key the facts of a split's file are known; empty if they may not be used: the format has no footer that proves facts, the partition
         * has other columns than the table, the version is not certain, or users have individual rights in the store. Does no I/O.
         */
        public Optional<FactsKey> key(HiveSplit split)
        {
            if (!statistics.isReadable(split, layout) || !FileStatistics.hasColumnsOfTable(split) || split.getBucketConversion().isPresent()) {
                return Optional.empty();
            }
            PartitionOfScan partition = new PartitionOfScan(split.getStorage(), split.getPartitionKeys(), split.getPartitionDataColumnCount(), split
                    .getTableToPartitionMapping().getTableToPartitionColumns());
            return versions.ofAllUsers(session, split, layout).map(version -> factsKey(version, partitions.get(partition, any -> keys.partition(
                    shared, split, layout))));
        }

        /** Whether no row of a split's file satisfies the predicate. Does not throw: on a failure, it returns false. */
        public boolean excludes(HiveSplit split, KnownFacts facts)
        {
            return predicate.judge(variable -> {
                HiveColumnHandle column = (HiveColumnHandle) requireNonNull(leaf.columns().get(variable), "no column");
                return isOfTable(split, column) ? facts.column(column.getHiveColumnIndex(), variable.getType()) : Optional.empty();
            }).none();
        }

        private boolean isOfTable(HiveSplit split, HiveColumnHandle column)
        {
            int index = column.getHiveColumnIndex();
            List<Column> columns = layout.getDataColumns();
            return FileStatistics.isAsInTable(split, column) && index < columns.size()
                    && columns.get(index).getName().equals(column.getName())
                    && columns.get(index).getType().equals(column.getHiveType());
        }
    }

    private static FactsKey factsKey(FileVersion version, BlobKey partition)
    {
        return new FactsKey(
                FragmentKey.facts(version, partition),
                version.path() + '\0' + Long.toHexString(partition.hashHigh()) + Long.toHexString(partition.hashLow()));
    }

    /** Returns the scan of a layout, if footers may exclude files from it. */
    public Optional<ExcludingScan> scan(ConnectorSession session, EyrieLayoutHandle layout)
    {
        Optional<Leaf> leaf = layout.tableLeaf();
        if (leaf.isEmpty()) {
            return Optional.empty();
        }
        SplitPredicate predicate = predicates.of(leaf.get().conjuncts(), session);
        return predicate.columns().stream().anyMatch(variable -> isInFile(leaf.get(), variable))
                ? Optional.of(new ExcludingScan(session, layout, leaf.get(), predicate))
                : Optional.empty();
    }

    private static boolean isInFile(Leaf leaf, VariableReferenceExpression variable)
    {
        return leaf.columns().get(variable) instanceof HiveColumnHandle column && column.getColumnType() == ColumnType.REGULAR;
    }

    /**
     * Reads the facts of a split's file, for all columns of the table in their order. First has Presto's reader open the whole file for all columns, so that a file
     * with facts is one that no query would fail to open.
     *
     * @throws RuntimeException if the file cannot be read, or if the reader refuses it
     */
    public List<Optional<Domain>> read(ConnectorTransactionHandle transaction, ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout,
            RuntimeStats stats)
    {
        HiveSplit whole = whole(split);
        List<ColumnHandle> all = new ArrayList<>();
        List<TypedColumn> provable = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < layout.getDataColumns().size(); i++) {
            Column column = layout.getDataColumns().get(i);
            HiveColumnHandle handle = new HiveColumnHandle(
                    column.getName(),
                    column.getType(),
                    column.getType().getTypeSignature(),
                    i,
                    ColumnType.REGULAR,
                    column.getComment(),
                    Optional.empty());
            all.add(handle);
            Type type = types.getType(handle.getTypeSignature());
            if (SplitPredicate.isProvable(type)) {
                provable.add(new TypedColumn(handle, type));
                indexes.add(i);
            }
        }
        int columns = all.size();
        all.addAll(layout.getPartitionColumns());
        try {
            scans.createUnrequested(transaction, session, whole, layout.unconstrained(), all, stats).close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Optional<Domain>> facts = new ArrayList<>(Collections.nCopies(columns, Optional.empty()));
        List<Optional<Domain>> read = statistics.read(session, whole, layout, provable, stats, Optional.of(ReadListener.NOOP));
        for (int i = 0; i < indexes.size(); i++) {
            facts.set(indexes.get(i), read.get(i).map(values -> onWorkers(whole, values)));
        }
        return facts;
    }

    /* A worker reads timestamps of ORC files with its own zone, unless the catalog's file names the zone for all nodes. */
    private Domain onWorkers(HiveSplit split, Domain values)
    {
        return oneZone || !values.getType().equals(TIMESTAMP) || !FileStatistics.isOrc(split) ? values : OrcTimestamps.inAnyZone(values);
    }

    /** Returns the memory for facts of files on this node: only a coordinator has any. */
    public static long factsBytes(MemoryPlan memory, NodeManager nodes)
    {
        return nodes.getCurrentNode().isCoordinator() ? memory.bytes(MemoryLayer.FRAGMENT_PROOFS) / FragmentParts.FACTS_PART : 0;
    }

    /** Counts a split that was dropped because no row of it satisfies the predicate. */
    public static void dropped(RuntimeStats stats)
    {
        FragmentRuntimeStats.dropped(stats);
    }

    private static HiveSplit whole(HiveSplit split)
    {
        HiveFileSplit file = split.getFileSplit();
        return new HiveSplit(
                new HiveFileSplit(
                        file.getPath(),
                        0,
                        file.getFileSize(),
                        file.getFileSize(),
                        file.getFileModifiedTime(),
                        file.getExtraFileInfo(),
                        file.getCustomSplitInfo(),
                        file.getAffinitySchedulingFileSectionIndex()),
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
                split.getRowIdPartitionComponent());
    }
}
