// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.hive.HiveClientConfig;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.presto.config.EyrieFileListConfig;

import java.time.Duration;
import java.util.Map;

/** Derives the settings of the file lists from Presto's properties and ours. */
final class FileListSettings
{
    private static final Map<String, String> PROPERTIES = Map.of(
            "bytes", "hive.file-status-cache.max-retained-size",
            "files", "hive.file-status-cache-size",
            "age", "hive.file-status-cache-expire-time",
            "openAge", "cache.open-partition-age");

    private FileListSettings()
    {}

    /**
     * Returns the validated settings.
     *
     * @param bytes maximum memory for file lists
     * @throws ConfigException that names the invalid property
     */
    static FileListConfig of(EyrieFileListConfig config, HiveClientConfig presto, long bytes)
    {
        FileListConfig lists = new FileListConfig(
                presto.getFileStatusCacheTables().stream().map(String::trim).toList(),
                Math.max(1, bytes),
                config.getMaxFiles(),
                Duration.ofMillis(presto.getFileStatusCacheExpireAfterWrite().toMillis()),
                Duration.ofMillis(config.getOpenPartitionAge().toMillis()),
                config.openPaths());
        try {
            lists.validate();
        }
        catch (ConfigException e) {
            throw new ConfigException(PROPERTIES.getOrDefault(e.key(), e.key()), e.value(), e.allowed(), e.fix());
        }
        return lists;
    }
}
