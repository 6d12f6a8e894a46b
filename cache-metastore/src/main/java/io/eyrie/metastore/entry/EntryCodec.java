// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.hive.BucketFunctionType;
import com.facebook.presto.hive.HiveBasicStatistics;
import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.BooleanStatistics;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.DateStatistics;
import com.facebook.presto.hive.metastore.DecimalStatistics;
import com.facebook.presto.hive.metastore.DoubleStatistics;
import com.facebook.presto.hive.metastore.HiveColumnStatistics;
import com.facebook.presto.hive.metastore.IntegerStatistics;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.SortingColumn;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.constraints.NotNullConstraint;
import com.facebook.presto.spi.constraints.PrimaryKeyConstraint;
import com.facebook.presto.spi.constraints.TableConstraint;
import com.facebook.presto.spi.constraints.UniqueConstraint;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.metastore.stored.PackedText;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/** Encodes the metastore's objects. Each {@code read} method returns an equal object, or throws any unchecked exception. */
final class EntryCodec
{
    /*
     * Optional values  a byte, 0 if there is none, and the value
     * Lists, maps      their size and their elements, in order
     * Enumerations     by name, so that a release of Presto with more of them reads the same
     */
    private static final int NOT_NULL = 0;
    private static final int PRIMARY_KEY = 1;
    private static final int UNIQUE = 2;

    private EntryCodec()
    {}

