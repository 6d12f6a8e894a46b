// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import com.google.inject.ConfigurationException;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.presto.config.AddedLine;
import io.eyrie.presto.config.AddedLines;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogProperties;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.Machine;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs all checks of a catalog. */
public final class SelfCheck
{
    private static final String VARIABLE = "env:";
    private static final String SECURITY = "hive.security";
    private static final Set<MemoryLayer> SHARED = Set.of(MemoryLayer.PAGE_INDEX, MemoryLayer.FETCHES, MemoryLayer.WRITE_BUFFER);

    private final CatalogFile written;
    private final List<AddedLine> added;
    /** With the added lines, as Presto sees it. */
    private final CatalogFile catalog;
    private final List<CatalogFile> siblings;
    private final boolean coordinator;

    /** Creates checks of a catalog on the machine of this process. */
    public SelfCheck(CatalogFile catalog, List<CatalogFile> siblings)
    {
        this(catalog, siblings, Machine.current(true));
    }

    /** @param siblings the other catalogs of the same Presto that Eyrie serves, as far as they are known */
    public SelfCheck(CatalogFile catalog, List<CatalogFile> siblings, Machine machine)
    {
        this.written = catalog;
        this.coordinator = machine.coordinator();
        this.added = AddedLines.of(catalog, machine);
        this.catalog = AddedLines.with(catalog, added);
        this.siblings = siblings.stream().map(sibling -> AddedLines.complete(sibling, machine)).toList();
    }

    /** Returns the lines that Eyrie adds to the file. */
    public List<AddedLine> added()
    {
        return added;
    }

    /** Returns all findings, the most severe first: about properties, directories, and conflicts with the siblings. */
    public List<Finding> findings()
    {
        List<Finding> findings = new ArrayList<>(PropertyChecks.of(written, added));
        findings.addAll(ContradictionChecks.of(catalog));
        PropertyChecks.pageCache(catalog).ifPresentOrElse(pages -> {
            boolean capacityIsSet = added.stream().noneMatch(line -> line.property().equals("cache.max-cache-size"));
            findings.addAll(DirectoryChecks.of(pages, capacityIsSet));
            findings.addAll(keys(pages));
            PlainDirectoryChecks.traces(pages).ifPresent(findings::add);
        }, () -> {
            if (catalog.isOn("cache.enabled", false)) {
                // another property of the cache has an error; how much space it needs is not known
                PageCacheConfig noSpace = PageCacheConfig.builder().baseDirectories(catalog.cacheDirectories()).capacityBytes(0).build();
                findings.addAll(DirectoryChecks.of(noSpace, false));
            }
        });
        PlainDirectoryChecks.control(written).ifPresent(findings::add);
        if (coordinator) {
            PlainDirectoryChecks.changesLeftBehind(written).ifPresent(findings::add);
        }
        PlainDirectoryChecks.metadata(written).ifPresent(findings::add);
        findings.addAll(SiblingChecks.of(catalog, siblings));
        findings.addAll(notes());
        return sorted(findings);
    }

    /**
     * Returns findings that only a check outside of Presto needs, because Presto itself finds them by trying.
     *
     * @param file the catalog's file
     */
    public List<Finding> outsideFindings(Path file)
            throws IOException
    {
        List<Finding> findings = new ArrayList<>();
        CatalogFile.namedTwice(file).forEach(name -> findings.add(Finding.warning(
                name,
                PropertyChecks.shown(name, written.properties().getOrDefault(name, "")),
                "the file has more than one line for this property; only the last one counts", "keep one of the lines")));
        written.value(SECURITY).filter(value -> value.equalsIgnoreCase("ranger")).ifPresent(value -> findings.add(Finding.warning(SECURITY, value,
                "Presto does not start unless Ranger's client, which Eyrie's archives do not contain, is in the plugin's folder",
                "copy ranger-apache-2.1.0-3.jar and jna-5.2.0.jar from Presto's hive-hadoop2 plugin into Eyrie's folder, or use another value")));
        return findings;
    }

    /* A missing environment variable is only a warning: it may be set for Presto but not for this process. */
    private static List<Finding> keys(PageCacheConfig pages)
    {
        List<String> unset = Stream.concat(pages.encryptionKey().stream(), pages.previousEncryptionKeys().stream())
                .filter(place -> place.startsWith(VARIABLE) && System.getenv(place.substring(VARIABLE.length())) == null)
                .toList();
        if (!unset.isEmpty()) {
            return List.of(Finding.warning("cache.encryption-key-variable", String.join(", ", unset),
                    "it is not set for this process; Presto does not start unless it is set for Presto", "set it in Presto's environment"));
        }
        try {
            Optional<KeyRing> unused = KeyRing.load(pages);
            return List.of();
        }
        catch (ConfigException e) {
            return List.of(Finding.of(e));
        }
    }

    private List<Finding> notes()
    {
        List<Finding> notes = new ArrayList<>();
        PropertyChecks.parsed(catalog, read -> new CatalogProperties(read.name(), read.properties()).notices())
                .ifPresent(notices -> notices.forEach(notice -> notes.add(Finding.note("without effect", "", notice))));
        PropertyChecks.parsed(catalog, read -> read.config(FragmentConfig.class)).flatMap(FragmentConfig::notice)
                .ifPresent(notice -> notes.add(Finding.note("without effect", "", notice)));
        return notes;
    }

    /**
     * Returns the memory that the caches may take of a heap.
     *
     * @return the plan, or empty if a property has an invalid value
     */
    public Optional<MemoryPlan> memory(long heapBytes)
    {
        return PropertyChecks.parsed(catalog, read -> MemoryPlan.of(read, heapBytes));
    }

    /** Returns findings about the options of the engine's JVM. */
    public static List<Finding> engineFindings(Engine engine)
    {
        return engine.optionFindings();
    }

    /** Returns findings about the catalog's memory on a heap, and about that of all catalogs compared with the engine's headroom. */
    public List<Finding> memoryFindings(long heapBytes, Engine engine)
    {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.addAll(MemoryChecks.of(MemoryPlan.of(catalog, heapBytes)));
        }
        catch (ConfigException e) {
            findings.add(Finding.of(e));
        }
        catch (ConfigurationException e) { // PropertyChecks reports it
            return List.of();
        }
        findings.addAll(MemoryChecks.of(allCatalogs(heapBytes), engine));
        return sorted(findings);
    }

    /* Catalogs with the same directories share one page cache, which is counted once. */
    private long allCatalogs(long heapBytes)
    {
        List<CatalogFile> all = new ArrayList<>(siblings);
        all.add(0, catalog);
        Set<Object> counted = new HashSet<>();
        long bytes = 0;
        for (CatalogFile each : all) {
            Optional<MemoryPlan> plan = PropertyChecks.parsed(each, read -> MemoryPlan.of(read, heapBytes));
            boolean first = counted.add(PropertyChecks.pageCache(each).<Object>map(PageCacheConfig::baseDirectories).orElse(each));
            bytes += plan.stream()
                    .flatMap(shared -> shared.shares().stream())
                    .filter(share -> first || !SHARED.contains(share.layer()))
                    .mapToLong(MemoryPlan.Share::bytes)
                    .sum();
        }
        return bytes;
    }

    private static List<Finding> sorted(List<Finding> findings)
    {
        return findings.stream().sorted(Comparator.comparing(Finding::severity)).toList();
    }
}
