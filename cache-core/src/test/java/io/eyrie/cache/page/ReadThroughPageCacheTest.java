// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.SCOPE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.checkSums;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.granules;
import static io.eyrie.cache.page.TestingFiles.pages;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests which bytes are requested from the remote store, with one reader at a time. */
final class ReadThroughPageCacheTest
{
    private static final byte[] CONTENT = randomBytes(1, 20 * PAGE + 1000);
    private static final TestingSource.Range[] STREAMED = {
            granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(11, 12), granules(23, 16), granules(39, 16), granules(55, 16),
            new TestingSource.Range(71 * GRANULE, 9 * GRANULE + 1000),
    };

    private final TestingPageStore store = new TestingPageStore();
    private final ReadThroughPageCache cache = new ReadThroughPageCache(store, config().build());
    private final TestingSource source = new TestingSource(CONTENT);
    private final RecordingListener listener = new RecordingListener();
    private final CachedFile file = cache.open(version(CONTENT, 1), source, context(CacheMode.READ_WRITE, listener));

    @AfterEach
    void checkAndClose()
    {
        file.close();
        checkSums(cache.stats());
        cache.close();
        assertThat(store.isClosed()).isTrue();
        assertThat(source.closes()).isEqualTo(1);
    }

    @Test
    void openAsksNothing()
    {
        assertThat(source.takeRanges()).isEmpty();
        assertThat(file.version()).isEqualTo(version(CONTENT, 1));
        assertThat(cache.pageSizeBytes()).isEqualTo(PAGE);
    }

    @Test
    void coldReadFetchesItsGranulesOnce()
            throws IOException
    {
        readAndCheck(file, CONTENT, PAGE + 100, 10);
        assertThat(source.takeRanges()).containsExactly(granules(4, 1));
        assertThat(listener.take()).containsExactly("remote " + GRANULE);
        awaitWrites(cache, 1);
        readAndCheck(file, CONTENT, PAGE, GRANULE);
        assertThat(source.takeRanges()).isEmpty();
        assertThat(listener.take()).containsExactly("cache " + GRANULE);
        assertThat(store.tags().values()).containsExactly(new PageTags(SCOPE, StorageClass.DATA));
        PageCacheStats stats = cache.stats();
        assertThat(stats.lookup().lookups()).isEqualTo(2);
        assertThat(stats.lookup().hits()).isEqualTo(1);
        assertThat(stats.lookup().misses()).isEqualTo(1);
        assertThat(stats.lookup().hitBytes()).isEqualTo(GRANULE);
        assertThat(stats.fetch().remoteReads()).isEqualTo(1);
        assertThat(stats.fetch().remoteReadBytes()).isEqualTo(GRANULE);
        assertThat(stats.write().writtenBytes()).isEqualTo(GRANULE);
    }

    @Test
    void pageThatIsThereInPartIsCompleted()
            throws IOException
    {
        readAndCheck(file, CONTENT, PAGE + 100, 10);
        awaitWrites(cache, 1);
        source.takeRanges();
        listener.take();
        readAndCheck(file, CONTENT, PAGE + 5, PAGE - 5);
        assertThat(source.takeRanges()).containsExactly(granules(5, 3));
        assertThat(listener.take()).containsExactly("remote " + 3 * GRANULE, "cache " + (GRANULE - 5));
        awaitWrites(cache, 2);
        readAndCheck(file, CONTENT, PAGE, PAGE);
        assertThat(source.takeRanges()).isEmpty();
        PageCacheStats stats = cache.stats();
        assertThat(stats.lookup().hits()).isEqualTo(1);
        assertThat(stats.lookup().misses()).isEqualTo(2);
        assertThat(stats.lookup().hitBytes()).isEqualTo(PAGE + GRANULE - 5);
        assertThat(stats.store().currentPages()).isEqualTo(1);
    }

