// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.spi.ColumnMetadata;
import io.airlift.slice.Slices;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.TimestampWithTimeZoneType.TIMESTAMP_WITH_TIME_ZONE;
import static com.facebook.presto.common.type.TypeSignature.parseTypeSignature;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;

/**
 * The columns of a table, and the functions that compute their values from a row.
 *
 * @param <R> a row
 */
final class Columns<R>
{
    private static final int TIME_ZONE_BITS = 12;

    private final List<Column<R>> columns = new ArrayList<>();

    private record Column<R>(ColumnMetadata metadata, Writer<R> writer)
    {}

    private interface Writer<R>
    {
        void write(R row, BlockBuilder out);
    }

    /** Returns columns of which the first is the node. */
    static <R> Columns<R> of(String nodeId)
    {
        return new Columns<R>().text("node_id", "the node that returned the row", row -> nodeId);
    }

    Columns<R> text(String name, String comment, Function<R, @Nullable String> value)
    {
        return add(name, VARCHAR, comment, value, (text, out) -> VARCHAR.writeSlice(out, Slices.utf8Slice(text)));
    }

    Columns<R> number(String name, String comment, Function<R, @Nullable Long> value)
    {
        return add(name, BIGINT, comment, value, (number, out) -> BIGINT.writeLong(out, number));
    }

    Columns<R> ratio(String name, String comment, Function<R, @Nullable Double> value)
    {
        return add(name, DOUBLE, comment, value, (ratio, out) -> DOUBLE.writeDouble(out, ratio));
    }

    Columns<R> day(String name, String comment, Function<R, Long> epochDay)
    {
        return add(name, DATE, comment, epochDay, (day, out) -> DATE.writeLong(out, day));
    }

    /** Adds a column of instants, shown in UTC. */
    Columns<R> time(String name, String comment, Function<R, @Nullable Instant> value)
    {
        return add(
                name,
                TIMESTAMP_WITH_TIME_ZONE,
                comment,
                value,
                (time, out) -> TIMESTAMP_WITH_TIME_ZONE.writeLong(out, time.toEpochMilli() << TIME_ZONE_BITS));
    }

    /** Adds a column of numbers by name. */
    Columns<R> counts(TypeManager types, String name, String comment, Function<R, @Nullable Map<String, Long>> value)
    {
        Type type = types.getType(parseTypeSignature("map(varchar,bigint)"));
        return add(name, type, comment, value, (counts, out) -> {
            BlockBuilder entries = out.beginBlockEntry();
            counts.forEach((key, count) -> {
                VARCHAR.writeSlice(entries, Slices.utf8Slice(key));
                BIGINT.writeLong(entries, count);
            });
            out.closeEntry();
        });
    }

    private <V> Columns<R> add(String name, Type type, String comment, Function<R, @Nullable V> value, Writer<V> writer)
    {
        columns.add(new Column<>(ColumnMetadata.builder().setName(name).setType(type).setComment(comment).build(), (row, out) -> {
            V present = value.apply(row);
            if (present == null) {
                out.appendNull();
            }
            else {
                writer.write(present, out);
            }
        }));
        return this;
    }

    /** Returns the name of a constant that tables show. */
    static String label(Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    List<ColumnMetadata> metadata()
    {
        return columns.stream().map(Column::metadata).toList();
    }

    /** Appends a row, one value for each column. */
    void write(R row, Function<Integer, BlockBuilder> out)
    {
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).writer().write(row, out.apply(i));
        }
    }
}
