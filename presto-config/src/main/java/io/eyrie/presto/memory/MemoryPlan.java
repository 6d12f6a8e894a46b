// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.memory;

import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.EyrieMetastoreConfig;
import io.eyrie.presto.config.FooterDefaults;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.IndexMemory;
import io.eyrie.presto.config.JoinAdmission;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import static io.airlift.units.DataSize.succinctBytes;
import static java.util.Objects.requireNonNull;

/**
 * The heap memory that each layer of a catalog may take. Disabled layers are not part of it.
 *
 * @param boundBytes {@code cache.max-memory}
 * @param boundIsPreset whether that is the default
 * @param offHeapBytes the approximate off-heap memory of disk buffers, once all are in use
 */
public record MemoryPlan(long heapBytes, long boundBytes, boolean boundIsPreset, long offHeapBytes, List<Share> shares)
{
    /*
     * Sharing     If the limits together exceed the bound, each layer gets its floor, and a share of the rest in proportion to its limit above its floor. The
     *             page cache comes first and gets at most half of the bound: catalogs that name the same directories share it, and must compute the same shares
     *             of it whatever their other layers are.
     * Index       then requests only the memory that the capacity may need, and takes any remainder
     * Not counted memory of a query while it reads; tables of fixed size, a few MiB in all; Alluxio's client, which has no bound
     */
    /** The default of the bound, in percent of the heap. */
    public static final int PRESET_PERCENT = 15;

    private static final int PERCENT = 100;
    private static final int PART_OF_BOUND = 4;
    private static final int PAGES_PART_OF_BOUND = 2;
    private static final int LEAST_WRITES = 2;
    private static final int LEAST_FETCHES = 4;
    private static final long LEAST_RESULTS_IN_MEMORY_BYTES = 64L << 20;
    private static final int RESULTS_PART_OF_HEAP = 400;
    // half of what the engine grants a query on a node unless it is configured otherwise
    private static final int BUILDS_PART_OF_HEAP = 10;
    // 5,000 tables and partitions, 5,000 files, 1,000 queries, some 600 bytes for each of their layers; 31 days with 201 tables, some 600 bytes each
    private static final long LEDGER_BYTES = 20L << 20;
    // buffers of 256 KiB and their trailers for 64 threads; for each directory, buffers of 1 MiB for two writers and its journal
    private static final long READ_BUFFERS_BYTES = 17L << 20;
    private static final long DIRECTORY_BUFFERS_BYTES = 3L << 20;

    /**
     * A layer's share.
     *
     * @param limitBytes the limit of its own property
     * @param floorBytes its minimum
     * @param bytes the memory that it gets
     */
    public record Share(MemoryLayer layer, long limitBytes, long floorBytes, long bytes)
    {
        public boolean isScaled()
        {
            return bytes < limitBytes;
        }
    }

    public MemoryPlan
    {
        shares = List.copyOf(shares);
    }

    /**
     * Creates a catalog's plan.
     *
     * @throws ConfigException if {@code cache.max-memory} is out of its range
     */
    public static MemoryPlan of(CatalogFile catalog, long heapBytes)
    {
        EyrieCacheConfig cache = catalog.config(EyrieCacheConfig.class);
        DataSize set = cache.getMaxMemory();
        long bound = set == null ? heapBytes / PERCENT * PRESET_PERCENT : set.toBytes();
        if (bound < 1 || bound > heapBytes) {
            throw new ConfigException("cache.max-memory", String.valueOf(set), "it must be from 1B to the heap's " + succinctBytes(heapBytes),
                    "remove the line, for the default, or raise -Xmx");
        }
        Map<MemoryLayer, Long> pages = cache.isEnabled() && isOwnEngine(cache) ? pages(cache) : Map.of();
        Map<MemoryLayer, Long> others = new EnumMap<>(MemoryLayer.class);
        others.putAll(metadata(catalog, bound));
        if (cache.isEnabled()) {
            others.putAll(footers(catalog, heapBytes));
            others.putAll(fragments(catalog, cache, heapBytes));
        }
        List<Share> shares = new ArrayList<>(share(pages, cache, bound / PAGES_PART_OF_BOUND));
        shares.addAll(share(others, cache, bound - sum(shares)));
        return new MemoryPlan(heapBytes, bound, set == null, pages.isEmpty() ? 0 : offHeapBytes(cache), shares);
    }

    private static long offHeapBytes(EyrieCacheConfig cache)
    {
        String directories = cache.getBaseDirectory();
        return READ_BUFFERS_BYTES + DIRECTORY_BUFFERS_BYTES * (directories == null ? 1 : directories.split(",", -1).length);
    }

    private static boolean isOwnEngine(EyrieCacheConfig cache)
    {
        return !CacheEngine.ALLUXIO_CLIENT.name().equalsIgnoreCase(cache.getType());
    }

    private static Map<MemoryLayer, Long> pages(EyrieCacheConfig cache)
    {
        return Map.of(
                MemoryLayer.PAGE_INDEX, cache.getIndexMemory().toBytes(),
                MemoryLayer.FETCHES, cache.getFetchMemory().toBytes(),
                MemoryLayer.WRITE_BUFFER, cache.getWriteBuffer().toBytes());
    }

