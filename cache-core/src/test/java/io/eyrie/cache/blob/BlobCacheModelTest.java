// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares the blob cache with a plain map, while its store loses, refuses and evicts pages. */
final class BlobCacheModelTest
{
    private static final int PAGE = 1 << 10;
    private static final int GRANULE = 256;
    private static final int MOST_BYTES = 5 * PAGE;

    /** A step of the test. */
    private interface Step
    {
        void run(Model model);
    }

    private static final class Model
    {
        private final TestingPageStore store = new TestingPageStore(GRANULE);
        private final BlobCache cache = new StoreBlobCache(store, new PageWriter(store, 1 << 20, PAGE), PAGE, MOST_BYTES);
        // the blobs that the cache may return: a key retains its first blob until that is lost, so any of them is allowed
        private final Map<BlobKey, Map<ByteBuffer, Boolean>> put = new HashMap<>();

        void put(int number, int seed, int length)
        {
            BlobKey key = BlobCacheContract.key(number);
            byte[] blob = randomBytes(seed, length);
            put.computeIfAbsent(key, unused -> new HashMap<>()).put(ByteBuffer.wrap(blob), true);
            long before = BlobCacheContract.puts(cache);
            cache.put(key, BlobCacheContract.TAGS, ByteBuffer.wrap(blob), cache.epoch());
            eventually("the blob is written", () -> BlobCacheContract.puts(cache) > before);
        }

        void replace(int number, int seed, int length)
        {
            BlobKey key = BlobCacheContract.key(number);
            ByteBuffer blob = ByteBuffer.wrap(randomBytes(seed, length));
            long before = BlobCacheContract.puts(cache);
            long writes = cache.stats().write().writes();
            cache.replace(key, BlobCacheContract.TAGS, blob, cache.epoch());
            eventually("the blob is written", () -> BlobCacheContract.puts(cache) > before);
            if (cache.stats().write().writes() > writes) {
                put.remove(key);
            }
            put.computeIfAbsent(key, unused -> new HashMap<>()).put(blob, true);
        }

        void get(int number)
        {
            BlobKey key = BlobCacheContract.key(number);
            cache.get(key).ifPresent(blob -> assertThat(put.getOrDefault(key, Map.of())).containsKey(ByteBuffer.wrap(blob)));
        }

        void forget()
        {
            put.clear();
        }
    }

    @Property
    void cacheGivesWhatWasPut(@ForAll("steps") List<Step> steps)
    {
        Model model = new Model();
        steps.forEach(step -> step.run(model));
        for (int number = 0; number < 4; number++) {
            model.get(number);
        }
        BlobCacheStats stats = model.cache.stats();
        assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(stats.lookup()
                .lookups());
        // the cache must work normally afterwards
        model.store.setWriteFault(page -> Optional.empty());
        model.store.resize(1 << 20);
        byte[] blob = randomBytes(99, 3000);
        model.cache.invalidate(BlobCacheContract.key(1));
        BlobCacheContract.put(model.cache, BlobCacheContract.key(1), blob);
        assertThat(model.cache.get(BlobCacheContract.key(1))).hasValue(blob);
    }

    @Provide
    static Arbitrary<List<Step>> steps()
    {
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 3);
        Arbitrary<Step> put = Combinators.combine(number, Arbitraries.integers().between(0, 2), Arbitraries.integers().between(0, MOST_BYTES + 1))
                .as((key, seed, length) -> model -> model.put(key, seed, length));
        Arbitrary<Step> replace = Combinators.combine(number, Arbitraries.integers().between(3, 5), Arbitraries.integers().between(0, MOST_BYTES + 1))
                .as((key, seed, length) -> model -> model.replace(key, seed, length));
        Arbitrary<Step> get = number.map(key -> model -> model.get(key));
        Arbitrary<Step> lose = Combinators.combine(number, Arbitraries.integers().between(0, 4), Arbitraries.integers().between(0, 3))
                .as((key, page, granule) -> model -> model.store.dropGranule(BlobCacheContract.key(key).page(page), granule));
        Arbitrary<Step> remove = Combinators.combine(number, Arbitraries.integers().between(0, 4))
                .as((key, page) -> model -> model.store.remove(BlobCacheContract.key(key).page(page)));
        Arbitrary<Step> resize = Arbitraries.longs().between(0, 12 * PAGE).map(bytes -> model -> model.store.resize(bytes));
        Arbitrary<Step> refuse = Combinators.combine(Arbitraries.integers().between(0, 4), Arbitraries.of(WriteOutcome.DECLINED,
                WriteOutcome.DEVICE_ERROR))
                .as((page, outcome) -> model -> model.store.setWriteFault(key -> key.pageNumber() == page ? Optional.of(outcome) : Optional.empty()));
        Arbitrary<Step> invalidate = Arbitraries.of(true, false).map(all -> model -> {
            if (all) {
                model.store.invalidate(Scope.NONE);
                model.forget();
            }
            else {
                model.cache.invalidate(BlobCacheContract.key(0));
                model.put.remove(BlobCacheContract.key(0));
            }
        });
        return Arbitraries.frequencyOf(
                Tuple.of(8, put),
                Tuple.of(4, replace),
                Tuple.of(8, get),
                Tuple.of(2, lose),
                Tuple.of(2, remove),
                Tuple.of(1, resize),
                Tuple.of(1, refuse),
                Tuple.of(1, invalidate)).list().ofMinSize(10).ofMaxSize(60);
    }
}
