// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.page.ByteRange;
import io.eyrie.footer.ColumnRange;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Notices when the first chunk of a row group is read, and fetches at the same time the chunks that are likely to be read after it. Presto's Parquet
 * reader requests chunks one by one, each when one of its pages is first needed: for ten columns, it waits for the store ten times. Used by one
 * thread at a time.
 */
final class ColumnReadAhead
{
    /* Limit per row group while nothing is known about the scan: as much as an ORC reader would fetch unconditionally. */
    private static final long UNKNOWN_BYTES = 8 << 20;

    private final ColumnHabits habits;
    private final Consumer<List<ByteRange>> fetching;
    private final Map<Long, Chunk> chunkByPosition = new HashMap<>();
    private final Set<String> read = new HashSet<>();
    private List<ColumnRange> current = List.of();

    private record Chunk(String column, List<ColumnRange> rowGroup)
    {}

    /**
     * Creates a read-ahead that has seen no reads.
     *
     * @param rowGroups the chunks that may be read, by row group
     * @param fetching fetches ranges that will be read soon, without waiting
     */
    ColumnReadAhead(ColumnHabits habits, List<List<ColumnRange>> rowGroups, Consumer<List<ByteRange>> fetching)
    {
        this.habits = requireNonNull(habits, "habits is null");
        this.fetching = requireNonNull(fetching, "fetching is null");
        rowGroups.forEach(rowGroup -> rowGroup.forEach(chunk -> chunkByPosition.put(chunk.position(), new Chunk(chunk.column(), rowGroup))));
    }

    /** Signals that a read at a position is about to begin. */
    void reading(long position)
    {
        Chunk chunk = chunkByPosition.get(position);
        if (chunk == null) {
            return;
        }
        boolean first = chunk.rowGroup() != current;
        if (first) {
            leave();
            current = chunk.rowGroup();
        }
        read.add(chunk.column());
        if (first) {
            fetchOthers(chunk.column());
        }
    }

    /** Signals that no more reads follow. */
    void close()
    {
        leave();
    }

    private void leave()
    {
        if (!read.isEmpty()) {
            habits.read(read);
            read.clear();
        }
        current = List.of();
    }

    private void fetchOthers(String column)
    {
        boolean known = habits.areKnown();
        List<ByteRange> others = current.stream()
                .filter(chunk -> !chunk.column().equals(column) && chunk.position() >= 0 && chunk.lengthBytes() > 0 && (!known || habits.isRead(chunk
                        .column())))
                .map(chunk -> new ByteRange(chunk.position(), chunk.lengthBytes()))
                .toList();
        if (!others.isEmpty() && (known || others.stream().mapToLong(ByteRange::lengthBytes).sum() <= UNKNOWN_BYTES)) {
            fetching.accept(others);
        }
    }
}
