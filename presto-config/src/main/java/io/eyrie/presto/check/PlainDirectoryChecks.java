// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.config.StoredMetadataConfig;

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
