// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import io.eyrie.presto.config.CatalogFile;

import javax.annotation.PreDestroy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/** A running catalog of this process. Catalogs that start later see it until airlift's life cycle ends it. Thread-safe. */
final class StartedCatalog
{
    private static final List<CatalogFile> started = new CopyOnWriteArrayList<>();

    private final CatalogFile catalog;

    StartedCatalog(CatalogFile catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /** Returns all running catalogs. */
    static List<CatalogFile> all()
    {
        return List.copyOf(started);
    }

    /** Registers the catalog after its start. */
    void start()
    {
        started.add(catalog);
    }

    @PreDestroy
    void stop()
    {
        started.remove(catalog);
    }
}
