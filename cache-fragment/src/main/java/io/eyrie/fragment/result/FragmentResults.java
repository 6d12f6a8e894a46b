// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;
import io.eyrie.fragment.result.FoundResult.ResultLocation;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Fragment results by key. Thread-safe. */
public final class FragmentResults
{
    /*
     * Lookup      memory, then store: the result as requested; else one with more columns; else one of finer groups; else the first caller computes it,
     *             and others wait
     * Known       for each set of rows, a list of the column sets that have results. It is a hint: a result itself records its columns
     * Large       the first recording of a large result is abandoned, the second is stored; the first, too, if another caller waits for it, or if the caller
     *             says that the result will be requested again
     * Futile      a result that was too large or not worth storing is not recorded again, and each caller computes it
     * Bytes       for a result on disk, the lookup reads the header, or the whole result if it is short; its pages() reads and verifies the rest
     * Memory      results published or read most recently: a result is available here before the store has written it
     */
    private static final int UNSTORED_KEYS = 100_000;
    private static final int START_BYTES = 64 << 10;
    // merging holds all groups in memory
    private static final long MOST_FINER_BYTES = 32 << 20;
    // an entry in memory, without its bytes
    private static final int ENTRY_BYTES = 128;

    private final BlobCache blobs;
    private final ResultFormat format;
    private final FragmentLimits limits;
    private final LongSupplier nanoTime;
    private final FragmentCounters counters = new FragmentCounters();
    private final ResultMemory memory;
    private final Cache<BlobKey, byte[]> recent;
    private final Cache<BlobKey, Abandonment> unstored = Caffeine.newBuilder().maximumSize(UNSTORED_KEYS).build();
    private final SingleFlight<BlobKey, RecordedResult> recordings;
    private final AtomicInteger invalidations = new AtomicInteger(); // that are running now

    /** The end of a recording: the bytes of the result, and why they are not stored. */
    record RecordedResult(Optional<byte[]> bytes, Optional<Abandonment> abandonment)
    {}

    /**
     * @param blobs the store of the results; not closed here
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public FragmentResults(BlobCache blobs, ResultFormat format, FragmentLimits limits, LongSupplier nanoTime)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.format = requireNonNull(format, "format is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.memory = new ResultMemory(limits.maxInFlightBytes());
        this.recent = Caffeine.newBuilder()
                .maximumWeight(limits.maxMemoryBytes())
                .<BlobKey, byte[]>weigher((key, bytes) -> ENTRY_BYTES + bytes.length)
                .build();
        this.recordings = new SingleFlight<>(
                key -> Optional.ofNullable(recent.getIfPresent(key)).map(bytes -> new RecordedResult(Optional.of(bytes), Optional.empty())),
                limits.waitMillis());
    }

    /**
     * Looks up a result.
     *
     * @param finer the keys of results from which this one can be computed; called only if there is no such result
     * @param scope the scope that the rows belong to, for invalidation and accounting
     * @param recurring whether the plan was seen before, so that even a large result is stored when it is first computed
     */
    public ResultLookup lookup(FragmentKey key, Supplier<List<FinerKey>> finer, Scope scope, boolean recurring)
    {
        Optional<ResultLookup> kept = found(key).map(found -> offer(found, key));
        if (kept.isPresent()) {
            return kept.get();
        }
        // before the load begins, which others wait for
        List<FinerKey> others = finer.get();
        BlobKey exact = key.result(key.storedOutputs());
        Optional<Abandonment> futile = futile(exact);
        if (futile.isPresent()) {
            return finer(others, Optional.empty()).orElseGet(() -> computeOnly(futile.get()));
        }
        SingleFlight<BlobKey, RecordedResult>.Load load = recordings.join(exact, recordings.epoch());
        if (!load.isFirst()) {
            return waitFor(exact, load, key);
        }
        try {
            return begin(exact, load, key, others, scope, recurring);
        }
        catch (RuntimeException | Error e) {
            // others would wait for this caller
            load.close();
            throw e;
        }
    }

