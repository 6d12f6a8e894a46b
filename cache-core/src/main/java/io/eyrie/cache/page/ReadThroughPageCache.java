// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.Steering;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStore;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.thread.Threads;
import io.eyrie.cache.trace.TraceListener;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** Reads through any {@link PageStore}: serves stored pages, fetches missing pages once, and writes them to the store. */
public final class ReadThroughPageCache
        implements PageCache, PageCacheControl
{
    private static final long FETCH_END_SECONDS = 10;
    private static final long WRITE_END_SECONDS = 60;
    /** At 30 to 100 ms and 10 to 50 MB/s per connection, a longer request spends most of its time transferring, and a shorter one most of it waiting. */
    static final int PARALLEL_FETCH_BYTES = 1 << 20;
    private static final int MOST_PARALLEL_FETCHES = 8;

    private static final LimitedLog storeLog = new LimitedLog(ReadThroughPageCache.class, Level.WARNING);

    private final PageStore store;
    private final PageCacheConfig config;
    private final AdmissionPolicy admission;
    private final TraceListener trace;
    private final CacheCounters counters = new CacheCounters();
    private final Granules granules;
    private final int fetchBytes;
    private final PageWriter writer;
    private final Threads threads;
    private final Fetches fetches;
    // guarded by this
    private final Map<String, Steering> steered = new HashMap<>();
    private final Map<String, Long> tracedUntil = new HashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates a cache that admits everything and records no trace. */
    public ReadThroughPageCache(PageStore store, PageCacheConfig config)
    {
        this(store, config, AdmissionPolicy.ALL, TraceListener.NOOP);
    }

    /** Creates a cache with its own writer. */
    public ReadThroughPageCache(PageStore store, PageCacheConfig config, AdmissionPolicy admission, TraceListener trace)
    {
        this(store, new PageWriter(store, config.writeBufferBytes(), config.pageSizeBytes()), config, admission, trace);
    }

    /** Creates a cache over a store and its writer, and closes both. It ignores the settings of directories. */
    public ReadThroughPageCache(PageStore store, PageWriter writer, PageCacheConfig config, AdmissionPolicy admission, TraceListener trace)
    {
        this(store, writer, config, admission, trace, Threads.SYSTEM);
    }

    /** The same with threads supplied by the caller. */
    public ReadThroughPageCache(PageStore store, PageWriter writer, PageCacheConfig config, AdmissionPolicy admission, TraceListener trace,
            Threads threads)
    {
        this.store = requireNonNull(store, "store is null");
        this.config = config;
        this.admission = requireNonNull(admission, "admission is null");
        this.trace = requireNonNull(trace, "trace is null");
        granules = new Granules(store, config.pageSizeBytes());
        fetchBytes = granules.wholeBytes(config.maxFetchBytes());
        this.writer = requireNonNull(writer, "writer is null");
        this.threads = threads;
        fetches = new Fetches(writer, counters, config, threads);
    }

    @Override
    public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
    {
        return new PagedFile(this, version, source, context);
    }

    @Override
    public PageCacheControl control()
    {
        return this;
    }

    @Override
    public long pageSizeBytes()
    {
        return config.pageSizeBytes();
    }

    @Override
    public void invalidate(FileVersion version)
    {
        PageKey firstKey = PageKey.of(version, 0);
        store.invalidateFile(firstKey);
        fetches.forget(firstKey);
    }

    @Override
    public void invalidate(Scope scope)
    {
        store.invalidate(scope);
        fetches.forget(scope);
    }

    @Override
    public void setQuotas(Predicate<Scope> which, Map<Scope, Long> quotas)
    {
        store.setQuotas(which, quotas);
    }

    @Override
    public Map<Scope, Long> quotas()
    {
        return store.quotas();
    }

    @Override
    public synchronized void steer(String owner, Steering steering)
    {
        steered.put(owner, steering);
        admission.steer(List.copyOf(steered.values()));
        store.setPins(steered.values().stream().flatMap(of -> of.pins().stream()).collect(Collectors.toUnmodifiableSet()));
    }

    @Override
    public synchronized void recordTrace(String owner, long untilMillis)
    {
        tracedUntil.put(owner, untilMillis);
        trace.recordUntil(Collections.max(tracedUntil.values()));
    }

    @Override
    public void resize(long capacityBytes)
    {
        store.resize(capacityBytes);
    }

    @Override
    public void enforceLimits()
    {
        store.enforceLimits();
    }

    @Override
    public Map<PageTags, ScopeUsage> contents()
    {
        return store.contents();
    }

    @Override
    public List<DiskStatus> disks()
    {
        return store.disks();
    }

    @Override
    public OptionalLong cachedBytes(FileVersion version, long start, long end)
    {
        PageKey firstKey = PageKey.of(version, 0);
        long bytes = 0;
        for (long at = start; at < end;) {
            boolean present = granules.isPresent(firstKey, at);
            long pageEnd = Math.min(end, at - at % config.pageSizeBytes() + config.pageSizeBytes());
            long rangeEnd = granules.rangeEnd(firstKey, at, pageEnd, present);
            bytes += present ? rangeEnd - at : 0;
            at = rangeEnd;
        }
        return OptionalLong.of(bytes);
    }

    @Override
    public PageCacheStats stats()
    {
        return counters.snapshot(store.stats(), fetches.usedBytes());
    }

    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            fetches.close(FETCH_END_SECONDS);
            writer.close(WRITE_END_SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        finally {
            store.close();
        }
    }

    /** Reads from the store; an exception, or a lack of direct memory, counts as a device error. */
    ReadOutcome readStore(PageKey key, int offsetInPage, ByteBuffer target)
    {
        try {
            return store.read(key, offsetInPage, target);
        }
        catch (RuntimeException | OutOfMemoryError e) {
            storeLog.log("Reading a cached page failed. The query reads it from the store", e);
            return ReadOutcome.DEVICE_ERROR;
        }
    }

    /** The maximum length of a fetch, in whole granules. */
    int fetchBytes()
    {
        return fetchBytes;
    }

    /** The maximum length, in whole granules, that one fetch covers of a range: while threads are idle, several fetches share a range. */
    int fetchBytes(long rangeBytes)
    {
        long parallel = Math.min(MOST_PARALLEL_FETCHES, (rangeBytes + PARALLEL_FETCH_BYTES / 2) / PARALLEL_FETCH_BYTES);
        if (parallel < 2 || !fetches.hasIdleThreads()) {
            return fetchBytes;
        }
        return Math.min(fetchBytes, (int) granules.end((rangeBytes + parallel - 1) / parallel, rangeBytes));
    }

    Granules granules()
    {
        return granules;
    }

    AdmissionPolicy admission()
    {
        return admission;
    }

    TraceListener trace()
    {
        return trace;
    }

    /** The writer, for other users of the same store. It is closed with this cache. */
    public PageWriter writer()
    {
        return writer;
    }

    public PageStore store()
    {
        return store;
    }

    PageCacheConfig config()
    {
        return config;
    }

    CacheCounters counters()
    {
        return counters;
    }

    Threads threads()
    {
        return threads;
    }

    Fetches fetches()
    {
        return fetches;
    }
}
