// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.config.StoredMetadataConfig;

import java.nio.file.Files;
import java.util.Optional;

/** Checks the directories of traces, of stored metadata and of operators' changes. */
final class PlainDirectoryChecks
{
    private static final String TRACES = "cache.trace-directory";
    private static final String METADATA = "cache.metadata.directory";
    private static final String CONTROL = "cache.control-directory";

    private PlainDirectoryChecks()
    {}

    /* Presto creates a trace when it starts, so that a bad directory stops it, unless traces are recorded on request. */
    static Optional<Finding> traces(PageCacheConfig pages)
    {
        return pages.traceDirectory().flatMap(directory -> DirectoryProblem.of(directory, false).map(problem -> new Finding(
                pages.traceOnRequest() ? Severity.WARNING : Severity.ERROR,
                TRACES,
                directory.toString(),
                problem.text() + (pages.traceOnRequest() ? "; system.record_cache_trace records nothing" : "; Presto does not start"),
                problem.fix())));
    }

    /* Only coordinators use it, and create it at the first change. */
    static Optional<Finding> control(CatalogFile catalog)
    {
        return PropertyChecks.parsed(catalog, read -> read.config(ControlConfig.class).directory())
                .flatMap(found -> found)
                .flatMap(directory -> DirectoryProblem.of(directory, true).map(problem -> Finding.warning(
                        CONTROL,
                        directory.toString(),
                        problem.text() + "; on a coordinator, the procedures that control the cache fail",
                        problem.fix())));
    }

    /*
     * With a key, the directory has no default, so a coordinator would no longer read the file that an earlier start without a key wrote in the default one: its
     * rules, pins and quotas would end without a word.
     */
    static Optional<Finding> changesLeftBehind(CatalogFile catalog)
    {
        boolean encrypted = catalog.value("cache.encryption-key-file").isPresent() || catalog.value("cache.encryption-key-variable").isPresent();
        if (!encrypted || !catalog.isOn("cache.enabled", false) || catalog.value(CONTROL).isPresent()) {
            return Optional.empty();
        }
        return catalog.cacheDirectories().stream().findFirst()
                .map(first -> first.resolve("control"))
                .filter(directory -> Files.exists(directory.resolve(catalog.name() + ".json")))
                .map(directory -> Finding.error(
                        CONTROL,
                        "",
                        directory.resolve(catalog.name() + ".json")
                                + " has the rules, pins and quotas of operators from a start without encryption. With a "
                                + "key, they end unless this property is set, because this file is not encrypted; a coordinator does not start",
                        "move the file to a directory outside of the cache directories and set " + CONTROL
                                + " to that directory, or remove the file, "
                                + "which ends all rules, pins and quotas"));
    }

    /* Only coordinators use it, and create it. */
    static Optional<Finding> metadata(CatalogFile catalog)
    {
        return PropertyChecks.parsed(catalog, read -> read.config(StoredMetadataConfig.class).directory())
                .flatMap(found -> found)
                .flatMap(directory -> DirectoryProblem.of(directory, true).map(problem -> Finding.warning(
                        METADATA,
                        directory.toString(),
                        problem.text() + "; a coordinator stores no metadata and has none cached after a restart",
                        problem.fix())));
    }
}
