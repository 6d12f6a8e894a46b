// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The contract of every {@link PageStore}. An implementation's test extends this class and supplies an empty store. */
public abstract class PageStoreContract
{
    protected static final int PAGE_BYTES = 256 << 10;
    protected static final PageTags TAGS = new PageTags(new Scope("hive", "web", "clicks", "ds=2026-11-20"), StorageClass.DATA);

    /** The store under test. */
    PageStore store = new TestingPageStore();

    /** Returns an empty store for pages of {@link #PAGE_BYTES}, with capacity for at least 16 of them. */
    protected abstract PageStore createStore()
            throws Exception;

    /** Called after each test, with the store still open. */
    protected void checkStore(PageStore checked)
            throws Exception
    {}

    /** Returns the key of a page of a file; files with different numbers differ only in their modification time. */
    protected static PageKey key(int file, long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3://bucket"), "/a", 1L << 40, file, Optional.empty()), page);
    }

    protected static byte[] page(PageKey key)
    {
        return randomBytes(key.hashCode(), PAGE_BYTES);
    }

    protected static Optional<byte[]> read(PageStore from, PageKey key, int offset, int length)
    {
        ByteBuffer target = ByteBuffer.allocate(length);
        return from.read(key, offset, target) == ReadOutcome.HIT ? Optional.of(target.array()) : Optional.empty();
    }

    protected static WriteOutcome write(PageStore to, PageKey key)
    {
        return write(to, key, TAGS, to.epoch());
    }

    protected static WriteOutcome write(PageStore to, PageKey key, PageTags tags, long epoch)
    {
        return to.write(key, tags, PAGE_BYTES, 0, ByteBuffer.wrap(page(key)), epoch);
    }

    /** Writes some granules of a page. */
    protected static WriteOutcome writeGranules(PageStore to, PageKey key, int first, int count)
    {
        int granuleBytes = to.granuleSizeBytes();
        ByteBuffer bytes = ByteBuffer.wrap(page(key), first * granuleBytes, count * granuleBytes);
        return to.write(key, TAGS, PAGE_BYTES, first * granuleBytes, bytes, to.epoch());
    }

    /** Returns whether all granules of a page are present. */
    protected static boolean contains(PageStore in, PageKey key)
    {
        return presentGranules(in, key) == granulesInPage(in);
    }

    private static int granulesInPage(PageStore of)
    {
        return PAGE_BYTES / of.granuleSizeBytes();
    }

    private static int presentGranules(PageStore in, PageKey key)
    {
        int present = 0;
        for (int granule = 0; granule < 2 * granulesInPage(in); granule += Long.SIZE) {
            present += Long.bitCount(in.presentGranules(key, granule));
        }
        return present;
    }

    @BeforeEach
    void openStore()
            throws Exception
    {
        store = createStore();
    }

    @AfterEach
    void closeStore()
            throws Exception
    {
        checkStore(store);
        store.close();
        store.close();
    }

