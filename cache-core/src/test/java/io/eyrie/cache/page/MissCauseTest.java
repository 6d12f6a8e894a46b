// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import io.eyrie.cache.trace.TraceListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the causes of misses that a read listener receives. */
final class MissCauseTest
{
    private static final byte[] CONTENT = randomBytes(1, 2 * PAGE);

    private final TestingPageStore store = new TestingPageStore();
    private final List<MissCause> causes = new ArrayList<>();
    private final ReadListener listener = new ReadListener() {
        @Override
        public void onMiss(MissCause cause, long bytes)
        {
            causes.add(cause);
            assertThat(bytes).isEqualTo(PAGE);
        }
    };
    private ReadThroughPageCache cache = new ReadThroughPageCache(store, config().build());

    private void read(CacheMode mode, int pages)
            throws IOException
    {
        try (CachedFile file = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context(mode, listener))) {
            readAndCheck(file, CONTENT, 0, pages * PAGE);
        }
    }

    @Test
    void traceOfOneOwnerIsNotEndedByAnother()
    {
        List<Long> until = new ArrayList<>();
        TraceListener trace = new TraceListener() {
            @Override
            public void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome)
            {}

            @Override
            public void recordUntil(long endMillis)
            {
                until.add(endMillis);
            }
        };
        ReadThroughPageCache traced = new ReadThroughPageCache(store, config().build(), AdmissionPolicy.ALL, trace);
        traced.recordTrace("hive", 2000);
        traced.recordTrace("lake", 0);
        traced.recordTrace("lake", 1000);
        traced.recordTrace("hive", 0);
        traced.recordTrace("lake", 0);
        assertThat(until).containsExactly(2000L, 2000L, 2000L, 1000L, 0L);
        traced.close();
    }

    @Test
    void pageThatWasNeverKeptAndThenIs()
            throws IOException
    {
        read(CacheMode.READ_WRITE, 2);
        assertThat(causes).containsExactly(MissCause.NEVER_KEPT, MissCause.NEVER_KEPT);
        awaitWrites(cache, 2);
        causes.clear();
        read(CacheMode.READ_WRITE, 2);
        assertThat(causes).isEmpty();
    }

    @Test
    void readerThatMayNotWriteAndOneThatAsksForNothing()
            throws IOException
    {
        read(CacheMode.READ_ONLY, 1);
        assertThat(causes).containsExactly(MissCause.NOT_KEPT_HERE);
        causes.clear();
        read(CacheMode.BYPASS, 1);
        assertThat(causes).isEmpty();
    }

    @Test
    void dryRunTellsWhatWouldBeServedAndKeepsNothing()
            throws IOException
    {
        read(CacheMode.DRY_RUN, 2);
        assertThat(causes).containsExactly(MissCause.NEVER_KEPT, MissCause.NEVER_KEPT);
        read(CacheMode.READ_WRITE, 1);
        awaitWrites(cache, 1);
        causes.clear();
        long hits = cache.stats().lookup().hits();
        read(CacheMode.DRY_RUN, 2);
        assertThat(causes).containsExactly(MissCause.DRY_RUN, MissCause.NEVER_KEPT);
        assertThat(cache.stats().lookup().hits()).as("nothing is served").isEqualTo(hits);
        assertThat(cache.stats().write().writes()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(value = Admission.class, mode = EnumSource.Mode.EXCLUDE, names = "ADMITTED")
    void pageThatIsNotAdmitted(Admission refusal)
            throws IOException
    {
        cache = new ReadThroughPageCache(store, config().build(), (AdmissionPolicy) (page, scope, bytes, budget) -> refusal, TraceListener.NOOP);
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).containsExactly(MissCause.valueOf(refusal.name()));
    }

    @Test
    void pageThatFetchesHaveNoMemoryFor()
            throws IOException
    {
        cache = new ReadThroughPageCache(store, config().fetchMemoryBytes(1).build());
        read(CacheMode.READ_WRITE, 2);
        assertThat(cache.stats().fetch().fetchMemoryRejections()).isEqualTo(1);
        assertThat(causes).containsExactly(MissCause.FETCH_BUSY, MissCause.FETCH_BUSY);
    }

    @Test
    void pageWhoseFileHasTooManyFetches()
            throws Exception
    {
        cache = new ReadThroughPageCache(store, config().fetchesPerFile(1).build());
        readWhileAFetchRuns(1);
        assertThat(cache.stats().fetch().fileFetchRejections()).isEqualTo(1);
        assertThat(causes).containsExactly(MissCause.FETCH_BUSY);
    }

    @Test
    void pageThatNoThreadIsFreeToFetch()
            throws Exception
    {
        cache = new ReadThroughPageCache(store, config().fetchThreads(1).build());
        readWhileAFetchRuns(2);
        assertThat(cache.stats().fetch().fetchRejections()).isEqualTo(1);
        assertThat(causes).containsExactly(MissCause.FETCH_BUSY);
    }

    /* Reads the first page while another reader waits for the second page of a version. */
    private void readWhileAFetchRuns(long version)
            throws Exception
    {
        CountDownLatch gate = new CountDownLatch(1);
        TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> awaitUninterrupted(gate));
        FutureTask<Void> reader = startRead(cache.open(version(CONTENT, version), gated, context()), CONTENT, PAGE, PAGE);
        try {
            eventually("a fetch runs", () -> cache.stats().fetch().remoteReads() == 1);
            read(CacheMode.READ_WRITE, 1);
        }
        finally {
            gate.countDown();
        }
        get(reader);
    }

    @ParameterizedTest
    @EnumSource(value = WriteOutcome.class, mode = EnumSource.Mode.EXCLUDE, names = "STORED")
    void pageThatWasFetchedAndNotWritten(WriteOutcome outcome)
            throws IOException
    {
        store.setWriteFault(key -> Optional.of(outcome));
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).containsExactly(MissCause.NEVER_KEPT);
        awaitEnded(1);
        causes.clear();
        store.setWriteFault(key -> Optional.empty());
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).containsExactly(MissCause.NOT_WRITTEN);
        awaitEnded(2);
        causes.clear();
        store.invalidateFile(PageKey.of(version(CONTENT, 1), 0));
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).as("it was written meanwhile").containsExactly(MissCause.NEVER_KEPT);
    }

    @Test
    void pageThatTheWriteBufferHasNoRoomFor()
            throws IOException
    {
        cache = new ReadThroughPageCache(store, config().writeBufferBytes(PAGE).build());
        read(CacheMode.READ_WRITE, 2);
        awaitEnded(2);
        assertThat(cache.stats().write().busyWrites()).isEqualTo(2);
        causes.clear();
        read(CacheMode.READ_WRITE, 2);
        assertThat(causes).containsExactly(MissCause.NOT_WRITTEN, MissCause.NOT_WRITTEN);
    }

    @ParameterizedTest
    @EnumSource(PastEviction.class)
    void pageThatMadeRoomForOthers(PastEviction past)
            throws IOException
    {
        store.setPastEviction(past);
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).containsExactly(switch (past) {
            case NONE -> MissCause.NEVER_KEPT;
            case EARLIER -> MissCause.EVICTED;
            case LATELY -> MissCause.EVICTED_LATELY;
        });
    }

    private void awaitEnded(int writes)
    {
        awaitWrites(cache, writes);
        eventually("the fetches are released", () -> cache.stats().fetch().currentFetchBytes() == 0);
    }

    @ParameterizedTest
    @EnumSource(value = ReadOutcome.class, mode = EnumSource.Mode.EXCLUDE, names = {"HIT", "MISS"})
    void diskThatDoesNotGiveIt(ReadOutcome outcome)
            throws IOException
    {
        store.setReadFault(key -> Optional.of(outcome));
        read(CacheMode.READ_WRITE, 1);
        assertThat(causes).containsExactly(switch (outcome) {
            case DECLINED -> MissCause.OUT_OF_SERVICE;
            case BUSY -> MissCause.BUSY;
            case CORRUPT -> MissCause.CORRUPT;
            case DEVICE_ERROR -> MissCause.DISK_ERROR;
            case HIT, MISS -> throw new AssertionError(outcome);
        });
    }
}
