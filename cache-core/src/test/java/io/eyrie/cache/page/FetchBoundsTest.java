// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.trace.TraceListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
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

/** Tests the limits of fetching and caching: too much in flight, too much to write, not admitted. */
final class FetchBoundsTest
{
    private static final byte[] CONTENT = randomBytes(1, 20 * PAGE);

    private final TestingPageStore store = new TestingPageStore();
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

    private ReadThroughPageCache open(PageCacheConfig.Builder config, AdmissionPolicy admission, TraceListener trace)
    {
        ReadThroughPageCache cache = new ReadThroughPageCache(store, config.build(), admission, trace);
        caches.add(cache);
        return cache;
    }

    private ReadThroughPageCache open(PageCacheConfig.Builder config)
    {
        return open(config, AdmissionPolicy.ALL, TraceListener.NOOP);
    }

    @Test
    void fileWithTooManyFetchesIsReadByItsReadersAndOthersAreFetched()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchesPerFile(2));
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> awaitUninterrupted(gate));
        FutureTask<Void> first = startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, 0, 10);
        FutureTask<Void> second = startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, PAGE, 10);
        eventually("two fetches run", () -> cache.stats().fetch().remoteReads() == 2);
        TestingSource same = new TestingSource(CONTENT);
        CachedFile third = cache.open(version(CONTENT, 1), same, context());
        readAndCheck(third, CONTENT, 2 * PAGE + 5, PAGE);
        assertThat(same.takeRanges()).containsExactly(new TestingSource.Range(2 * PAGE + 5, PAGE));
        TestingSource other = new TestingSource(CONTENT);
        readAndCheck(cache.open(version(CONTENT, 2), other, context()), CONTENT, 5, 10);
        assertThat(other.takeRanges()).containsExactly(granules(0, 1));
        assertThat(cache.stats().fetch().fileFetchRejections()).isEqualTo(1);
        gate.countDown();
        get(first);
        get(second);
        awaitWrites(cache, 3);
        readAndCheck(third, CONTENT, 2 * PAGE + 5, 10);
        assertThat(same.takeRanges()).containsExactly(granules(8, 1));
    }

    /* Each range is answered only after all were requested. */
    @Test
    void longReadIsSeveralFetchesAtATimeWhileThreadsAreIdle()
            throws Exception
    {
        byte[] content = randomBytes(2, 5 << 19);
        int requestBytes = 54 << 14;
        ReadThroughPageCache cache = open(PageCacheConfig.builder().fetchThreads(4));
        CountDownLatch asked = new CountDownLatch(3);
        TestingSource source = new TestingSource(content).withHook((position, length) -> {
            asked.countDown();
            awaitUninterrupted(asked);
        });
        readAndCheck(cache.open(version(content, 1), source, context()), content, 0, content.length);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(
                new TestingSource.Range(0, requestBytes),
                new TestingSource.Range(requestBytes, requestBytes),
                new TestingSource.Range(2L * requestBytes, content.length - 2 * requestBytes));
    }

    @Test
    void longReadIsOneFetchWhileMostThreadsAreBusy()
            throws Exception
    {
        byte[] content = randomBytes(2, 5 << 19);
        ReadThroughPageCache cache = open(PageCacheConfig.builder().fetchThreads(4));
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> awaitUninterrupted(gate));
        List<FutureTask<Void>> busy = new ArrayList<>();
        for (int version = 1; version <= 3; version++) {
            busy.add(startRead(cache.open(version(CONTENT, version), gated, context()), CONTENT, 0, 10));
        }
        eventually("three threads of four are busy", () -> cache.stats().fetch().remoteReads() == 3);
        TestingSource other = new TestingSource(content);
        readAndCheck(cache.open(version(content, 1), other, context()), content, 0, content.length);
        assertThat(other.takeRanges()).containsExactly(new TestingSource.Range(0, content.length));
        gate.countDown();
        for (FutureTask<Void> read : busy) {
            get(read);
        }
    }

    /* No read-ahead begins past the end of a read, so pages past it were fetched for the next reads. */
    @Test
    void streamWhoseReadsComeInPartsHasFetchesOnTheirWay()
            throws Exception
    {
        byte[] content = randomBytes(3, 40 << 20);
        int step = 2 << 20;
        ReadThroughPageCache cache = open(PageCacheConfig.builder().pageSizeBytes(4 << 20));
        TestingSource source = new TestingSource(content);
        CachedFile file = cache.open(version(content, 1), source, context());
        boolean ahead = false;
        for (int end = step; end < content.length && !ahead; end += step) {
            readAndCheck(file, content, end - step, step);
            eventually("all fetches have ended", () -> cache.stats().fetch().currentFetchBytes() == 0);
            long read = end;
            ahead = source.takeRanges().stream().anyMatch(range -> range.position() >= read);
        }
        assertThat(ahead).isTrue();
    }

    @Test
    void fetchBeyondTheMemoryForThemIsTheReadersOwn()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchMemoryBytes(2 * PAGE));
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> awaitUninterrupted(gate));
        FutureTask<Void> first = startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, 0, PAGE);
        eventually("a fetch runs", () -> cache.stats().fetch().remoteReads() == 1);
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 2), source, context());
        readAndCheck(file, CONTENT, 5, PAGE + 5);
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(5, PAGE + 5));
        assertThat(cache.stats().fetch().fetchMemoryRejections()).isEqualTo(1);
        // the remaining memory is enough for a smaller fetch
        readAndCheck(file, CONTENT, 5, 5);
        assertThat(source.takeRanges()).containsExactly(granules(0, 1));
        gate.countDown();
        get(first);
        awaitWrites(cache, 2);
    }

    @Test
    void memoryOfFetchesIsGivenBackHoweverTheyEnd()
            throws IOException
    {
        AtomicBoolean refusing = new AtomicBoolean();
        ReadThroughPageCache cache = open(
                config().fetchMemoryBytes(PAGE),
                (page, scope, bytes, budget) -> refusing.get() ? Admission.SEEN_ONCE : Admission.ADMITTED,
                TraceListener.NOOP);
        TestingSource failing = new TestingSource(CONTENT).withHook((position, length) -> {
            throw new IOException("remote failure");
        });
        CachedFile failed = cache.open(version(CONTENT, 1), failing, context());
        assertThatThrownBy(() -> readAndCheck(failed, CONTENT, 0, PAGE)).hasMessage("remote failure");
        assertThat(cache.stats().fetch().currentFetchBytes()).isZero();
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 2), source, context());
        refusing.set(true);
        readAndCheck(file, CONTENT, 0, PAGE);
        assertThat(cache.stats().fetch().currentFetchBytes()).isZero();
        refusing.set(false);
        for (int page = 1; page < 4; page++) {
            readAndCheck(file, CONTENT, page * PAGE, PAGE);
            awaitWrites(cache, page);
            eventually("the memory is given back", () -> cache.stats().fetch().currentFetchBytes() == 0);
        }
        assertThat(cache.stats().write().writes()).isEqualTo(3);
        assertThat(cache.stats().fetch().fetchMemoryRejections()).isZero();
    }

    @Test
    void slowDeviceHoldsUpNoOther()
            throws IOException
    {
        store.setDevices(2);
        store.setWriteFault(key -> {
            if (store.device(key) == 0) {
                awaitUninterrupted(gate);
            }
            return Optional.empty();
        });
        ReadThroughPageCache cache = open(config().writeBufferBytes(16 * PAGE));
        for (int version = 0; version < 10; version++) {
            CachedFile file = cache.open(version(CONTENT, version), new TestingSource(CONTENT), context());
            readAndCheck(file, CONTENT, 0, 2 * PAGE);
            long written = version + 1L;
            eventually("the page of the other device is written", () -> cache.stats().write().writes() == written);
        }
        // each of two devices may take a quarter of the buffer
        assertThat(cache.stats().write().busyWrites()).isEqualTo(6);
        gate.countDown();
        awaitWrites(cache, 20);
        assertThat(cache.stats().write().writes()).isEqualTo(14);
    }

    @Test
    void refusedFetchReadsWhatIsAskedForAndKeepsNothing()
            throws IOException
    {
        List<String> asked = new ArrayList<>();
        ReadThroughPageCache cache = open(config(), (page, scope, bytes, budget) -> {
            asked.add(page.pageNumber() + " " + scope.table() + " " + bytes);
            return page.pageNumber() == 1 ? Admission.ADMITTED : Admission.SEEN_ONCE;
        }, TraceListener.NOOP);
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 1), source, context());
        readAndCheck(file, CONTENT, 10, PAGE - 20);
        readAndCheck(file, CONTENT, PAGE + 10, 20);
        assertThat(source.takeRanges()).containsExactly(new TestingSource.Range(10, PAGE - 20), granules(4, 1));
        assertThat(asked).containsExactly("0 clicks " + PAGE, "1 clicks " + GRANULE);
        awaitWrites(cache, 1);
        readAndCheck(file, CONTENT, PAGE + 10, 20);
        assertThat(source.takeRanges()).isEmpty();
        // hits are not subject to admission
        assertThat(asked).hasSize(2);
        assertThat(cache.stats().fetch().admissionRejections()).isEqualTo(1);
        assertThat(store.tags()).hasSize(1);
    }

    @Test
    void policyThatThrowsAdmits()
            throws IOException
    {
        ReadThroughPageCache cache = open(config(), (page, scope, bytes, budget) -> {
            throw new IllegalStateException("broken");
        }, TraceListener.NOOP);
        readAndCheck(cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context()), CONTENT, 0, 10);
        awaitWrites(cache, 1);
        assertThat(cache.stats().write().writes()).isEqualTo(1);
    }

    @Test
    void queryStopsWritingWhereItsBudgetEnds()
            throws IOException
    {
        ReadThroughPageCache cache = open(
                config(),
                (page, scope, bytes, budget) -> budget.take(bytes) ? Admission.ADMITTED : Admission.OVER_QUERY_BUDGET,
                TraceListener.NOOP);
        AtomicLong left = new AtomicLong(2 * PAGE);
        WriteBudget budget = bytes -> left.addAndGet(-bytes) >= 0;
        ReadContext context = new ReadContext(SCOPE, CacheMode.READ_WRITE, ReadListener.NOOP, budget);
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 1), source, context);
        CachedFile second = cache.open(version(CONTENT, 2), source, context);
        readAndCheck(file, CONTENT, 0, PAGE);
        readAndCheck(second, CONTENT, 0, PAGE);
        readAndCheck(file, CONTENT, PAGE, PAGE);
        readAndCheck(second, CONTENT, PAGE, PAGE);
        awaitWrites(cache, 2);
        assertThat(store.tags()).hasSize(2);
        assertThat(cache.stats().fetch().admissionRejections()).isEqualTo(2);
        source.takeRanges();
        // a reader without budget still reads cached pages
        readAndCheck(file, CONTENT, 0, PAGE);
        assertThat(source.takeRanges()).isEmpty();
        readAndCheck(cache.open(version(CONTENT, 1), source, context()), CONTENT, PAGE, PAGE);
        assertThat(source.takeRanges()).containsExactly(pages(1, 1));
    }

    @Test
    void everyLookupIsTraced()
            throws IOException
    {
        List<String> trace = new ArrayList<>();
        ReadThroughPageCache cache = open(
                config(),
                AdmissionPolicy.ALL,
                (page, tags, pageLength, offset, length, outcome) -> trace.add(
                        page.pageNumber() + " " + tags.scope().table() + " " + pageLength + " " + offset + "+" + length + " " + outcome));
        byte[] content = randomBytes(2, PAGE + 100);
        CachedFile file = cache.open(version(content, 1), new TestingSource(content), context());
        readAndCheck(file, content, PAGE - 10, 30);
        awaitWrites(cache, 2);
        readAndCheck(file, content, PAGE - 10, 30);
        readAndCheck(file, content, PAGE - GRANULE - 1, 10);
        assertThat(trace).containsExactly(
                "0 clicks " + PAGE + " " + (PAGE - 10) + "+10 MISS",
                "1 clicks 100 0+20 MISS",
                "0 clicks " + PAGE + " " + (PAGE - 10) + "+10 HIT",
                "1 clicks 100 0+20 HIT",
                "0 clicks " + PAGE + " " + (PAGE - GRANULE - 1) + "+10 MISS");
        assertThat(cache.stats().lookup().lookups()).isEqualTo(5);
    }
}
