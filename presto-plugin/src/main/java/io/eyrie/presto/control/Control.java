// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.airlift.log.Logger;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.presto.config.ControlConfig;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Applies operators' commands to the caches of a catalog, as far as this node has received them. Thread-safe. */
public final class Control
{
    /*
     * Coordinator  stores the state in its file and applies it. It reads the file again at most once a second, so that coordinators may share it. Until it has
     *              read the file once, it sends workers no state, but that it does not know
     * Worker       applies each state that is newer than the latest of the same origin. It carries out the invalidations of all origins; all other
     *              settings are those of the newest state
     * Start        the capacity and the quotas of the process before stay in effect until the first state arrives, or the first scan of a coordinator that
     *              knows of none
     * Restart      a worker records the epoch up to which it has invalidated on each disk that it invalidates, so that a record is lost only with the pages.
     *              A disk that missed an invalidation, or lost it, has an earlier record or none. The lowest one counts
     */
    private static final Logger log = Logger.get(Control.class);
    private static final long LOOK_NANOS = 1_000_000_000;
    static final int MOST_ORIGINS = 1000;
    private static final int MOST_KEYS_TRIED = 10_000;
    private static final PageTags TAGS = new PageTags(Scope.RECORDS, StorageClass.FOOTER);

    private final String catalog;
    private final Optional<ControlFile> file;
    private final List<Steerable> layers; // in the order of their stages
    private final Optional<BlobCache> blobs;
    // the latest epoch by origin; never decreases
    private final Map<String, Long> carriedOut = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    private final AtomicLong lookedNanos;
    private volatile @Nullable ControlState steeredBy;
    private volatile boolean begun;
    private volatile @Nullable PackedState packed;
    // whether the first read has ended: until then, all queries wait for it
    private volatile boolean looked;
    // whether a read has succeeded
    private volatile boolean known;
    private volatile boolean unreadable;

    public Control(String catalog, ControlConfig config, Set<Steerable> layers, Optional<PageCache> pages)
    {
        this(catalog, config, layers, pages, System::nanoTime);
    }

    Control(String catalog, ControlConfig config, Set<Steerable> layers, Optional<PageCache> pages, LongSupplier nanoTime)
    {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        lookedNanos = new AtomicLong(nanoTime.getAsLong() - LOOK_NANOS);
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.file = config.directory().map(directory -> new ControlFile(directory, cacheDirectories(pages), catalog));
        known = file.isEmpty();
        this.layers = layers.stream().sorted(Comparator.comparing(Steerable::stage)).toList();
        this.blobs = pages.flatMap(PageCache::blobs);
    }

    private static List<Path> cacheDirectories(Optional<PageCache> pages)
    {
        return pages.map(cache -> cache.disks().stream().map(DiskStatus::directory).toList()).orElse(List.of());
    }

    /** Returns the state that the coordinator sends with scans; empty if operators have given no command yet. */
    public Optional<PackedState> packed()
    {
        Optional<ControlState> current = current();
        if (current.isEmpty() && !known) {
            return Optional.of(PackedState.UNKNOWN);
        }
        return current.map(state -> {
            PackedState latest = packed;
            if (latest == null || latest.epoch() != state.epoch() || !latest.origin().equals(state.origin())) {
                latest = PackedState.of(state);
                packed = latest;
            }
            return latest;
        });
    }

    Optional<ControlState> current()
    {
        long now = nanoTime.getAsLong();
        long latest = lookedNanos.get();
        if (file.isPresent() && ((now - latest >= LOOK_NANOS && lookedNanos.compareAndSet(latest, now)) || !looked)) {
            try {
                ControlState found = file.get().read();
                unreadable = false;
                if (found != null) {
                    follow(found);
                }
                known = true;
                begin();
            }
            catch (IOException e) {
                if (!unreadable) {
                    log.error(e, "Catalog %s: cannot read the operators' changes. The state that was read last stays in effect. Correct or remove %s",
                            catalog,
                            file.get().path());
                }
                unreadable = true;
            }
            finally {
                looked = true;
            }
        }
        if (file.isEmpty()) {
            begin();
        }
        return Optional.ofNullable(steeredBy);
    }

    /** Returns the state that this node applies; empty if it has received none yet. */
    public Optional<ControlState> inEffect()
    {
        return Optional.ofNullable(steeredBy);
    }

