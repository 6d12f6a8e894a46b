// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.DiskStatus.Health;
import io.eyrie.presto.catalog.CatalogName;
import org.weakref.jmx.MBeanExporter;
import org.weakref.jmx.Managed;

import javax.management.ObjectName;

import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * One directory of the page cache as an MBean, {@code io.eyrie.presto.filesystem:type=CacheDisk,name=<catalog>,directory="<path>"}.
 * {@link DiskStatus} defines the attributes. Catalogs that share a store show the same values.
 */
public final class CacheDisk
{
    private final PageCache cache;
    private final Path directory;

    CacheDisk(PageCache cache, Path directory)
    {
        this.cache = requireNonNull(cache, "cache is null");
        this.directory = requireNonNull(directory, "directory is null");
    }

    static void export(MBeanExporter exporter, CatalogName catalog, PageCache cache, Path directory)
    {
        String name = CacheDisk.class.getPackageName() + ":type=CacheDisk,name=" + catalog.name() + ",directory=" + ObjectName.quote(directory
                .toString());
        exporter.export(name, new CacheDisk(cache, directory));
    }

    @Managed(description = "1 if the directory is in service, 0 if it is opening, out of service or closed")
    public int getCurrentInService()
    {
        return status().health() == Health.SERVING ? 1 : 0;
    }

    @Managed(description = "pages in the directory")
    public long getCurrentPages()
    {
        return status().pages();
    }

    @Managed(description = "whole disk blocks used by its pages and their headers")
    public long getCurrentBytes()
    {
        return status().currentBytes();
    }

    @Managed(description = "maximum of currentBytes")
    public long getCapacityBytes()
    {
        return status().capacityBytes();
    }

    @Managed(description = "usable space on its file system; -1 if unknown")
    public long getCurrentUsableBytes()
    {
        return status().usableBytes();
    }

    @Managed(description = "bytes that this process wrote to it in the last 24 hours")
    public long getCurrentDayWrittenBytes()
    {
        return status().dayWrittenBytes();
    }

    @Managed(description = "times that it was taken out of service")
    public long getOutages()
    {
        return status().outages();
    }

    @Managed(description = "reads that timed out waiting for it")
    public long getTimeouts()
    {
        return status().timeouts();
    }

    private DiskStatus status()
    {
        return cache.disks().stream().filter(disk -> disk.directory().equals(directory)).findFirst().orElseThrow();
    }
}
