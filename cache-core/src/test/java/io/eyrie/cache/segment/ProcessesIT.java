package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.page.ReadOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two processes and one directory, at the same time and one after the other's death. */
final class ProcessesIT
{
    private static final int ROUNDS = Boolean.getBoolean("eyrie.stress") ? 200 : 5;
    private static final int PAGE_BLOCKS = StoreProcess.PAGE + Layout.BLOCK_BYTES;
    private static final long CAPACITY_BYTES = 300L * PAGE_BLOCKS;
    // so few, both together, that the former are not evicted
    private static final int LONG_AGO = 50;
    private static final int LATELY = 200;

    @Test
    void directoryOfAnotherProcessIsRefused(@TempDir Path base)
            throws Exception
    {
        try (StoreProcess other = StoreProcess.start(base, CAPACITY_BYTES, 0)) {
            other.write(LATELY);
            int unused = other.awaitSome(1);
            // twice: a refused attempt must not free the directory
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)))
                        .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.key()).isEqualTo("baseDirectories"))
                        .hasMessageContaining(base.toString())
                        .hasMessageContaining("process " + other.pid() + " on host ")
                        .hasMessageContaining("To fix: ");
            }
            unused = other.awaitSome(10);
        }
        SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES)).close();
    }

    @Test
    void killedProcessLeavesNoWrongByte(@TempDir Path base)
            throws Exception
    {
        // more each time, so that it dies while it fills up, and while it evicts; each process begins where the last one ended
        int next = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int first = next;
            try (StoreProcess process = StoreProcess.start(base, CAPACITY_BYTES, first)) {
                process.write(LONG_AGO);
                int unused = process.awaitSome(LONG_AGO);
                awaitFlush(base);
                process.write(LATELY);
                next = process.awaitSome(20 + 30 * (round % 5)) + 1;
            }
            try (SegmentPageStore store = SegmentPageStore.open(StoreProcess.config(base, CAPACITY_BYTES))) {
                StoreChecker.check(store, new LocalDevice());
                checkPages(store, first);
                StoreChecker.check(store, new LocalDevice());
            }
        }
    }

    /** Waits two flush intervals, and for a disk that does not keep up with them. */
    private static void awaitFlush(Path base)
            throws IOException
    {
        try (FileChannel channel = FileChannel.open(base.resolve("other"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 2; i++) {
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(StoreProcess.FLUSH_MILLIS);
                while (System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                channel.write(ByteBuffer.wrap(new byte[1]), 0);
                channel.force(true);
            }
        }
    }

    private static void checkPages(SegmentPageStore store, int firstLongAgo)
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
        for (int i = 0; i < LONG_AGO; i++) {
            assertThat(hits).as("written two flush intervals before the kill").contains((firstLongAgo + i) % StoreProcess.FILE_PAGES);
        }
    }
}
