// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.CacheMode;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

import static java.util.Objects.requireNonNull;

/** A cache of entries of one kind; concurrent readers share one load of an entry. Thread-safe; loads run on the caller's thread. */
public final class FooterCache<V>
{
    /*
     * Load        the first reader puts a future and loads; the others wait, for a bounded time. A failed load removes its future, and each
     *             waiter then loads for itself: one query's failure does not fail another query
     * Weighing    a value that cannot be weighed is returned to its reader and not cached
     * Forgetting  a value loaded across an invalidation is returned to its reader and not cached
     */
    static final long WAIT_MILLIS = 10_000;
    // the key, Caffeine's node, the future, and the wrapper of the value
    private static final int ENTRY_BYTES = 256;
    // a value with two forms is cached in the larger form only if that leaves room for other entries
    private static final int LEAST_OTHERS = 16;
    // more than any bound
    private static final long UNKNOWN = Long.MAX_VALUE / 2;
    private static final LimitedLog log = new LimitedLog(FooterCache.class, Level.WARNING);

    private final FooterKind kind;
    private final boolean enabled;
    private final long waitMillis;
    private final long maxBytes;
    private final ToLongFunction<V> weigher;
    private final AsyncCache<FooterKey, Entry<V>> entries;
    private final AtomicLong invalidations = new AtomicLong();
    private final LongAdder lookups = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder loadFailures = new LongAdder();
    private final LongAdder coalescedWaits = new LongAdder();
    private final LongAdder waitTimeouts = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder weighFailures = new LongAdder();

    private record Entry<V>(V value, Scope scope)
    {}

    /** Loads a value. */
    public interface Loader<V>
    {
        V load()
                throws IOException;
    }

    /** Creates a cache whose values are weighed by {@code weigher}. */
    public FooterCache(FooterKind kind, FooterLimits limits, ToLongFunction<V> weigher)
    {
        this(kind, limits, weigher, Ticker.systemTicker(), WAIT_MILLIS);
    }

    FooterCache(FooterKind kind, FooterLimits limits, ToLongFunction<V> weigher, Ticker ticker, long waitMillis)
    {
        this.kind = requireNonNull(kind, "kind is null");
        this.waitMillis = waitMillis;
        enabled = limits.enabled();
        maxBytes = limits.bytes();
        this.weigher = requireNonNull(weigher, "weigher is null");
        entries = Caffeine.newBuilder()
                .executor(Runnable::run)
                .ticker(ticker)
                .maximumWeight(limits.bytes())
                .<FooterKey, Entry<V>>weigher((key, entry) -> (int) Math.min(Integer.MAX_VALUE, ENTRY_BYTES + weigh(entry.value())))
                .expireAfterAccess(limits.ttl())
                .evictionListener((key, entry, cause) -> evictions.increment())
                .buildAsync();
    }

    /** Whether to use the cache for a query's file. */
    public boolean serves(FooterFile file)
    {
        return enabled && file.mode() != CacheMode.BYPASS && !file.bypassed().contains(kind);
    }

    /**
     * Returns the cached value of a key of the file, or loads it with {@code loader}.
     *
     * @throws IOException the loader's
     */
    public V get(FooterKey key, FooterFile file, Loader<V> loader)
            throws IOException
    {
        if (file.mode() == CacheMode.DRY_RUN) {
            Optional<V> unused = find(key, file);
            return load(file, loader);
        }
        lookups.increment();
        long before = invalidations.get();
        CompletableFuture<Entry<V>> present = entries.getIfPresent(key);
        if (present == null && file.keep()) {
            CompletableFuture<Entry<V>> mine = new CompletableFuture<>();
            present = entries.asMap().putIfAbsent(key, mine);
            if (present == null) {
                return loadAndKeep(key, mine, file, loader, before);
            }
        }
        Optional<V> found = present == null ? Optional.empty() : await(present);
        if (found.isEmpty()) {
            return load(file, loader);
        }
        hits.increment();
        file.listener().onHits(kind, 1);
        return found.get();
    }

