// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

final class S3FifoPolicyTest
        extends EvictionPolicyContract
{
    private static final int CAPACITY = 1000;

    /** The page that each entry currently holds. */
    private final Map<Integer, Integer> pageOfEntry = new HashMap<>();
    private final Map<Integer, Integer> entryOfPage = new HashMap<>();
    private final EvictionPolicy cache = createPolicy(new EvictionPolicy.EntryInfo() {
        @Override
        public long hash(int entry)
        {
            return pageOfEntry.getOrDefault(entry, -1);
        }

        @Override
        public int weightBytes(int entry)
        {
            return 1;
        }
    });
    private final int only = cache.newGroup();

    @Override
    protected EvictionPolicy createPolicy(EvictionPolicy.EntryInfo entries)
    {
        return EvictionKind.S3_FIFO.create(entries);
    }

    @Override
    protected double maximumBytesAnEntry()
    {
        return 10.1;
    }

    @Test
    void scanThroughWhatIsReadAgainAndAgain()
    {
        for (int round = 0; round < 5; round++) {
            access(0, CAPACITY / 2);
        }
        access(10_000, 20 * CAPACITY);

        assertThat(access(0, CAPACITY / 2)).isEqualTo(CAPACITY / 2);
    }

    @Test
    void scanInSmallReads()
    {
        for (int round = 0; round < 5; round++) {
            access(0, CAPACITY / 2);
        }
        for (int page = 10_000; page < 10_000 + 20 * CAPACITY; page++) {
            for (int read = 0; read < 10; read++) {
                access(page);
            }
        }
        assertThat(access(0, CAPACITY / 2)).isEqualTo(CAPACITY / 2);
    }

    @Test
    void tableLargerThanTheCacheThatIsReadAgainAndAgain()
    {
        access(0, 3 * CAPACITY);
        access(0, 3 * CAPACITY);

        assertThat(access(0, 3 * CAPACITY)).isGreaterThan(CAPACITY / 2);
    }

    @Test
    void pageThatComesBackSoonStays()
    {
        access(10_000, 2 * CAPACITY);
        for (int round = 0; round < 10; round++) {
            access(20_000 + round * CAPACITY, CAPACITY / 5);
            access(1);
        }
        access(40_000, CAPACITY);
        assertThat(access(1)).isTrue();
    }

    @Test
    void whatWasReadOftenLeavesInTheEnd()
    {
        for (int round = 0; round < 20; round++) {
            access(0, CAPACITY);
        }
        for (int round = 0; round < 20; round++) {
            access(10_000, CAPACITY / 2);
            access(20_000 + round * CAPACITY, CAPACITY / 10);
        }
        assertThat(access(10_000, CAPACITY / 2)).isGreaterThan(CAPACITY * 2 / 5);
    }

    private int access(int firstPage, int count)
    {
        int hits = 0;
        for (int page = firstPage; page < firstPage + count; page++) {
            hits += access(page) ? 1 : 0;
        }
        return hits;
    }

    private boolean access(int page)
    {
        Integer known = entryOfPage.get(page);
        if (known != null) {
            assertThat(cache.hit(known)).isFalse();
            return true;
        }
        int entry = pageOfEntry.size();
        if (entry == CAPACITY) {
            entry = cache.victim(only);
            entryOfPage.remove(pageOfEntry.get(entry));
        }
        pageOfEntry.put(entry, page);
        entryOfPage.put(page, entry);
        cache.add(entry, only);
        return false;
    }
}
