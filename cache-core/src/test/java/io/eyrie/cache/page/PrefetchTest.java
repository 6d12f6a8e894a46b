// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.trace.TraceListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.checkSums;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.granules;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests ranges that a reader announces: they are fetched concurrently, once, and not at the expense of other readers. */
final class PrefetchTest
{
    private static final byte[] CONTENT = randomBytes(1, 20 * PAGE);

    private final TestingPageStore store = new TestingPageStore();
    private final TestingSource source = new TestingSource(CONTENT);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<ReadThroughPageCache> caches = new ArrayList<>();

    @AfterEach
    void checkAndClose()
    {
        gate.countDown();
        for (ReadThroughPageCache cache : caches) {
            cache.close();
            checkSums(cache.stats());
        }
    }

    private ReadThroughPageCache open(PageCacheConfig.Builder config)
    {
        ReadThroughPageCache cache = new ReadThroughPageCache(store, config.build());
        caches.add(cache);
        return cache;
    }

    /* Each range is answered only after all were requested. */
    @Test
    void rangesAreFetchedAtATimeAndServedToWhoReadsThem()
            throws IOException
    {
        ReadThroughPageCache cache = open(config());
        CountDownLatch asked = new CountDownLatch(3);
        source.withHook((position, length) -> {
            asked.countDown();
            awaitUninterrupted(asked);
        });
        CachedFile file = cache.open(version(CONTENT, 1), source, context());
        file.prefetch(List.of(new ByteRange(12 * PAGE, 10), new ByteRange(5, 10), new ByteRange(6 * PAGE, PAGE + 1)));
        readAndCheck(file, CONTENT, 6 * PAGE, PAGE + 1);
        readAndCheck(file, CONTENT, 5, 10);
        readAndCheck(file, CONTENT, 12 * PAGE, 10);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(granules(0, 1), granules(24, 5), granules(48, 1));
        assertThat(cache.stats().fetch().remoteReads()).isEqualTo(3);
    }

    @Test
    void neighboursAreOneFetchAndWhatIsThereIsNone()
            throws IOException
    {
        ReadThroughPageCache cache = open(config());
        CachedFile file = cache.open(version(CONTENT, 1), source, context());
        readAndCheck(file, CONTENT, 0, 10);
        awaitWrites(cache, 1);
        source.takeRanges();
        file.prefetch(List.of(new ByteRange(10, GRANULE), new ByteRange(GRANULE + 10, GRANULE), new ByteRange(20 * PAGE - 1, 100)));
        awaitWrites(cache, 3);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(granules(1, 2), granules(79, 1));
        file.prefetch(List.of(new ByteRange(0, 3 * GRANULE)));
        readAndCheck(file, CONTENT, 0, 3 * GRANULE);
        assertThat(source.takeRanges()).isEmpty();
    }

    @Test
    void nothingIsFetchedWhileMostThreadsAreBusy()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchThreads(4));
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> awaitUninterrupted(gate));
        List<FutureTask<Void>> busy = new ArrayList<>();
        for (int version = 1; version <= 3; version++) {
            busy.add(startRead(cache.open(version(CONTENT, version), gated, context()), CONTENT, 0, 10));
        }
        eventually("three threads of four are busy", () -> cache.stats().fetch().remoteReads() == 3);
        assertNothingFetched(cache, context());
        gate.countDown();
        for (FutureTask<Void> read : busy) {
            get(read);
        }
    }

    @Test
    void nothingIsFetchedThatWouldNotBeKept()
            throws IOException
    {
        assertNothingFetched(open(config()), context(CacheMode.READ_ONLY, ReadListener.NOOP));
        assertNothingFetched(open(config()), context(CacheMode.BYPASS, ReadListener.NOOP));
        // the read itself would be the second touch
        assertNothingFetched(open(config().admission(new AdmissionConfig(List.of(), List.of(), 10, OptionalLong.empty(), false))), context());
        store.setReadFault(key -> Optional.of(ReadOutcome.DECLINED));
        assertNothingFetched(open(config()), context());
    }

    @Test
    void whatIsRefusedIsAskedForOnce()
            throws IOException
    {
        ReadThroughPageCache cache = new ReadThroughPageCache(
                store,
                config().build(),
                (page, scope, bytes, budget) -> Admission.DENIED_BY_RULE,
                TraceListener.NOOP);
        caches.add(cache);
        CachedFile file = cache.open(version(CONTENT, 1), source, context());
        file.prefetch(List.of(new ByteRange(0, 10), new ByteRange(4 * PAGE, 10), new ByteRange(8 * PAGE, 10)));
        assertThat(cache.stats().fetch().admissionRejections()).isEqualTo(1);
        assertThat(source.takeRanges()).isEmpty();
        readAndCheck(file, CONTENT, 4 * PAGE, 10);
    }

    private static void assertNothingFetched(ReadThroughPageCache cache, ReadContext context)
            throws IOException
    {
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 9), source, context);
        file.prefetch(List.of(new ByteRange(0, 4 * PAGE)));
        readAndCheck(file, CONTENT, PAGE, 10);
        assertThat(source.takeRanges()).extracting(TestingSource.Range::position).as("what the reader itself asked for").containsExactly((long) PAGE);
        file.prefetch(List.of());
        file.close();
        file.prefetch(List.of(new ByteRange(8 * PAGE, PAGE)));
        assertThat(source.takeRanges()).isEmpty();
    }
}