    /** Returns the latest epoch that this node has received; 0 before the first. */
    public long epoch()
    {
        ControlState state = steeredBy;
        return state == null ? 0 : state.epoch();
    }

    int origins()
    {
        return carriedOut.size();
    }

    /** Applies the state that came with a scan. */
    public void observe(Optional<PackedState> sent)
    {
        if (sent.equals(Optional.of(PackedState.UNKNOWN))) {
            return;
        }
        sent.filter(state -> isNew(state.origin(), state.epoch())).ifPresent(state -> followNewer(state.unpacked()));
        begin();
    }

    /** Steers the layers without a command, if no state has arrived yet: they enforce no limits until they are steered once. */
    private void begin()
    {
        if (!begun) {
            steerWithoutCommands();
        }
    }

    private synchronized void steerWithoutCommands()
    {
        if (!begun) {
            begun = true;
            each(layer -> layer.steer(ControlState.initial("")));
        }
    }

    /**
     * Changes the state, and applies it.
     *
     * @throws IOException if the state cannot be stored; nothing is changed then
     */
    ControlState change(UnaryOperator<ControlState> change)
            throws IOException
    {
        ControlState changed = file.orElseThrow(() -> new IOException("cache.control-directory is not set")).change(change);
        follow(changed);
        return changed;
    }

    private void follow(ControlState state)
    {
        if (isNew(state.origin(), state.epoch())) {
            followNewer(state);
        }
    }

    private boolean isNew(String origin, long epoch)
    {
        // after a restart, the store has the epoch of the invalidations, but not the rules
        return carriedOut.getOrDefault(origin, 0L) < epoch || epoch() < epoch;
    }

    private synchronized void followNewer(ControlState state)
    {
        if (carriedOut.size() >= MOST_ORIGINS && !carriedOut.containsKey(state.origin())) {
            // a forgotten origin is invalidated at most once more, as after a restart
            carriedOut.clear();
        }
        long done = carriedOut.computeIfAbsent(state.origin(), this::remembered);
        if (done < state.epoch()) {
            for (ControlState.Invalidation invalidation : state.invalidations()) {
                if (invalidation.epoch() > done) {
                    each(layer -> layer.invalidate(invalidation.target().scope(catalog)));
                }
            }
            remember(state);
        }
        if (epoch() < state.epoch()) {
            each(layer -> layer.steer(state));
            steeredBy = state;
            begun = true;
        }
        carriedOut.merge(state.origin(), state.epoch(), Math::max);
    }

    /* A layer that fails stops neither the other layers nor the query. */
    private void each(Consumer<Steerable> action)
    {
        for (Steerable layer : layers) {
            try {
                action.accept(layer);
            }
            catch (RuntimeException e) {
                log.error(e, "Catalog %s: %s failed to apply an operator's change, or a part of it", catalog, layer.getClass().getSimpleName());
            }
        }
    }

    /** Returns a key for each device of the store, which stores it. A device with a tiny share of the keys may have none. */
    private Collection<BlobKey> keys(BlobCache store, String origin)
    {
        Map<Integer, BlobKey> keys = new HashMap<>();
        for (int number = 0; keys.size() < store.devices() && number < MOST_KEYS_TRIED; number++) {
            BlobKey key = BlobKey.of(UTF_8.encode("control " + catalog + " " + origin + " " + number));
            keys.putIfAbsent(store.device(key), key);
        }
        return keys.values();
    }

    private long remembered(String origin)
    {
        return blobs.map(store -> {
            Collection<BlobKey> keys = keys(store, origin);
            return keys.size() < store.devices() ? 0 : keys.stream().mapToLong(key -> remembered(store, key)).min().orElse(0);
        }).orElse(0L);
    }

    private static long remembered(BlobCache store, BlobKey key)
    {
        return store.get(key).filter(blob -> blob.length == Long.BYTES).map(blob -> ByteBuffer.wrap(blob).getLong()).orElse(0L);
    }

    private void remember(ControlState state)
    {
        blobs.ifPresent(store -> keys(store, state.origin()).forEach(key -> {
            store.invalidate(key);
            store.put(key, TAGS, ByteBuffer.allocate(Long.BYTES).putLong(0, state.epoch()), store.epoch());
        }));
    }
}
