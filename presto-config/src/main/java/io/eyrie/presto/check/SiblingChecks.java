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
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.airlift.units.DataSize.succinctBytes;

/**
 * Checks catalogs of one Presto. Those that name the same cache directories share one cache and must have the same settings for it. Those with other directories
 * on the same volume have caches of their own, which together must fit on it.
 */
final class SiblingChecks
{
    private SiblingChecks()
    {}

    static List<Finding> of(CatalogFile catalog, List<CatalogFile> siblings)
    {
        List<Finding> findings = new ArrayList<>();
        PropertyChecks.pageCache(catalog).ifPresent(ours -> {
            Map<Set<Path>, PageCacheConfig> apart = new HashMap<>();
            List<String> names = new ArrayList<>();
            siblings.forEach(sibling -> PropertyChecks.pageCache(sibling).ifPresent(theirs -> {
                findings.addAll(compare(catalog, ours, sibling, theirs));
                if (Collections.disjoint(resolved(ours), resolved(theirs))) {
                    names.add(sibling.name());
                    apart.put(resolved(theirs), theirs);
                }
            }));
            if (!apart.isEmpty()) {
                findings.addAll(oneVolume(ours, String.join(", ", names), apart.values()));
            }
        });
        return findings;
    }

    private static List<Finding> oneVolume(PageCacheConfig ours, String names, Collection<PageCacheConfig> others)
    {
        List<Finding> findings = new ArrayList<>();
        shares(ours).forEach((volume, share) -> {
            long theirs = others.stream().mapToLong(other -> shares(other).getOrDefault(volume, 0L)).sum();
            if (theirs > 0 && share + theirs > volume.totalBytes() - ours.minFreeSpaceBytes()) {
                findings.add(Finding.warning("cache.max-cache-size", succinctBytes(ours.capacityBytes()).toString(), "caches of other catalogs ("
                        + names
                        + ") are in other directories on the same volume, " + volume.name() + ": together they may take " + succinctBytes(share
                                + theirs)
                        + " of its " + succinctBytes(volume.totalBytes()) + ", and the cache that fills first leaves less to the others",
                        "set cache.max-cache-size in each of them, so that they fit together, or name the same directories in all: then they share one cache"));
            }
        });
        return findings;
    }

    /* Returns the part of the capacity that is on each volume. */
    private static Map<SharedVolume, Long> shares(PageCacheConfig config)
    {
        List<Volume> volumes = new ArrayList<>();
        for (Path directory : config.baseDirectories()) {
            try {
                volumes.add(Volume.of(directory));
            }
            catch (IOException | SecurityException e) {
                // DirectoryChecks reports it
            }
        }
        double all = volumes.stream().mapToDouble(Volume::totalBytes).sum();
        Map<SharedVolume, Long> shares = new HashMap<>();
        volumes.forEach(volume -> shares.merge(new SharedVolume(volume.device(), volume.deviceName(), volume.totalBytes()), all == 0
                ? 0
                : (long) (config.capacityBytes() * (volume.totalBytes() / all)), Long::sum));
        return shares;
    }

    private record SharedVolume(String id, String name, long totalBytes)
    {}

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