    private ResultLookup begin(BlobKey exact, SingleFlight<BlobKey, RecordedResult>.Load load, FragmentKey key, List<FinerKey> finer, Scope scope,
            boolean recurring)
    {
        Optional<RecordedResult> meanwhile = load.await();
        Optional<ResultLocation> found = meanwhile.flatMap(RecordedResult::bytes).flatMap(bytes -> found(exact, bytes, key, counters.hits));
        if (found.isPresent()) {
            meanwhile.ifPresent(recorded -> share(load, recorded));
            return offer(found.get(), key);
        }
        ResultRecorder recorder = new Recording(this, key, scope, recurring, load);
        Optional<ResultLookup> merged = finer(finer, Optional.of(recorder));
        if (merged.isEmpty()) {
            counters.misses.increment();
        }
        return merged.orElseGet(() -> new ResultLookup.Miss(recorder, absence(exact)));
    }

    private Optional<Abandonment> futile(BlobKey exact)
    {
        return Optional.ofNullable(unstored.getIfPresent(exact)).filter(Abandonment::isFinal);
    }

    private ResultLookup computeOnly(Abandonment reason)
    {
        counters.misses.increment();
        counters.abandoned(reason);
        return new ResultLookup.Miss(new NoRecording(reason), ResultLookup.Absence.UNKNOWN);
    }

    /**
     * Returns a recorder of a result that a caller computes on the way to another one.
     *
     * @param recurring as in {@link #lookup}
     * @return empty if the result exists, if another caller computes it, or if it would not be stored
     */
    public Optional<ResultRecorder> record(FragmentKey key, Scope scope, boolean recurring)
    {
        BlobKey exact = key.result(key.storedOutputs());
        if (futile(exact).isPresent()) {
            return Optional.empty();
        }
        SingleFlight<BlobKey, RecordedResult>.Load load = recordings.join(exact, recordings.epoch());
        try {
            if (load.isFirst() && found(key).isEmpty()) {
                return Optional.of(new Recording(this, key, scope, recurring, load));
            }
        }
        catch (RuntimeException | Error e) {
            load.close();
            throw e;
        }
        load.close();
        return Optional.empty();
    }

    private ResultLookup waitFor(BlobKey exact, SingleFlight<BlobKey, RecordedResult>.Load load, FragmentKey key)
    {
        counters.waits.increment();
        CompletableFuture<Optional<RecordedResult>> recorded = load.awaited();
        return new ResultLookup.Wait(
                recorded,
                () -> shared(exact, recorded.getNow(Optional.empty()).flatMap(RecordedResult::bytes), key),
                () -> recorded.getNow(Optional.empty()).flatMap(end -> end.bytes().map(any -> Abandonment.IN_FLIGHT).or(end::abandonment)),
                load::close);
    }

    /** Passes the outcome of a recording to its waiters. Its bytes are counted while there are waiters, which may come to hold them. */
    void share(SingleFlight<BlobKey, RecordedResult>.Load load, RecordedResult recorded)
    {
        int bytes = recorded.bytes().map(whole -> whole.length).orElse(0);
        memory.grow(bytes);
        load.share(recorded, () -> memory.release(bytes));
    }

    private ResultLookup.Absence absence(BlobKey where)
    {
        if (blobs.wasEvicted(where)) {
            return ResultLookup.Absence.EVICTED;
        }
        if (blobs.wasNotWritten(where)) {
            return ResultLookup.Absence.NOT_WRITTEN;
        }
        return unstored.getIfPresent(where) == Abandonment.LARGE_AND_NEW ? ResultLookup.Absence.LARGE : ResultLookup.Absence.UNKNOWN;
    }

    /** The same lookup without recording: a hit, or busy, or finer groups, or empty. */
    public Optional<ResultLookup> lookUpOnly(FragmentKey key, Supplier<List<FinerKey>> finer)
    {
        return found(key).map(found -> offer(found, key)).or(() -> finer(finer.get(), Optional.empty()));
    }

    /** Whether a result, or one of finer groups, exists, without counting a lookup. */
    public boolean isKept(FragmentKey key, Supplier<List<FinerKey>> finer)
    {
        return found(key).isPresent() || finer.get().stream().anyMatch(other -> found(other).isPresent());
    }