    @Test
    void cachedBytesAreThoseOfTheRange()
            throws IOException
    {
        assertThat(cache.cachedBytes(file.version(), 0, CONTENT.length)).hasValue(0);
        readAndCheck(file, CONTENT, PAGE - GRANULE, 2 * GRANULE);
        awaitWrites(cache, 2);
        assertThat(cache.cachedBytes(file.version())).isEqualTo(2 * GRANULE);
        assertThat(cache.cachedBytes(file.version(), 0, CONTENT.length)).hasValue(2 * GRANULE);
        assertThat(cache.cachedBytes(file.version(), PAGE - GRANULE, PAGE + GRANULE)).as("all of a range").hasValue(2 * GRANULE);
        assertThat(cache.cachedBytes(file.version(), PAGE - 10, PAGE + 20)).as("within granules").hasValue(30);
        assertThat(cache.cachedBytes(file.version(), PAGE, 2 * PAGE)).as("a part of a range").hasValue(GRANULE);
        assertThat(cache.cachedBytes(file.version(), 2 * PAGE, 3 * PAGE)).hasValue(0);
        assertThat(cache.cachedBytes(file.version(), 5, 5)).as("nothing").hasValue(0);
    }

    @Test
    void streamIsReadAheadAsFarAsItWasReadInARow()
            throws IOException
    {
        readInSteps(file);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(STREAMED);
    }

    /* Each of three fetches is answered only after the other two were requested. */
    @Test
    void longStreamHasFetchesOnTheirWayBeforeItAsksForThem()
            throws IOException
    {
        CountDownLatch asked = new CountDownLatch(3);
        source.withHook((position, length) -> {
            if (position >= 23 * GRANULE) {
                asked.countDown();
                awaitSeconds(asked);
            }
        });
        readInSteps(file);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(STREAMED);
        listener.take();
        readInSteps(file);
        assertThat(source.takeRanges()).isEmpty();
        checkSums(cache.stats());
    }

    @Test
    void longStreamLeavesHalfOfTheMemoryToOthers()
            throws IOException
    {
        TestingSource other = new TestingSource(CONTENT);
        try (ReadThroughPageCache small = new ReadThroughPageCache(new TestingPageStore(), config().fetchMemoryBytes(47 * GRANULE).build());
                CachedFile streamed = small.open(version(CONTENT, 1), other, context(CacheMode.READ_WRITE, listener))) {
            for (int granule = 0; granule <= 23; granule++) {
                readAndCheck(streamed, CONTENT, granule * GRANULE, GRANULE);
            }
        }
        assertThat(other.takeRanges()).containsExactly(Arrays.copyOf(STREAMED, 6));
    }

    /* As of a file in HDFS that lost a block. */
    @Test
    void bytesThatAreReadAheadMayBeUnreadable()
            throws IOException
    {
        int unreadable = 8 * GRANULE;
        IOException lost = new IOException("lost");
        source.withHook((position, length) -> {
            if (position + length > unreadable) {
                throw lost;
            }
        });
        for (int position = 0; position < unreadable; position += GRANULE) {
            readAndCheck(file, CONTENT, position, GRANULE);
        }
        assertThatThrownBy(() -> file.read(unreadable, new byte[10], 0, 10)).isSameAs(lost);
    }

    private static void readInSteps(CachedFile file)
            throws IOException
    {
        for (int position = 0; position < CONTENT.length; position += GRANULE) {
            readAndCheck(file, CONTENT, position, Math.min(GRANULE, CONTENT.length - position));
        }
    }

