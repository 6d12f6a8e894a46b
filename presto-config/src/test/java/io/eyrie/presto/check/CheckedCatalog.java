// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.config.CatalogFile;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A correct catalog with the cache enabled, except for a test's changes. */
final class CheckedCatalog
{
    private CheckedCatalog()
    {}

    static CatalogFile of(String name, Path directory, String... propertiesAndValues)
    {
        Map<String, String> properties = new HashMap<>(Map.of(
                "connector.name", "eyrie",
                "hive.metastore", "file",
                "cache.enabled", "true",
                "cache.base-directory", directory.toString(),
                "cache.max-cache-size", "8MB",
                "cache.min-free-space", "0B",
                "cache.write-buffer", "8MB",
                "fragment-result-cache.max-single-pages-size", "2MB"));
        for (int i = 0; i < propertiesAndValues.length; i += 2) {
            properties.put(propertiesAndValues[i], propertiesAndValues[i + 1]);
        }
        properties.values().removeIf(String::isEmpty);
        return new CatalogFile(name, properties);
    }

    static List<Finding> findings(Path directory, String... propertiesAndValues)
    {
        return new SelfCheck(of("lake", directory, propertiesAndValues), List.of()).findings();
    }
}