    /** Returns the bytes of a value of a kind; empty if the value has parts that cannot be encoded. */
    static Optional<byte[]> encode(EntryKind kind, Object value)
    {
        try {
            ByteArrayDataOutput out = ByteStreams.newDataOutput();
            write(kind, value, out);
            byte[] bytes = out.toByteArray();
            // not stored unless it is read as it was; a release of Presto may have fields that are not encoded
            return read(kind, ByteBuffer.wrap(bytes)).equals(value) ? Optional.of(bytes) : Optional.empty();
        }
        catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("unchecked") // the type of the kind's values
    private static void write(EntryKind kind, Object value, ByteArrayDataOutput out)
    {
        switch (kind) {
            case TABLE -> write(((Optional<Table>) value).orElseThrow(), out);
            case CONSTRAINTS -> constraints((List<TableConstraint<String>>) value, out);
            case TABLE_STATISTICS, PARTITION_STATISTICS -> write((PartitionStatistics) value, out);
            case PARTITION_NAMES -> PackedText.write(((Optional<List<String>>) value).orElseThrow(), out);
            default -> throw new IllegalArgumentException(kind + " is not stored");
        }
    }

    static Object read(EntryKind kind, ByteBuffer in)
    {
        return switch (kind) {
            case TABLE -> Optional.of(table(in));
            case CONSTRAINTS -> constraints(in);
            case TABLE_STATISTICS, PARTITION_STATISTICS -> statistics(in);
            case PARTITION_NAMES -> Optional.of(PackedText.readList(in));
            default -> throw new IllegalArgumentException(kind + " is not stored");
        };
    }

    /** Returns the bytes of what partitions have in common; empty if it has parts that cannot be encoded. */
    static Optional<byte[]> encode(PackedPartition.Template template)
    {
        try {
            ByteArrayDataOutput out = ByteStreams.newDataOutput();
            PackedText.write(template.catalog(), out);
            PackedText.write(template.database(), out);
            PackedText.write(template.table(), out);
            write(new Storage(template.format(), template.locationPrefix(), template.buckets(), template.skewed(), template.serdeParameters(),
                    template.storageParameters()), out);
            columns(template.columns(), out);
            PackedText.write(template.parameterNames(), out);
            out.writeBoolean(template.eligibleToIgnore());
            out.writeBoolean(template.sealed());
            byte[] bytes = out.toByteArray();
            return template(ByteBuffer.wrap(bytes)).equals(template) ? Optional.of(bytes) : Optional.empty();
        }
        catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    static PackedPartition.Template template(ByteBuffer in)
    {
        Optional<String> catalog = PackedText.readOptional(in);
        String database = PackedText.read(in);
        String table = PackedText.read(in);
        Storage storage = storage(in);
        return new PackedPartition.Template(
                catalog,
                database,
                table,
                storage.getStorageFormat(),
                storage.getLocation(),
                storage.getBucketProperty(),
                storage.isSkewed(),
                storage.getSerdeParameters(),
                storage.getParameters(),
                columns(in),
                PackedText.readList(in),
                in.get() != 0,
                in.get() != 0);
    }

    private static void write(Table table, ByteArrayDataOutput out)
    {
        PackedText.write(table.getCatalogName(), out);
        PackedText.write(table.getDatabaseName(), out);
        PackedText.write(table.getTableName(), out);
        PackedText.write(Optional.ofNullable(table.getOwner()), out);
        PackedText.write(table.getTableType().name(), out);
        write(table.getStorage(), out);
        columns(table.getDataColumns(), out);
        columns(table.getPartitionColumns(), out);
        PackedText.write(table.getParameters(), out);
        PackedText.write(table.getViewOriginalText(), out);
        PackedText.write(table.getViewExpandedText(), out);
    }

    @SuppressWarnings("NullAway") // a table may have no owner, and Presto's constructor decides about it
    private static Table table(ByteBuffer in)
    {
        return new Table(
                PackedText.readOptional(in),
                PackedText.read(in),
                PackedText.read(in),
                PackedText.readOptional(in).orElse(null),
                PrestoTableType.valueOf(PackedText.read(in)),
                storage(in),
                columns(in),
                columns(in),
                PackedText.readMap(in),
                PackedText.readOptional(in),
                PackedText.readOptional(in));
    }

    private static void write(Storage storage, ByteArrayDataOutput out)
    {
        StorageFormat format = storage.getStorageFormat();
        PackedText.write(Optional.ofNullable(format.getSerDeNullable()), out);
        PackedText.write(Optional.ofNullable(format.getInputFormatNullable()), out);
        PackedText.write(Optional.ofNullable(format.getOutputFormatNullable()), out);
        PackedText.write(storage.getLocation(), out);
        out.writeBoolean(storage.getBucketProperty().isPresent());
        storage.getBucketProperty().ifPresent(buckets -> {
            if (buckets.getTypes().isPresent()) {
                throw new IllegalArgumentException("bucket types are not encoded");
            }
            PackedText.write(buckets.getBucketedBy(), out);
            out.writeInt(buckets.getBucketCount());
            out.writeInt(buckets.getSortedBy().size());
            buckets.getSortedBy().forEach(column -> {
                PackedText.write(column.getColumnName(), out);
                PackedText.write(column.getOrder().name(), out);
            });
            PackedText.write(buckets.getBucketFunctionType().name(), out);
        });
        out.writeBoolean(storage.isSkewed());
        PackedText.write(storage.getSerdeParameters(), out);
        PackedText.write(storage.getParameters(), out);
    }

    @SuppressWarnings("NullAway") // Presto's method accepts null
    private static Storage storage(ByteBuffer in)
    {
        StorageFormat format = StorageFormat.createNullable(
                PackedText.readOptional(in).orElse(null),
                PackedText.readOptional(in).orElse(null),
                PackedText.readOptional(in).orElse(null));
        String location = PackedText.read(in);
        Optional<HiveBucketProperty> buckets = in.get() == 0 ? Optional.empty() : Optional.of(buckets(in));
        return new Storage(format, location, buckets, in.get() != 0, PackedText.readMap(in), PackedText.readMap(in));
    }

    private static HiveBucketProperty buckets(ByteBuffer in)
    {
        List<String> columns = PackedText.readList(in);
        int count = in.getInt();
        List<SortingColumn> sorted = new ArrayList<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            sorted.add(new SortingColumn(PackedText.read(in), SortingColumn.Order.valueOf(PackedText.read(in))));
        }
        return new HiveBucketProperty(columns, count, sorted, BucketFunctionType.valueOf(PackedText.read(in)), Optional.empty());
    }

    private static void columns(List<Column> columns, ByteArrayDataOutput out)
    {
        out.writeInt(columns.size());
        columns.forEach(column -> write(column, out));
    }

    static void write(Column column, ByteArrayDataOutput out)
    {
        PackedText.write(column.getName(), out);
        PackedText.write(column.getType().getHiveTypeName().toString(), out);
        PackedText.write(column.getComment(), out);
        PackedText.write(column.getTypeMetadata(), out);
    }

    private static List<Column> columns(ByteBuffer in)
    {
        List<Column> columns = new ArrayList<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            columns.add(new Column(PackedText.read(in), HiveType.valueOf(PackedText.read(in)), PackedText.readOptional(in), PackedText.readOptional(
                    in)));
        }
        return List.copyOf(columns);
    }

    private static void constraints(List<TableConstraint<String>> constraints, ByteArrayDataOutput out)
    {
        out.writeInt(constraints.size());
        for (TableConstraint<String> constraint : constraints) {
            // a primary key is also unique
            out.writeByte(constraint instanceof PrimaryKeyConstraint ? PRIMARY_KEY : constraint instanceof UniqueConstraint ? UNIQUE : NOT_NULL);
            PackedText.write(constraint.getName(), out);
            PackedText.write(List.copyOf(constraint.getColumns()), out);
            out.writeBoolean(constraint.isEnabled());
            out.writeBoolean(constraint.isRely());
            out.writeBoolean(constraint.isEnforced());
        }
    }

