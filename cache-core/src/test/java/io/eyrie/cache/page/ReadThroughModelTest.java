// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares single and concurrent reads with the bytes that they should return, during faults of the store and the source. */
final class ReadThroughModelTest
{
    private static final int PAGE = 1 << 10;
    private static final int GRANULE = 256;
    private static final int[] LENGTHS = {0, 1, GRANULE, PAGE - 1, PAGE + 1, 7 * PAGE + 100, 20 * PAGE};

    /** A step of the test, which acts on the cache, its store or its source. */
    private interface Step
    {
        void run(Model model)
                throws Exception;
    }

    /** A range of a file, as fractions of its length. */
    private record Read(int file, CacheMode mode, boolean direct, double from, double share)
    {
        void run(Model model)
                throws IOException
        {
            byte[] content = randomBytes(file, LENGTHS[file]);
            int position = (int) (content.length * from);
            int length = (int) ((content.length - position + 10) * share * share);
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            int expected = length == 0 ? 0 : position == content.length ? -1 : Math.min(length, content.length - position);
            TestingSource source = new TestingSource(content).withHook((at, bytes) -> model.beforeAnswer(at));
            try (CachedFile cached = model.cache.open(version(file), source, new ReadContext(scope(file), mode, ReadListener.NOOP))) {
                assertThat(cached.read(position, buffer)).isEqualTo(expected);
                assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(content, position, Math.max(0, expected)));
            }
            catch (RemoteFailure e) {
                // the remote store's own exception, and no other
                assertThat(e.model).isSameAs(model);
            }
        }
    }

    private static FileVersion version(int file)
    {
        return new FileVersion(StoreId.shared("s3"), "/" + file, LENGTHS[file], file, Optional.empty());
    }

    private static Scope scope(int file)
    {
        return new Scope("hive", "web", "table" + file % 2, "");
    }

    private static final class RemoteFailure
            extends IOException
    {
        @Serial
        private static final long serialVersionUID = 1;

        private final transient Model model;

        RemoteFailure(Model model)
        {
            super("remote");
            this.model = model;
        }
    }

    private static final class Model
            implements AutoCloseable
    {
        private final TestingPageStore store = storeOnTwoDevices();
        private final ReadThroughPageCache cache = new ReadThroughPageCache(
                store,
                PageCacheConfig.builder()
                        .pageSizeBytes(PAGE)
                        .maxFetchBytes(3 * PAGE)
                        .mergeGapBytes(GRANULE)
                        .fetchThreads(3)
                        .fetchesPerFile(2)
                        .writeBufferBytes(8 * PAGE)
                        .fetchWaitMillis(60_000)
                        .build());
        private volatile int failingPage = -1;

        private static TestingPageStore storeOnTwoDevices()
        {
            TestingPageStore store = new TestingPageStore(GRANULE);
            store.setDevices(2);
            return store;
        }

        void beforeAnswer(long position)
                throws IOException
        {
            if (position / PAGE == failingPage) {
                throw new RemoteFailure(this);
            }
        }

        @Override
        public void close()
        {
            cache.close();
            TestingFiles.checkSums(cache.stats());
        }
    }

    @Property
    void readsGiveTheBytesOfTheirVersion(@ForAll("steps") List<Step> steps)
            throws Exception
    {
        try (Model model = new Model()) {
            for (Step step : steps) {
                step.run(model);
            }
            model.store.setReadFault(page -> Optional.empty());
            model.store.setWriteFault(page -> Optional.empty());
            model.failingPage = -1;
            TestingFiles.checkSums(model.cache.stats());
            for (int file = 0; file < LENGTHS.length; file++) {
                new Read(file, CacheMode.READ_WRITE, false, 0, 1).run(model);
            }
            assertThat(model.cache.stats().fetch().remoteReadFailures()).isLessThanOrEqualTo(model.cache.stats().fetch().remoteReads());
        }
    }

    @Provide
    static Arbitrary<List<Step>> steps()
    {
        Arbitrary<Integer> file = Arbitraries.integers().between(0, LENGTHS.length - 1);
        Arbitrary<Integer> page = Arbitraries.integers().between(0, 7);
        Arbitrary<Double> share = Arbitraries.doubles().between(0, true, 1, false);
        Arbitrary<Read> read = Combinators.combine(
                file,
                Arbitraries.frequencyOf(Tuple.of(8, Arbitraries.just(CacheMode.READ_WRITE)), Tuple.of(2, Arbitraries.of(CacheMode.class))),
                Arbitraries.of(true, false),
                share,
                share).as(Read::new);
        Arbitrary<Step> one = read.map(single -> single::run);
        Arbitrary<Step> together = read.list().ofMinSize(2).ofMaxSize(6).map(reads -> model -> together(reads, model));
        Arbitrary<Step> readFault = Combinators.combine(page, Arbitraries.of(ReadOutcome.class).injectNull(0.3))
                .as((number, outcome) -> model -> model.store.setReadFault(key -> fault(key, number, outcome == ReadOutcome.HIT ? null : outcome)));
        Arbitrary<Step> writeFault = Combinators.combine(page, Arbitraries.of(WriteOutcome.class).injectNull(0.3))
                .as((number, outcome) -> model -> model.store.setWriteFault(key -> fault(key, number, outcome == WriteOutcome.STORED
                        ? null
                        : outcome)));
        Arbitrary<Step> lose = Combinators.combine(file, page, Arbitraries.integers().between(0, 3))
                .as((which, number, granule) -> model -> model.store.dropGranule(PageKey.of(version(which), number), granule));
        Arbitrary<Step> invalidate = file.map(which -> model -> model.cache.control().invalidate(version(which)));
        Arbitrary<Step> invalidateScope = file.map(which -> model -> model.cache.control().invalidate(scope(which)));
        Arbitrary<Step> resize = Arbitraries.longs().between(0, 40 * PAGE).map(bytes -> model -> model.cache.control().resize(bytes));
        Arbitrary<Step> fail = Arbitraries.integers().between(-8, 8).map(number -> model -> model.failingPage = number);
        return Arbitraries.frequencyOf(
                Tuple.of(10, one),
                Tuple.of(6, together),
                Tuple.of(1, readFault),
                Tuple.of(1, writeFault),
                Tuple.of(2, lose),
                Tuple.of(1, invalidate),
                Tuple.of(1, invalidateScope),
                Tuple.of(1, resize),
                Tuple.of(1, fail)).list().ofMinSize(10).ofMaxSize(50);
    }

    private static void together(List<Read> reads, Model model)
            throws Exception
    {
        List<FutureTask<Boolean>> readers = new ArrayList<>();
        for (Read read : reads) {
            readers.add(Readers.start(() -> {
                read.run(model);
                return true;
            }));
        }
        for (FutureTask<Boolean> reader : readers) {
            Readers.get(reader);
        }
    }

    private static <T> Optional<T> fault(PageKey key, int page, @Nullable T outcome)
    {
        return key.pageNumber() == page ? Optional.ofNullable(outcome) : Optional.empty();
    }
}
