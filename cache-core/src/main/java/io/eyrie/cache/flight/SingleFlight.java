// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.flight;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * The loads in progress of one cache. Of the callers that miss a key at the same time, the first loads the value, and the others wait for it.
 * Thread-safe. Look into the cache first: a hit does not need this class.
 */
public final class SingleFlight<K, V>
{
    /*
     * Joining    a caller joins only a flight that began at its own epoch or later, so no lookup gets a value from before an invalidation. An older
     *            flight is replaced: it still serves those that have joined it
     * Once       the first caller looks into the cache again: a value is stored before its flight leaves the map
     * Failures   a flight that ends without a value, a deadline and an interrupt have the same effect: each waiting caller loads by itself. An
     *            interrupted caller remains interrupted, so that its load fails as it would without a cache
     */
    public static final long WAIT_MILLIS = 10_000;
    static final int MOST_FLIGHTS = 10_000;

    private final Function<K, Optional<V>> cached;
    private final long waitMillis;
    private final ConcurrentHashMap<K, Flight> flights = new ConcurrentHashMap<>();
    private final LoadEpoch epoch = new LoadEpoch();
    private final LongAdder waits = new LongAdder();
    private final LongAdder timeouts = new LongAdder();

    /**
     * @param cached looks up a key in the cache
     * @param waitMillis how long a caller waits for the load of another
     */
    public SingleFlight(Function<K, Optional<V>> cached, long waitMillis)
    {
        this.cached = requireNonNull(cached, "cached is null");
        this.waitMillis = waitMillis;
    }

    /**
     * Joins the load of a key, or begins one.
     *
     * @param since the {@linkplain #epoch epoch}, or the caller's own number that never decreases and changes with each invalidation of the key
     */
    public Load join(K key, long since)
    {
        Flight mine = new Flight(key, since);
        while (true) {
            // beyond the bound, a caller loads without sharing
            Flight other = flights.mappingCount() < MOST_FLIGHTS ? flights.putIfAbsent(key, mine) : flights.get(key);
            if (other == null || (other.epoch < since && flights.replace(key, other, mine))) {
                return new Load(mine, true);
            }
            if (other.epoch >= since && other.enter()) {
                return new Load(other, false);
            }
        }
    }

    /** As {@link LoadEpoch#current}. */
    public long epoch()
    {
        return epoch.current();
    }

    /** As {@link LoadEpoch#store}. */
    public boolean store(long since, Runnable store)
    {
        return epoch.store(since, store);
    }

    /** As {@link LoadEpoch#invalidate}. */
    public void invalidate(Runnable drop)
    {
        epoch.invalidate(drop);
    }

    /** Returns how often a caller waited for another caller's load. */
    public long waits()
    {
        return waits.sum();
    }

    /** Returns how many of these waits reached the deadline. */
    public long timeouts()
    {
        return timeouts.sum();
    }

    /** One caller's part in a load. Always close it. Used by one thread at a time. */
    public final class Load
            implements AutoCloseable
    {
        private final Flight flight;
        private final boolean first;
        private boolean closed;

        private Load(Flight flight, boolean first)
        {
            this.flight = flight;
            this.first = first;
        }

        /** Whether this caller is the first, which shares its value. */
        public boolean isFirst()
        {
            return first;
        }

        /**
         * Waits for the value that the first caller loads. The first caller itself gets the value if it was stored since it missed. If the result is empty,
         * load the value.
         */
        public Optional<V> await()
        {
            if (first) {
                return cached.apply(flight.key);
            }
            if (!flight.outcome.isDone()) {
                waits.increment();
            }
            try {
                return flight.outcome.get(waitMillis, TimeUnit.MILLISECONDS);
            }
            catch (TimeoutException e) {
                timeouts.increment();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            catch (ExecutionException e) {
                throw new IllegalStateException("a flight does not fail", e);
            }
            return Optional.empty();
        }

        /** Returns what {@link #await} waits for, as a future that completes at the deadline and never fails. */
        public CompletableFuture<Optional<V>> awaited()
        {
            return flight.outcome.copy().completeOnTimeout(Optional.empty(), waitMillis, TimeUnit.MILLISECONDS);
        }

        /** Whether another caller has joined this load and not closed its part. */
        public boolean isAwaited()
        {
            return flight.isAwaited();
        }

        /** Passes the value that the first caller loaded, and has stored, to the others. Does nothing for the others. */
        public void share(V value)
        {
            share(value, () -> {});
        }

        /** Like {@link #share(Object)}. {@code left} runs once, when all others have closed their parts. */
        public void share(V value, Runnable left)
        {
            if (first) {
                flight.end(Optional.of(value), left);
            }
        }

        /** If this is the first caller and it has shared no value, the others load by themselves. */
        @Override
        public void close()
        {
            if (first) {
                flight.end(Optional.empty(), () -> {});
            }
            else if (!closed) {
                closed = true;
                flight.leave();
            }
        }
    }

    private final class Flight
    {
        private final K key;
        private final long epoch;
        private final CompletableFuture<Optional<V>> outcome = new CompletableFuture<>();
        // guarded by this
        private int waiting;
        private Optional<Runnable> ended = Optional.empty();

        Flight(K key, long epoch)
        {
            this.key = key;
            this.epoch = epoch;
        }

        synchronized boolean enter()
        {
            waiting += ended.isEmpty() ? 1 : 0;
            return ended.isEmpty();
        }

        synchronized boolean isAwaited()
        {
            return waiting > 0;
        }

        synchronized void leave()
        {
            waiting--;
            if (waiting == 0) {
                ended.ifPresent(Runnable::run);
            }
        }

        void end(Optional<V> value, Runnable left)
        {
            flights.remove(key, this);
            synchronized (this) {
                if (ended.isEmpty() && waiting == 0) {
                    left.run();
                }
                ended = ended.or(() -> Optional.of(left));
            }
            outcome.complete(value);
        }
    }
}
