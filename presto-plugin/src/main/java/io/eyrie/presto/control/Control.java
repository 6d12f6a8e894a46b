package io.eyrie.presto.control;

import com.facebook.airlift.log.Logger;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.presto.config.ControlConfig;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
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

/** What operators have told the caches of a catalog, as far as this node knows. Thread-safe. */
public final class Control
{
    /*
     * Coordinator  keeps the state in its file, and goes by it itself; what changed the file is seen a second later, so that coordinators may share it
     * Worker       goes by each state that is newer than the latest of the same origin. Invalidations of several origins add up; of their rules, the newest count
     * Restart      up to which epoch a worker has invalidated lies in the store that it invalidates: with the pages goes what is known of them
     */
    private static final Logger log = Logger.get(Control.class);
    private static final long LOOK_NANOS = 1_000_000_000;
    static final int MOST_ORIGINS = 1000;
    private static final PageTags TAGS = new PageTags(Scope.NONE, StorageClass.FOOTER);

    private final String catalog;
    private final Optional<ControlFile> file;
    private final Set<Steerable> layers;
    private final Optional<BlobCache> blobs;
    // by origin; never goes back
    private final Map<String, Long> carriedOut = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    private final AtomicLong lookedNanos;
    private volatile @Nullable ControlState steeredBy;
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
        this.file = config.directory().map(directory -> new ControlFile(directory, catalog));
        this.layers = Set.copyOf(layers);
        this.blobs = pages.flatMap(PageCache::blobs);
    }

    /** What the coordinator sends along; empty if nothing was told yet. */
    public Optional<ControlState> current()
    {
        long now = nanoTime.getAsLong();
        long looked = lookedNanos.get();
        if (file.isPresent() && now - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, now)) {
            try {
                ControlState found = file.get().read();
                unreadable = false;
                if (found != null) {
                    follow(found);
                }
            }
            catch (IOException e) {
                if (!unreadable) {
                    log.error(e, "Catalog %s: what operators have told the cache cannot be read. Go by what was read before; correct or remove %s",
                            catalog,
                            file.get().path());
                }
                unreadable = true;
            }
        }
        return Optional.ofNullable(steeredBy);
    }

    /** What this node goes by; empty if it was told nothing yet. */
    public Optional<ControlState> inEffect()
    {
        return Optional.ofNullable(steeredBy);
    }

    /** The latest epoch that this node has heard of. */
    public long epoch()
    {
        ControlState state = steeredBy;
        return state == null ? 0 : state.epoch();
    }

    int origins()
    {
        return carriedOut.size();
    }

    /** Goes by what a scan brought along. */
    public void observe(Optional<ControlState> told)
    {
        told.ifPresent(this::follow);
    }

    /**
     * Changes the state, and goes by it.
     *
     * @throws IOException if it cannot be kept; nothing was changed then
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
        // after a restart what was invalidated is known from the store, but not by which rules to go
        if (carriedOut.getOrDefault(state.origin(), 0L) < state.epoch() || epoch() < state.epoch()) {
            followNewer(state);
        }
    }

    private synchronized void followNewer(ControlState state)
    {
        if (carriedOut.size() >= MOST_ORIGINS && !carriedOut.containsKey(state.origin())) {
            // what is forgotten is invalidated once more at most, as after a restart
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
        }
        carriedOut.merge(state.origin(), state.epoch(), Math::max);
    }

    /* One layer that fails keeps neither the others from it nor the query from its rows. */
    private void each(Consumer<Steerable> action)
    {
        for (Steerable layer : layers) {
            try {
                action.accept(layer);
            }
            catch (RuntimeException e) {
                log.error(e, "Catalog %s: %s does not go by what operators have told", catalog, layer.getClass().getSimpleName());
            }
        }
    }

    private BlobKey key(String origin)
    {
        return BlobKey.of(UTF_8.encode("control " + catalog + " " + origin));
    }

    private long remembered(String origin)
    {
        return blobs.flatMap(store -> store.get(key(origin))).filter(blob -> blob.length == Long.BYTES).map(blob -> ByteBuffer.wrap(blob).getLong())
                .orElse(0L);
    }

    private void remember(ControlState state)
    {
        blobs.ifPresent(store -> {
            BlobKey key = key(state.origin());
            store.invalidate(key);
            store.put(key, TAGS, ByteBuffer.allocate(Long.BYTES).putLong(0, state.epoch()), store.epoch());
        });
    }
}
