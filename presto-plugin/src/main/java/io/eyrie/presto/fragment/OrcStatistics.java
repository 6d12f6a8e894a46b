// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.BigintType;
import com.facebook.presto.common.type.BooleanType;
import com.facebook.presto.common.type.DateType;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.IntegerType;
import com.facebook.presto.common.type.SmallintType;
import com.facebook.presto.common.type.TimestampType;
import com.facebook.presto.common.type.TinyintType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.FileFormatDataSourceStats;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveUtil;
import com.facebook.presto.hive.orc.OrcPageSourceFactoryUtils;
import com.facebook.presto.orc.DwrfEncryptionProvider;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcEncoding;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.OrcReaderOptions;
import com.facebook.presto.orc.OrcWriteValidation;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.TupleDomainOrcPredicate;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.metadata.Footer;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcFileTail;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.OrcType.OrcTypeKind;
import com.facebook.presto.orc.metadata.statistics.ColumnStatistics;
import com.facebook.presto.spi.ConnectorSession;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.eyrie.presto.fragment.FileStatistics.TypedColumn;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import org.apache.hadoop.fs.Path;
import org.joda.time.DateTimeZone;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Reads statistics of whole ORC files, from the same footers as the scans. Thread-safe. */
final class OrcStatistics
        implements FileStatistics.Source
{
    private static final Map<Type, OrcTypeKind> KINDS = Map.of(
            BooleanType.BOOLEAN, OrcTypeKind.BOOLEAN,
            TinyintType.TINYINT, OrcTypeKind.BYTE,
            SmallintType.SMALLINT, OrcTypeKind.SHORT,
            IntegerType.INTEGER, OrcTypeKind.INT,
            BigintType.BIGINT, OrcTypeKind.LONG,
            DateType.DATE, OrcTypeKind.DATE,
            TimestampType.TIMESTAMP, OrcTypeKind.TIMESTAMP);

    private final HdfsEnvironment hdfs;
    private final boolean byName;
    private final DateTimeZone zone;
    private final FileFormatDataSourceStats reads;
    private final OrcFileTailSource tails;
    private final StripeMetadataSourceFactory stripes;

    @Inject
    OrcStatistics(
            HdfsEnvironment hdfs,
            HiveClientConfig config,
            FileFormatDataSourceStats reads,
            OrcFileTailSource tails,
            StripeMetadataSourceFactory stripes)
    {
        this.hdfs = requireNonNull(hdfs, "hdfs is null");
        this.byName = config.isUseOrcColumnNames();
        this.zone = config.getDateTimeZone();
        this.reads = requireNonNull(reads, "reads is null");
        this.tails = requireNonNull(tails, "tails is null");
        this.stripes = requireNonNull(stripes, "stripes is null");
    }

    @Override
    public List<Optional<Domain>> read(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout, List<TypedColumn> columns,
            HiveFileContext file)
            throws IOException
    {
        List<HiveColumnHandle> handles = columns.stream().map(TypedColumn::handle).toList();
        Path path = new Path(split.getFileSplit().getPath());
        OrcReaderOptions options = OrcReaderOptions.builder()
                .withMaxMergeDistance(HiveCommonSessionProperties.getOrcMaxMergeDistance(session))
                .withTinyStripeThreshold(HiveCommonSessionProperties.getOrcTinyStripeThreshold(session))
                .withMaxBlockSize(HiveCommonSessionProperties.getOrcMaxReadBlockSize(session))
                .withZstdJniDecompressionEnabled(HiveCommonSessionProperties.isOrcZstdJniDecompressionEnabled(session))
                .build();
        try (OrcDataSource source = OrcPageSourceFactoryUtils.getOrcDataSource(
                session,
                split.getFileSplit(),
                hdfs,
                hdfs.getConfiguration(SplitVersions.context(session, split, layout), path),
                file,
                reads)) {
            Tail tail = new Tail(tails);
            OrcReader reader = OrcPageSourceFactoryUtils.getOrcReader(
                    OrcEncoding.ORC,
                    handles,
                    byName,
                    tail,
                    stripes,
                    file,
                    options,
                    Optional.empty(),
                    DwrfEncryptionProvider.NO_ENCRYPTION,
                    source,
                    path);
            List<HiveColumnHandle> fields = HiveUtil.getPhysicalHiveColumnHandles(handles, byName, reader.getTypes(), path);
            OrcTimestamps timestamps = new OrcTimestamps(reader, tail, zone);
            List<Optional<Domain>> domains = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                domains.add(domain(reader.getFooter(), fields.get(i).getHiveColumnIndex(), columns.get(i).type(), timestamps));
            }
            return domains;
        }
    }

    private static Optional<Domain> domain(Footer footer, int field, Type type, OrcTimestamps timestamps)
            throws IOException
    {
        List<OrcType> types = footer.getTypes();
        OrcType row = types.get(0);
        if (field >= row.getFieldCount() || footer.getFileStats().size() != types.size()) {
            return Optional.empty();
        }
        ColumnStatistics rows = footer.getFileStats().get(0);
        // files without statistics count no values in any column, as if all values were null
        if (!rows.hasNumberOfValues() || rows.getNumberOfValues() != footer.getNumberOfRows()) {
            return Optional.empty();
        }
        int column = row.getFieldTypeIndex(field);
        if (!isWrittenAs(types.get(column), type)) {
            return Optional.empty();
        }
        if (type instanceof TimestampType) {
            return Optional.of(timestamps.domain(column));
        }
        Domain found = TupleDomainOrcPredicate.getDomain(type, footer.getNumberOfRows(), footer.getFileStats().get(column));
        return Optional.of(type instanceof VarcharType ? texts(found) : found);
    }

    /*
     * Writers compare texts by unsigned bytes, as Presto does, but ORC's C++ library only up to a NUL that two texts have in the same place, and then
     * by length. If neither the minimum nor the maximum contains a NUL, each was compared in Presto's order.
     */
    static Domain texts(Domain found)
    {
        ValueSet values = found.getValues();
        if (values.isNone() || values.isAll()) {
            return found;
        }
        Range span = values.getRanges().getSpan();
        return Stream.of(span.getLowValue(), span.getHighValue()).flatMap(Optional::stream).anyMatch(bound -> ((Slice) bound).indexOfByte(0) >= 0)
                ? Domain.create(ValueSet.all(found.getType()), found.isNullAllowed())
                : found;
    }

    /** Remembers the tail that a reader requested. */
    static final class Tail
            implements OrcFileTailSource
    {
        private final OrcFileTailSource source;
        private @Nullable OrcFileTail read;

        private Tail(OrcFileTailSource source)
        {
            this.source = source;
        }

        @Override
        public OrcFileTail getOrcFileTail(
                OrcDataSource file,
                MetadataReader reader,
                Optional<OrcWriteValidation> validation,
                boolean cacheable,
                long modificationTime)
                throws IOException
        {
            read = source.getOrcFileTail(file, reader, validation, cacheable, modificationTime);
            return read;
        }

        OrcFileTail read()
        {
            return requireNonNull(read, "no reader requested the file tail");
        }
    }

    /* Values of another type are cast or truncated when they are read; statistics are not. */
    private static boolean isWrittenAs(OrcType written, Type type)
    {
        if (type instanceof VarcharType varchar) {
            return varchar.isUnbounded()
                    ? written.getOrcTypeKind() == OrcTypeKind.STRING
                    : written.getOrcTypeKind() == OrcTypeKind.VARCHAR && written.getLength().equals(Optional.of(varchar.getLengthSafe()));
        }
        if (type instanceof DecimalType decimal) {
            return written.getOrcTypeKind() == OrcTypeKind.DECIMAL
                    && written.getPrecision().equals(Optional.of(decimal.getPrecision()))
                    && written.getScale().equals(Optional.of(decimal.getScale()));
        }
        return written.getOrcTypeKind() == KINDS.get(type);
    }
}
