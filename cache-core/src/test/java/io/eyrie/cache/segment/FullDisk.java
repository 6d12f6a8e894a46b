// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** The program of {@link FullDiskIT}, which runs on a file system of 16 MiB. */
final class FullDisk
{
    static final String MOUNTED = "mounted";
    static final String DONE = "all of it was seen";

    private static final int PAGES = 600;
    private static final int MOST_PAGES = 1000;
    private static final PageTags TAGS = new PageTags(Scope.NONE, StorageClass.DATA);

    private final Path base;
    private final Path other;
    private SegmentPageStore store;

    private FullDisk(Path root)
            throws IOException
    {
        base = Files.createDirectory(root.resolve("cache"));
        other = root.resolve("other");
        store = open(0);
    }

    public static void main(String[] args)
            throws IOException
    {
        new FullDisk(Path.of(args[0])).run();
        System.out.println(DONE);
    }

    /** Opens a store whose capacity is four times the disk. */
    private SegmentPageStore open(long minFreeSpaceBytes)
    {
        return SegmentPageStore.open(PageCacheConfig.builder()
                .baseDirectories(List.of(base))
                .capacityBytes(64 << 20)
                .pageSizeBytes(StoreProcess.PAGE)
                .minFreeSpaceBytes(minFreeSpaceBytes)
                .flushIntervalMillis(StoreProcess.FLUSH_MILLIS)
                .probeIntervalMillis(Integer.MAX_VALUE)
                .build());
    }

    private int write(int first, int count)
    {
        int stored = 0;
        for (int page = first; page < first + count; page++) {
            ByteBuffer content = ByteBuffer.wrap(randomBytes(page, StoreProcess.PAGE));
            WriteOutcome outcome = store.write(StoreProcess.key(page), TAGS, StoreProcess.PAGE, 0, content, store.epoch());
            assertThat(outcome).isIn(WriteOutcome.STORED, WriteOutcome.DECLINED);
            stored += outcome == WriteOutcome.STORED ? 1 : 0;
        }
        return stored;
    }

    private int hits()
    {
        int hits = 0;
        for (int page = 0; page < MOST_PAGES; page++) {
            ByteBuffer target = ByteBuffer.allocate(StoreProcess.PAGE);
            ReadOutcome outcome = store.read(StoreProcess.key(page), 0, target);
            assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS);
            if (outcome == ReadOutcome.HIT) {
                assertThat(target.array()).isEqualTo(randomBytes(page, StoreProcess.PAGE));
                hits++;
            }
        }
        return hits;
    }

    /** Takes all free space with another file. */
    private void fillUp()
    {
        byte[] block = new byte[4096];
        try (OutputStream output = Files.newOutputStream(other, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                output.write(block);
            }
        }
        catch (IOException e) {
            assertThat(base.toFile().getUsableSpace()).isLessThan(block.length);
        }
    }

    private void check(int leastHits)
    {
        assertThat(hits()).isGreaterThanOrEqualTo(leastHits);
        assertThat(store.stats().currentQuarantinedDirectories()).isZero();
        StoreChecker.check(store, new LocalDevice());
    }

    private void run()
            throws IOException
    {
        // more than the disk can hold
        int stored = write(0, PAGES);
        assertThat(stored).isBetween(150, PAGES);
        assertThat(store.stats().evictions()).isPositive();
        assertThat(base.toFile().getUsableSpace()).isLessThan(1 << 20);
        check(150);
        // on the full disk, the store is reopened, and finds pages if the journal could still record any
        store.close();
        store = open(0);
        check(store.stats().recoveredPages() > 0 ? 1 : 0);
        // another file needs space that must stay free: pages are evicted
        store.close();
        store = open(4 << 20);
        store.tend();
        assertThat(base.toFile().getUsableSpace()).isGreaterThanOrEqualTo(4 << 20);
        check(0);
        // that file takes the space of evicted pages, until none are left
        for (int i = 0; store.stats().currentPages() > 0; i++) {
            assertThat(i).isLessThan(10);
            fillUp();
            store.tend();
            check(0);
        }
        fillUp();
        assertThat(write(0, 20)).isZero();
        assertThat(store.stats().spaceDeclines()).isPositive();
        check(0);
        // when there is space again, pages are cached again
        Files.delete(other);
        store.tend();
        assertThat(write(0, 100)).isEqualTo(100);
        check(100);
        store.close();
        store = open(0);
        check(100);
        store.close();
    }
}
