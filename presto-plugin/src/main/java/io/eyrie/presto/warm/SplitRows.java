// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * Reads a split as a reader of the table does: the values of the partition keys and, on the way, all footers that the reader requests. Decodes no value of
 * another column. For one thread.
 */
final class SplitRows
{
    private final LinkedHashMap<ColumnHandle, Type> keys;
    private final Supplier<ConnectorPageSource> opener;
    private final boolean toTheEnd;
    private @Nullable ConnectorPageSource reader;
    private @Nullable Page first;
    private boolean ended;

    /**
     * @param keys the keys in the reader's order, which come before its other columns
     * @param toTheEnd whether to read all that a reader requests, otherwise only as much as the keys need
     */
    SplitRows(Map<ColumnHandle, Type> keys, Supplier<ConnectorPageSource> opener, boolean toTheEnd)
    {
        this.keys = new LinkedHashMap<>(keys);
        this.opener = requireNonNull(opener, "opener is null");
        this.toTheEnd = toTheEnd;
        ended = !toTheEnd && keys.isEmpty();
    }

    /** Reads the next page; false at the end. */
    boolean next()
    {
        if (ended) {
            return false;
        }
        if (reader == null) {
            reader = opener.get();
        }
        Page page = reader.getNextPage();
        if (first == null && page != null && page.getPositionCount() > 0) {
            first = new Page(1, IntStream.range(0, keys.size()).mapToObj(key -> page.getBlock(key).getRegion(0, 1)).toArray(Block[]::new));
        }
        ended = reader.isFinished() || (first != null && !toTheEnd);
        return true;
    }

    /** Returns the value of a key in all rows, null if there are no rows; empty if the column is not a key. */
    Optional<Block> value(ColumnHandle column)
    {
        int index = keys.keySet().stream().toList().indexOf(column);
        if (index < 0) {
            return Optional.empty();
        }
        Page row = first;
        return Optional.of(row == null ? requireNonNull(keys.get(column)).createBlockBuilder(null, 1).appendNull().build() : row.getBlock(index));
    }

    void close()
            throws IOException
    {
        if (reader != null) {
            reader.close();
        }
    }
}
