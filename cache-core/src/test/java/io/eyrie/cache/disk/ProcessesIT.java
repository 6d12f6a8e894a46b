package io.eyrie.cache.disk;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.page.ReadOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two processes and one directory, at the same time and one after the other's death. */
final class ProcessesIT
{
    private static final int ROUNDS = Boolean.getBoolean("eyrie.stress") ? 100 : 5;
    private static final int PAGE_BLOCKS = StoreProcess.PAGE + PageFile.BLOCK_BYTES;
    private static final long CAPACITY_BYTES = 300L * PAGE_BLOCKS;

    @Test
    void directoryOfAnotherProcessIsRefused(@TempDir Path base)
            throws Exception
    {
        try (StoreProcess other = StoreProcess.start(base, CAPACITY_BYTES)) {
            other.awaitPages(1);
            // twice: a refused attempt must not free the directory
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> DiskPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)))
                        .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"))
                        .hasMessageContaining(base.toString())
                        .hasMessageContaining("process " + other.pid() + " on host ")
                        .hasMessageContaining("To fix: ");
            }
            other.awaitPages(10);
        }
        DiskPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)).close();
    }

    @Test
    void killedProcessLeavesNoWrongByte(@TempDir Path base)
            throws Exception
    {
        // more each time, so that it dies while it fills up, and while it evicts
        for (int round = 0; round < ROUNDS; round++) {
            int pages = 100 + 150 * (round % 5);
            try (StoreProcess killed = StoreProcess.start(base, CAPACITY_BYTES)) {
                killed.awaitPages(pages);
            }
            try (DiskPageStore store = DiskPageStore.open(StoreProcess.config(base, CAPACITY_BYTES))) {
                int hits = 0;
                for (int page = 0; page < StoreProcess.FILE_PAGES; page++) {
                    ByteBuffer target = ByteBuffer.allocate(StoreProcess.PAGE);
                    ReadOutcome outcome = store.read(StoreProcess.key(page), 0, target);
                    assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS);
                    if (outcome == ReadOutcome.HIT) {
                        hits++;
                        assertThat(target.array()).isEqualTo(randomBytes(page, StoreProcess.PAGE));
                    }
                }
                // all that it said it had written, as far as they fit
                assertThat(hits).isGreaterThanOrEqualTo(Math.min(pages, 298));
                StoreFiles.check(store, base);
            }
        }
    }
}
