// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.start;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.checkSums;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.granules;
import static io.eyrie.cache.page.TestingFiles.pages;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests several concurrent readers. */
final class CoalescingTest
{
    private static final byte[] CONTENT = randomBytes(1, 20 * PAGE + 1000);

    private final TestingPageStore store = new TestingPageStore();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final TestingSource gated = new TestingSource(CONTENT).withHook((position, length) -> {
        arrived.countDown();
        awaitUninterrupted(gate);
    });
    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void closeAll()
            throws Exception
    {
        gate.countDown();
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    private ReadThroughPageCache open(PageCacheConfig.Builder config)
    {
        ReadThroughPageCache cache = new ReadThroughPageCache(store, config.build());
        toClose.add(() -> {
            cache.close();
            checkSums(cache.stats());
        });
        return cache;
    }

    @Test
    void manyReadersCauseOneRemoteRead()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        List<FutureTask<Void>> readers = new ArrayList<>();
        List<RecordingListener> listeners = new ArrayList<>();
        List<TestingSource> others = new ArrayList<>();
        CachedFile first = cache.open(version(CONTENT, 1), gated, context());
        readers.add(startRead(first, CONTENT, 0, 2 * PAGE));
        awaitUninterrupted(arrived);
        for (int i = 0; i < 16; i++) {
            RecordingListener listener = new RecordingListener();
            TestingSource other = new TestingSource(CONTENT);
            listeners.add(listener);
            others.add(other);
            CachedFile file = cache.open(version(CONTENT, 1), other, context(i % 2 == 0 ? CacheMode.READ_WRITE : CacheMode.READ_ONLY, listener));
            readers.add(startRead(file, CONTENT, i, PAGE));
        }
        // the first reader requests only page 0
        eventually("all readers wait", () -> cache.stats().fetch().coalescedWaits() == 31);
        gate.countDown();
        for (FutureTask<Void> reader : readers) {
            get(reader);
        }
        assertThat(gated.takeRanges()).containsExactly(pages(0, 2));
        assertThat(others).allSatisfy(other -> assertThat(other.takeRanges()).isEmpty());
        assertThat(listeners).allSatisfy(listener -> assertThat(listener.take()).containsExactly("cache " + PAGE));
        awaitWrites(cache, 2);
        assertThat(cache.stats().fetch().remoteReads()).isEqualTo(1);
    }

