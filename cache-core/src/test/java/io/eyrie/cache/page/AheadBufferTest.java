// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.trace.TraceListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.granules;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests streams of bytes that are not cached, as readers of text request them. */
final class AheadBufferTest
{
    private static final byte[] CONTENT = randomBytes(1, 64 * PAGE + 1000);
    private static final TestingSource.Range[] BEGINNING = {granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(11, 12),
            granules(23, 16), granules(39, 16)};

    private final TestingPageStore store = new TestingPageStore();
    private final TestingSource source = new TestingSource(CONTENT);
    private final List<ReadThroughPageCache> caches = new ArrayList<>();

    /** Why bytes are not cached. */
    private enum Reason
    {
        READ_ONLY,
        DRY_RUN,
        BYPASS,
        REFUSED,
        DECLINED,
        BUSY
    }

    @AfterEach
    void close()
    {
        for (ReadThroughPageCache cache : caches) {
            assertThat(cache.fetches().usedBytes()).as("memory").isZero();
            cache.close();
        }
    }

    private ReadThroughPageCache cache(PageCacheConfig.Builder config, Admission admission)
    {
        ReadThroughPageCache cache = new ReadThroughPageCache(store, config.build(), (page, scope, bytes, budget) -> admission, TraceListener.NOOP);
        caches.add(cache);
        return cache;
    }

    private CachedFile open(PageCacheConfig.Builder config, CacheMode mode, Admission admission)
    {
        return cache(config, admission).open(version(CONTENT, 1), source, context(mode, ReadListener.NOOP));
    }

    private CachedFile open(Reason reason)
    {
        if (reason == Reason.DECLINED || reason == Reason.BUSY) {
            store.setReadFault(key -> Optional.of(ReadOutcome.valueOf(reason.name())));
        }
        return switch (reason) {
            case READ_ONLY, DRY_RUN, BYPASS -> open(config(), CacheMode.valueOf(reason.name()), Admission.ADMITTED);
            case REFUSED -> open(config(), CacheMode.READ_WRITE, Admission.OVER_DAILY_BUDGET);
            case DECLINED, BUSY -> open(config(), CacheMode.READ_WRITE, Admission.ADMITTED);
        };
    }

