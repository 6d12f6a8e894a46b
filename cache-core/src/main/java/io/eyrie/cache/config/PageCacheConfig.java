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
 * Settings of a page cache. Made by {@link #builder()}, which holds the defaults; checked by {@link #validate()},
 * which opening a cache calls.
 *
 * @param baseDirectories existing directories to keep pages in, one a disk
 * @param capacityBytes the most disk space that pages take, over all directories, which share it in proportion to the sizes of
 *         their volumes
 * @param pageSizeBytes the unit of caching; another value at a later start drops what was cached
 * @param granuleSizeBytes the part of a page that is published as one; another value at a later start drops what was cached
 * @param minFreeSpaceBytes what pages leave free on the volume of each directory
 * @param writeBufferBytes the most memory that pages take which wait for being written
 * @param maxFetchBytes the longest range that a miss asks of the remote store
 * @param mergeGapBytes the most bytes that are fetched once more to join two missing ranges in one
 * @param fetchThreads the most ranges that are fetched at a time
 * @param fetchesPerFile the most of them for one file
 * @param fetchMemoryBytes the most memory that fetches take, from before they begin until what they brought is written or will not be; a reader whose
 *         fetch finds none reads by itself
 * @param fetchWaitMillis how long a reader waits for a fetch that another reader caused
 * @param diskTimeoutMillis how long a reader waits for a disk; one that has an operation for ten times as long is taken out of service
 * @param probeIntervalMillis how often a directory out of service is tried again, and one in service is tidied
 * @param indexMemoryBytes the most memory that the index of all pages takes; when it is full, a new page evicts others
 * @param ttlMillis how long a page is kept, from its first granule on, rounded up to seconds; 0 for ever
 * @param flushIntervalMillis how long what was written may wait until a restart of the process finds it
 * @param evictionPolicy which pages leave when others need their room
 * @param encryptionKey where the key is, {@code file:PATH} or {@code env:NAME}, with which everything on the disks is encrypted; empty:
 *         nothing is. Changing between the two drops what was cached
 * @param previousEncryptionKeys where the keys are that were used before, so that what was cached with them is still found
 * @param admission what is kept
 * @param quotas the only quotas that there are from the start on; empty: those that were set before stay
 * @param defaultQuota what else bounds schemas, tables or partitions; of this start alone
 * @param traceDirectory where a trace of all lookups is written to, a file a start; empty: none is
 * @param traceWhenTold whether traces are written there only for as long as somebody says
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
        boolean traceWhenTold)
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

    /** So that equal quotas are the same text. */
    private static Map<Scope, Long> sorted(Map<Scope, Long> quotas)
    {
        Map<Scope, Long> sorted = new TreeMap<>(Comparator.comparing(Scope::toString));
        sorted.putAll(quotas);
        return Collections.unmodifiableMap(sorted);
    }

    /** All defaults; base directories have none. */
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
                .traceWhenTold(traceWhenTold);
    }

    /** Every setting but the directories, by name, as text. */
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

    /** The most pages that one fetch asks for: those that {@code maxFetchBytes} hold, but at least one. */
    public int fetchPages()
    {
        return Math.max(1, maxFetchBytes / pageSizeBytes);
    }

    /** The longest blob that is kept: a part of the write buffer, so that one does not keep all others out. */
    public int maxBlobBytes()
    {
        return (int) Math.min(MAX_BLOB_BYTES, writeBufferBytes / BLOBS_IN_WRITE_BUFFER);
    }

    /**
     * Checks every setting, by itself and beside the others.
     *
     * @throws ConfigException about the first that cannot work
     */
    public void validate()
    {
        if (baseDirectories.isEmpty()) {
            throw new ConfigException("baseDirectories", "empty", "at least one directory is needed", "name a directory on a local disk");
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
                    "it must be a power of two from " + MIN_PAGE_SIZE_BYTES + " to " + MAX_PAGE_SIZE_BYTES,
                    "use the default of " + Builder.DEFAULT_PAGE_SIZE_BYTES);
        }
        if (granuleSizeBytes < MIN_GRANULE_SIZE_BYTES || granuleSizeBytes > MAX_GRANULE_SIZE_BYTES || Integer.bitCount(granuleSizeBytes) != 1) {
            throw new ConfigException(
                    "granuleSizeBytes",
                    String.valueOf(granuleSizeBytes),
                    "it must be a power of two from " + MIN_GRANULE_SIZE_BYTES + " to " + MAX_GRANULE_SIZE_BYTES,
                    "use the default of " + Builder.DEFAULT_GRANULE_SIZE_BYTES);
        }
        long leastCapacityBytes = (long) baseDirectories.size() * (pageSizeBytes + Math.max(BLOCK_BYTES, pageSizeBytes / CHECKSUMS_SHARE));
        checkRange("capacityBytes", capacityBytes, leastCapacityBytes, Long.MAX_VALUE, "one page with its checksums in each directory");
        checkRange("minFreeSpaceBytes", minFreeSpaceBytes, 0, Long.MAX_VALUE, "nothing");
        checkRange("maxFetchBytes", maxFetchBytes, MIN_PAGE_SIZE_BYTES, MAX_FETCH_BYTES, "the smallest page");
        checkRange("writeBufferBytes", writeBufferBytes, fetchPages() * (long) pageSizeBytes, Long.MAX_VALUE,
                "one fetch, or a long one could never be written");
        checkRange("fetchMemoryBytes", fetchMemoryBytes, fetchPages() * (long) pageSizeBytes, Long.MAX_VALUE,
                "one fetch, or a long one could never begin");
        checkRange("mergeGapBytes", mergeGapBytes, 0, maxFetchBytes, "no gap");
        checkRange("fetchThreads", fetchThreads, 1, MAX_FETCH_THREADS, "one thread");
        checkRange("fetchesPerFile", fetchesPerFile, 1, MAX_FETCH_THREADS, "one fetch");
        checkRange("fetchWaitMillis", fetchWaitMillis, 0, Integer.MAX_VALUE, "no wait");
        checkRange("diskTimeoutMillis", diskTimeoutMillis, 1, Integer.MAX_VALUE, "a millisecond");
        checkRange("probeIntervalMillis", probeIntervalMillis, 1, Integer.MAX_VALUE, "a millisecond");
        checkRange("indexMemoryBytes", indexMemoryBytes, MIN_INDEX_MEMORY_BYTES, Long.MAX_VALUE, "a few thousand pages");
        checkRange("ttlMillis", ttlMillis, 0, Long.MAX_VALUE, "for ever");
        quotas.orElse(Map.of()).forEach((scope, bytes) -> checkRange("quotas", bytes, 0, Long.MAX_VALUE, "nothing of it"));
        defaultQuota.ifPresent(quota -> checkRange("defaultQuota", quota.bytes(), 0, Long.MAX_VALUE, "nothing of any"));
        checkRange("flushIntervalMillis", flushIntervalMillis, 1, Integer.MAX_VALUE, "a millisecond");
    }

    private static void checkRange(String key, long value, long least, long most, String leastMeaning)
    {
        if (value < least || value > most) {
            throw new ConfigException(
                    key,
                    String.valueOf(value),
                    "it must be from " + least + " (" + leastMeaning + ") to " + most,
                    value < least ? "raise it to at least " + least : "lower it to at most " + most);
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
        private boolean traceWhenTold;

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

        public Builder traceWhenTold(boolean value)
        {
            traceWhenTold = value;
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
                    traceWhenTold);
        }
    }
}
