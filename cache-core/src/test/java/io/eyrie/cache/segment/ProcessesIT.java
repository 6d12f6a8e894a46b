// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.store.ReadOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests two processes on one directory, concurrently and one after the other's death. */
final class ProcessesIT
{
    private static final int ROUNDS = Boolean.getBoolean("eyrie.stress") ? 200 : 5;
    private static final int PAGE_BLOCKS = StoreProcess.PAGE + Layout.BLOCK_BYTES;
    private static final long CAPACITY_BYTES = 300L * PAGE_BLOCKS;
    // few enough, in total, that the first pages are not evicted
    private static final int LONG_AGO = 50;
    private static final int AGAIN = 50;
    private static final int LATELY = 150;

    @Test
    void directoryOfAnotherProcessIsRefused(@TempDir Path base)
            throws Exception
    {
        try (StoreProcess other = StoreProcess.start(base, CAPACITY_BYTES)) {
            other.write(0, LATELY);
            other.awaitSome(1);
            // twice: a refused attempt must not release the directory
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)))
                        .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"))
                        .hasMessageContaining(base.toString())
                        .hasMessageContaining("process " + other.pid() + " on host ")
                        .hasMessageContaining("To fix: ");
            }
            other.awaitSome(10);
        }
        SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)).close();
    }

    @Test
    void killedProcessLeavesNoWrongByte(@TempDir Path base)
            throws Exception
    {
        // more pages each time, so that the process dies while it fills the cache, and while it evicts
        for (int round = 0; round < ROUNDS; round++) {
            // pages that no earlier process has written: a page that is present already retains its turn to be evicted, which may be the next
            int first = AGAIN + round * (LONG_AGO + LATELY);
            try (StoreProcess process = StoreProcess.start(base, CAPACITY_BYTES)) {
                process.write(first, LONG_AGO);
                process.awaitSome(LONG_AGO);
                process.awaitFlush();
                // pages that the last process may have written, or begun to write
                process.write(Math.max(0, first - LATELY), AGAIN);
                process.write(first + LONG_AGO, LATELY);
                process.awaitSome(20 + 30 * (round % 5));
            }
            try (SegmentPageStore store = StoreProcess.open(base, CAPACITY_BYTES)) {
                StoreChecker.check(store, new LocalDevice());
                checkPages(store, first);
                StoreChecker.check(store, new LocalDevice());
            }
        }
    }

    private static void checkPages(SegmentPageStore store, int first)
    {
        ByteBuffer target = ByteBuffer.allocate(StoreProcess.PAGE);
        List<Integer> missing = new ArrayList<>();
        for (int page = 0; page < first + LONG_AGO + LATELY; page++) {
            ReadOutcome outcome = store.read(StoreProcess.key(page), 0, target.clear());
            // a slot that was given to another page just before the kill may still count as the first page's
            assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS, ReadOutcome.CORRUPT);
            if (outcome == ReadOutcome.HIT) {
                assertThat(target.array()).isEqualTo(randomBytes(page, StoreProcess.PAGE));
            }
            else if (page >= first && page < first + LONG_AGO) {
                missing.add(page);
            }
        }
        assertThat(missing).as("in the journal before the kill, and gone").isEmpty();
    }
}
