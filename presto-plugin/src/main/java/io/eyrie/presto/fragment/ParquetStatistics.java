// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.BigintType;
import com.facebook.presto.common.type.DateType;
import com.facebook.presto.common.type.IntegerType;
import com.facebook.presto.common.type.TimestampType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.FileFormatDataSourceStats;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.parquet.HdfsParquetDataSource;
import com.facebook.presto.hive.parquet.ParquetPageSourceFactory;
import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import com.facebook.presto.parquet.predicate.TupleDomainParquetPredicate;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.eyrie.presto.fragment.FileStatistics.TypedColumn;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.CorruptStatistics;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static java.util.Objects.requireNonNull;

/** Reads statistics of all row groups of Parquet files, from the same footers as the scans. Thread-safe. */
final class ParquetStatistics
        implements FileStatistics.Source
{
    private final HdfsEnvironment hdfs;
    private final FileFormatDataSourceStats reads;
    private final ParquetMetadataSource footers;

    @Inject
    ParquetStatistics(HdfsEnvironment hdfs, FileFormatDataSourceStats reads, ParquetMetadataSource footers)
    {
        this.hdfs = requireNonNull(hdfs, "hdfs is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.footers = requireNonNull(footers, "footers is null");
    }

    @Override
    public List<Optional<Domain>> read(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout, List<TypedColumn> columns,
            HiveFileContext file)
            throws IOException
    {
        Path path = new Path(split.getFileSplit().getPath());
        Configuration configuration = hdfs.getConfiguration(SplitVersions.context(session, split, layout), path);
        if (ParquetPageSourceFactory.createDecryptor(configuration, path).isPresent()) {
            return Collections.nCopies(columns.size(), Optional.empty());
        }
        try (FSDataInputStream in = open(hdfs.getFileSystem(session.getUser(), path, configuration), path, file);
                ParquetDataSource source = HdfsParquetDataSource.buildHdfsParquetDataSource(in, path, reads)) {
            ParquetMetadata footer = footers.getParquetMetadata(
                    source,
                    split.getFileSplit().getFileSize(),
                    file.isCacheable(),
                    file.getModificationTime(),
                    Optional.empty(),
                    HiveCommonSessionProperties.getReadNullMaskedParquetEncryptedValue(session)).getParquetMetadata();
            MessageType schema = footer.getFileMetaData().getSchema();
            if (hasTwins(schema)) {
                return Collections.nCopies(columns.size(), Optional.empty());
            }
            SchemaTableName table = new SchemaTableName(split.getDatabase(), split.getTable());
            boolean byName = HiveCommonSessionProperties.isUseParquetColumnNames(session);
            List<Optional<Domain>> domains = new ArrayList<>();
            for (TypedColumn column : columns) {
                Optional<PrimitiveType> field = ParquetPageSourceFactory.getParquetType(column.type(), schema, byName, column.handle(), table, path)
                        .filter(org.apache.parquet.schema.Type::isPrimitive)
                        .map(org.apache.parquet.schema.Type::asPrimitiveType)
                        .filter(written -> isWrittenAs(written, column.type()));
                domains.add(field.isEmpty() ? Optional.empty() : domain(footer, source.getId(), field.get(), column.type()));
            }
            return domains;
        }
    }

    private static FSDataInputStream open(ExtendedFileSystem store, Path path, HiveFileContext file)
            throws IOException
    {
        try {
            return store.openFile(path, file);
        }
        catch (IOException | RuntimeException e) {
            throw e;
        }
        catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** Returns all values that a column may contain. */
    static Optional<Domain> domain(ParquetMetadata footer, ParquetDataSourceId file, PrimitiveType field, Type type)
    {
        String[] name = {field.getName()};
        ColumnDescriptor descriptor = footer.getFileMetaData().getSchema().getColumnDescription(name);
        Domain domain = Domain.none(type);
        for (BlockMetaData rows : footer.getBlocks()) {
            Optional<ColumnChunkMetaData> chunk = rows.getColumns().stream().filter(column -> Arrays.equals(column.getPath().toArray(), name))
                    .findFirst();
            if (chunk.isEmpty()) {
                return Optional.empty();
            }
            Statistics<?> statistics = chunk.get().getStatistics();
            if (type instanceof TimestampType) {
                domain = domain.union(timestamps(statistics, rows.getRowCount(), field));
                continue;
            }
            Domain found = TupleDomainParquetPredicate.getDomain(descriptor, type, rows.getRowCount(), statistics, file, Optional.empty());
            domain = domain.union(type instanceof VarcharType ? texts(found, footer.getFileMetaData().getCreatedBy()) : found);
        }
        return Optional.of(domain);
    }

    /*
     * Presto's footers have only the deprecated minimum and maximum of texts. The order is the writer's: parquet-mr before 1.10 compares bytes as signed
     * numbers, others as unsigned ones. Before 1.8, parquet-mr may store the bytes of the last text in place of both (PARQUET-251).
     */
    private static Domain texts(Domain found, @Nullable String writer)
    {
        ValueSet values = found.getValues();
        if (values.isNone() || values.isAll()) {
            return found;
        }
        if (CorruptStatistics.shouldIgnoreStatistics(writer, PrimitiveTypeName.BINARY)) {
            return Domain.create(ValueSet.all(found.getType()), found.isNullAllowed());
        }
        Range range = values.getRanges().getSpan();
        return Domain.create(
                ValueSet.ofRanges(TextBounds.ofUnknownOrder(found.getType(), (Slice) range.getLowBoundedValue(), (Slice) range
                        .getHighBoundedValue())),
                found.isNullAllowed());
    }

    /* Whether names of columns, on any level, differ only by case. Presto's reader refuses such files, so they are left to it. */
    private static boolean hasTwins(MessageType schema)
    {
        Set<String> names = new HashSet<>();
        return schema.getPaths().stream().anyMatch(path -> !names.add(String.join("\0", path).toLowerCase(Locale.ENGLISH)));
    }

    /* Presto's predicates ignore timestamps. Its readers round microseconds to milliseconds, so one more millisecond at both ends covers any rounding. */
    private static Domain timestamps(@Nullable Statistics<?> statistics, long rows, PrimitiveType written)
    {
        if (!(statistics instanceof LongStatistics times) || times.isEmpty() || !times.isNumNullsSet()) {
            return Domain.all(TIMESTAMP);
        }
        if (times.getNumNulls() == rows) {
            return Domain.onlyNull(TIMESTAMP);
        }
        if (!times.hasNonNullValue()) {
            return Domain.all(TIMESTAMP);
        }
        long least = times.getMin();
        long most = times.getMax();
        if (unit(written).equals(Optional.of(LogicalTypeAnnotation.TimeUnit.MICROS))) {
            least = TimeUnit.MICROSECONDS.toMillis(least) - 1;
            most = TimeUnit.MICROSECONDS.toMillis(most) + 1;
        }
        return Domain.create(ValueSet.ofRanges(Range.range(TIMESTAMP, least, true, most, true)), times.getNumNulls() > 0);
    }

    /* Values of another type are cast or truncated when they are read; statistics are not. */
    private static boolean isWrittenAs(PrimitiveType written, Type type)
    {
        Optional<LogicalTypeAnnotation> meaning = Optional.ofNullable(written.getLogicalTypeAnnotation());
        if (type instanceof VarcharType varchar) {
            return varchar.isUnbounded() && written.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                    && meaning.equals(Optional.of(LogicalTypeAnnotation.stringType()));
        }
        if (type instanceof DateType) {
            return written.getPrimitiveTypeName() == PrimitiveTypeName.INT32 && meaning.equals(Optional.of(LogicalTypeAnnotation.dateType()));
        }
        if (type instanceof TimestampType) {
            return written.getPrimitiveTypeName() == PrimitiveTypeName.INT64 && unit(written).filter(
                    unit -> unit != LogicalTypeAnnotation.TimeUnit.NANOS).isPresent();
        }
        if (type instanceof BigintType) {
            return isInteger(written, PrimitiveTypeName.INT64, 64);
        }
        return type instanceof IntegerType && isInteger(written, PrimitiveTypeName.INT32, 32);
    }

    private static boolean isInteger(PrimitiveType written, PrimitiveTypeName name, int bits)
    {
        LogicalTypeAnnotation meaning = written.getLogicalTypeAnnotation();
        return written.getPrimitiveTypeName() == name && (meaning == null || meaning.equals(LogicalTypeAnnotation.intType(bits, true)));
    }

    /* Presto's readers do not distinguish whether a timestamp is adjusted to UTC. */
    private static Optional<LogicalTypeAnnotation.TimeUnit> unit(PrimitiveType written)
    {
        return written.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation times ? Optional.of(times.getUnit()) : Optional.empty();
    }
}
