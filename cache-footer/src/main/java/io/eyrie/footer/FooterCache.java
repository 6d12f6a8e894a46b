// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.CacheMode;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

import static java.util.Objects.requireNonNull;

/** A cache of entries of one kind; concurrent readers share one load of an entry. Thread-safe; loads run on the caller's thread. */
public final class FooterCache<V>
{
    /*
     * Load        the first reader loads and caches; the others wait, for a bounded time. If they get no value, each loads for itself and caches
     *             nothing
     * Weighing    a value that cannot be weighed is returned to its reader and not cached
     * Forgetting  a value loaded across an invalidation is returned to its reader and not cached
     */
    // the key, Caffeine's node, and the wrapper of the value
    private static final int ENTRY_BYTES = 256;
    // a value with two forms is cached in the larger form only if that leaves room for other entries
    private static final int LEAST_OTHERS = 16;
    // more than any bound
    private static final long UNKNOWN = Long.MAX_VALUE / 2;
    private static final LimitedLog log = new LimitedLog(FooterCache.class, Level.WARNING);

    private final FooterKind kind;
    private final boolean enabled;
    private final long maxBytes;
    private final ToLongFunction<V> weigher;
    private final Cache<FooterKey, Entry<V>> entries;
    private final SingleFlight<FooterKey, V> loads;
    private final LongAdder lookups = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder loadFailures = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder weighFailures = new LongAdder();

    private record Entry<V>(V value, Scope scope, int weight)
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
        this(kind, limits, weigher, Ticker.systemTicker());
    }

    FooterCache(FooterKind kind, FooterLimits limits, ToLongFunction<V> weigher, Ticker ticker)
    {
        this.kind = requireNonNull(kind, "kind is null");
        enabled = limits.enabled();
        maxBytes = limits.bytes();
        this.weigher = requireNonNull(weigher, "weigher is null");
        entries = Caffeine.newBuilder()
                .executor(Runnable::run)
                .ticker(ticker)
                .maximumWeight(limits.bytes())
                .<FooterKey, Entry<V>>weigher((key, entry) -> entry.weight())
                .expireAfterAccess(limits.ttl())
                .evictionListener((key, entry, cause) -> evictions.increment())
                .build();
        loads = new SingleFlight<>(key -> Optional.ofNullable(entries.getIfPresent(key)).map(Entry::value), SingleFlight.WAIT_MILLIS);
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
        Entry<V> cached = entries.getIfPresent(key);
        if (cached != null) {
            return hit(cached.value(), file);
        }
        long epoch = loads.epoch();
        try (SingleFlight<FooterKey, V>.Load joined = loads.join(key, epoch)) {
            Optional<V> shared = joined.await();
            if (shared.isPresent()) {
                return hit(shared.get(), file);
            }
            V value = load(file, loader);
            if (joined.isFirst()) {
                keep(key, file, value, epoch);
                joined.share(value);
            }
            return value;
        }
    }

    private V hit(V value, FooterFile file)
    {
        hits.increment();
        file.listener().onHits(kind, 1);
        return value;
    }

    /**
     * Returns the cached value of a key. A miss is counted when its value is {@linkplain #put put}. A dry run finds nothing, but its listener is
     * notified of an existing entry.
     */
    public Optional<V> find(FooterKey key, FooterFile file)
    {
        Optional<V> found = Optional.ofNullable(entries.getIfPresent(key)).map(Entry::value);
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
        keep(key, file, value, epoch);
    }

    private void keep(FooterKey key, FooterFile file, V value, long epoch)
    {
        if (file.keep()) {
            Entry<V> entry = entry(value, file, weigh(value));
            boolean unused = loads.store(epoch, () -> entries.put(key, entry));
        }
    }

    private static <V> Entry<V> entry(V value, FooterFile file, long weight)
    {
        return new Entry<>(value, file.scope(), (int) Math.min(Integer.MAX_VALUE, ENTRY_BYTES + weight));
    }

    /**
     * Replaces a cached value by another, possibly heavier one, if the first is still cached. Does nothing if the new value weighs more than a
     * sixteenth of the capacity.
     */
    public void replace(FooterKey key, FooterFile file, V before, V after)
    {
        long weight = weigh(after);
        if (weight > maxBytes / LEAST_OTHERS) {
            return;
        }
        Entry<V> present = entries.getIfPresent(key);
        if (present != null && present.value() == before) {
            boolean unused = entries.asMap().replace(key, present, entry(after, file, weight));
        }
    }

    public long epoch()
    {
        return loads.epoch();
    }

    public void invalidate(FooterKey key)
    {
        loads.invalidate(() -> entries.invalidate(key));
    }

    /** Drops the entries of a scope. Values that are being loaded now are not cached. */
    public void invalidate(Scope scope)
    {
        loads.invalidate(() -> entries.asMap().values().removeIf(entry -> scope.contains(entry.scope())));
    }

    public FooterStats stats()
    {
        Optional<OptionalLong> bytes = entries.policy().eviction().map(Policy.Eviction::weightedSize);
        return new FooterStats(
                lookups.sum(),
                hits.sum(),
                misses.sum(),
                loadFailures.sum(),
                loads.waits(),
                loads.timeouts(),
                evictions.sum(),
                weighFailures.sum(),
                bytes.orElse(OptionalLong.empty()).orElse(0),
                entries.estimatedSize(),
                maxBytes);
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
}
