// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.TableToPartitionMapping;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SplitContext;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Derives from the footers of ORC and Parquet files all values that a column may contain, including null, and caches them by file version. Returns
 * only facts that the footer proves. Thread-safe.
 */
final class FileStatistics
{
    private static final LimitedLog log = new LimitedLog(FileStatistics.class, Level.WARNING);
    /** Estimated size of an entry, without the path. */
    private static final int ENTRY_BYTES = 1536;

    private final CachingPageSourceProvider scans;
    private final OrcStatistics orc;
    private final ParquetStatistics parquet;
    private final Cache<Place, Optional<Domain>> domains;

    @Inject
    FileStatistics(CachingPageSourceProvider scans, OrcStatistics orc, ParquetStatistics parquet, MemoryPlan memory, NodeManager nodes)
    {
        long proofs = memory.bytes(MemoryLayer.FRAGMENT_PROOFS);
        domains = Caffeine.newBuilder()
                .maximumWeight(proofs - proofs / FragmentParts.RANGES_PART - proofs / FragmentParts.CHECKED_PART - FileProofs.factsBytes(memory,
                        nodes))
                .<Place, Optional<Domain>>weigher((place, domain) -> ENTRY_BYTES + place.file().path().length() + domain.map(
                        FileStatistics::textBytes).orElse(0))
                .build();
        this.scans = requireNonNull(scans, "scans is null");
        this.orc = requireNonNull(orc, "orc is null");
        this.parquet = requireNonNull(parquet, "parquet is null");
    }

    /* Writers other than Presto's do not truncate the least and the largest text of a column. */
    static int textBytes(Domain domain)
    {
        long bytes = domain.getValues().getValuesProcessor().<Long>transform(
                ranges -> ranges.getOrderedRanges().stream().flatMap(range -> Stream.of(range.getLowValue(), range.getHighValue())).mapToLong(
                        bound -> bound.orElse(null) instanceof Slice text ? text.length() : 0).sum(),
                discrete -> 0L,
                any -> 0L);
        return (int) Math.min(Integer.MAX_VALUE / 2, bytes);
    }

    private record Place(FileVersion file, HiveColumnHandle column, boolean byName)
    {}

    /** A request for the statistics of a column in a split's file. */
    record StatisticsRequest(HiveSplit split, EyrieLayoutHandle layout, HiveColumnHandle column, Type type)
    {}

    /** A column of a table, and its type. */
    record TypedColumn(HiveColumnHandle handle, Type type)
    {}

    /** Reads footers of one format. */
    interface Source
    {
        /** Returns all values that each column may contain, in order; empty for columns whose values are not known. */
        List<Optional<Domain>> read(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout, List<TypedColumn> columns,
                HiveFileContext file)
                throws IOException;
    }

    /** Returns all values that a column of the split's file may contain; empty if they are not known. */
    Optional<Domain> of(ConnectorSession session, FileVersion version, StatisticsRequest asked, RuntimeStats stats)
    {
        if (!isReadable(asked.split(), asked.layout()) || !isAsInTable(asked.split(), asked.column()) || !SplitPredicate.isProvable(asked.type())) {
            return Optional.empty();
        }
        Place place = new Place(version, asked.column(), HiveCommonSessionProperties.isUseParquetColumnNames(session));
        Optional<Domain> kept = domains.getIfPresent(place);
        if (kept != null) {
            return kept;
        }
        try {
            List<TypedColumn> column = List.of(new TypedColumn(asked.column(), asked.type()));
            Optional<Domain> read = read(session, asked.split(), asked.layout(), column, stats, Optional.empty()).get(0);
            domains.put(place, read);
            return read;
        }
        catch (RuntimeException e) {
            // the scan reads the same footer, and fails as it does without statistics
            log.log("Cannot read the statistics of " + version.path() + ". The file is read without them", e);
            return Optional.empty();
        }
    }

    /** Whether the footer of a split's file proves facts about its columns. */
    boolean isReadable(HiveSplit split, EyrieLayoutHandle layout)
    {
        return source(split).isPresent() && !layout.isFooterStatsUnreliable();
    }

    /**
     * Reads the footer of a split's file, and returns all values that each column may contain, in order; empty for columns whose values are not known.
     *
     * @param columns columns that are {@linkplain #isAsInTable as in the table}, of {@linkplain SplitPredicate#isProvable provable} types
     * @param unrequested notified of the reads, if no query requested them
     */
    List<Optional<Domain>> read(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout, List<TypedColumn> columns, RuntimeStats stats,
            Optional<ReadListener> unrequested)
    {
        Source source = source(split).orElseThrow();
        return scans.opening(session, split, new SplitContext(true), stats, unrequested, file -> {
            try {
                return source.read(session, split, layout, columns, file);
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Optional<Source> source(HiveSplit split)
    {
        String serde = split.getStorage().getStorageFormat().getSerDe();
        if (serde.equals(HiveStorageFormat.ORC.getSerDe())) {
            return Optional.of(orc);
        }
        return serde.equals(HiveStorageFormat.PARQUET.getSerDe()) ? Optional.of(parquet) : Optional.empty();
    }

    /** Whether a column is read whole and as the table defines it. In other partitions, a column may have another position or be cast. */
    static boolean isAsInTable(HiveSplit split, HiveColumnHandle column)
    {
        return column.getColumnType() == ColumnType.REGULAR && column.getRequiredSubfields().isEmpty() && hasColumnsOfTable(split);
    }

    /** Whether the split's partition has the columns of the table, at the same positions and of the same types. */
    static boolean hasColumnsOfTable(HiveSplit split)
    {
        TableToPartitionMapping mapping = split.getTableToPartitionMapping();
        return mapping.getPartitionSchemaDifference().isEmpty()
                && mapping.getTableToPartitionColumns().stream().flatMap(columns -> columns.entrySet().stream()).allMatch(entry -> entry.getKey()
                        .equals(entry.getValue()));
    }
}
