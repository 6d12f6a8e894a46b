// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.admission.CountedAdmission;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.blob.StoredBudget;
import io.eyrie.cache.clock.AnchoredClock;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.config.SettingText;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadThroughPageCache;
import io.eyrie.cache.segment.SegmentPageStore;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.PageStore;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.trace.TimedTrace;
import io.eyrie.cache.trace.Trace;
import io.eyrie.cache.trace.TraceFile;
import io.eyrie.cache.trace.TraceListener;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A page cache with everything that belongs to it and a count of its handles. Guarded by the lock of {@link PageCaches}, except for the objects
 * it returns.
 */
final class SharedCache
{
    private final PageCacheConfig config;
    private final ReadThroughPageCache cache;
    private final BlobCache blobs;
    private final CountedAdmission admission;
    private final Optional<StoredBudget> dailyBudget;
    private final Optional<Trace> trace;
    // the handles that enforce limits
    private final Set<PageCache> enforcing = Collections.newSetFromMap(new IdentityHashMap<>());
    private int handles = 1;

    private SharedCache(PageCacheConfig config, PageStore store, Optional<Trace> trace)
    {
        this.config = config;
        this.trace = trace;
        PageWriter writer = new PageWriter(store, config.writeBufferBytes(), config.pageSizeBytes());
        int maxBlobBytes = config.maxBlobBytes();
        long openedNanos = System.nanoTime();
        // the state of the budget is not charged to the budget
        dailyBudget = config.admission().dailyBudget(AnchoredClock.SYSTEM).map(budget -> new StoredBudget(
                budget,
                new StoreBlobCache(store, writer, config.pageSizeBytes(), maxBlobBytes),
                () -> DiskStatus.areRecovered(store.disks(), Duration.ofNanos(System.nanoTime() - openedNanos))));
        admission = config.admission().create(dailyBudget);
        blobs = new StoreBlobCache(store, writer, config.pageSizeBytes(), maxBlobBytes, admission);
        cache = new ReadThroughPageCache(store, writer, config, admission, trace.<TraceListener>map(file -> file).orElse(TraceListener.NOOP));
        config.quotas().filter(quotas -> !config.limitsWait()).ifPresent(quotas -> cache.setQuotas(scope -> true, quotas));
    }

    static SharedCache open(PageCacheConfig config)
    {
        PageStore store = SegmentPageStore.open(config);
        boolean opened = false;
        try {
            // loaded again, because the store does not share its keys
            Optional<KeyRing> keys = KeyRing.load(config);
            SharedCache shared = new SharedCache(config, store, config.traceDirectory().map(directory -> trace(config, directory, keys)));
            opened = true;
            return shared;
        }
        finally {
            if (!opened) {
                store.close();
            }
        }
    }

    private static Trace trace(PageCacheConfig config, Path directory, Optional<KeyRing> keys)
    {
        return config.traceOnRequest() || !TraceFile.hasRoom(directory)
                ? new TimedTrace(directory, keys, System::currentTimeMillis)
                : TraceFile.create(directory, keys);
    }

    void acquire()
    {
        handles++;
    }

    /** Releases a handle, and closes everything with the last one; returns whether it was the last. */
    boolean release(PageCache handle)
    {
        handles--;
        enforcing.remove(handle);
        if (handles > 0) {
            return false;
        }
        dailyBudget.ifPresent(StoredBudget::close);
        cache.close();
        trace.ifPresent(Trace::close);
        return true;
    }

    /** Whether the owners of all handles have now set the limits: until then, one of them would enforce limits that another one is about to raise. */
    boolean isLastToEnforce(PageCache handle)
    {
        enforcing.add(handle);
        return enforcing.size() == handles;
    }

    /** Not guarded by the lock. */
    void enforceLimits()
    {
        cache.enforceLimits();
    }

    PageCache cache()
    {
        return cache;
    }

    BlobCache blobs()
    {
        return blobs;
    }

    boolean mayCache(Scope scope)
    {
        return admission.mayAdmit(scope);
    }

    AdmissionStats admissions()
    {
        AdmissionStats stats = admission.stats();
        return dailyBudget.map(budget -> budget.with(stats)).orElse(stats);
    }

    /** Whether another configuration is for this cache. Throws if the configurations share a directory but differ. */
    boolean matches(PageCacheConfig other)
    {
        List<Path> common = config.baseDirectories().stream().filter(other.baseDirectories()::contains).toList();
        if (common.isEmpty()) {
            return false;
        }
        if (!new HashSet<>(config.baseDirectories()).equals(new HashSet<>(other.baseDirectories()))) {
            throw conflict(common.get(0), "baseDirectories", config.baseDirectories(), other.baseDirectories());
        }
        Map<String, String> ours = config.settings();
        other.settings().forEach((key, value) -> {
            String ourValue = ours.get(key);
            if (!value.equals(ourValue)) {
                throw conflict(common.get(0), key, String.valueOf(ourValue), value);
            }
        });
        return true;
    }

    private static ConfigException conflict(Path directory, String key, Object value, Object otherValue)
    {
        return new ConfigException(
                key,
                SettingText.of(key, otherValue.toString()),
                directory + " is in use in this process with the value " + SettingText.of(key, value.toString()),
                "set the same value in each configuration that names the directory, or name different directories");
    }
}