    private Optional<ResultLookup> finer(List<FinerKey> finer, Optional<ResultRecorder> recorder)
    {
        for (FinerKey other : finer) {
            Optional<FoundResult> result = found(other).flatMap(found -> FoundResult.of(this, found, other.key()));
            if (result.isPresent()) {
                return Optional.of(new ResultLookup.Finer(result.get(), other.merge(), recorder));
            }
        }
        return Optional.empty();
    }

    private Optional<ResultLocation> found(FinerKey finer)
    {
        return found(finer.key()).map(found -> found.countedBy(counters.subsumedHits))
                .filter(found -> found.header().decodedBytes() <= MOST_FINER_BYTES && found.header().cost().inputRows() <= finer.mostRows());
    }

    private Optional<ResultLocation> found(FragmentKey key)
    {
        List<OutputId> wanted = key.storedOutputs();
        Optional<ResultLocation> exact = found(key, wanted, counters.hits);
        if (exact.isPresent()) {
            return exact;
        }
        return KnownOutputs.read(read(key.known())).stream()
                .filter(known -> known.size() > wanted.size() && known.containsAll(wanted))
                .flatMap(known -> found(key, known, counters.narrowedHits).stream())
                .findFirst();
    }

    private Optional<ResultLocation> found(FragmentKey key, List<OutputId> stored, LongAdder kind)
    {
        BlobKey where = key.result(stored);
        byte[] whole = recent.getIfPresent(where);
        if (whole != null) {
            return found(where, whole, key, kind);
        }
        long epoch = blobs.epoch();
        Optional<byte[]> start = blobs.start(where, Math.max(START_BYTES, ResultFormat.headerBytes(stored.size())));
        Optional<ResultLocation> found = start.flatMap(bytes -> found(where, bytes, key, kind));
        found.flatMap(ResultLocation::bytes).ifPresent(bytes -> remember(where, bytes, epoch));
        return found;
    }

    /* Parses the header from these bytes; drops the blob if they are not the start of such a result. */
    private Optional<ResultLocation> found(BlobKey where, byte[] start, FragmentKey key, LongAdder kind)
    {
        Optional<ResultFormat.Header> header = format.header(start, key).filter(head -> head.storedBytes() >= start.length);
        if (header.isEmpty()) {
            undecodable(where);
        }
        return header.map(head -> new ResultLocation(where, head, head.storedBytes() == start.length ? Optional.of(start) : Optional.empty(), kind));
    }

    private void undecodable(BlobKey where)
    {
        counters.undecodable.increment();
        recent.invalidate(where);
        blobs.invalidate(where);
    }

    private ResultLookup offer(ResultLocation found, FragmentKey key)
    {
        Optional<FoundResult> result = FoundResult.of(this, found, key);
        if (result.isEmpty()) {
            counters.misses.increment();
            counters.busy.increment();
            return new ResultLookup.Busy();
        }
        return new ResultLookup.Hit(result.get());
    }

    /**
     * Invalidates a part of the store, and then clears the copies in memory. A result that a caller begins to compute in the meantime is not stored: it may
     * be computed from a copy of another one.
     */
    public void invalidate(Runnable store)
    {
        invalidations.incrementAndGet();
        try {
            store.run();
            recordings.invalidate(recent::invalidateAll);
        }
        finally {
            invalidations.decrementAndGet();
        }
    }

    /** Whether a part of the store, or the memory, is being invalidated. */
    boolean isInvalidating()
    {
        return invalidations.get() > 0;
    }

    public FragmentStats stats()
    {
        return counters.snapshot(memory.bytes());
    }

    private Optional<StoredResult> shared(BlobKey where, Optional<byte[]> bytes, FragmentKey key)
    {
        Optional<ResultLocation> found = bytes.flatMap(whole -> found(where, whole, key, counters.sharedResults));
        Optional<StoredResult> result = found.flatMap(whole -> FoundResult.of(this, whole, key));
        if (found.isPresent() && result.isEmpty()) {
            counters.busy.increment();
        }
        return result;
    }