    @Test
    void readReturnsWhatWasWritten()
    {
        PageKey key = key(1, 7);
        assertThat(contains(store, key)).isFalse();
        assertThat(write(store, key)).isEqualTo(WriteOutcome.STORED);
        assertThat(contains(store, key)).isTrue();
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void readOfAnyRange()
    {
        PageKey key = key(1, 0);
        write(store, key);
        int[] edges = {0, 1, 4095, 4096, 65535, 65536, 65537, 131072, PAGE_BYTES - 1, PAGE_BYTES};
        for (int from : edges) {
            for (int to : edges) {
                if (from < to) {
                    assertThat(read(store, key, from, to - from)).as("%s to %s", from, to).hasValue(Arrays.copyOfRange(page(key), from, to));
                }
            }
        }
    }

    @Test
    void readIntoPartOfABuffer()
    {
        PageKey key = key(1, 0);
        write(store, key);
        for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(PAGE_BYTES), ByteBuffer.allocateDirect(PAGE_BYTES)}) {
            target.position(10).limit(100_010);
            assertThat(store.read(key, 70_000, target)).isEqualTo(ReadOutcome.HIT);
            assertThat(target.position()).isEqualTo(100_010);
            target.limit(PAGE_BYTES).rewind();
            byte[] all = new byte[PAGE_BYTES];
            target.get(all);
            byte[] expected = new byte[PAGE_BYTES];
            System.arraycopy(page(key), 70_000, expected, 10, 100_000);
            assertThat(all).isEqualTo(expected);
        }
    }

    @Test
    void missLeavesPosition()
    {
        ByteBuffer target = ByteBuffer.allocate(100).position(40);
        assertThat(store.read(key(1, 0), 0, target)).isEqualTo(ReadOutcome.MISS);
        assertThat(target.position()).isEqualTo(40);
        assertThat(target.limit()).isEqualTo(100);
    }

    @Test
    void writeFromPartOfABuffer()
    {
        PageKey key = key(1, 0);
        ByteBuffer direct = ByteBuffer.allocateDirect(PAGE_BYTES + 20);
        direct.position(20).put(page(key)).position(20);
        assertThat(store.write(key, TAGS, PAGE_BYTES, 0, direct, store.epoch())).isEqualTo(WriteOutcome.STORED);
        assertThat(direct.position()).isEqualTo(20);
        // the store retains the bytes, not the buffer
        direct.put(30, (byte) (direct.get(30) + 1));
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void shortPageAtTheEndOfAFile()
    {
        for (int length : new int[] {1, 65_535, 65_536, 65_537, 100_000}) {
            PageKey key = key(length, 3);
            byte[] page = randomBytes(length, length);
            assertThat(store.write(key, TAGS, length, 0, ByteBuffer.wrap(page), store.epoch())).isEqualTo(WriteOutcome.STORED);
            assertThat(read(store, key, 0, length)).hasValue(page);
            assertThat(read(store, key, length - 1, 1)).hasValue(new byte[] {page[length - 1]});
            assertThat(read(store, key, length - 1, 2)).isEmpty();
        }
    }

    @Test
    void granuleSizeDividesThePage()
    {
        int granuleBytes = store.granuleSizeBytes();
        assertThat(Integer.bitCount(granuleBytes)).isEqualTo(1);
        assertThat(PAGE_BYTES % granuleBytes).isZero();
    }

    @Test
    void everyPageHasADevice()
    {
        for (int page = 0; page < 100; page++) {
            assertThat(store.device(key(1, page))).isBetween(0, store.devices() - 1).isEqualTo(store.device(key(1, page)));
        }
    }

    @Test
    void granuleIsReadAsSoonAsItIsWritten()
    {
        PageKey key = key(1, 0);
        int granuleBytes = store.granuleSizeBytes();
        int granules = PAGE_BYTES / granuleBytes;
        for (int i = 0; i < granules; i++) {
            // the odd ones first
            int granule = i < granules / 2 ? 2 * i + 1 : 2 * (i - granules / 2);
            assertThat(read(store, key, granule * granuleBytes, granuleBytes)).isEmpty();
            assertThat(writeGranules(store, key, granule, 1)).isEqualTo(WriteOutcome.STORED);
            assertThat(read(store, key, granule * granuleBytes, granuleBytes))
                    .hasValue(Arrays.copyOfRange(page(key), granule * granuleBytes, (granule + 1) * granuleBytes));
            assertThat(presentGranules(store, key)).isEqualTo(i + 1);
            assertThat(store.presentGranules(key, granule) & 1).isEqualTo(1);
            assertThat(read(store, key, 0, PAGE_BYTES).isPresent()).isEqualTo(i == granules - 1);
        }
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
        assertThat(store.stats().currentPages()).isEqualTo(1);
    }

    @Test
    void granulesThatAreThereStay()
    {
        PageKey key = key(1, 0);
        int granules = PAGE_BYTES / store.granuleSizeBytes();
        writeGranules(store, key, granules / 2, granules - granules / 2);
        byte[] other = page(key);
        for (int i = granules / 2 * store.granuleSizeBytes(); i < PAGE_BYTES; i++) {
            other[i]++;
        }
        assertThat(store.write(key, TAGS, PAGE_BYTES, 0, ByteBuffer.wrap(other), store.epoch())).isEqualTo(WriteOutcome.STORED);
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void shortLastGranule()
    {
        int granuleBytes = store.granuleSizeBytes();
        int length = granuleBytes >= PAGE_BYTES ? 5 : PAGE_BYTES - granuleBytes + 5;
        byte[] page = randomBytes(1, length);
        PageKey key = key(1, 0);
        int last = (length - 1) / granuleBytes * granuleBytes;
        assertThat(store.write(key, TAGS, length, last, ByteBuffer.wrap(page, last, 5), store.epoch())).isEqualTo(WriteOutcome.STORED);
        assertThat(read(store, key, last, 5)).hasValue(Arrays.copyOfRange(page, last, length));
        assertThat(presentGranules(store, key)).isEqualTo(1);
        assertThat(read(store, key, last, 6)).isEmpty();
    }

    @Test
    void brokenGranulesAreRefused()
    {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        int granuleBytes = store.granuleSizeBytes();
        assertThatThrownBy(() -> store.write(key(1, 0), TAGS, PAGE_BYTES, 1, bytes.slice(0, granuleBytes - 1), store.epoch()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.write(key(1, 0), TAGS, PAGE_BYTES, 0, bytes.slice(0, granuleBytes - 1), store.epoch()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.write(key(1, 0), TAGS, PAGE_BYTES, 0, bytes.slice(0, 0), store.epoch()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.write(key(1, 0), TAGS, PAGE_BYTES - 1, 0, bytes, store.epoch()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(presentGranules(store, key(1, 0))).isZero();
    }

    @Test
    void otherVersionAndOtherPageMiss()
    {
        write(store, key(1, 0));
        assertThat(read(store, key(2, 0), 0, 10)).isEmpty();
        assertThat(read(store, key(1, 1), 0, 10)).isEmpty();
        write(store, key(2, 0));
        write(store, key(1, 1));
        for (PageKey key : new PageKey[] {key(1, 0), key(2, 0), key(1, 1)}) {
            assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
        }
    }

    @Test
    void removedPageMisses()
    {
        PageKey key = key(1, 0);
        store.remove(key);
        write(store, key);
        store.remove(key);
        assertThat(contains(store, key)).isFalse();
        assertThat(read(store, key, 0, 10)).isEmpty();
        assertThat(store.stats().currentPages()).isZero();
        assertThat(store.stats().currentBytes()).isZero();
        assertThat(write(store, key)).isEqualTo(WriteOutcome.STORED);
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void secondWriteChangesNothing()
    {
        PageKey key = key(1, 0);
        write(store, key);
        PageStoreStats before = store.stats();
        assertThat(write(store, key)).isEqualTo(WriteOutcome.STORED);
        assertThat(store.stats()).isEqualTo(before);
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void interruptedThreadReadsAndWritesAndStaysInterrupted()
    {
        PageKey key = key(1, 0);
        Thread.currentThread().interrupt();
        assertThat(write(store, key)).isEqualTo(WriteOutcome.STORED);
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(store, key, 0, PAGE_BYTES)).hasValue(page(key));
    }

    @Test
    void closedStoreDeclines()
    {
        PageKey key = key(1, 0);
        write(store, key);
        store.close();
        assertThat(store.read(key, 0, ByteBuffer.allocate(10))).isEqualTo(ReadOutcome.DECLINED);
        assertThat(write(store, key)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(contains(store, key)).isFalse();
        store.remove(key);
    }
}
