package io.eyrie.presto.plugin;

import io.eyrie.presto.config.CatalogFile;

import javax.annotation.PreDestroy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/** A catalog of this process, known to those that start later, from its start to its end, which airlift's life cycle announces. Thread-safe. */
final class StartedCatalog
{
    private static final List<CatalogFile> started = new CopyOnWriteArrayList<>();

    private final CatalogFile catalog;

    StartedCatalog(CatalogFile catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /** All that run now. */
    static List<CatalogFile> all()
    {
        return List.copyOf(started);
    }

    /** Makes it known: it has started. */
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