    /**
     * Returns the cached value of a key. A miss is counted when its value is {@linkplain #put put}. A dry run finds nothing, but its listener is
     * notified of an existing entry.
     */
    public Optional<V> find(FooterKey key, FooterFile file)
    {
        CompletableFuture<Entry<V>> present = entries.getIfPresent(key);
        if (present == null || !present.isDone()) {
            return Optional.empty();
        }
        Optional<V> found = await(present);
        if (file.mode() == CacheMode.DRY_RUN) {
            found.ifPresent(ignored -> file.listener().onDryRunHit(kind));
            return Optional.empty();
        }
        found.ifPresent(ignored -> {
            lookups.increment();
            hits.increment();
        });
        return found;
    }

    /** Caches a value that was loaded since {@link #epoch()}, if the file is to be cached. */
    public void put(FooterKey key, FooterFile file, V value, long epoch)
    {
        lookups.increment();
        misses.increment();
        if (file.keep()) {
            CompletableFuture<Entry<V>> mine = CompletableFuture.completedFuture(new Entry<>(value, file.scope()));
            entries.put(key, mine);
            dropStale(key, mine, epoch);
        }
    }

    /**
     * Replaces a cached value by another, possibly heavier one, if the first is still cached. Does nothing if the new value weighs more than a
     * sixteenth of the capacity.
     */
    public void replace(FooterKey key, FooterFile file, V before, V after)
    {
        if (weigh(after) > maxBytes / LEAST_OTHERS) {
            return;
        }
        CompletableFuture<Entry<V>> present = entries.getIfPresent(key);
        if (present != null && present.isDone() && await(present).filter(value -> value == before).isPresent()) {
            boolean unused = entries.asMap().replace(key, present, CompletableFuture.completedFuture(new Entry<>(after, file.scope())));
        }
    }

    public long epoch()
    {
        return invalidations.get();
    }

    public void invalidate(FooterKey key)
    {
        entries.asMap().remove(key);
    }

    /** Drops the entries of a scope. Values that are being loaded now are not cached. */
    public void invalidate(Scope scope)
    {
        invalidations.incrementAndGet();
        entries.synchronous().asMap().values().removeIf(entry -> scope.contains(entry.scope()));
    }

    public FooterStats stats()
    {
        Optional<OptionalLong> bytes = entries.synchronous().policy().eviction().map(Policy.Eviction::weightedSize);
        return new FooterStats(
                lookups.sum(),
                hits.sum(),
                misses.sum(),
                loadFailures.sum(),
                coalescedWaits.sum(),
                waitTimeouts.sum(),
                evictions.sum(),
                weighFailures.sum(),
                bytes.orElse(OptionalLong.empty()).orElse(0),
                entries.synchronous().estimatedSize(),
                maxBytes);
    }

    private V loadAndKeep(FooterKey key, CompletableFuture<Entry<V>> mine, FooterFile file, Loader<V> loader, long before)
            throws IOException
    {
        try {
            V value = load(file, loader);
            mine.complete(new Entry<>(value, file.scope()));
            dropStale(key, mine, before);
            return value;
        }
        finally {
            // takes effect only after a failure; Caffeine removes canceled futures without a log line
            mine.cancel(false);
        }
    }

    private V load(FooterFile file, Loader<V> loader)
            throws IOException
    {
        long start = System.nanoTime();
        LongAdder outcome = loadFailures;
        try {
            V value = loader.load();
            outcome = misses;
            return value;
        }
        finally {
            outcome.increment();
            file.listener().onLoad(kind, System.nanoTime() - start);
        }
    }

    /* Files of other writers may lack any field that is optional in the format; this must not fail their readers. */
    private long weigh(V value)
    {
        try {
            return weigher.applyAsLong(value);
        }
        catch (RuntimeException e) {
            weighFailures.increment();
            log.log("Cannot estimate the size of a footer cache entry (" + kind + "). The entry is used but not cached", e);
            return UNKNOWN;
        }
    }

    private void dropStale(FooterKey key, CompletableFuture<Entry<V>> mine, long epoch)
    {
        if (invalidations.get() != epoch) {
            entries.asMap().remove(key, mine);
        }
    }

    /** Empty if the load failed or takes too long. */
    private Optional<V> await(CompletableFuture<Entry<V>> present)
    {
        try {
            if (!present.isDone()) {
                coalescedWaits.increment();
            }
            return Optional.of(present.get(waitMillis, TimeUnit.MILLISECONDS).value());
        }
        catch (TimeoutException e) {
            waitTimeouts.increment();
            return Optional.empty();
        }
        catch (ExecutionException | CancellationException e) {
            return Optional.empty();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