    private static List<TableConstraint<String>> constraints(ByteBuffer in)
    {
        List<TableConstraint<String>> constraints = new ArrayList<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            byte type = in.get();
            Optional<String> name = PackedText.readOptional(in);
            LinkedHashSet<String> columns = new LinkedHashSet<>(PackedText.readList(in));
            boolean enabled = in.get() != 0;
            boolean rely = in.get() != 0;
            boolean enforced = in.get() != 0;
            constraints.add(switch (type) {
                case PRIMARY_KEY -> new PrimaryKeyConstraint<>(name, columns, enabled, rely, enforced);
                case UNIQUE -> new UniqueConstraint<>(name, columns, enabled, rely, enforced);
                default -> new NotNullConstraint<>(name, columns);
            });
        }
        return List.copyOf(constraints);
    }

    private static void write(PartitionStatistics statistics, ByteArrayDataOutput out)
    {
        HiveBasicStatistics basic = statistics.getBasicStatistics();
        number(basic.getFileCount(), out);
        number(basic.getRowCount(), out);
        number(basic.getInMemoryDataSizeInBytes(), out);
        number(basic.getOnDiskDataSizeInBytes(), out);
        out.writeInt(statistics.getColumnStatistics().size());
        statistics.getColumnStatistics().forEach((column, ofColumn) -> {
            PackedText.write(column, out);
            write(ofColumn, out);
        });
    }

    private static PartitionStatistics statistics(ByteBuffer in)
    {
        HiveBasicStatistics basic = new HiveBasicStatistics(number(in), number(in), number(in), number(in));
        Map<String, HiveColumnStatistics> columns = new LinkedHashMap<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            String column = PackedText.read(in);
            columns.put(column, column(in));
        }
        return new PartitionStatistics(basic, columns);
    }

    private static void write(HiveColumnStatistics column, ByteArrayDataOutput out)
    {
        out.writeBoolean(column.getIntegerStatistics().isPresent());
        column.getIntegerStatistics().ifPresent(integer -> {
            number(integer.getMin(), out);
            number(integer.getMax(), out);
        });
        out.writeBoolean(column.getDoubleStatistics().isPresent());
        column.getDoubleStatistics().ifPresent(real -> {
            number(bits(real.getMin()), out);
            number(bits(real.getMax()), out);
        });
        out.writeBoolean(column.getDecimalStatistics().isPresent());
        column.getDecimalStatistics().ifPresent(decimal -> {
            PackedText.write(decimal.getMin().map(BigDecimal::toString), out);
            PackedText.write(decimal.getMax().map(BigDecimal::toString), out);
        });
        out.writeBoolean(column.getDateStatistics().isPresent());
        column.getDateStatistics().ifPresent(date -> {
            PackedText.write(date.getMin().map(LocalDate::toString), out);
            PackedText.write(date.getMax().map(LocalDate::toString), out);
        });
        out.writeBoolean(column.getBooleanStatistics().isPresent());
        column.getBooleanStatistics().ifPresent(bool -> {
            number(bool.getTrueCount(), out);
            number(bool.getFalseCount(), out);
        });
        number(column.getMaxValueSizeInBytes(), out);
        number(column.getTotalSizeInBytes(), out);
        number(column.getNullsCount(), out);
        number(column.getDistinctValuesCount(), out);
    }

    private static HiveColumnStatistics column(ByteBuffer in)
    {
        return new HiveColumnStatistics(
                in.get() == 0 ? Optional.empty() : Optional.of(new IntegerStatistics(number(in), number(in))),
                in.get() == 0 ? Optional.empty() : Optional.of(new DoubleStatistics(real(in), real(in))),
                in.get() == 0 ? Optional.empty() : Optional.of(new DecimalStatistics(decimal(in), decimal(in))),
                in.get() == 0 ? Optional.empty() : Optional.of(new DateStatistics(date(in), date(in))),
                in.get() == 0 ? Optional.empty() : Optional.of(new BooleanStatistics(number(in), number(in))),
                number(in),
                number(in),
                number(in),
                number(in));
    }

    private static void number(OptionalLong number, ByteArrayDataOutput out)
    {
        out.writeBoolean(number.isPresent());
        number.ifPresent(out::writeLong);
    }

    private static OptionalLong number(ByteBuffer in)
    {
        return in.get() == 0 ? OptionalLong.empty() : OptionalLong.of(in.getLong());
    }

    private static OptionalLong bits(OptionalDouble real)
    {
        return real.isPresent() ? OptionalLong.of(Double.doubleToRawLongBits(real.getAsDouble())) : OptionalLong.empty();
    }

    private static OptionalDouble real(ByteBuffer in)
    {
        return in.get() == 0 ? OptionalDouble.empty() : OptionalDouble.of(Double.longBitsToDouble(in.getLong()));
    }

    private static Optional<BigDecimal> decimal(ByteBuffer in)
    {
        return PackedText.readOptional(in).map(BigDecimal::new);
    }

    private static Optional<LocalDate> date(ByteBuffer in)
    {
        return PackedText.readOptional(in).map(LocalDate::parse);
    }

    /** Returns the bytes of a buffer that an array backs. */
    static byte[] bytes(ByteBuffer buffer)
    {
        byte[] bytes = new byte[requireNonNull(buffer, "buffer is null").remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
