// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.flight;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.start;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SingleFlightTest
{
    private static final String KEY = "key";

    private final Map<String, String> cache = new ConcurrentHashMap<>();
    private final SingleFlight<String, String> flights = flights(TimeUnit.MINUTES.toMillis(1));
    private final CountDownLatch loading = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger loads = new AtomicInteger();

    @Test
    void callersThatMissTogetherLoadOnce()
            throws Exception
    {
        FutureTask<String> first = start(() -> get(flights, this::loadSlowly));
        awaitUninterrupted(loading);
        List<FutureTask<String>> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(start(() -> get(flights, this::load)));
        }
        eventually("all others wait", () -> flights.waits() == 8);
        goOn.countDown();
        assertThat(end(first)).isEqualTo("loaded 1");
        for (FutureTask<String> other : others) {
            assertThat(end(other)).isEqualTo("loaded 1");
        }
        assertThat(get(flights, this::load)).isEqualTo("loaded 1");
        assertThat(flights.timeouts()).isZero();
    }

    @Test
    void failureReachesItsCallerAndTheOthersLoadByThemselves()
            throws Exception
    {
        IOException failure = new IOException("gone");
        FutureTask<Throwable> unlucky = start(() -> {
            try {
                return new AssertionError(get(flights, () -> {
                    loading.countDown();
                    awaitUninterrupted(goOn);
                    throw failure;
                }));
            }
            catch (IOException e) {
                return e;
            }
        });
        awaitUninterrupted(loading);
        FutureTask<String> other = start(() -> get(flights, this::load));
        FutureTask<String> another = start(() -> get(flights, this::load));
        eventually("the others wait", () -> flights.waits() == 2);
        goOn.countDown();
        assertThat(unlucky.get(1, TimeUnit.MINUTES)).isSameAs(failure);
        assertThat(List.of(end(other), end(another))).containsExactlyInAnyOrder("loaded 1", "loaded 2");
    }

    @Test
    void failureIsNotRemembered()
            throws Exception
    {
        assertThatThrownBy(() -> get(flights, () -> {
            throw new IOException("gone");
        })).hasMessage("gone");
        assertThat(get(flights, this::load)).isEqualTo("loaded 1");
    }

    @Test
    void valueThatWasStoredAfterTheMissIsNotLoadedAgain()
    {
        cache.put(KEY, "stored");
        try (SingleFlight<String, String>.Load load = flights.join(KEY, flights.epoch())) {
            assertThat(load.isFirst()).isTrue();
            assertThat(load.await()).contains("stored");
        }
    }

    @Test
    void valueOfALoadDuringAnInvalidationIsNotStored()
            throws Exception
    {
        assertThat(get(flights, () -> {
            flights.invalidate(cache::clear);
            return load();
        })).isEqualTo("loaded 1");
        assertThat(cache).isEmpty();
        assertThat(get(flights, this::load)).isEqualTo("loaded 2");
        flights.invalidate(cache::clear);
        assertThat(get(flights, this::load)).isEqualTo("loaded 3");
    }

    @Test
    void storesRunAtATimeAndAnInvalidationWaitsForThem()
            throws Exception
    {
        long epoch = flights.epoch();
        CountDownLatch storing = new CountDownLatch(2);
        CountDownLatch invalidating = new CountDownLatch(1);
        List<FutureTask<String>> stores = new ArrayList<>();
        for (String key : List.of("a", "b")) {
            stores.add(start(() -> Boolean.toString(flights.store(epoch, () -> {
                storing.countDown();
                awaitUninterrupted(storing);
                awaitUninterrupted(invalidating);
                cache.put(key, "stored");
            }))));
        }
        awaitUninterrupted(storing);
        Thread invalidation = new Thread(() -> flights.invalidate(cache::clear));
        invalidation.start();
        while (invalidation.isAlive() && invalidation.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(flights.epoch()).as("while values are stored").isEqualTo(epoch);
        invalidating.countDown();
        for (FutureTask<String> store : stores) {
            assertThat(end(store)).isEqualTo("true");
        }
        invalidation.join();
        assertThat(cache).isEmpty();
        assertThat(flights.store(epoch, () -> cache.put(KEY, "late"))).isFalse();
        assertThat(cache).isEmpty();
    }

    @Test
    void lookupAfterAnInvalidationJoinsNoLoadFromBeforeIt()
            throws Exception
    {
        FutureTask<String> old = start(() -> get(flights, () -> {
            loading.countDown();
            awaitUninterrupted(goOn);
            return "old";
        }));
        awaitUninterrupted(loading);
        FutureTask<String> joined = start(() -> get(flights, this::load));
        eventually("one joins", () -> flights.waits() == 1);
        flights.invalidate(cache::clear);
        try (SingleFlight<String, String>.Load load = flights.join(KEY, flights.epoch())) {
            assertThat(load.isFirst()).isTrue();
            FutureTask<String> later = start(() -> get(flights, this::load));
            eventually("another joins the newer load", () -> flights.waits() == 2);
            goOn.countDown();
            assertThat(end(old)).isEqualTo("old");
            assertThat(end(joined)).as("it began before the invalidation").isEqualTo("old");
            assertThat(later).isNotDone();
            load.share("new");
            assertThat(end(later)).isEqualTo("new");
        }
        assertThat(cache).isEmpty();
    }

    @Test
    void callerOfAnOlderEpochJoinsANewerLoad()
    {
        long before = flights.epoch();
        flights.invalidate(() -> {});
        try (SingleFlight<String, String>.Load first = flights.join(KEY, flights.epoch());
                SingleFlight<String, String>.Load second = flights.join(KEY, before)) {
            first.share("new");
            assertThat(second.await()).contains("new");
        }
    }

    @Test
    void waitEndsAtTheDeadline()
            throws Exception
    {
        SingleFlight<String, String> hasty = flights(1);
        FutureTask<String> slow = start(() -> get(hasty, this::loadSlowly));
        awaitUninterrupted(loading);
        assertThat(get(hasty, () -> "own")).isEqualTo("own");
        assertThat(hasty.timeouts()).isEqualTo(1);
        try (SingleFlight<String, String>.Load waiter = hasty.join(KEY, hasty.epoch())) {
            assertThat(waiter.awaited().get(1, TimeUnit.MINUTES)).isEmpty();
        }
        assertThat(slow).isNotDone();
        goOn.countDown();
        assertThat(end(slow)).isEqualTo("loaded 1");
    }

    @Test
    void interruptedCallerLeavesAndTheOthersWaitOn()
            throws Exception
    {
        FutureTask<String> first = start(() -> get(flights, this::loadSlowly));
        awaitUninterrupted(loading);
        AtomicReference<Thread> thread = new AtomicReference<>();
        FutureTask<Boolean> interrupted = start(() -> {
            thread.set(Thread.currentThread());
            assertThat(get(flights, () -> "own, interrupted: " + Thread.currentThread().isInterrupted())).isEqualTo("own, interrupted: true");
            return Thread.interrupted();
        });
        FutureTask<String> patient = start(() -> get(flights, this::load));
        eventually("both wait", () -> flights.waits() == 2);
        requireNonNull(thread.get()).interrupt();
        assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(patient).isNotDone();
        goOn.countDown();
        assertThat(end(first)).isEqualTo("loaded 1");
        assertThat(end(patient)).isEqualTo("loaded 1");
    }

    @Test
    void beyondTheBoundACallerLoadsWithoutSharing()
    {
        List<SingleFlight<String, String>.Load> running = IntStream.range(0, SingleFlight.MOST_FLIGHTS).mapToObj(i -> flights.join("key " + i, 0))
                .toList();
        assertThat(running).allMatch(SingleFlight.Load::isFirst);
        try (SingleFlight<String, String>.Load beyond = flights.join(KEY, 0);
                SingleFlight<String, String>.Load again = flights.join(KEY, 0);
                SingleFlight<String, String>.Load joined = flights.join("key 0", 0)) {
            assertThat(List.of(beyond.isFirst(), again.isFirst(), joined.isFirst())).containsExactly(true, true, false);
        }
        running.forEach(SingleFlight.Load::close);
        try (SingleFlight<String, String>.Load first = flights.join(KEY, 0); SingleFlight<String, String>.Load second = flights.join(KEY, 0)) {
            assertThat(first.isFirst()).as("room again").isTrue();
            assertThat(second.isFirst()).isFalse();
        }
    }

    @Test
    void sharedValueIsReleasedWhenTheLastCallerLeaves()
    {
        AtomicInteger releases = new AtomicInteger();
        SingleFlight<String, String>.Load first = flights.join(KEY, 0);
        SingleFlight<String, String>.Load second = flights.join(KEY, 0);
        SingleFlight<String, String>.Load third = flights.join(KEY, 0);
        CompletableFuture<Optional<String>> awaited = third.awaited();
        assertThat(awaited).isNotDone();
        first.share("value", releases::incrementAndGet);
        assertThat(awaited).isCompletedWithValue(Optional.of("value"));
        first.close();
        second.close();
        second.close();
        assertThat(releases).hasValue(0);
        third.close();
        assertThat(releases).hasValue(1);
        try (SingleFlight<String, String>.Load next = flights.join(KEY, 0)) {
            assertThat(next.isFirst()).isTrue();
            next.share("next", releases::incrementAndGet);
            assertThat(releases).as("no one waits").hasValue(2);
        }
        assertThat(releases).hasValue(2);
    }

    private String loadSlowly()
    {
        loading.countDown();
        awaitUninterrupted(goOn);
        return load();
    }

    private String load()
    {
        return "loaded " + loads.incrementAndGet();
    }

    private SingleFlight<String, String> flights(long waitMillis)
    {
        return new SingleFlight<>(key -> Optional.ofNullable(cache.get(key)), waitMillis);
    }

    private String get(SingleFlight<String, String> of, Callable<String> loader)
            throws Exception
    {
        String cached = cache.get(KEY);
        if (cached != null) {
            return cached;
        }
        long epoch = of.epoch();
        try (SingleFlight<String, String>.Load load = of.join(KEY, epoch)) {
            Optional<String> shared = load.await();
            if (shared.isPresent()) {
                return shared.get();
            }
            String value = loader.call();
            boolean unused = of.store(epoch, () -> cache.put(KEY, value));
            load.share(value);
            return value;
        }
    }

    private static String end(FutureTask<String> task)
            throws Exception
    {
        return task.get(1, TimeUnit.MINUTES);
    }
}