    private static void awaitSeconds(CountDownLatch latch)
            throws IOException
    {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IOException("the others were not asked for");
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Test
    void streamInStepsThatAreNoGranulesIsReadAhead()
            throws IOException
    {
        for (int position = 0; position < 12 * GRANULE; position += 10_000) {
            readAndCheck(file, CONTENT, position, 10_000);
        }
        assertThat(source.takeRanges()).containsExactly(granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(11, 12));
    }

    @Test
    void scatteredReadsAreNotReadAhead()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, 3 * PAGE);
        readAndCheck(file, CONTENT, 3 * PAGE + 1, 10);
        readAndCheck(file, CONTENT, 5 * PAGE, 10);
        assertThat(source.takeRanges()).containsExactly(pages(0, 3), granules(12, 1), granules(20, 1));
    }

    @Test
    void neighbouringColumnsAreNotReadAhead()
            throws IOException
    {
        int position = 0;
        for (int granulesInRead : new int[] {1, 2, 1, 3, 2, 1}) {
            readAndCheck(file, CONTENT, position, granulesInRead * GRANULE);
            position += granulesInRead * GRANULE;
        }
        assertThat(source.takeRanges()).containsExactly(
                granules(0, 1), granules(1, 2), granules(3, 1), granules(4, 3), granules(7, 2), granules(9, 1));
    }

    @Test
    void readAheadEndsAtAGranuleThatIsThere()
            throws IOException
    {
        readAndCheck(file, CONTENT, 4 * PAGE, 1);
        awaitWrites(cache, 1);
        for (int position = 0; position < 4 * PAGE; position += GRANULE) {
            readAndCheck(file, CONTENT, position, GRANULE);
        }
        assertThat(source.takeRanges()).containsExactly(
                granules(16, 1), granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(11, 5));
    }

    @Test
    void neighboursAreFetchedInOneRange()
            throws IOException
    {
        readAndCheck(file, CONTENT, 2 * PAGE - 1, PAGE + 2);
        assertThat(source.takeRanges()).containsExactly(granules(7, 6));
        assertThat(listener.take()).containsExactly("remote " + 6 * GRANULE);
    }

    @Test
    void longReadIsFetchedInRangesOfBoundedLength()
            throws IOException
    {
        readAndCheck(file, CONTENT, 100, 18 * PAGE);
        assertThat(source.takeRanges())
                .containsExactlyInAnyOrder(granules(0, 16), granules(16, 16), granules(32, 16), granules(48, 16), granules(64, 9));
    }

    @Test
    void lastPageEndsWithTheFile()
            throws IOException
    {
        readAndCheck(file, CONTENT, 20 * PAGE + 10, 20);
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(20L * PAGE, 1000));
        awaitWrites(cache, 1);
        readAndCheck(file, CONTENT, 20 * PAGE, 5000);
        assertThat(source.takeRanges()).isEmpty();
    }

    @Test
    void onlyMissingGranulesAreFetched()
            throws IOException
    {
        readAndCheck(file, CONTENT, PAGE, 1);
        readAndCheck(file, CONTENT, 4 * PAGE, 1);
        awaitWrites(cache, 2);
        source.takeRanges();
        listener.take();
        readAndCheck(file, CONTENT, 0, 6 * PAGE);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(granules(0, 4), granules(5, 11), granules(17, 7));
        assertThat(listener.take())
                .containsExactly("remote " + 4 * GRANULE, "remote " + 11 * GRANULE, "remote " + 7 * GRANULE, "cache " + 2 * GRANULE);
    }

    @Test
    void smallGapIsFetchedOnceMoreAndALargeOneIsNot()
            throws IOException
    {
        TestingSource other = new TestingSource(CONTENT);
        try (ReadThroughPageCache merging = new ReadThroughPageCache(new TestingPageStore(), config().mergeGapBytes(2 * GRANULE).build());
                CachedFile merged = merging.open(version(CONTENT, 1), other, context())) {
            readAndCheck(merged, CONTENT, 2 * GRANULE, 2 * GRANULE);
            readAndCheck(merged, CONTENT, 6 * GRANULE, 3 * GRANULE);
            awaitWrites(merging, 3);
            other.takeRanges();
            readAndCheck(merged, CONTENT, 0, 12 * GRANULE);
            assertThat(other.takeRanges()).containsExactlyInAnyOrder(granules(0, 6), granules(9, 3));
        }
    }

    @Test
    void warmReadOfTheWholeFileAsksNothing()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, CONTENT.length);
        awaitWrites(cache, 21);
        source.takeRanges();
        listener.take();
        readAndCheck(file, CONTENT, 0, CONTENT.length);
        TestingSource other = new TestingSource(CONTENT);
        try (CachedFile again = cache.open(version(CONTENT, 1), other, context())) {
            readAndCheck(again, CONTENT, 1, CONTENT.length - 2);
        }
        assertThat(source.takeRanges()).isEmpty();
        assertThat(other.takeRanges()).isEmpty();
        assertThat(other.closes()).isEqualTo(1);
        assertThat(listener.take()).containsExactly("cache " + CONTENT.length);
    }

    @Test
    void everyFieldOfTheVersionIsInTheKey()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, CONTENT.length);
        awaitWrites(cache, 21);
        StoreId storeId = StoreId.shared("s3://bucket");
        String path = "/web/clicks/1.orc";
        List<FileVersion> others = List.of(
                new FileVersion(StoreId.shared("s3://bucket2"), path, CONTENT.length, 1, Optional.empty()),
                new FileVersion(new StoreId("s3://bucket", "alice"), path, CONTENT.length, 1, Optional.empty()),
                new FileVersion(new StoreId("s3://bucketa", "lice"), path, CONTENT.length, 1, Optional.empty()),
                new FileVersion(storeId, "/web/clicks/2.orc", CONTENT.length, 1, Optional.empty()),
                new FileVersion(storeId, path, CONTENT.length - 1, 1, Optional.empty()),
                new FileVersion(storeId, path, CONTENT.length, 2, Optional.empty()),
                new FileVersion(storeId, path, CONTENT.length, 1, Optional.of("")),
                new FileVersion(storeId, path, CONTENT.length, 1, Optional.of("a")),
                new FileVersion(storeId, path + "\ud800", CONTENT.length, 1, Optional.empty()),
                new FileVersion(storeId, path + "\ud801", CONTENT.length, 1, Optional.empty()));
        for (int i = 0; i < others.size(); i++) {
            byte[] content = randomBytes(100 + i, CONTENT.length);
            TestingSource changed = new TestingSource(content);
            try (CachedFile other = cache.open(others.get(i), changed, context())) {
                readAndCheck(other, content, 0, PAGE);
            }
            assertThat(changed.takeRanges()).as("%s", others.get(i)).containsExactly(pages(0, 1));
        }
        source.takeRanges();
        readAndCheck(file, CONTENT, 0, CONTENT.length);
        assertThat(source.takeRanges()).isEmpty();
    }

    @Test
    void readOnlyServesHitsAndReadsMissesExactly()
            throws IOException
    {
        readAndCheck(file, CONTENT, 2 * PAGE, 1);
        awaitWrites(cache, 1);
        TestingSource other = new TestingSource(CONTENT);
        RecordingListener heard = new RecordingListener();
        try (CachedFile readOnly = cache.open(version(CONTENT, 1), other, context(CacheMode.READ_ONLY, heard))) {
            readAndCheck(readOnly, CONTENT, 10, 5 * PAGE);
            assertThat(other.takeRanges()).containsExactly(
                    new TestingSource.Range(10, 2 * PAGE - 10),
                    new TestingSource.Range(2 * PAGE + GRANULE, 3 * PAGE + 10 - GRANULE));
            readAndCheck(readOnly, CONTENT, 10, 10);
            assertThat(other.takeRanges()).containsExactly(new TestingSource.Range(10, 10));
        }
        assertThat(heard.take()).containsExactly(
                "remote " + (2 * PAGE - 10), "remote " + (3 * PAGE + 10 - GRANULE), "cache " + GRANULE, "remote 10");
        assertThat(store.stats().currentPages()).isEqualTo(1);
    }

    @Test
    void bypassTouchesNothing()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, 3 * PAGE);
        awaitWrites(cache, 3);
        PageCacheStats before = cache.stats();
        TestingSource other = new TestingSource(CONTENT);
        RecordingListener heard = new RecordingListener();
        try (CachedFile bypass = cache.open(version(CONTENT, 1), other, context(CacheMode.BYPASS, heard))) {
            readAndCheck(bypass, CONTENT, 10, 10 * PAGE);
        }
        assertThat(other.takeRanges()).containsExactly(new TestingSource.Range(10, 10 * PAGE));
        assertThat(heard.take()).containsExactly("remote " + 10 * PAGE);
        assertThat(cache.stats().lookup().lookups()).isEqualTo(before.lookup().lookups());
        assertThat(store.stats().currentPages()).isEqualTo(3);
    }

    @Test
    void readsAtTheEndOfTheFile()
            throws IOException
    {
        byte[] buffer = new byte[100];
        assertThat(file.read(CONTENT.length, buffer, 0, 100)).isEqualTo(-1);
        assertThat(file.read(Long.MAX_VALUE, buffer, 0, 100)).isEqualTo(-1);
        assertThat(file.read(CONTENT.length, buffer, 0, 0)).isZero();
        assertThat(file.read(0, buffer, 50, 0)).isZero();
        assertThat(source.takeRanges()).isEmpty();
        readAndCheck(file, CONTENT, CONTENT.length - 1, 100);
        assertThatThrownBy(() -> file.readFully(CONTENT.length - 99, buffer, 0, 100)).isInstanceOf(EOFException.class);
        file.readFully(CONTENT.length - 100, buffer, 0, 100);
        assertThat(buffer).isEqualTo(Arrays.copyOfRange(CONTENT, CONTENT.length - 100, CONTENT.length));
        assertThatThrownBy(() -> file.read(0, buffer, 50, 51)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> file.read(-1, buffer, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void emptyFile()
            throws IOException
    {
        TestingSource empty = new TestingSource(new byte[0]);
        try (CachedFile none = cache.open(version(new byte[0], 1), empty, context())) {
            assertThat(none.read(0, new byte[1], 0, 1)).isEqualTo(-1);
        }
        assertThat(empty.takeRanges()).isEmpty();
    }

    @Test
    void readIntoBuffers()
            throws IOException
    {
        for (CacheMode mode : CacheMode.values()) {
            for (ByteBuffer buffer : List.of(ByteBuffer.allocate(3 * PAGE), ByteBuffer.allocateDirect(3 * PAGE))) {
                try (CachedFile other = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context(mode, ReadListener.NOOP))) {
                    buffer.position(5).limit(2 * PAGE);
                    assertThat(other.read(7, buffer)).isEqualTo(2 * PAGE - 5);
                    assertThat(buffer.position()).isEqualTo(2 * PAGE);
                    assertThat(buffer.flip().position(5)).isEqualTo(ByteBuffer.wrap(CONTENT, 7, 2 * PAGE - 5));
                    buffer.clear();
                    assertThat(other.read(CONTENT.length - 10, buffer)).isEqualTo(10);
                    assertThat(buffer.position()).isEqualTo(10);
                }
            }
        }
    }

    @Test
    void closedFileDoesNotRead()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, 1);
        file.close();
        file.close();
        assertThatThrownBy(() -> file.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    @Test
    void closedCacheReadsRemote()
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, PAGE);
        cache.close();
        cache.close();
        source.takeRanges();
        readAndCheck(file, CONTENT, 10, PAGE);
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(10, PAGE));
    }

    @ParameterizedTest
    @EnumSource(value = ReadOutcome.class, names = "HIT", mode = EnumSource.Mode.EXCLUDE)
    void everyOtherOutcomeReadsRemote(ReadOutcome outcome)
            throws IOException
    {
        readAndCheck(file, CONTENT, 0, PAGE);
        awaitWrites(cache, 1);
        source.takeRanges();
        PageCacheStats before = cache.stats();
        store.setReadFault(key -> {
            store.remove(key);
            return Optional.of(outcome);
        });
        readAndCheck(file, CONTENT, 10, 10);
        boolean fetched = outcome == ReadOutcome.MISS || outcome == ReadOutcome.CORRUPT;
        assertThat(source.takeRanges()).containsExactly(fetched ? granules(0, 1) : new TestingSource.Range(10, 10));
        PageCacheStats stats = cache.stats();
        assertThat(stats.lookup().lookups()).isEqualTo(before.lookup().lookups() + 1);
        long counted = switch (outcome) {
            case HIT -> stats.lookup().hits();
            case MISS -> stats.lookup().misses() - before.lookup().misses();
            case DECLINED -> stats.lookup().declined();
            case BUSY -> stats.lookup().busy();
            case CORRUPT -> stats.lookup().corruptions();
            case DEVICE_ERROR -> stats.lookup().deviceErrors();
        };
        assertThat(counted).isEqualTo(1);
    }

    @Test
    void storeThatThrowsReadsRemote()
            throws IOException
    {
        store.setReadFault(key -> {
            throw new IllegalStateException("broken");
        });
        readAndCheck(file, CONTENT, 10, 10);
        assertThat(cache.stats().lookup().deviceErrors()).isEqualTo(1);
        store.setReadFault(key -> Optional.empty());
        store.setWriteFault(key -> {
            throw new IllegalStateException("broken");
        });
        readAndCheck(file, CONTENT, 10, 10);
        awaitWrites(cache, 1);
        assertThat(cache.stats().write().failedWrites()).isEqualTo(1);
        readAndCheck(file, CONTENT, 10, 10);
        awaitWrites(cache, 2);
    }

    @Test
    void storeThatGetsNoDirectMemoryReadsRemote()
            throws IOException
    {
        store.setReadFault(key -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        readAndCheck(file, CONTENT, 10, 10);
        assertThat(cache.stats().lookup().deviceErrors()).isEqualTo(1);
    }

    @Test
    void declinedAndFailedWritesAreCounted()
            throws IOException
    {
        store.setWriteFault(key -> Optional.of(key.pageNumber() == 0 ? WriteOutcome.DECLINED : WriteOutcome.DEVICE_ERROR));
        readAndCheck(file, CONTENT, 0, 3 * PAGE);
        awaitWrites(cache, 3);
        PageCacheStats stats = cache.stats();
        assertThat(stats.write().declinedWrites()).isEqualTo(1);
        assertThat(stats.write().failedWrites()).isEqualTo(2);
        assertThat(stats.write().writes()).isZero();
        assertThat(stats.write().writtenBytes()).isZero();
    }

    @Test
    void remoteFailureReachesTheReaderAsItIs()
            throws IOException
    {
        IOException checked = new EOFException("remote");
        IllegalStateException unchecked = new IllegalStateException("remote");
        Error error = new AssertionError("remote");
        for (Throwable failure : List.of(checked, unchecked, error)) {
            source.withHook((position, length) -> sneakyThrow(failure));
            for (CacheMode mode : CacheMode.values()) {
                TestingSource other = new TestingSource(CONTENT).withHook((position, length) -> sneakyThrow(failure));
                RecordingListener heard = new RecordingListener();
                try (CachedFile failing = cache.open(version(CONTENT, 1), other, context(mode, heard))) {
                    assertThatThrownBy(() -> failing.read(10, new byte[10], 0, 10)).isSameAs(failure);
                }
                assertThat(other.takeRanges()).hasSize(1);
                assertThat(heard.take()).hasSize(1).first().asString().startsWith("remote");
            }
        }
        assertThat(cache.stats().fetch().remoteReadFailures()).isEqualTo(3L * CacheMode.values().length);
        source.withHook((position, length) -> {});
        readAndCheck(file, CONTENT, 0, PAGE);
        awaitWrites(cache, 1);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneakyThrow(Throwable failure)
            throws E
    {
        throw (E) failure;
    }
}
