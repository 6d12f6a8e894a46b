// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Settings of a page cache. {@link #builder()} holds the defaults. Opening a cache checks the settings with {@link #validate()}.
 *
 * @param baseDirectories existing directories for pages, one per disk
 * @param capacityBytes maximum disk space of pages over all directories, which share it in proportion to the sizes of their volumes
 * @param pageSizeBytes the unit of caching; a different value at a later start drops the cached data
 * @param granuleSizeBytes the unit of fetches, writes and lookups; a different value at a later start drops the cached data
 * @param minFreeSpaceBytes space that pages leave free on the volume of each directory
 * @param writeBufferBytes maximum memory of pages waiting to be written
 * @param maxFetchBytes maximum length of a range that a miss requests from the remote store
 * @param mergeGapBytes maximum number of cached bytes fetched again to join two missing ranges
 * @param fetchThreads maximum number of concurrent fetches
 * @param fetchesPerFile maximum number of concurrent fetches of one file
 * @param fetchMemoryBytes maximum memory of fetches, from before they start until their bytes are written or dropped; a reader whose fetch gets
 *         no memory reads from the remote store itself
 * @param fetchWaitMillis how long a reader waits for a fetch that another reader caused
 * @param diskTimeoutMillis how long a reader waits for a disk; a disk with an operation pending for ten times as long is taken out of service
 * @param probeIntervalMillis how often a directory out of service is tried again, and one in service is maintained
 * @param indexMemoryBytes maximum memory of the index of all pages; when it is full, a new page evicts others
 * @param ttlMillis maximum age of a page since its first granule, rounded up to seconds; 0 means unlimited
 * @param flushIntervalMillis maximum delay until written pages survive a restart of the process
 * @param evictionPolicy which pages are evicted to make room
 * @param encryptionKey location of the key that encrypts everything on the disks, {@code file:PATH} or {@code env:NAME}; if empty, nothing is
 *         encrypted. Changing between the two drops the cached data
 * @param previousEncryptionKeys locations of earlier keys, so that data cached with them remains readable
 * @param admission which data is cached
 * @param quotas if present, replaces all quotas at the start, unless {@code limitsWait}; if empty, quotas set earlier remain
 * @param defaultQuota limit for schemas, tables or partitions without a quota; applies to this start only
 * @param traceDirectory directory for a trace of all lookups, one file per start; if empty, there is no trace
 * @param traceOnRequest whether to write traces only while requested at run time
 * @param limitsWait whether the caller sets the capacity and the quotas after the start, and then calls {@code PageCache.enforceLimits}. Until
 *         then, what an earlier process stored stays, but does not grow; quotas set earlier remain
 */
