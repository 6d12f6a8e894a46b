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

/** What a reader of the table finds in a split: the values of the partition's keys, and on the way all that it asks of footers. No value of another column is decoded. For one thread. */
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
     * @param toTheEnd whether all is read that a reader asks for, else no more than the keys need
     */
    SplitRows(Map<ColumnHandle, Type> keys, Supplier<ConnectorPageSource> opener, boolean toTheEnd)
    {
        this.keys = new LinkedHashMap<>(keys);
        this.opener = requireNonNull(opener, "opener is null");
        this.toTheEnd = toTheEnd;
        ended = !toTheEnd && keys.isEmpty();
    }

    /** Reads on; false at the end. */
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

    /** The value that a key has in all rows, null if there are none; empty if the column is no key. */
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