    private static void read(CachedFile file, int from, int to, int step)
            throws IOException
    {
        for (int position = from; position < to; position += step) {
            readAndCheck(file, CONTENT, position, Math.min(step, to - position));
        }
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void streamThatIsNotCachedIsReadInLongRanges(Reason reason)
            throws IOException
    {
        try (CachedFile file = open(reason)) {
            read(file, 0, CONTENT.length, GRANULE);
        }
        List<TestingSource.Range> ranges = source.takeRanges();
        assertThat(ranges).startsWith(BEGINNING).hasSizeLessThan(25);
        assertThat(ranges.stream().mapToLong(TestingSource.Range::length).sum()).as("each byte once").isEqualTo(CONTENT.length);
        assertThat(store.tags()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void bytesFromBeforeAnInvalidationAreReadAgain(Reason reason)
            throws IOException
    {
        try (CachedFile file = open(reason)) {
            read(file, 0, 3 * GRANULE, GRANULE);
            source.takeRanges();
            caches.get(0).control().invalidate(version(CONTENT, 1));
            read(file, 3 * GRANULE, 4 * GRANULE, GRANULE);
            assertThat(source.takeRanges()).isNotEmpty();
        }
    }

    @Test
    void readsThatAreNoGranules()
            throws IOException
    {
        try (CachedFile file = open(Reason.READ_ONLY)) {
            read(file, 100, CONTENT.length, 10_001);
        }
        List<TestingSource.Range> ranges = source.takeRanges();
        assertThat(ranges).hasSizeLessThan(25);
        assertThat(ranges.stream().mapToLong(TestingSource.Range::length).sum()).isEqualTo(CONTENT.length - 100);
    }

    @Test
    void columnsAreNotReadAhead()
            throws IOException
    {
        try (CachedFile file = open(Reason.READ_ONLY)) {
            for (int granule : new int[] {0, 1, 3, 4, 6, 8, 7}) {
                readAndCheck(file, CONTENT, granule * GRANULE, GRANULE);
            }
            readAndCheck(file, CONTENT, 20 * GRANULE, GRANULE);
            readAndCheck(file, CONTENT, 21 * GRANULE, 2 * GRANULE);
            readAndCheck(file, CONTENT, 23 * GRANULE, GRANULE);
        }
        assertThat(source.takeRanges()).containsExactly(granules(0, 1), granules(1, 1), granules(3, 1), granules(4, 1), granules(6, 1), granules(8,
                1),
                granules(7, 1), granules(20, 1), granules(21, 2), granules(23, 1));
    }

    @Test
    void streamEndsWhereBytesAreCached()
            throws IOException
    {
        ReadThroughPageCache cache = cache(config(), Admission.ADMITTED);
        try (CachedFile writer = cache.open(version(CONTENT, 1), source, context())) {
            readAndCheck(writer, CONTENT, 8 * GRANULE, 2 * GRANULE);
            awaitWrites(cache, 1);
        }
        TestingSource other = new TestingSource(CONTENT);
        try (CachedFile file = cache.open(version(CONTENT, 1), other, context(CacheMode.READ_ONLY, ReadListener.NOOP))) {
            read(file, 0, 14 * GRANULE, GRANULE);
        }
        assertThat(other.takeRanges()).containsExactly(granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 3), granules(10, 1), granules(11,
                1),
                granules(12, 3));
    }

    @Test
    void leftStreamGivesItsMemoryBack()
            throws IOException
    {
        try (CachedFile file = open(Reason.READ_ONLY)) {
            read(file, 0, 24 * GRANULE, GRANULE);
            assertThat(caches.get(0).fetches().usedBytes()).isEqualTo(16 * GRANULE);
            readAndCheck(file, CONTENT, 60 * GRANULE, 10);
            assertThat(caches.get(0).fetches().usedBytes()).isZero();
            read(file, 0, 24 * GRANULE, GRANULE);
        }
    }

    @Test
    void shortMemoryShortensRanges()
            throws IOException
    {
        try (CachedFile file = open(config().fetchMemoryBytes(16 * GRANULE), CacheMode.READ_ONLY, Admission.ADMITTED)) {
            read(file, 0, 31 * GRANULE, GRANULE);
            assertThat(source.takeRanges()).containsExactly(granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(11, 6),
                    granules(17, 8), granules(25, 8));
        }
    }

    @Test
    void streamWithoutMemoryReadsItsBytes()
            throws IOException
    {
        try (CachedFile file = open(config().fetchMemoryBytes(16 * GRANULE), CacheMode.READ_ONLY, Admission.ADMITTED)) {
            Fetches fetches = caches.get(0).fetches();
            assertThat(fetches.reserve(8 * GRANULE)).isTrue();
            read(file, 0, 8 * GRANULE, GRANULE);
            fetches.giveBack(8 * GRANULE);
            assertThat(source.takeRanges()).hasSize(8);
            read(file, 8 * GRANULE, 17 * GRANULE, GRANULE);
            assertThat(source.takeRanges()).hasSize(2);
        }
    }

    /* The fetches that another reader of the file waits for use all that it may have; the next reads will be fetched again. */
    @Test
    void streamThatWillBeCachedIsNotReadAheadForOneReader()
            throws IOException
    {
        try (CachedFile file = open(config().fetchMemoryBytes(16 * GRANULE), CacheMode.READ_WRITE, Admission.ADMITTED)) {
            Fetches fetches = caches.get(0).fetches();
            assertThat(fetches.reserve(16 * GRANULE)).isTrue();
            read(file, 0, 6 * GRANULE, GRANULE);
            fetches.giveBack(16 * GRANULE);
            assertThat(source.takeRanges()).hasSize(6);
            readAndCheck(file, CONTENT, 6 * GRANULE, GRANULE);
            assertThat(source.takeRanges()).containsExactly(granules(6, 7));
            awaitWrites(caches.get(0), 3);
        }
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
        try (CachedFile file = open(Reason.READ_ONLY)) {
            read(file, 0, unreadable, GRANULE);
            assertThat(source.takeRanges()).containsExactly(granules(0, 1), granules(1, 1), granules(2, 3), granules(5, 6), granules(5, 1),
                    granules(6, 1), granules(7, 1));
            assertThatThrownBy(() -> file.read(unreadable, new byte[10], 0, 10)).isSameAs(lost);
        }
    }
}
