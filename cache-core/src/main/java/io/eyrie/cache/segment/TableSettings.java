package io.eyrie.cache.segment;

import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.EvictionPolicy;

import java.util.Optional;
import java.util.function.LongSupplier;

/** What a directory's table goes by. The capacity may change while it runs. Thread-safe. */
final class TableSettings
{
    /** What a page takes in memory at most: its entry, its place in the table, the policy's part. */
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

    /** Of what the configuration says about the whole store, the memory is this directory's part already. */
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
    }

    /** What a page takes in the index, by whether its scope has others. */
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

    /** How long a reader waits for the disk, or for what may wait for it. */
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
        return capacityBytes;
    }

    /** Sets this directory's part of the store's capacity, which is that of quotas too. */
    void setCapacity(long bytes, double ofStore)
    {
        capacityBytes = bytes;
        share = ofStore;
    }

    /** This directory's part of bytes of the store. */
    long share(long bytes)
    {
        return (long) (bytes * share);
    }

    /** Of what it bounds, this directory has its part. */
    Optional<DefaultQuota> defaultQuota()
    {
        return defaultQuota.map(quota -> new DefaultQuota(quota.level(), share(quota.bytes())));
    }

    /** How long a segment may grow: small beside the capacity, but room for the largest slot. */
    long segmentBytes()
    {
        return Math.max(capacityBytes / SEGMENTS, layout.slotBytes(layout.unitBytes()));
    }

    EvictionPolicy newPolicy(EvictionPolicy.Entries entries)
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

    /** Whether pages have an age that they do not outlive. */
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

    /** The latest stamp of a page of known age. A clock that was wrong has written later ones, but for a little, which two processes' clocks may differ. */
    int latestStamp(int nowSeconds)
    {
        return ttlSeconds == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, (long) nowSeconds + Math.max(1, ttlSeconds / FUTURE_PARTS));
    }
}
