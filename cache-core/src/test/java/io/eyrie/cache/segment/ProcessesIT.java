package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.page.ReadOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two processes and one directory, at the same time and one after the other's death. */
final class ProcessesIT
{
    private static final int ROUNDS = Boolean.getBoolean("eyrie.stress") ? 200 : 5;
    private static final int PAGE_BLOCKS = StoreProcess.PAGE + Layout.BLOCK_BYTES;
    private static final long CAPACITY_BYTES = 300L * PAGE_BLOCKS;
    // the process writes on until it is dead
    private static final int SURELY_KEPT = 150;

    @Test
    void directoryOfAnotherProcessIsRefused(@TempDir Path base)
            throws Exception
    {
        try (StoreProcess other = StoreProcess.start(base, CAPACITY_BYTES)) {
            other.awaitPages(1);
            // twice: a refused attempt must not free the directory
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)))
                        .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"))
                        .hasMessageContaining(base.toString())
                        .hasMessageContaining("process " + other.pid() + " on host ")
                        .hasMessageContaining("To fix: ");
            }
            other.awaitPages(10);
        }
        SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)).close();
    }

    @Test
    void killedProcessLeavesNoWrongByte(@TempDir Path base)
            throws Exception
    {
        // more each time, so that it dies while it fills up, and while it evicts
        for (int round = 0; round < ROUNDS; round++) {
            int pages = 100 + 150 * (round % 5);
            List<Long> written = new ArrayList<>();
            long killed;
            try (StoreProcess process = StoreProcess.start(base, CAPACITY_BYTES)) {
                for (int page = 0; page < pages; page++) {
                    written.add(process.awaitPage());
                }
                killed = System.nanoTime();
            }
            try (SegmentPageStore store = SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES))) {
                StoreChecker.check(store, new LocalDevice());
                checkPages(store, written, killed);
                StoreChecker.check(store, new LocalDevice());
            }
        }
    }

    private static void checkPages(SegmentPageStore store, List<Long> written, long killed)
    {
        Set<Integer> hits = new HashSet<>();
        for (int page = 0; page < StoreProcess.FILE_PAGES; page++) {
            ByteBuffer target = ByteBuffer.allocate(StoreProcess.PAGE);
            ReadOutcome outcome = store.read(StoreProcess.key(page), 0, target);
            // a slot that was given to another page in the last moments still counts as the first one's
            assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS, ReadOutcome.CORRUPT);
            if (outcome == ReadOutcome.HIT) {
                hits.add(page);
                assertThat(target.array()).isEqualTo(randomBytes(page, StoreProcess.PAGE));
            }
        }
        // what was written long before, as far as it cannot have been evicted since
        for (int page = Math.max(0, written.size() - SURELY_KEPT); page < written.size(); page++) {
            if (killed - written.get(page) > TimeUnit.MILLISECONDS.toNanos(20L * StoreProcess.FLUSH_MILLIS)) {
                assertThat(hits).as("page %s of %s", page, written.size()).contains(page);
            }
        }
    }
}
