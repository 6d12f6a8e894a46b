// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.page.ByteRange;
import io.eyrie.footer.ColumnRange;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ColumnReadAheadTest
{
    private static final long MEGABYTE = 1 << 20;

    private final ColumnHabits habits = new ColumnHabits();
    private final List<List<ByteRange>> fetched = new ArrayList<>();

    @Test
    void firstReadOfARowGroupFetchesItsOtherChunks()
    {
        ColumnReadAhead reader = reader(MEGABYTE);
        reader.reading(MEGABYTE);
        assertThat(fetched).containsExactly(List.of(new ByteRange(0, MEGABYTE), new ByteRange(2 * MEGABYTE, MEGABYTE)));
        fetched.clear();
        reader.reading(0);
        reader.reading(2 * MEGABYTE);
        reader.reading(12345);
        assertThat(fetched).isEmpty();
        reader.reading(3 * MEGABYTE);
        assertThat(fetched).containsExactly(List.of(new ByteRange(4 * MEGABYTE, MEGABYTE), new ByteRange(5 * MEGABYTE, MEGABYTE)));
    }

    @Test
    void columnThatIsHardlyEverReadIsNotFetched()
    {
        for (int split = 0; split < 3; split++) {
            ColumnReadAhead reader = reader(MEGABYTE);
            reader.reading(0);
            reader.reading(MEGABYTE);
            reader.close();
        }
        fetched.clear();
        reader(MEGABYTE).reading(0);
        assertThat(fetched).containsExactly(List.of(new ByteRange(MEGABYTE, MEGABYTE)));
    }

    @Test
    void largeRowGroupIsNotFetchedBeforeItIsKnownThatItIsRead()
    {
        ColumnReadAhead unknown = reader(5 * MEGABYTE);
        unknown.reading(0);
        assertThat(fetched).isEmpty();
        unknown.reading(5 * MEGABYTE);
        unknown.reading(10 * MEGABYTE);
        unknown.close();
        reader(5 * MEGABYTE).reading(0);
        assertThat(fetched).containsExactly(List.of(new ByteRange(5 * MEGABYTE, 5 * MEGABYTE), new ByteRange(10 * MEGABYTE, 5 * MEGABYTE)));
    }

    /** Creates a reader of two row groups of three columns. */
    private ColumnReadAhead reader(long chunkBytes)
    {
        List<List<ColumnRange>> rowGroups = new ArrayList<>();
        for (int rowGroup = 0; rowGroup < 2; rowGroup++) {
            long at = 3L * rowGroup * chunkBytes;
            rowGroups.add(List.of(
                    new ColumnRange("a", at, chunkBytes),
                    new ColumnRange("b", at + chunkBytes, chunkBytes),
                    new ColumnRange("c.element", at + 2 * chunkBytes, chunkBytes)));
        }
        return new ColumnReadAhead(habits, rowGroups, fetched::add);
    }
}
