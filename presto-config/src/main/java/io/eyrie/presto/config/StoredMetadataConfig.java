// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.GIGABYTE;

/** The properties {@code cache.metadata.*}: where a coordinator stores cached metadata, and how much. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class StoredMetadataConfig
{
    private static final String DIRECTORY = "cache.metadata.directory";
    private static final String MAX_SIZE = "cache.metadata.max-size";
    private static final DataSize LEAST = new DataSize(16, DataSize.Unit.MEGABYTE);
    private static final int PAGE_BYTES = 256 << 10;
    private static final long WRITE_BUFFER_BYTES = 64 << 20; // holds the entries of one flush; only while they are written
    private static final long LEAST_INDEX_BYTES = 1 << 20;

    private @Nullable String directory;
    private DataSize maxSize = new DataSize(1, GIGABYTE);

    public @Nullable String getDirectory()
    {
        return directory;
    }

    @Config(DIRECTORY)
    @ConfigDescription("Local directory in which the coordinator stores cached metadata, so that it is still cached after a restart")
    public StoredMetadataConfig setDirectory(@Nullable String directory)
    {
        this.directory = directory;
        return this;
    }

    public DataSize getMaxSize()
    {
        return maxSize;
    }

    @Config(MAX_SIZE)
    @ConfigDescription("Maximum disk space of stored metadata; 0B: the coordinator stores none")
    public StoredMetadataConfig setMaxSize(DataSize maxSize)
    {
        this.maxSize = maxSize;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        Optional<Path> unused = directory();
    }

    /**
     * Returns the directory, if metadata is stored.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public Optional<Path> directory()
    {
        if (maxSize.toBytes() == 0) {
            return Optional.empty();
        }
        if (maxSize.toBytes() < LEAST.toBytes()) {
            throw new ConfigException(MAX_SIZE, maxSize.toString(), "it must be 0B, which stores no metadata, or at least " + LEAST,
                    "raise it, or remove the line for the default of 1GB");
        }
        if (directory == null) {
            return Optional.empty();
        }
        if (!PropertyType.DIRECTORY.accepts(directory) || PropertyType.directories(directory).size() != 1) {
            throw new ConfigException(DIRECTORY, "'" + directory + "'", "it must be one local directory: a file: URI or an absolute path",
                    "correct it or remove the line");
        }
        return Optional.of(PropertyType.directories(directory).get(0));
    }

    /**
     * Returns the settings of the store of a catalog.
     *
     * @param ofCatalog the catalog's own part of the directory
     * @param pages the properties of the page cache, which also determine encryption and how disks are used
     */
    public PageCacheConfig store(Path ofCatalog, EyrieCacheConfig pages)
    {
        PageCacheConfig data = pages.disks();
        return data.toBuilder()
                .baseDirectories(List.of(ofCatalog))
                .capacityBytes(maxSize.toBytes())
                .pageSizeBytes(PAGE_BYTES)
                .writeBufferBytes(WRITE_BUFFER_BYTES)
                .indexMemoryBytes(Math.max(LEAST_INDEX_BYTES, IndexMemory.bytes(maxSize.toBytes())))
                .fetchMemoryBytes(Math.max(data.maxFetchBytes(), PAGE_BYTES))
                .fetchThreads(1)
                .build();
    }
}