public record PageCacheConfig(
        List<Path> baseDirectories,
        long capacityBytes,
        int pageSizeBytes,
        int granuleSizeBytes,
        long minFreeSpaceBytes,
        long writeBufferBytes,
        int maxFetchBytes,
        int mergeGapBytes,
        int fetchThreads,
        int fetchesPerFile,
        long fetchMemoryBytes,
        long fetchWaitMillis,
        long diskTimeoutMillis,
        long probeIntervalMillis,
        long indexMemoryBytes,
        long ttlMillis,
        long flushIntervalMillis,
        EvictionKind evictionPolicy,
        Optional<String> encryptionKey,
        List<String> previousEncryptionKeys,
        AdmissionConfig admission,
        Optional<Map<Scope, Long>> quotas,
        Optional<DefaultQuota> defaultQuota,
        Optional<Path> traceDirectory,
        boolean traceOnRequest,
        boolean limitsWait)
{
    private static final int MIN_PAGE_SIZE_BYTES = 64 << 10;
    private static final int MAX_PAGE_SIZE_BYTES = 16 << 20;
    private static final int MIN_GRANULE_SIZE_BYTES = 4 << 10;
    private static final int MAX_GRANULE_SIZE_BYTES = 64 << 10;
    private static final int MAX_FETCH_BYTES = 64 << 20;
    private static final int MAX_FETCH_THREADS = 1024;
    private static final int BLOCK_BYTES = 4 << 10;
    private static final int CHECKSUMS_SHARE = 64;
    private static final int MIN_INDEX_MEMORY_BYTES = 256 << 10;
    private static final int BLOBS_IN_WRITE_BUFFER = 4;
    private static final int MAX_BLOB_BYTES = 64 << 20;

    public PageCacheConfig
    {
        baseDirectories = List.copyOf(baseDirectories);
        previousEncryptionKeys = List.copyOf(previousEncryptionKeys);
        quotas = quotas.map(PageCacheConfig::sorted);
    }

    /** Sorted, so that equal quotas have the same text. */
    private static Map<Scope, Long> sorted(Map<Scope, Long> quotas)
    {
        Map<Scope, Long> sorted = new TreeMap<>(Comparator.comparing(Scope::toString));
        sorted.putAll(quotas);
        return Collections.unmodifiableMap(sorted);
    }

    /** Returns the defaults; base directories have none. */
    public static Builder builder()
    {
        return new Builder();
    }

    public Builder toBuilder()
    {
        return new Builder()
                .baseDirectories(baseDirectories)
                .capacityBytes(capacityBytes)
                .pageSizeBytes(pageSizeBytes)
                .granuleSizeBytes(granuleSizeBytes)
                .minFreeSpaceBytes(minFreeSpaceBytes)
                .writeBufferBytes(writeBufferBytes)
                .maxFetchBytes(maxFetchBytes)
                .mergeGapBytes(mergeGapBytes)
                .fetchThreads(fetchThreads)
                .fetchesPerFile(fetchesPerFile)
                .fetchMemoryBytes(fetchMemoryBytes)
                .fetchWaitMillis(fetchWaitMillis)
                .diskTimeoutMillis(diskTimeoutMillis)
                .probeIntervalMillis(probeIntervalMillis)
                .indexMemoryBytes(indexMemoryBytes)
                .ttlMillis(ttlMillis)
                .flushIntervalMillis(flushIntervalMillis)
                .evictionPolicy(evictionPolicy)
                .encryptionKey(encryptionKey)
                .previousEncryptionKeys(previousEncryptionKeys)
                .admission(admission)
                .quotas(quotas)
                .defaultQuota(defaultQuota)
                .traceDirectory(traceDirectory)
                .traceOnRequest(traceOnRequest)
                .limitsWait(limitsWait);
    }

    /** Every setting except the directories, by name, as text. */
    public Map<String, String> settings()
    {
        Map<String, String> settings = new TreeMap<>();
        for (RecordComponent component : PageCacheConfig.class.getRecordComponents()) {
            try {
                settings.put(component.getName(), String.valueOf(component.getAccessor().invoke(this)));
            }
            catch (ReflectiveOperationException e) {
                throw new LinkageError("a public record's accessors are public", e);
            }
        }
        settings.remove("baseDirectories");
        return settings;
    }

    /** Maximum number of pages in one fetch: as many as {@code maxFetchBytes} holds, but at least one. */
    public int fetchPages()
    {
        return Math.max(1, maxFetchBytes / pageSizeBytes);
    }

    /** Maximum length of a blob: a part of the write buffer, so that one blob does not exclude all others. */
    public int maxBlobBytes()
    {
        return (int) Math.min(MAX_BLOB_BYTES, writeBufferBytes / BLOBS_IN_WRITE_BUFFER);
    }

    /**
     * Checks each setting by itself and in relation to the others.
     *
     * @throws ConfigException for the first invalid setting
     */
    public void validate()
    {
        if (baseDirectories.isEmpty()) {
            throw new ConfigException("baseDirectories", "empty", "at least one directory is required", "name a directory on a local disk");
        }
        Set<Path> seen = new HashSet<>();
        for (Path directory : baseDirectories) {
            if (!seen.add(directory.toAbsolutePath().normalize())) {
                throw new ConfigException("baseDirectories", baseDirectories.toString(), directory + " is named twice", "name each directory once");
            }
        }
        if (pageSizeBytes < MIN_PAGE_SIZE_BYTES || pageSizeBytes > MAX_PAGE_SIZE_BYTES || Integer.bitCount(pageSizeBytes) != 1) {
            throw new ConfigException(
                    "pageSizeBytes",
                    String.valueOf(pageSizeBytes),
                    "it must be a power of two from " + bytes(MIN_PAGE_SIZE_BYTES) + " to " + bytes(MAX_PAGE_SIZE_BYTES),
                    "use the default of " + bytes(Builder.DEFAULT_PAGE_SIZE_BYTES));
        }
        if (granuleSizeBytes < MIN_GRANULE_SIZE_BYTES || granuleSizeBytes > MAX_GRANULE_SIZE_BYTES || Integer.bitCount(granuleSizeBytes) != 1) {
            throw new ConfigException(
                    "granuleSizeBytes",
                    String.valueOf(granuleSizeBytes),
                    "it must be a power of two from " + bytes(MIN_GRANULE_SIZE_BYTES) + " to " + bytes(MAX_GRANULE_SIZE_BYTES),
                    "use the default of " + bytes(Builder.DEFAULT_GRANULE_SIZE_BYTES));
        }
        long leastCapacityBytes = (long) baseDirectories.size() * (pageSizeBytes + Math.max(BLOCK_BYTES, pageSizeBytes / CHECKSUMS_SHARE));
        checkRange("capacityBytes", capacityBytes, leastCapacityBytes, Long.MAX_VALUE, "one page with its checksums in each directory");
        checkRange("minFreeSpaceBytes", minFreeSpaceBytes, 0, Long.MAX_VALUE, "no free space");
        checkRange("maxFetchBytes", maxFetchBytes, MIN_PAGE_SIZE_BYTES, MAX_FETCH_BYTES, "the smallest page");
        checkRange("writeBufferBytes", writeBufferBytes, fetchPages() * (long) pageSizeBytes, Long.MAX_VALUE,
                "one fetch; with less, a long one could never be written");
        checkRange("fetchMemoryBytes", fetchMemoryBytes, fetchPages() * (long) pageSizeBytes, Long.MAX_VALUE,
                "one fetch; with less, a long one could never start");
        checkRange("mergeGapBytes", mergeGapBytes, 0, maxFetchBytes, "no gap");
        checkRange("fetchThreads", fetchThreads, 1, MAX_FETCH_THREADS, "one thread");
        checkRange("fetchesPerFile", fetchesPerFile, 1, MAX_FETCH_THREADS, "one fetch");
        checkRange("fetchWaitMillis", fetchWaitMillis, 0, Integer.MAX_VALUE, "no wait");
        checkRange("diskTimeoutMillis", diskTimeoutMillis, 1, Integer.MAX_VALUE, "a millisecond");
        checkRange("probeIntervalMillis", probeIntervalMillis, 1, Integer.MAX_VALUE, "a millisecond");
        checkRange("indexMemoryBytes", indexMemoryBytes, MIN_INDEX_MEMORY_BYTES, Long.MAX_VALUE, "a few thousand pages");
        checkRange("ttlMillis", ttlMillis, 0, Long.MAX_VALUE, "unlimited");
        quotas.orElse(Map.of()).forEach((scope, bytes) -> checkRange("quotas", bytes, 0, Long.MAX_VALUE, "nothing is cached"));
        defaultQuota.ifPresent(quota -> checkRange("defaultQuota", quota.bytes(), 0, Long.MAX_VALUE, "nothing is cached"));
        checkRange("flushIntervalMillis", flushIntervalMillis, 1, Integer.MAX_VALUE, "a millisecond");
    }

    private static String bytes(long value)
    {
        return SettingText.of("Bytes", String.valueOf(value));
    }

    private static void checkRange(String key, long value, long least, long most, String leastMeaning)
    {
        if (value < least || value > most) {
            throw new ConfigException(
                    key,
                    String.valueOf(value),
                    "it must be at least " + SettingText.of(key, String.valueOf(least)) + " (" + leastMeaning + ")"
                            + (most == Long.MAX_VALUE ? "" : " and at most " + SettingText.of(key, String.valueOf(most))),
                    value < least
                            ? "raise it to at least " + SettingText.of(key, String.valueOf(least))
                            : "lower it to at most " + SettingText.of(key, String.valueOf(most)));
        }
    }

    /** Collects settings, starting from the defaults. */
    public static final class Builder
    {
        private static final int DEFAULT_PAGE_SIZE_BYTES = 1 << 20;
        private static final int DEFAULT_GRANULE_SIZE_BYTES = 16 << 10;

        private List<Path> baseDirectories = List.of();
        private long capacityBytes = 2L << 30;
        private int pageSizeBytes = DEFAULT_PAGE_SIZE_BYTES;
        private int granuleSizeBytes = DEFAULT_GRANULE_SIZE_BYTES;
        private long minFreeSpaceBytes = 1L << 30;
        private long writeBufferBytes = 128L << 20;
        private int maxFetchBytes = 8 << 20;
        private int mergeGapBytes = 128 << 10;
        private int fetchThreads = 64;
        private int fetchesPerFile = 32;
        private long fetchMemoryBytes = 256L << 20;
        private long fetchWaitMillis = 10_000;
        private long diskTimeoutMillis = 2000;
        private long probeIntervalMillis = 10_000;
        private long indexMemoryBytes = 256L << 20;
        private long ttlMillis;
        private long flushIntervalMillis = 1000;
        private EvictionKind evictionPolicy = EvictionKind.DEFAULT;
        private Optional<String> encryptionKey = Optional.empty();
        private List<String> previousEncryptionKeys = List.of();
        private AdmissionConfig admission = AdmissionConfig.DEFAULT;
        private Optional<Map<Scope, Long>> quotas = Optional.empty();
        private Optional<DefaultQuota> defaultQuota = Optional.empty();
        private Optional<Path> traceDirectory = Optional.empty();
        private boolean traceOnRequest;
        private boolean limitsWait;

        private Builder()
        {}

        public Builder baseDirectories(List<Path> value)
        {
            baseDirectories = List.copyOf(value);
            return this;
        }

        public Builder capacityBytes(long value)
        {
            capacityBytes = value;
            return this;
        }

        public Builder pageSizeBytes(int value)
        {
            pageSizeBytes = value;
            return this;
        }

        public Builder minFreeSpaceBytes(long value)
        {
            minFreeSpaceBytes = value;
            return this;
        }

        public Builder writeBufferBytes(long value)
        {
            writeBufferBytes = value;
            return this;
        }

        public Builder maxFetchBytes(int value)
        {
            maxFetchBytes = value;
            return this;
        }

        public Builder mergeGapBytes(int value)
        {
            mergeGapBytes = value;
            return this;
        }

        public Builder fetchesPerFile(int value)
        {
            fetchesPerFile = value;
            return this;
        }

        public Builder fetchThreads(int value)
        {
            fetchThreads = value;
            return this;
        }

        public Builder fetchMemoryBytes(long value)
        {
            fetchMemoryBytes = value;
            return this;
        }

        public Builder fetchWaitMillis(long value)
        {
            fetchWaitMillis = value;
            return this;
        }

        public Builder diskTimeoutMillis(long value)
        {
            diskTimeoutMillis = value;
            return this;
        }

        public Builder probeIntervalMillis(long value)
        {
            probeIntervalMillis = value;
            return this;
        }

        public Builder granuleSizeBytes(int value)
        {
            granuleSizeBytes = value;
            return this;
        }

        public Builder indexMemoryBytes(long value)
        {
            indexMemoryBytes = value;
            return this;
        }

        public Builder ttlMillis(long value)
        {
            ttlMillis = value;
            return this;
        }

        public Builder flushIntervalMillis(long value)
        {
            flushIntervalMillis = value;
            return this;
        }

        public Builder evictionPolicy(EvictionKind value)
        {
            evictionPolicy = value;
            return this;
        }

        public Builder encryptionKey(Optional<String> value)
        {
            encryptionKey = value;
            return this;
        }

        public Builder previousEncryptionKeys(List<String> value)
        {
            previousEncryptionKeys = value;
            return this;
        }

        public Builder admission(AdmissionConfig value)
        {
            admission = value;
            return this;
        }

        public Builder quotas(Optional<Map<Scope, Long>> value)
        {
            quotas = value;
            return this;
        }

        public Builder defaultQuota(Optional<DefaultQuota> value)
        {
            defaultQuota = value;
            return this;
        }

        public Builder traceDirectory(Optional<Path> value)
        {
            traceDirectory = value;
            return this;
        }

        public Builder traceOnRequest(boolean value)
        {
            traceOnRequest = value;
            return this;
        }

        public Builder limitsWait(boolean value)
        {
            limitsWait = value;
            return this;
        }

        public PageCacheConfig build()
        {
            return new PageCacheConfig(
                    baseDirectories,
                    capacityBytes,
                    pageSizeBytes,
                    granuleSizeBytes,
                    minFreeSpaceBytes,
                    writeBufferBytes,
                    maxFetchBytes,
                    mergeGapBytes,
                    fetchThreads,
                    fetchesPerFile,
                    fetchMemoryBytes,
                    fetchWaitMillis,
                    diskTimeoutMillis,
                    probeIntervalMillis,
                    indexMemoryBytes,
                    ttlMillis,
                    flushIntervalMillis,
                    evictionPolicy,
                    encryptionKey,
                    previousEncryptionKeys,
                    admission,
                    quotas,
                    defaultQuota,
                    traceDirectory,
                    traceOnRequest,
                    limitsWait);
        }
    }
}
