// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.PrestoWarning;
import com.facebook.presto.spi.StandardWarningCode;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.presto.check.DirectoryProblem;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.PropertyType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Checks on this node whether it can do what an operator requests of every node. Thread-safe. */
public final class NodeLimits
{
    private final EyrieCacheConfig config;
    private final Optional<PageCache> pages;
    private final NodeManager nodes;

    @Inject
    public NodeLimits(EyrieCacheConfig config, Optional<PageCache> pages, NodeManager nodes)
    {
        this.config = requireNonNull(config, "config is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.nodes = requireNonNull(nodes, "nodes is null");
    }

    /**
     * Returns if the disks of this node have room for a capacity. Only warns if they have not and no split runs on this node: the disks of the workers may be
     * larger.
     *
     * @throws IllegalArgumentException if this node caches nothing, or runs splits and has less room
     */
    void checkCapacity(ConnectorSession session, long capacityBytes)
    {
        checkEnabled();
        Optional<Long> most = roomBytes();
        if (most.isEmpty() || most.get() >= capacityBytes) {
            return;
        }
        String room = "The cache disks of this coordinator have room for " + size(most.get()) + ", not for " + size(capacityBytes)
                + "; " + size(config.getMinFreeSpace().toBytes()) + " stay free on each volume (cache.min-free-space)";
        if (nodes.getWorkerNodes().contains(nodes.getCurrentNode())) {
            throw new IllegalArgumentException(room + ". Specify less, or free disk space");
        }
        session.getWarningCollector().add(new PrestoWarning(
                StandardWarningCode.PERFORMANCE_WARNING,
                room + ". A worker with as little room caches less than its capacity: SELECT node_id, usable_bytes FROM cache.disks"));
    }

    /* Returns the bytes that the cache could occupy; empty if a disk does not answer. */
    private Optional<Long> roomBytes()
    {
        long bytes = 0;
        Set<Object> volumes = new HashSet<>();
        for (DiskStatus disk : pages.orElseThrow().disks()) {
            if (disk.health() != DiskStatus.Health.SERVING || disk.usableBytes() < 0) {
                return Optional.empty();
            }
            bytes += disk.currentBytes();
            try {
                if (volumes.add(Files.getFileStore(disk.directory()))) {
                    bytes += Math.max(0, disk.usableBytes() - config.getMinFreeSpace().toBytes());
                }
            }
            catch (IOException e) {
                return Optional.empty();
            }
        }
        return Optional.of(bytes);
    }

    /**
     * Returns if this node can record a trace of its lookups.
     *
     * @throws IllegalArgumentException if it cannot
     */
    void checkTrace()
    {
        checkEnabled();
        String directory = config.getTraceDirectory();
        if (directory == null) {
            throw new IllegalArgumentException(
                    "cache.trace-directory is not set: set it, and cache.trace-on-request=true, in the catalog files of all nodes");
        }
        if (!config.isTraceOnRequest()) {
            throw new IllegalArgumentException("cache.trace-on-request is false: every lookup is recorded in " + directory + " since the start");
        }
        Path path = PropertyType.directories(directory).get(0);
        DirectoryProblem.of(path, false).ifPresent(problem -> {
            throw new IllegalArgumentException("cache.trace-directory is " + path + ", but on this coordinator " + problem.text()
                    + ". To fix, on every node: " + problem.fix());
        });
    }

    private void checkEnabled()
    {
        if (pages.isEmpty()) {
            throw new IllegalArgumentException("This catalog does not cache data: set cache.enabled=true in the catalog files of all nodes");
        }
    }

    private static String size(long bytes)
    {
        return DataSize.succinctBytes(bytes).toString();
    }
}