    ResultMemory memory()
    {
        return memory;
    }

    FragmentLimits limits()
    {
        return limits;
    }

    ResultFormat format()
    {
        return format;
    }

    /** Returns all bytes of a found result, if it still exists. */
    Optional<byte[]> read(BlobKey where)
    {
        byte[] whole = recent.getIfPresent(where);
        if (whole != null) {
            return Optional.of(whole);
        }
        long epoch = blobs.epoch();
        Optional<byte[]> read = blobs.get(where);
        read.ifPresent(bytes -> remember(where, bytes, epoch));
        return read;
    }

    /* The scope is not known here, so any invalidation counts. The store has the bytes: the next lookup reads them again. */
    private void remember(BlobKey where, byte[] bytes, long epoch)
    {
        boolean unused = recordings.store(recordings.epoch(), () -> {
            if (blobs.epoch() == epoch) {
                // other bytes are newer: a list of column sets may have been replaced since it was read
                recent.asMap().putIfAbsent(where, bytes);
            }
        });
    }

    private void remember(BlobKey where, byte[] bytes, BooleanSupplier stale)
    {
        boolean unused = recordings.store(recordings.epoch(), () -> {
            if (!stale.getAsBoolean()) {
                recent.put(where, bytes);
            }
        });
    }

    /** Returns the pages of a found result; drops bytes that do not decode. */
    Optional<Iterator<Page>> pages(ResultLocation found, byte[] bytes, FragmentKey key)
    {
        Optional<Iterator<Page>> pages = format.pages(bytes, key);
        if (pages.isEmpty()) {
            undecodable(found.where());
        }
        return pages.map(decoded -> new Iterator<Page>() {
            @Override
            public boolean hasNext()
            {
                return decoded.hasNext();
            }

            @Override
            public Page next()
            {
                try {
                    return decoded.next();
                }
                catch (RuntimeException e) {
                    // rows were already returned: this query fails, the next one computes the leaf
                    undecodable(found.where());
                    throw e;
                }
            }
        });
    }

    void given(StoredResult result)
    {
        counters.given(result);
    }

    /** Counts a result that was found, when its reader closes it: only then is it known whether it could be used, and counters must not decrease. */
    void closed(ResultLocation found, boolean lost)
    {
        if (!lost) {
            found.kind().increment();
            return;
        }
        counters.lost.increment();
        if (found.kind() != counters.sharedResults) {
            counters.misses.increment();
        }
    }

    long epoch()
    {
        return blobs.epoch();
    }

    long nanoTime()
    {
        return nanoTime.getAsLong();
    }

    /** Whether a result was already known to be large; marks it as large. */
    boolean wasLarge(FragmentKey key)
    {
        return unstored.asMap().putIfAbsent(key.result(key.storedOutputs()), Abandonment.LARGE_AND_NEW) != null;
    }

    /** Counts a recording that leaves nothing, and remembers its reason if the next one would end in the same way. */
    void abandoned(FragmentKey key, Abandonment reason)
    {
        counters.abandoned(reason);
        if (reason.isFinal()) {
            unstored.put(key.result(key.storedOutputs()), reason);
        }
    }

    /** Stores a complete result. */
    void publish(FragmentKey key, List<OutputId> stored, byte[] bytes, long epoch, Scope scope)
    {
        keep(key.result(stored), bytes, epoch, scope);
        long began = blobs.epoch();
        KnownOutputs.with(read(key.known()), stored).ifPresent(known -> {
            remember(key.known(), known, () -> blobs.isStale(key.known(), scope, began));
            blobs.replace(key.known(), new PageTags(scope, StorageClass.RESULT), ByteBuffer.wrap(known), began);
        });
        counters.published(bytes.length);
    }

    private void keep(BlobKey where, byte[] bytes, long epoch, Scope scope)
    {
        remember(where, bytes, () -> blobs.isStale(where, scope, epoch));
        blobs.put(where, new PageTags(scope, StorageClass.RESULT), ByteBuffer.wrap(bytes), epoch);
    }
}
