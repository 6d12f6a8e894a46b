// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.config.SettingText;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.EyrieCacheConfig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks catalogs of one Presto that name the same cache directories: they share one cache and must have the same settings for it. */
final class SiblingChecks
{
    private SiblingChecks()
    {}

    static List<Finding> of(CatalogFile catalog, List<CatalogFile> siblings)
    {
        List<Finding> findings = new ArrayList<>();
        PropertyChecks.pageCache(catalog).ifPresent(ours -> siblings.forEach(sibling -> PropertyChecks.pageCache(sibling).ifPresent(
                theirs -> findings.addAll(compare(catalog, ours, sibling, theirs)))));
        return findings;
    }

    private static List<Finding> compare(CatalogFile catalog, PageCacheConfig ours, CatalogFile sibling, PageCacheConfig theirs)
    {
        Set<Path> ourDirectories = resolved(ours);
        Set<Path> theirDirectories = resolved(theirs);
        Optional<Path> common = ourDirectories.stream().filter(theirDirectories::contains).sorted().findFirst();
        if (common.isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        String fix = "set the same value in both, or name different directories";
        if (usesAlluxiosClient(catalog) || usesAlluxiosClient(sibling)) {
            return List.of(conflict("cache.base-directory", common.get().toString(), sibling, "also uses it, and Alluxio's client cannot share it",
                    "give every catalog with Alluxio's client its own directory"));
        }
        if (!ourDirectories.equals(theirDirectories)) {
            findings.add(conflict("cache.base-directory", ours.baseDirectories().toString(), sibling, "has " + theirs.baseDirectories()
                    + ", and both name " + common.get(), fix));
        }
        Map<String, String> theirSettings = theirs.settings();
        ours.settings().forEach((key, value) -> {
            String other = String.valueOf(theirSettings.get(key));
            if (!value.equals(other)) {
                ConfigException named = EyrieCacheConfig.inOperatorsTerms(new ConfigException(key, value, "", fix));
                findings.add(conflict(named.key(), catalog.value(named.key()).orElse(SettingText.of(key, value)), sibling, "has " + sibling.value(
                        named.key()).orElse(SettingText.of(key, other))
                        + " and shares " + common.get(), fix));
            }
        });
        String ourMemory = catalog.value("cache.max-memory").orElse("the default");
        String theirMemory = sibling.value("cache.max-memory").orElse("the default");
        if (!ourMemory.equals(theirMemory)) {
            findings.add(conflict("cache.max-memory", ourMemory, sibling, "has " + theirMemory + " and shares " + common.get(), fix));
        }
        return findings;
    }

    private static Finding conflict(String key, String value, CatalogFile sibling, String problem, String fix)
    {
        return Finding.error(key, value, "catalog " + sibling.name() + " " + problem + "; the catalog that starts second fails", fix);
    }

    private static boolean usesAlluxiosClient(CatalogFile catalog)
    {
        return PropertyChecks.parsed(catalog, read -> read.config(EyrieCacheConfig.class).engine()).equals(Optional.of(CacheEngine.ALLUXIO_CLIENT));
    }

    private static Set<Path> resolved(PageCacheConfig config)
    {
        Set<Path> resolved = new HashSet<>();
        for (Path directory : config.baseDirectories()) {
            try {
                resolved.add(directory.toRealPath());
            }
            catch (IOException e) { // it does not exist, which DirectoryChecks reports
                resolved.add(directory.toAbsolutePath().normalize());
            }
        }
        return resolved;
    }
}
