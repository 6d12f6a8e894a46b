// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.EvictionPolicy;

import java.util.Optional;
import java.util.function.LongSupplier;

/** The settings of a directory's table. The capacity may change while it runs. Thread-safe. */
final class TableSettings
{
    /** Maximum memory of a page: its entry, its place in the table, and its part of the policy. */
    static final int BYTES_PER_PAGE = 48;

    private static final int SEGMENTS = 256;
    private static final int FUTURE_PARTS = 8;
    private static final int LATEST_SECOND = Integer.MAX_VALUE - (1 << 20);
    // 2020-01-01, so that seconds fit an int until 2088
    private static final long FIRST_SECOND = 1_577_836_800;

    private final Layout layout;
    private final long minFreeSpaceBytes;
    private final long indexMemoryBytes;
    private final long diskTimeoutMillis;
    private final long probeIntervalMillis;
    private final int ttlSeconds;
    private final LongSupplier clockMillis;
    private final EvictionKind evictionPolicy;
    private final Optional<DefaultQuota> defaultQuota;
    private volatile long capacityBytes;
    private volatile double share;
    /** Bytes that an earlier process stored, until the capacity is enforced. */
    private volatile long earlierBytes;
    // guarded by this
    private boolean waits;

    /** The configuration applies to the whole store, but the memory is already this directory's share. */
    TableSettings(Layout layout, PageCacheConfig config, long indexMemoryBytes, LongSupplier clockMillis)
    {
        this.layout = layout;
        minFreeSpaceBytes = config.minFreeSpaceBytes();
        this.indexMemoryBytes = Math.min(indexMemoryBytes, (long) PageIndex.MAX_ENTRIES * BYTES_PER_PAGE);
        diskTimeoutMillis = config.diskTimeoutMillis();
        probeIntervalMillis = config.probeIntervalMillis();
        ttlSeconds = (int) Math.min(Integer.MAX_VALUE, (config.ttlMillis() + 999) / 1000);
        evictionPolicy = config.evictionPolicy();
        defaultQuota = config.defaultQuota();
        this.clockMillis = clockMillis;
        waits = config.limitsWait();
    }

    /** The index memory that a page takes, depending on whether its scope has other pages. */
    static int memoryBytes(boolean ofKnownScope)
    {
        return BYTES_PER_PAGE + (ofKnownScope ? 0 : Scopes.BYTES_PER_SCOPE);
    }

    Layout layout()
    {
        return layout;
    }

    long minFreeSpaceBytes()
    {
        return minFreeSpaceBytes;
    }

    long indexMemoryBytes()
    {
        return indexMemoryBytes;
    }

    /** How long a reader waits for the disk, or for something that may wait for the disk. */
    long diskTimeoutMillis()
    {
        return diskTimeoutMillis;
    }

    long probeIntervalMillis()
    {
        return probeIntervalMillis;
    }

    long capacityBytes()
    {
        return Math.max(capacityBytes, earlierBytes);
    }

    /** Until the capacity is enforced, these bytes count as within it. */
    synchronized void setEarlierBytes(long bytes)
    {
        earlierBytes = waits ? bytes : 0;
    }

    /** Returns whether the capacity was not enforced before. */
    synchronized boolean enforceCapacity()
    {
        boolean waited = waits;
        waits = false;
        earlierBytes = 0;
        return waited;
    }

    /** Sets this directory's part of the store's capacity; its part of quotas is the same. */
    void setCapacity(long bytes, double ofStore)
    {
        capacityBytes = bytes;
        share = ofStore;
    }

    /** Returns this directory's part of a number of bytes of the store. */
    long share(long bytes)
    {
        return (long) (bytes * share);
    }

    /** The default quota, reduced to this directory's part. */
    Optional<DefaultQuota> defaultQuota()
    {
        return defaultQuota.map(quota -> new DefaultQuota(quota.level(), share(quota.bytes())));
    }

    /** Maximum size of a segment: small compared to the capacity, but with room for the largest slot. */
    long segmentBytes()
    {
        return Math.max(capacityBytes() / SEGMENTS, layout.slotBytes(layout.unitBytes()));
    }

    EvictionPolicy newPolicy(EvictionPolicy.EntryInfo entries)
    {
        return evictionPolicy.create(entries);
    }

    long nowMillis()
    {
        return clockMillis.getAsLong();
    }

    int nowSeconds()
    {
        return (int) Math.max(Integer.MIN_VALUE / 2, Math.min(LATEST_SECOND, clockMillis.getAsLong() / 1000 - FIRST_SECOND));
    }

    /** Whether pages have a maximum age. */
    boolean expires()
    {
        return ttlSeconds > 0;
    }

    boolean isExpired(int stamp)
    {
        if (ttlSeconds == 0) {
            return false;
        }
        int now = nowSeconds();
        return (long) now - stamp >= ttlSeconds || stamp > latestStamp(now);
    }

    /**
     * The latest stamp of a page whose age is known. Later stamps come from a clock that was wrong. The limit is slightly in the future, because the
     * clocks of two processes may differ.
     */
    int latestStamp(int nowSeconds)
    {
        return ttlSeconds == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, (long) nowSeconds + Math.max(1, ttlSeconds / FUTURE_PARTS));
    }
}
