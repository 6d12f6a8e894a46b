// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static io.eyrie.footer.FooterKind.ORC_FILE_TAIL;
import static io.eyrie.footer.TestingFooterFiles.LIMITS;
import static io.eyrie.footer.TestingFooterFiles.file;
import static io.eyrie.footer.TestingFooterFiles.unkept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FooterCacheTest
{
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger loads = new AtomicInteger();
    private final FooterFile file = file("s3://bucket/file", 100, "one");
    private final FooterKey key = new FooterKey(file.version(), 0, "");
    private final FooterCache<String> cache = cache(LIMITS);

    private FooterCache<String> cache(FooterLimits limits)
    {
        return new FooterCache<>(ORC_FILE_TAIL, limits, String::length, nanos::get);
    }

    @Test
    void otherVersionOfTheFileIsNeverGiven()
            throws IOException
    {
        cache.get(key, file, () -> "one");
        FooterFile overwritten = file("s3://bucket/file", 100, "two");
        assertThat(cache.get(new FooterKey(overwritten.version(), 0, ""), overwritten, () -> "two")).isEqualTo("two");
        assertThat(cache.get(key, file, this::load)).isEqualTo("one");
    }

    @Test
    void readersThatMissTogetherLoadOnce()
            throws Exception
    {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(9);
        try {
            Future<String> first = threads.submit(() -> cache.get(key, file, () -> {
                loading.countDown();
                awaitUninterrupted(goOn);
                return load();
            }));
            loading.await();
            List<Future<String>> others = IntStream.range(0, 8).mapToObj(i -> threads.submit(() -> cache.get(key, file, this::load))).toList();
            while (cache.stats().coalescedWaits() < 8) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            assertThat(first.get()).isEqualTo("loaded 1");
            for (Future<String> other : others) {
                assertThat(other.get()).isEqualTo("loaded 1");
            }
        }
        finally {
            threads.shutdownNow();
        }
        assertThat(cache.stats().hits()).isEqualTo(8);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertSum();
    }

    @Test
    void failedLoadIsNotRememberedAndNotShared()
            throws Exception
    {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<String> failing = threads.submit(() -> cache.get(key, file, () -> {
                loading.countDown();
                awaitUninterrupted(goOn);
                throw new IOException("gone");
            }));
            loading.await();
            Future<String> waiting = threads.submit(() -> cache.get(key, file, this::load));
            while (cache.stats().coalescedWaits() < 1) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            assertThatThrownBy(failing::get).hasRootCauseMessage("gone");
            assertThat(waiting.get()).isEqualTo("loaded 1");
        }
        finally {
            threads.shutdownNow();
        }
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
        assertThat(cache.stats().loadFailures()).isEqualTo(1);
        assertSum();
    }

    @Test
    void entryThatCannotBeWeighedIsGivenAndNotCached()
            throws IOException
    {
        FooterCache<String> unweighable = new FooterCache<>(ORC_FILE_TAIL, LIMITS, value -> {
            if (value.startsWith("loaded")) {
                throw new IllegalStateException("no field names");
            }
            return value.length();
        }, nanos::get);
        assertThat(unweighable.get(key, file, this::load)).isEqualTo("loaded 1");
        assertThat(unweighable.get(key, file, this::load)).isEqualTo("loaded 2");
        unweighable.put(key, file, "loaded", unweighable.epoch());
        assertThat(unweighable.find(key, file)).isEmpty();
        unweighable.put(key, file, "first", unweighable.epoch());
        unweighable.replace(key, file, "first", "loaded");
        assertThat(unweighable.get(key, file, this::load)).isEqualTo("first");
        assertThat(unweighable.stats().weighFailures()).isPositive();
    }

    @Test
    void retainedBytesStayWithinTheBound()
            throws IOException
    {
        FooterCache<String> small = cache(new FooterLimits(true, 10_000, Duration.ofHours(1)));
        for (int i = 0; i < 100; i++) {
            small.get(new FooterKey(file.version(), i, ""), file, () -> "x".repeat(1000));
            assertThat(small.stats().currentBytes()).isLessThanOrEqualTo(10_000);
        }
        assertThat(small.stats().currentEntries()).isPositive();
        assertThat(small.stats().evictions()).isPositive();
        // heavier than the whole limit: returned, but not cached
        assertThat(small.get(key, file, () -> "x".repeat(20_000))).hasSize(20_000);
        assertThat(small.get(key, file, this::load)).isEqualTo("loaded 1");
    }

    @Test
    void largerFormIsKeptWhereItLeavesRoomForOthers()
            throws IOException
    {
        FooterCache<String> small = cache(new FooterLimits(true, 10_000, Duration.ofHours(1)));
        String kept = small.get(key, file, this::load);
        small.replace(key, file, kept, "x".repeat(626));
        assertThat(small.find(key, file)).contains(kept);
        small.replace(key, file, kept, "x".repeat(625));
        assertThat(small.find(key, file)).contains("x".repeat(625));
        small.replace(key, file, kept, "of another");
        assertThat(small.find(key, file)).contains("x".repeat(625));
    }

    @Test
    void entryLivesAsLongAsItIsUsed()
            throws IOException
    {
        cache.get(key, file, this::load);
        for (int i = 0; i < 3; i++) {
            nanos.addAndGet(LIMITS.ttl().toNanos() - 1);
            assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 1");
        }
        nanos.addAndGet(LIMITS.ttl().toNanos());
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
    }

    @Test
    void workerThatIsNotToKeepTheFileKeepsNothing()
            throws IOException
    {
        FooterFile elsewhere = unkept(file);
        cache.get(key, elsewhere, this::load);
        cache.put(key, elsewhere, "put", cache.epoch());
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
        assertThat(cache.get(key, elsewhere, this::load)).as("what is there is used").isEqualTo("loaded 2");
    }

    @Test
    void dryRunLoadsAndTellsWhatIsThere()
            throws IOException
    {
        List<FooterKind> there = new ArrayList<>();
        FooterListener listener = new FooterListener() {
            @Override
            public void onHits(FooterKind kind, int count)
            {
                throw new AssertionError("served");
            }

            @Override
            public void onDryRunHit(FooterKind kind)
            {
                there.add(kind);
            }

            @Override
            public void onLoad(FooterKind kind, long nanos)
            {}
        };
        FooterFile dryRun = new FooterFile(file.version(), file.scope(), CacheMode.DRY_RUN, Set.of(), listener);
        assertThat(cache.get(key, dryRun, this::load)).isEqualTo("loaded 1");
        assertThat(there).isEmpty();
        assertThat(cache.get(key, file, this::load)).as("it kept nothing").isEqualTo("loaded 2");
        assertThat(cache.get(key, dryRun, this::load)).isEqualTo("loaded 3");
        assertThat(there).hasSize(1);
        assertThat(cache.serves(new FooterFile(file.version(), file.scope(), CacheMode.BYPASS, Set.of(), listener))).isFalse();
    }

    @Test
    void whatWasLoadedAcrossAnInvalidationIsNotKept()
            throws IOException
    {
        assertThat(cache.get(key, file, () -> {
            cache.invalidate(Scope.NONE);
            return load();
        })).isEqualTo("loaded 1");
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
        cache.invalidate(new Scope("catalog", "schema", "other", ""));
        assertThat(cache.get(key, file, this::load)).isEqualTo("loaded 2");
        cache.invalidate(new Scope("catalog", "schema", "table", ""));
        assertThat(cache.find(key, file)).isEmpty();
        long epoch = cache.epoch();
        cache.invalidate(Scope.NONE);
        cache.put(key, file, "stale", epoch);
        assertThat(cache.find(key, file)).isEmpty();
    }

    private String load()
    {
        return "loaded " + loads.incrementAndGet();
    }

    private void assertSum()
    {
        FooterStats stats = cache.stats();
        assertThat(stats.hits() + stats.misses() + stats.loadFailures()).isEqualTo(stats.lookups());
    }

    private static void awaitUninterrupted(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