    private static Map<MemoryLayer, Long> metadata(CatalogFile catalog, long bound)
    {
        Map<MemoryLayer, Long> limits = new EnumMap<>(MemoryLayer.class);
        limits.put(MemoryLayer.LEDGER, LEDGER_BYTES);
        if (catalog.millis("hive.metastore-cache-ttl") > 0) {
            DataSize size = catalog.config(EyrieMetastoreConfig.class).getMaxRetainedSize();
            limits.put(MemoryLayer.METASTORE, size == null ? bound / PART_OF_BOUND : size.toBytes());
        }
        if (catalog.value("hive.file-status-cache-tables").isPresent() && catalog.millis("hive.file-status-cache-expire-time") > 0) {
            long bytes = catalog.bytes(MemoryLayer.FILE_LISTS.limitedBy(), 0);
            limits.put(MemoryLayer.FILE_LISTS, bytes == 0 ? bound / PART_OF_BOUND : bytes);
        }
        return limits;
    }

    private static Map<MemoryLayer, Long> footers(CatalogFile catalog, long heapBytes)
    {
        Map<MemoryLayer, Long> limits = new EnumMap<>(MemoryLayer.class);
        long preset = FooterDefaults.bytes(heapBytes);
        if (catalog.isOn("hive.orc.file-tail-cache-enabled", true)) {
            put(limits, MemoryLayer.ORC_FILE_TAILS, catalog, preset);
        }
        if (catalog.isOn("hive.orc.stripe-metadata-cache-enabled", true)) {
            put(limits, MemoryLayer.ORC_STRIPE_FOOTERS, catalog, preset);
            put(limits, MemoryLayer.ORC_STRIPE_STREAMS, catalog, FooterDefaults.streamBytes(heapBytes));
        }
        if (catalog.isOn("hive.orc.row-group-index-cache-enabled", true)) {
            put(limits, MemoryLayer.ORC_ROW_GROUP_INDEXES, catalog, preset);
        }
        if (catalog.isOn("hive.parquet.metadata-cache-enabled", true)) {
            put(limits, MemoryLayer.PARQUET_FOOTERS, catalog, preset);
            limits.put(MemoryLayer.PARQUET_INDEXES, catalog.bytes(MemoryLayer.PARQUET_FOOTERS.limitedBy(), preset) / 2);
        }
        return limits;
    }

    private static void put(Map<MemoryLayer, Long> limits, MemoryLayer layer, CatalogFile catalog, long preset)
    {
        limits.put(layer, catalog.bytes(layer.limitedBy(), preset));
    }

    private static Map<MemoryLayer, Long> fragments(CatalogFile catalog, EyrieCacheConfig cache, long heapBytes)
    {
        long each = Math.max(LEAST_RESULTS_IN_MEMORY_BYTES, heapBytes / RESULTS_PART_OF_HEAP);
        FragmentConfig fragments = catalog.config(FragmentConfig.class);
        if (!fragments.isEnabled() || !isOwnEngine(cache)) {
            return Map.of();
        }
        Map<MemoryLayer, Long> limits = new EnumMap<>(MemoryLayer.class);
        limits.put(MemoryLayer.FRAGMENT_RECORDINGS, fragments.getMaxInFlightSize().toBytes());
        limits.put(MemoryLayer.FRAGMENT_RESULTS, each);
        limits.put(MemoryLayer.FRAGMENT_PROOFS, each);
        if (!fragments.getJoinedAdmission().equalsIgnoreCase(JoinAdmission.NEVER.label())) {
            limits.put(MemoryLayer.FRAGMENT_JOINS, fragments.getJoinedMaxBuildSize().toBytes());
        }
        return limits;
    }

    private static List<Share> share(Map<MemoryLayer, Long> limits, EyrieCacheConfig cache, long bound)
    {
        Map<MemoryLayer, Long> floors = new EnumMap<>(MemoryLayer.class);
        limits.forEach((layer, limit) -> floors.put(layer, Math.min(limit, floor(layer, cache))));
        Map<MemoryLayer, Long> wanted = new EnumMap<>(MemoryLayer.class);
        wanted.putAll(limits);
        if (total(limits) > bound) {
            wanted.computeIfPresent(MemoryLayer.PAGE_INDEX, (layer, limit) -> Math.min(limit, Math.max(layer.floorBytes(), indexBytes(cache))));
        }
        long floor = total(floors);
        long want = total(wanted);
        double part = want <= bound ? 1 : Math.max(0, bound - floor) / (double) (want - floor);
        long spare = Math.max(0, bound - want);
        List<Share> shares = new ArrayList<>();
        floors.forEach((layer, least) -> {
            long limit = requireNonNull(limits.get(layer));
            long bytes = least + (long) ((requireNonNull(wanted.get(layer)) - least) * part);
            shares.add(new Share(layer, limit, least, layer == MemoryLayer.PAGE_INDEX ? Math.min(limit, bytes + spare) : bytes));
        });
        return shares;
    }

