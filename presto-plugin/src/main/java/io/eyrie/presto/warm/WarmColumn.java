// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ColumnHandle;
import io.airlift.slice.Slices;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;

/** A column that {@code warm_cache} returns for each split, in addition to the partition keys. */
enum WarmColumn
{
    NODE_ID,
    PATH,
    START,
    LENGTH,
    FOUND_BYTES,
    LOADED_BYTES,
    STATE;

    // no column of a table has this prefix: Hive's names consist of letters, digits and underscores
    private static final String PREFIX = "$warm_";
    private static final String CLASH_PREFIX = "warm_";
    private static final int FIRST_INDEX = -1000;

    String columnName()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the column in the result of a table with these keys: with a prefix if a key has its name. */
    String resultName(Collection<String> keys)
    {
        String name = columnName();
        while (keys.contains(name)) {
            name = CLASH_PREFIX + name;
        }
        return name;
    }

    Type type()
    {
        return isNumber() ? BIGINT : VARCHAR;
    }

    private boolean isNumber()
    {
        return this != NODE_ID && this != PATH && this != STATE;
    }

    HiveColumnHandle handle()
    {
        return new HiveColumnHandle(
                PREFIX + columnName(),
                isNumber() ? HiveType.HIVE_LONG : HiveType.HIVE_STRING,
                type().getTypeSignature(),
                FIRST_INDEX - Stream.of(values()).toList().indexOf(this),
                ColumnType.SYNTHESIZED,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the column of a handle; empty if it is one of the table's own. */
    static Optional<WarmColumn> of(ColumnHandle handle)
    {
        String name = ((HiveColumnHandle) handle).getName();
        return Stream.of(values()).filter(column -> name.equals(PREFIX + column.columnName())).findFirst();
    }

    void write(WarmedSplit split, BlockBuilder out)
    {
        switch (this) {
            case NODE_ID -> VARCHAR.writeSlice(out, Slices.utf8Slice(split.nodeId()));
            case PATH -> VARCHAR.writeSlice(out, Slices.utf8Slice(split.path()));
            case START -> BIGINT.writeLong(out, split.start());
            case LENGTH -> BIGINT.writeLong(out, split.length());
            case FOUND_BYTES -> BIGINT.writeLong(out, split.foundBytes());
            case LOADED_BYTES -> BIGINT.writeLong(out, split.loadedBytes());
            case STATE -> VARCHAR.writeSlice(out, Slices.utf8Slice(split.state()));
            default -> throw new IllegalStateException(name());
        }
    }
}
