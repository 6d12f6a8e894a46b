package io.eyrie.fragment.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/** Results of leaves by key. Thread-safe. */
public final class FragmentResults
{
    /*
     * Lookup      memory, store: the result as asked for; else one with more columns; else one who asks computes it, the others wait
     * Known       beside the results of one set of rows a list of the sets of columns that there are results with. A hint: a result says itself what it holds
     * Large       the first recording is given up, the second kept
     * Memory      what was published or read last: a result is there before the store has written it
     */
    private static final int LARGE_KEYS = 100_000;

    private final BlobCache blobs;
    private final ResultFormat format;
    private final FragmentLimits limits;
    private final LongSupplier nanoTime;
    private final FragmentCounters counters = new FragmentCounters();
    private final Cache<BlobKey, byte[]> memory;
    private final Cache<BlobKey, Boolean> large = Caffeine.newBuilder().maximumSize(LARGE_KEYS).build();
    private final ConcurrentMap<BlobKey, Flight> flights = new ConcurrentHashMap<>();

    /**
     * @param blobs where results are kept; not closed here
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public FragmentResults(BlobCache blobs, ResultFormat format, FragmentLimits limits, LongSupplier nanoTime)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.format = requireNonNull(format, "format is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.memory = Caffeine.newBuilder().maximumWeight(limits.maxMemoryBytes()).<BlobKey, byte[]>weigher((key, bytes) -> bytes.length).build();
    }

    /**
     * Asks for a result.
     *
     * @param scope what the rows belong to, by which results are invalidated and accounted
     */
    public Lookup lookup(FragmentKey key, Scope scope)
    {
        Optional<Lookup> kept = lookUpOnly(key);
        if (kept.isPresent()) {
            return kept.get();
        }
        BlobKey exact = key.result(key.storedOutputs());
        Flight mine = new Flight(this, key, scope, limits, counters, format);
        Flight other = flights.putIfAbsent(exact, mine);
        if (other == null) {
            // published between the look and the claim: what is published is in memory before its flight is off the list
            Optional<byte[]> meanwhile = Optional.ofNullable(memory.getIfPresent(exact));
            Optional<StoredResult> found = meanwhile.flatMap(bytes -> format.read(bytes, key));
            if (found.isPresent()) {
                mine.end(meanwhile);
                return hit(found.get(), counters.hits);
            }
            counters.misses.increment();
            return new Lookup.Miss(mine);
        }
        counters.waits.increment();
        CompletableFuture<Optional<byte[]>> bytes = other.waiter();
        return new Lookup.Wait(bytes, () -> shared(bytes.getNow(Optional.empty()), key));
    }

    /** The same where nothing is to be kept: a hit, or empty. */
    public Optional<Lookup> lookUpOnly(FragmentKey key)
    {
        return found(key).map(found -> hit(found.result(), found.kind()));
    }

    /** Whether there is a result, without counting that somebody asked. */
    public boolean isKept(FragmentKey key)
    {
        return found(key).isPresent();
    }

    private record Found(StoredResult result, LongAdder kind)
    {}

    private Optional<Found> found(FragmentKey key)
    {
        List<OutputId> wanted = key.storedOutputs();
        Optional<StoredResult> exact = stored(key.result(wanted), key);
        if (exact.isPresent()) {
            return Optional.of(new Found(exact.get(), counters.hits));
        }
        return KnownOutputs.read(bytes(key.known())).stream()
                .filter(known -> known.size() > wanted.size() && known.containsAll(wanted))
                .flatMap(known -> stored(key.result(known), key).stream())
                .findFirst()
                .map(result -> new Found(result, counters.narrowedHits));
    }

    private Lookup hit(StoredResult result, LongAdder kind)
    {
        kind.increment();
        counters.given(result);
        return new Lookup.Hit(result);
    }

    /** Forgets what is in memory beside the store: for when some of the store was invalidated. */
    public void forgetMemory()
    {
        memory.invalidateAll();
    }

    /** Whether a result was kept and left lately to make room. */
    public boolean wasEvicted(FragmentKey key)
    {
        return blobs.wasEvicted(key.result(key.storedOutputs()));
    }

    public FragmentStats stats()
    {
        return counters.snapshot();
    }

    private Optional<StoredResult> shared(Optional<byte[]> bytes, FragmentKey key)
    {
        Optional<StoredResult> result = bytes.flatMap(present -> format.read(present, key));
        result.ifPresent(counters::shared);
        return result;
    }

    private Optional<StoredResult> stored(BlobKey where, FragmentKey key)
    {
        Optional<byte[]> bytes = bytes(where);
        Optional<StoredResult> result = bytes.flatMap(present -> format.read(present, key));
        if (bytes.isPresent() && result.isEmpty()) {
            counters.undecodable.increment();
            memory.invalidate(where);
            blobs.invalidate(where);
        }
        return result;
    }

    private Optional<byte[]> bytes(BlobKey where)
    {
        byte[] recent = memory.getIfPresent(where);
        if (recent != null) {
            return Optional.of(recent);
        }
        Optional<byte[]> read = blobs.get(where);
        read.ifPresent(bytes -> memory.put(where, bytes));
        return read;
    }

    long epoch()
    {
        return blobs.epoch();
    }

    long nanoTime()
    {
        return nanoTime.getAsLong();
    }

    /** Whether a result was found to be large before; from now on it was. */
    boolean wasLarge(FragmentKey key)
    {
        return large.asMap().putIfAbsent(key.result(key.storedOutputs()), true) != null;
    }

    /** Keeps a whole result. */
    void publish(FragmentKey key, List<OutputId> stored, byte[] bytes, long epoch, Scope scope)
    {
        keep(key.result(stored), bytes, epoch, scope);
        KnownOutputs.with(bytes(key.known()), stored).ifPresent(known -> keep(key.known(), known, epoch, scope));
        counters.published(bytes.length);
    }

    private void keep(BlobKey where, byte[] bytes, long epoch, Scope scope)
    {
        if (blobs.epoch() == epoch) {
            memory.put(where, bytes);
        }
        blobs.put(where, new PageTags(scope, StorageClass.RESULT), ByteBuffer.wrap(bytes), epoch);
    }

    /** Takes a flight off the list, before its outcome is told. */
    void landed(FragmentKey key, Flight flight)
    {
        flights.remove(key.result(key.storedOutputs()), flight);
    }
}