    /*
     * Returns the index's memory if the disks are full of short pages. Its limit suits any capacity, and with a small one would leave little to the other
     * layers.
     */
    private static long indexBytes(EyrieCacheConfig cache)
    {
        return IndexMemory.bytes(cache.getMaxCacheSize().toBytes());
    }

    /* Room for a few of the longest possible fetches: with less, hardly any reader could fetch the pages that it misses. */
    private static long floor(MemoryLayer layer, EyrieCacheConfig cache)
    {
        int pageBytes = (int) Math.min(cache.getPageSize().toBytes(), Integer.MAX_VALUE);
        PageCacheConfig pages = PageCacheConfig.builder().pageSizeBytes(Math.max(1, pageBytes)).build();
        long fetchBytes = pages.fetchPages() * (long) pages.pageSizeBytes();
        return switch (layer) {
            case FETCHES -> Math.max(layer.floorBytes(), LEAST_FETCHES * fetchBytes);
            case WRITE_BUFFER -> Math.max(layer.floorBytes(), LEAST_WRITES * fetchBytes);
            default -> layer.floorBytes();
        };
    }

    private static long total(Map<MemoryLayer, Long> bytes)
    {
        return bytes.values().stream().reduce(0L, MemoryPlan::saturated);
    }

    private static long sum(List<Share> shares)
    {
        return shares.stream().map(Share::bytes).reduce(0L, MemoryPlan::saturated);
    }

    private static long saturated(long a, long b)
    {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Returns a layer's memory; 0 if it is disabled. */
    public long bytes(MemoryLayer layer)
    {
        return share(layer).map(Share::bytes).orElse(0L);
    }

    /** Returns a layer's share; empty if it is disabled. */
    public Optional<Share> share(MemoryLayer layer)
    {
        return shares.stream().filter(share -> share.layer() == layer).findFirst();
    }

    /** Returns the memory that all layers together may take. */
    public long totalBytes()
    {
        return sum(shares);
    }

    /** Returns the sum of the layers' own limits. */
    public long limitBytes()
    {
        return shares.stream().map(Share::limitBytes).reduce(0L, MemoryPlan::saturated);
    }

    /** Returns the settings of the page cache with this plan's shares in place of its limits. */
    public PageCacheConfig shared(PageCacheConfig pages)
    {
        return share(MemoryLayer.PAGE_INDEX).isEmpty()
                ? pages
                : pages.toBuilder()
                        .indexMemoryBytes(bytes(MemoryLayer.PAGE_INDEX))
                        .fetchMemoryBytes(bytes(MemoryLayer.FETCHES))
                        .writeBufferBytes(bytes(MemoryLayer.WRITE_BUFFER))
                        .build();
    }

    /**
     * Returns the maximum memory of all build sides: a tenth of the heap, or the value of the property if joins are cached and that is less. A node whose own
     * configuration does not cache joins runs those that a coordinator planned.
     */
    public long maxBuildBytes()
    {
        return share(MemoryLayer.FRAGMENT_JOINS).map(share -> Math.min(share.limitBytes(), heapBytes / BUILDS_PART_OF_HEAP)).orElse(heapBytes
                / BUILDS_PART_OF_HEAP);
    }

    /** Returns the maximum size of the stored result of a split, within the value of the property. */
    public long maxResultBytes(long propertyBytes)
    {
        long ofWriteBuffer = shared(PageCacheConfig.builder().build()).maxBlobBytes();
        return Math.min(propertyBytes, Math.min(ofWriteBuffer, bytes(MemoryLayer.FRAGMENT_RECORDINGS)));
    }

    /** Returns the limit that makes the maximum size of a stored result smaller than the value of the property; empty if there is none. */
    public Optional<String> resultLimit(long propertyBytes)
    {
        long bytes = maxResultBytes(propertyBytes);
        if (bytes == propertyBytes) {
            return Optional.empty();
        }
        return Optional.of(bytes == bytes(MemoryLayer.FRAGMENT_RECORDINGS)
                ? MemoryLayer.FRAGMENT_RECORDINGS.limitedBy()
                : "the smaller of 64MB and a quarter of " + MemoryLayer.WRITE_BUFFER.limitedBy());
    }

    /** Returns a message about the layers that were scaled down, with their limits and shares; empty if none was. */
    public Optional<String> scaled()
    {
        String layers = shares.stream()
                .filter(Share::isScaled)
                .map(share -> share.layer().title() + " " + succinctBytes(share.limitBytes()) + " to " + succinctBytes(share.bytes()))
                .collect(Collectors.joining(", "));
        if (layers.isEmpty()) {
            return Optional.empty();
        }
        String results = share(MemoryLayer.FRAGMENT_RECORDINGS).isPresent()
                ? "; fragment results larger than " + succinctBytes(shared(PageCacheConfig.builder().build()).maxBlobBytes()) + " are not cached"
                : "";
        return Optional.of("the heap limits of the layers, " + succinctBytes(limitBytes()) + " in total, are scaled down: " + layers + results);
    }
}