    @Test
    void manyReadersOfOneColdPageCauseOneRemoteRead()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        List<FutureTask<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            readers.add(startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, 3 * PAGE, PAGE));
        }
        eventually("all but one wait", () -> cache.stats().fetch().coalescedWaits() == 63);
        gate.countDown();
        for (FutureTask<Void> reader : readers) {
            get(reader);
        }
        assertThat(gated.takeRanges()).containsExactly(pages(3, 1));
        assertThat(cache.stats().lookup().misses()).isEqualTo(64);
    }

    @Test
    void readersOfOtherPrincipalsAndVersionsDoNotJoin()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        CachedFile first = cache.open(version(CONTENT, 1), gated, context());
        FutureTask<Void> reader = startRead(first, CONTENT, 0, 10);
        awaitUninterrupted(arrived);
        TestingSource other = new TestingSource(CONTENT);
        readAndCheck(cache.open(version(CONTENT, 2), other, context()), CONTENT, 0, 10);
        assertThat(other.takeRanges()).containsExactly(granules(0, 1));
        gate.countDown();
        get(reader);
    }

    @Test
    void overlappingReaderFetchesOnlyTheRest()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        CachedFile first = cache.open(version(CONTENT, 1), gated, context());
        FutureTask<Void> reader = startRead(first, CONTENT, PAGE, 2 * PAGE);
        awaitUninterrupted(arrived);
        TestingSource other = new TestingSource(CONTENT);
        RecordingListener listener = new RecordingListener();
        FutureTask<Void> second = startRead(cache.open(version(CONTENT, 1), other, context(CacheMode.READ_WRITE, listener)), CONTENT, 0, 4 * PAGE);
        eventually("second reader joins", () -> cache.stats().fetch().coalescedWaits() == 2);
        gate.countDown();
        get(reader);
        get(second);
        assertThat(other.takeRanges()).containsExactlyInAnyOrder(pages(0, 1), pages(3, 1));
        assertThat(listener.take()).containsExactlyInAnyOrder("remote " + PAGE, "remote " + PAGE, "cache " + 2 * PAGE);
    }

    @Test
    void pageWrittenBetweenLookUpAndClaimIsNotFetchedAgain()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        TestingSource late = new TestingSource(CONTENT);
        CachedFile lateFile = cache.open(version(CONTENT, 1), late, context());
        store.setReadFault(key -> {
            store.setReadFault(unused -> Optional.empty());
            CachedFile file = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context());
            try {
                readAndCheck(file, CONTENT, 0, PAGE);
            }
            catch (IOException e) {
                throw new AssertionError(e);
            }
            awaitWrites(cache, 1);
            return Optional.of(ReadOutcome.MISS);
        });
        readAndCheck(lateFile, CONTENT, 0, PAGE);
        assertThat(late.takeRanges()).isEmpty();
        assertThat(cache.stats().lookup().hits()).isEqualTo(1);
    }

    @Test
    void fetchSpansAGapThatAnotherFetchBringsMeanwhile()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().mergeGapBytes(2 * PAGE));
        readAndCheck(cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context()), CONTENT, PAGE, PAGE);
        awaitWrites(cache, 1);
        AtomicReference<FutureTask<Void>> between = new AtomicReference<>();
        store.setReadFault(key -> {
            if (key.pageNumber() != 2) {
                return Optional.empty();
            }
            // page 1 was a hit; now it is removed, and another reader fetches it
            store.setReadFault(unused -> Optional.empty());
            store.remove(key.page(1));
            between.set(startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, PAGE, PAGE));
            awaitUninterrupted(arrived);
            return Optional.of(ReadOutcome.MISS);
        });
        TestingSource source = new TestingSource(CONTENT);
        readAndCheck(cache.open(version(CONTENT, 1), source, context()), CONTENT, 0, 3 * PAGE);
        assertThat(source.takeRanges()).containsExactlyInAnyOrder(pages(0, 1), pages(2, 1));
        gate.countDown();
        get(requireNonNull(between.get()));
        awaitWrites(cache, 4);
    }

    @Test
    void waitEndsAtTheDeadline()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchWaitMillis(1));
        FutureTask<Void> reader = startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, 0, 2 * PAGE);
        awaitUninterrupted(arrived);
        TestingSource other = new TestingSource(CONTENT);
        readAndCheck(cache.open(version(CONTENT, 1), other, context()), CONTENT, 10, 2 * PAGE - 20);
        assertThat(other.takeRanges()).containsExactly(new TestingSource.Range(10, 2 * PAGE - 20));
        assertThat(cache.stats().fetch().fetchWaitTimeouts()).isEqualTo(2);
        // the reader that caused the fetch waits for it
        assertThat(reader.isDone()).isFalse();
        gate.countDown();
        get(reader);
    }

    @Test
    void failureReachesItsReaderAndTheOthersReadByThemselves()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        IOException failure = new IOException("Filesystem closed");
        TestingSource failing = new TestingSource(CONTENT).withHook((position, length) -> {
            arrived.countDown();
            awaitUninterrupted(gate);
            throw failure;
        });
        FutureTask<Throwable> unlucky = startFailing(cache.open(version(CONTENT, 1), failing, context()), PAGE - 10, 20);
        awaitUninterrupted(arrived);
        List<FutureTask<Void>> readers = new ArrayList<>();
        List<TestingSource> sources = new ArrayList<>();
        List<RecordingListener> listeners = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            sources.add(new TestingSource(CONTENT));
            listeners.add(new RecordingListener());
            CachedFile file = cache.open(version(CONTENT, 1), sources.get(i), context(CacheMode.READ_WRITE, listeners.get(i)));
            readers.add(startRead(file, CONTENT, PAGE - 10, 20));
        }
        // each reader waits for two pages
        eventually("all readers wait", () -> cache.stats().fetch().coalescedWaits() == 2 * 8);
        gate.countDown();
        assertThat(unlucky.get(60, TimeUnit.SECONDS)).isSameAs(failure);
        for (FutureTask<Void> reader : readers) {
            get(reader);
        }
        assertThat(failing.takeRanges()).hasSize(1);
        for (int i = 0; i < 8; i++) {
            assertThat(sources.get(i).takeRanges()).containsExactly(new TestingSource.Range(PAGE - 10, 20));
            assertThat(listeners.get(i).take()).containsExactly("remote 20");
        }
        TestingSource well = new TestingSource(CONTENT);
        readAndCheck(cache.open(version(CONTENT, 1), well, context()), CONTENT, 0, 10);
        assertThat(well.takeRanges()).containsExactly(granules(0, 1));
    }

    @Test
    void joinedReaderWhoseOwnSourceFailsTooGetsItsOwnFailure()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        TestingSource failing = new TestingSource(CONTENT).withHook((position, length) -> {
            arrived.countDown();
            awaitUninterrupted(gate);
            throw new IOException("another's");
        });
        FutureTask<Throwable> first = startFailing(cache.open(version(CONTENT, 1), failing, context()), 0, 10);
        awaitUninterrupted(arrived);
        IOException own = new IOException("its own");
        TestingSource broken = new TestingSource(CONTENT).withHook((position, length) -> {
            throw own;
        });
        FutureTask<Throwable> second = startFailing(cache.open(version(CONTENT, 1), broken, context()), 0, 10);
        eventually("the other reader waits", () -> cache.stats().fetch().coalescedWaits() == 1);
        gate.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).hasMessage("another's");
        assertThat(second.get(60, TimeUnit.SECONDS)).isSameAs(own);
        assertThat(broken.takeRanges()).hasSize(1);
        assertThat(cache.stats().fetch().remoteReadFailures()).isEqualTo(2);
    }

    private static FutureTask<Throwable> startFailing(CachedFile file, long position, int length)
    {
        return start(() -> {
            try {
                file.read(position, new byte[length], 0, length);
                throw new AssertionError("no failure");
            }
            catch (IOException e) {
                return e;
            }
        });
    }

    @Test
    void interruptedReaderLeavesAlone()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        CachedFile file = cache.open(version(CONTENT, 1), gated, context());
        AtomicReference<Thread> thread = new AtomicReference<>();
        RecordingListener listener = new RecordingListener();
        CachedFile interruptedFile = cache.open(version(CONTENT, 1), gated, context(CacheMode.READ_WRITE, listener));
        FutureTask<Boolean> interrupted = start(() -> {
            thread.set(Thread.currentThread());
            assertThatThrownBy(() -> interruptedFile.read(0, new byte[PAGE], 0, PAGE)).isInstanceOf(InterruptedIOException.class);
            return Thread.currentThread().isInterrupted();
        });
        awaitUninterrupted(arrived);
        FutureTask<Void> patient = startRead(file, CONTENT, 0, PAGE);
        eventually("the other reader waits", () -> cache.stats().fetch().coalescedWaits() == 1);
        requireNonNull(thread.get()).interrupt();
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.take()).containsExactly("remote " + PAGE);
        interruptedFile.close();
        assertThat(patient.isDone()).isFalse();
        gate.countDown();
        get(patient);
        awaitWrites(cache, 1);
        assertThat(gated.takeRanges()).containsExactly(pages(0, 1));
    }

    @Test
    void interruptedThreadIsServedFromTheCache()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        TestingSource source = new TestingSource(CONTENT);
        CachedFile file = cache.open(version(CONTENT, 1), source, context());
        readAndCheck(file, CONTENT, 0, PAGE);
        awaitWrites(cache, 1);
        Thread.currentThread().interrupt();
        readAndCheck(file, CONTENT, 0, PAGE);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closingTheFileKeepsTheSourceUntilTheFetchEnds()
            throws Exception
    {
        ReadThroughPageCache cache = open(config());
        CachedFile file = cache.open(version(CONTENT, 1), gated, context());
        FutureTask<Boolean> leaving = start(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> file.read(0, new byte[PAGE], 0, PAGE)).isInstanceOf(InterruptedIOException.class);
            file.close();
            return true;
        });
        awaitUninterrupted(arrived);
        assertThat(leaving.get(60, TimeUnit.SECONDS)).isTrue();
        TestingSource other = new TestingSource(CONTENT);
        FutureTask<Void> joined = startRead(cache.open(version(CONTENT, 1), other, context()), CONTENT, 0, PAGE);
        eventually("the other reader waits", () -> cache.stats().fetch().coalescedWaits() == 1);
        assertThat(gated.closes()).isZero();
        gate.countDown();
        get(joined);
        eventually("the source is closed", () -> gated.closes() == 1);
        assertThat(other.takeRanges()).isEmpty();
    }

    @Test
    void fullPoolLetsReadersReadByThemselves()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchThreads(1));
        FutureTask<Void> reader = startRead(cache.open(version(CONTENT, 1), gated, context()), CONTENT, 0, 10);
        awaitUninterrupted(arrived);
        TestingSource other = new TestingSource(CONTENT);
        RecordingListener listener = new RecordingListener();
        CachedFile file = cache.open(version(CONTENT, 1), other, context(CacheMode.READ_WRITE, listener));
        readAndCheck(file, CONTENT, 2 * PAGE + 5, 2 * PAGE);
        assertThat(other.takeRanges()).containsExactly(new TestingSource.Range(2 * PAGE + 5, 2 * PAGE));
        assertThat(listener.take()).containsExactly("remote " + 2 * PAGE);
        assertThat(cache.stats().fetch().fetchRejections()).isEqualTo(1);
        gate.countDown();
        get(reader);
        awaitWrites(cache, 1);
        eventually("the memory of both is given back", () -> cache.stats().fetch().currentFetchBytes() == 0);
    }

    @Test
    void fullWriteBufferDeclines()
            throws Exception
    {
        CountDownLatch writing = new CountDownLatch(1);
        store.setWriteFault(key -> {
            writing.countDown();
            awaitUninterrupted(gate);
            return Optional.empty();
        });
        ReadThroughPageCache cache = open(config().writeBufferBytes(4 * PAGE));
        TestingSource source = new TestingSource(CONTENT);
        RecordingListener listener = new RecordingListener();
        CachedFile file = cache.open(version(CONTENT, 1), source, context(CacheMode.READ_WRITE, listener));
        readAndCheck(file, CONTENT, 0, 3 * PAGE);
        // not written yet, and served from memory
        readAndCheck(file, CONTENT, 0, 3 * PAGE);
        assertThat(listener.take()).containsExactly("remote " + 3 * PAGE, "cache " + 3 * PAGE);
        // otherwise, the second fetch might be handed over before the first
        awaitUninterrupted(writing);
        readAndCheck(file, CONTENT, 4 * PAGE, 2 * PAGE);
        eventually("declined", () -> cache.stats().write().busyWrites() == 2);
        gate.countDown();
        awaitWrites(cache, 5);
        assertThat(cache.stats().write().writes()).isEqualTo(3);
        source.takeRanges();
        readAndCheck(file, CONTENT, 0, 6 * PAGE);
        assertThat(source.takeRanges()).containsExactly(pages(3, 3));
    }

    @Test
    void closeWritesWhatIsBuffered()
            throws Exception
    {
        CountDownLatch writing = new CountDownLatch(1);
        store.setWriteFault(key -> {
            writing.countDown();
            awaitUninterrupted(gate);
            return Optional.empty();
        });
        ReadThroughPageCache cache = open(config());
        CachedFile file = cache.open(version(CONTENT, 1), new TestingSource(CONTENT), context());
        readAndCheck(file, CONTENT, 0, 12 * PAGE);
        awaitUninterrupted(writing);
        FutureTask<Void> closing = start(() -> {
            cache.close();
            return null;
        });
        gate.countDown();
        get(closing);
        assertThat(cache.stats().write().writes()).isEqualTo(12);
    }

    @Test
    void fetchRunsWithTheReadersClassLoader()
            throws Exception
    {
        ReadThroughPageCache cache = open(config().fetchThreads(1));
        for (int i = 0; i < 3; i++) {
            ClassLoader loader = new ClassLoader("reader " + i, null) {};
            AtomicReference<ClassLoader> seen = new AtomicReference<>();
            TestingSource source = new TestingSource(CONTENT).withHook((position, length) -> seen.set(Thread.currentThread()
                    .getContextClassLoader()));
            CachedFile file = cache.open(version(CONTENT, i), source, context());
            get(start(() -> {
                Thread.currentThread().setContextClassLoader(loader);
                readAndCheck(file, CONTENT, 0, 1);
                return null;
            }));
            assertThat(seen.get()).isSameAs(loader);
        }
    }
}
