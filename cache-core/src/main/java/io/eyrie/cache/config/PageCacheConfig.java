package io.eyrie.cache.config;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Settings of a page cache. Made by {@link #builder()}, which holds the defaults; checked by {@link #validate()},
 * which opening a cache calls.
 *
 * @param baseDirectories existing directories to keep pages in, one a disk
 * @param capacityBytes the most disk space that pages take, over all directories, which share it evenly
 * @param pageSizeBytes the unit of caching; another value at a later start drops what was cached
 * @param minFreeSpaceBytes what pages leave free on the volume of each directory
 * @param writeBufferBytes the most memory that pages take which wait for being written
 * @param maxFetchBytes the longest range that a miss asks of the remote store
 * @param mergeGapBytes the most bytes that are fetched once more to join two missing ranges in one
 * @param fetchThreads the most ranges that are fetched at a time
 * @param fetchesPerFile the most of them for one file
 * @param fetchWaitMillis how long a reader waits for a fetch that another reader caused
 * @param probeIntervalMillis how often a directory out of service is tried again
 */
public record PageCacheConfig(
        List<Path> baseDirectories,
        long capacityBytes,
        int pageSizeBytes,
        long minFreeSpaceBytes,
        long writeBufferBytes,
        int maxFetchBytes,
        int mergeGapBytes,
        int fetchThreads,
        int fetchesPerFile,
        long fetchWaitMillis,
        long probeIntervalMillis)
{
    private static final int MIN_PAGE_SIZE_BYTES = 64 << 10;
    private static final int MAX_PAGE_SIZE_BYTES = 16 << 20;
    private static final int MAX_FETCH_BYTES = 64 << 20;
    private static final int MAX_FETCH_THREADS = 1024;
    private static final int BLOCK_BYTES = 4 << 10;

    public PageCacheConfig
    {
        baseDirectories = List.copyOf(baseDirectories);
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
                .minFreeSpaceBytes(minFreeSpaceBytes)
                .writeBufferBytes(writeBufferBytes)
                .maxFetchBytes(maxFetchBytes)
                .mergeGapBytes(mergeGapBytes)
                .fetchThreads(fetchThreads)
                .fetchesPerFile(fetchesPerFile)
                .fetchWaitMillis(fetchWaitMillis)
                .probeIntervalMillis(probeIntervalMillis);
    }

    /** The part of the capacity that each directory has. */
    public long directoryCapacityBytes()
    {
        return capacityBytes / baseDirectories.size();
    }

    /** The most pages that one fetch asks for: those that {@code maxFetchBytes} hold, but at least one. */
    public int fetchPages()
    {
        return Math.max(1, maxFetchBytes / pageSizeBytes);
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
        long leastCapacityBytes = (long) baseDirectories.size() * (pageSizeBytes + BLOCK_BYTES);
        checkRange("capacityBytes", capacityBytes, leastCapacityBytes, Long.MAX_VALUE, "one page with its header in each directory");
        checkRange("minFreeSpaceBytes", minFreeSpaceBytes, 0, Long.MAX_VALUE, "nothing");
        checkRange("maxFetchBytes", maxFetchBytes, MIN_PAGE_SIZE_BYTES, MAX_FETCH_BYTES, "the smallest page");
        checkRange("writeBufferBytes", writeBufferBytes, fetchPages() * (long) pageSizeBytes, Long.MAX_VALUE,
                "one fetch, or a long one could never be written");
        checkRange("mergeGapBytes", mergeGapBytes, 0, maxFetchBytes, "no gap");
        checkRange("fetchThreads", fetchThreads, 1, MAX_FETCH_THREADS, "one thread");
        checkRange("fetchesPerFile", fetchesPerFile, 1, MAX_FETCH_THREADS, "one fetch");
        checkRange("fetchWaitMillis", fetchWaitMillis, 0, Integer.MAX_VALUE, "no wait");
        checkRange("probeIntervalMillis", probeIntervalMillis, 1, Integer.MAX_VALUE, "a millisecond");
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

        private List<Path> baseDirectories = List.of();
        private long capacityBytes = 2L << 30;
        private int pageSizeBytes = DEFAULT_PAGE_SIZE_BYTES;
        private long minFreeSpaceBytes = 1L << 30;
        private long writeBufferBytes = 128L << 20;
        private int maxFetchBytes = 8 << 20;
        private int mergeGapBytes = 128 << 10;
        private int fetchThreads = 64;
        private int fetchesPerFile = 32;
        private long fetchWaitMillis = 10_000;
        private long probeIntervalMillis = 10_000;

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

        public Builder fetchWaitMillis(long value)
        {
            fetchWaitMillis = value;
            return this;
        }

        public Builder probeIntervalMillis(long value)
        {
            probeIntervalMillis = value;
            return this;
        }

        public PageCacheConfig build()
        {
            return new PageCacheConfig(
                    baseDirectories,
                    capacityBytes,
                    pageSizeBytes,
                    minFreeSpaceBytes,
                    writeBufferBytes,
                    maxFetchBytes,
                    mergeGapBytes,
                    fetchThreads,
                    fetchesPerFile,
                    fetchWaitMillis,
                    probeIntervalMillis);
        }
    }
}
