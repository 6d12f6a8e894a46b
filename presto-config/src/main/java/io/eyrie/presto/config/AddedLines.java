// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.google.common.math.LongMath;
import io.eyrie.presto.config.AddedLine.Source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the lines that {@code cache.enabled=true} stands for in a catalog's file: those that turn on further layers, and sizes that fit the machine. A line
 * of the file takes precedence over an added one.
 */
public final class AddedLines
{
    /*
     * Layers      those that change neither an answer nor its freshness (decision 0040). Layers whose default already depends on cache.enabled (footers,
     *             affinity) or that are always on (listing by prefix, packs, file handles) need no line
     * Metadata    no line if the metastore impersonates users: it may check their rights at each call, which a cached answer would skip
     * Sizes       depend on facts that rarely change, because catalogs that name the same directories must arrive at the same values, and so must each restart
     */
    private static final String CAPACITY = "cache.max-cache-size";
    private static final String METASTORE_TTL = "hive.metastore-cache-ttl";
    private static final String METASTORE_ENTRIES = "hive.metastore-cache-maximum-size";
    private static final String METASTORE_BYTES = "cache.metastore.max-retained-size";
    private static final String METADATA = "cache.metadata.directory";
    private static final String CONTROL = "cache.control-directory";
    private static final Set<String> CACHED_METASTORES = Set.of("thrift", "file", "glue");

    private static final long MEGABYTE = 1 << 20;
    private static final long GIGABYTE = 1 << 30;
    private static final long LEAST_BYTES_IN_GIGABYTES = 10 * GIGABYTE;
    private static final int PERCENT = 100;
    private static final int CAPACITY_PERCENT = 80;
    private static final int FREE_PERCENT = 5;
    private static final int FREE_PERCENT_OF_SMALL = 10;
    private static final long LEAST_FREE_BYTES = GIGABYTE;
    private static final long MOST_FREE_BYTES = 20 * GIGABYTE;
    private static final long LEAST_INDEX_BYTES = 256 * MEGABYTE;
    private static final long LEAST_WRITE_BUFFER_BYTES = 128 * MEGABYTE;
    private static final long WRITE_BUFFER_BYTES_PER_VOLUME = 64 * MEGABYTE;
    private static final long FETCH_BYTES_PER_THREAD = 4 * MEGABYTE;
    private static final long LEAST_IN_FLIGHT_BYTES = 256 * MEGABYTE;
    private static final long MOST_IN_FLIGHT_BYTES = 2 * GIGABYTE;
    private static final long IN_FLIGHT_BYTES_PER_PROCESSOR = 8 * MEGABYTE;

    private final CatalogFile catalog;
    private final Machine machine;
    private final List<AddedLine> added = new ArrayList<>();

    private AddedLines(CatalogFile catalog, Machine machine)
    {
        this.catalog = catalog;
        this.machine = machine;
    }

    /** Returns the lines to add; none if the cache is off. Does not throw, whatever the file contains. */
    public static List<AddedLine> of(CatalogFile catalog, Machine machine)
    {
        AddedLines lines = new AddedLines(catalog, machine);
        if (catalog.isOn("cache.enabled", false)) {
            lines.add();
        }
        return List.copyOf(lines.added);
    }

    /** Returns the catalog with the added lines. */
    public static CatalogFile complete(CatalogFile catalog, Machine machine)
    {
        return with(catalog, of(catalog, machine));
    }

    /** Returns the catalog with these lines. */
    public static CatalogFile with(CatalogFile catalog, List<AddedLine> lines)
    {
        Map<String, String> all = new HashMap<>(catalog.properties());
        lines.forEach(line -> all.put(line.property(), line.value()));
        return new CatalogFile(catalog.name(), all);
    }

    private void add()
    {
        List<Path> directories = catalog.cacheDirectories();
        boolean ownEngine = !CacheEngine.ALLUXIO_CLIENT.name().equalsIgnoreCase(catalog.value("cache.type").orElse(""));
        if (ownEngine) {
            add("fragment-result-cache.enabled", "true", Source.SWITCH, "caches results of plan fragments");
            sizes(directories);
        }
        metadata();
        if (machine.coordinator() && !directories.isEmpty() && cachesMetadata()) {
            add(METADATA, directories.get(0).resolve("metadata").toString(), Source.SWITCH,
                    "in the first cache directory of the coordinator: stores cached metadata for the next start");
        }
        // its file is not encrypted, and everything below an encrypted cache directory is
        boolean encrypted = isSet("cache.encryption-key-file") || isSet("cache.encryption-key-variable");
        if (machine.coordinator() && !directories.isEmpty() && !encrypted) {
            add(CONTROL, directories.get(0).resolve("control").toString(), Source.SWITCH,
                    "in the first cache directory of the coordinator: stores the changes made by procedures");
        }
    }

