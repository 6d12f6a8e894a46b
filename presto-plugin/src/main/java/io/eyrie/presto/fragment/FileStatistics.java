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
import com.facebook.presto.spi.SplitContext;
import com.google.inject.Inject;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.fragment.FileDomains.FileColumn;
import io.eyrie.presto.handle.EyrieLayoutHandle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Derives from the footers of ORC and Parquet files all values that a column may contain, including null, and caches them by file version. Returns
 * only facts that the footer proves. Thread-safe.
 */
final class FileStatistics
{
    private static final LimitedLog log = new LimitedLog(FileStatistics.class, Level.WARNING);

    private final CachingPageSourceProvider scans;
    private final OrcStatistics orc;
    private final ParquetStatistics parquet;
    private final FileDomains domains;

    @Inject
    FileStatistics(CachingPageSourceProvider scans, OrcStatistics orc, ParquetStatistics parquet, FileDomains domains)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.orc = requireNonNull(orc, "orc is null");
        this.parquet = requireNonNull(parquet, "parquet is null");
        this.domains = requireNonNull(domains, "domains is null");
    }

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
        try {
            List<TypedColumn> column = List.of(new TypedColumn(asked.column(), asked.type()));
            return domains.of(new FileColumn(version, asked.column(), HiveCommonSessionProperties.isUseParquetColumnNames(session)), () -> read(
                    session, asked.split(), asked.layout(), column, stats, Optional.empty()).get(0));
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
        if (isOrc(split) && split.getFileSplit().getFileSize() == 0) {
            // as Hive on Tez leaves them for empty buckets; Presto does not open them
            return columns.stream().map(column -> Optional.of(Domain.none(column.type()))).toList();
        }
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
        if (isOrc(split)) {
            return Optional.of(orc);
        }
        return isOf(HiveStorageFormat.PARQUET, split) ? Optional.of(parquet) : Optional.empty();
    }

    static boolean isOrc(HiveSplit split)
    {
        return isOf(HiveStorageFormat.ORC, split);
    }

    private static boolean isOf(HiveStorageFormat format, HiveSplit split)
    {
        return split.getStorage().getStorageFormat().getSerDe().equals(format.getSerDe());
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