    private void metadata()
    {
        String metastore = catalog.value("hive.metastore").orElse("thrift").toLowerCase(Locale.ENGLISH);
        // values that mean "off" today must not stop a catalog
        boolean none = isZero(METASTORE_ENTRIES) || (isSet(METASTORE_BYTES) && catalog.bytes(METASTORE_BYTES, 0) == 0);
        if (CACHED_METASTORES.contains(metastore) && !catalog.isOn("hive.metastore-impersonation-enabled", false) && !none) {
            add(METASTORE_TTL, "2d", Source.SWITCH, "caches metadata, which each query validates");
        }
        if (cachesMetadata()) {
            add(METASTORE_ENTRIES, "1000000", Source.SWITCH, "cache.metastore.max-retained-size limits the memory");
        }
    }

    private boolean cachesMetadata()
    {
        return catalog.millis(METASTORE_TTL) > 0 || added.stream().anyMatch(line -> line.property().equals(METASTORE_TTL));
    }

    private boolean isZero(String property)
    {
        return catalog.value(property).equals(Optional.of("0"));
    }

    private void sizes(List<Path> directories)
    {
        List<Long> volumes = directories.isEmpty() ? List.of() : machine.volumes().apply(directories);
        if (!volumes.isEmpty()) {
            capacity(volumes);
        }
        long capacity = catalog.bytes("cache.alluxio.max-cache-size", catalog.bytes(CAPACITY, volumes.isEmpty() ? 0 : capacityBytes(volumes)));
        add("cache.index-memory", Math.max(LEAST_INDEX_BYTES, IndexMemory.bytes(capacity)),
                "enough for cache.max-cache-size in pages of 64kB, at least 256MB");
        add("cache.write-buffer", Math.max(LEAST_WRITE_BUFFER_BYTES, volumes.size() * WRITE_BUFFER_BYTES_PER_VOLUME),
                "64MB for each volume, at least 128MB");
        add("cache.fetch-memory", FetchThreads.of(machine.processors()) * FETCH_BYTES_PER_THREAD,
                "4MB for each thread that fetches: two a processor, at least 64 and at most 256");
        add("fragment-result-cache.max-in-flight-size",
                Math.max(LEAST_IN_FLIGHT_BYTES, Math.min(MOST_IN_FLIGHT_BYTES, machine.processors() * IN_FLIGHT_BYTES_PER_PROCESSOR)),
                "8MB for each processor, at least 256MB and at most 2GB");
    }

    private void capacity(List<Long> volumes)
    {
        if (!isSet("cache.alluxio.max-cache-size")) {
            add(CAPACITY, capacityBytes(volumes), CAPACITY_PERCENT + " percent of " + size(sum(volumes)) + ", the size of "
                    + (volumes.size() == 1 ? "the volume" : "the " + volumes.size() + " volumes"));
        }
        long smallest = Collections.min(volumes);
        long least = Math.min(LEAST_FREE_BYTES, percent(FREE_PERCENT_OF_SMALL, smallest));
        add("cache.min-free-space", Math.min(MOST_FREE_BYTES, Math.max(least, percent(FREE_PERCENT, smallest))),
                "5 percent of the smallest volume, at most 20GB; at least 1GB, or 10 percent if that is less");
    }

    private static long capacityBytes(List<Long> volumes)
    {
        return percent(CAPACITY_PERCENT, sum(volumes));
    }

    /* File systems without a bound of their own report up to 8 EiB. */
    private static long percent(int percent, long bytes)
    {
        return bytes / PERCENT * percent + bytes % PERCENT * percent / PERCENT;
    }

    private static long sum(List<Long> sizes)
    {
        return sizes.stream().reduce(0L, LongMath::saturatedAdd);
    }

    private boolean isSet(String property)
    {
        return catalog.value(property).isPresent();
    }

    private void add(String property, long bytes, String reason)
    {
        add(property, size(bytes), Source.DERIVED, reason);
    }

    private void add(String property, String value, Source source, String reason)
    {
        if (!isSet(property)) {
            added.add(new AddedLine(property, value, source, reason));
        }
    }

    /* Rounds down to a number that is easy to read. */
    private static String size(long bytes)
    {
        if (bytes >= LEAST_BYTES_IN_GIGABYTES || (bytes >= GIGABYTE && bytes % GIGABYTE == 0)) {
            return bytes / GIGABYTE + "GB";
        }
        return bytes >= MEGABYTE ? bytes / MEGABYTE + "MB" : bytes + "B";
    }
}
