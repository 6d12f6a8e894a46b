// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import alluxio.client.file.cache.CacheManagerOptions;
import alluxio.client.file.cache.PageId;
import alluxio.client.file.cache.PageInfo;
import alluxio.client.file.cache.PageMetaStore;
import alluxio.client.quota.CacheScope;
import alluxio.conf.AlluxioProperties;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cli.console.ReportedException;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The main class of a JVM that only holds an index and measures its memory. */
public final class IndexWeight
{
    private static final int COLLECTIONS = 3;
    private static final int PAGES_OF_A_FILE = 64;

    private IndexWeight()
    {}

    /** Returns bytes per page, heap and off-heap together. */
    static double inNewJvm(CacheVariant variant, int pages, Path directory, Path workDirectory)
            throws IOException
    {
        Path result = workDirectory.resolve("weight");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx3g",
                "-cp",
                System.getProperty("java.class.path"),
                IndexWeight.class.getName(),
                variant.name(),
                Integer.toString(pages),
                directory.toString(),
                result.toString());
        File log = workDirectory.resolve("weight.log").toFile();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
        try {
            if (process.waitFor() != 0) {
                throw new ReportedException("Weighing the index failed: " + Files.readString(log.toPath()));
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a JVM runs", e);
        }
        finally {
            process.destroyForcibly();
        }
        return Double.parseDouble(Files.readString(result)) / pages;
    }

    /** Arguments: variant, pages, the directory of the pages, the file for the number of bytes. */
    public static void main(String[] arguments)
            throws IOException
    {
        int pages = Integer.parseInt(arguments[1]);
        Path directory = Path.of(arguments[2]);
        boolean eyrie = CacheVariant.valueOf(arguments[0]) == CacheVariant.EYRIE;
        // classes, and other objects that the first cache creates for all later ones, are not part of an index
        Path first = Files.createTempDirectory(Path.of(arguments[3]).toAbsolutePath().getParent(), "first");
        if (eyrie) {
            openEyrie(0, first).close();
            // opening many pages logs, too
            System.getLogger(IndexWeight.class.getName()).log(Level.INFO, "Opened an empty cache");
        }
        else {
            fillAlluxio(1, first);
        }
        long warmUp = usedBytes();
        long before = Math.min(warmUp, usedBytes());
        Object index = eyrie ? openEyrie(pages, directory) : fillAlluxio(pages, directory);
        try {
            Files.writeString(Path.of(arguments[3]), Long.toString(usedBytes() - before));
        }
        finally {
            Reference.reachabilityFence(index);
        }
        Runtime.getRuntime().halt(0);
    }

    private static PageCache openEyrie(int pages, Path directory)
            throws IOException
    {
        PageCache cache = CacheVariant.EYRIE.open(directory, FirstHits.capacityBytes(pages), FirstHits.PAGE_BYTES);
        SyntheticFile file = CacheFiller.small(pages / 2);
        byte[] buffer = new byte[file.lengthBytes()];
        try (CachedFile cached = file.open(cache)) {
            do {
                cached.readFully(0, buffer, 0, buffer.length);
            }
            while (cache.stats().store().currentPages() < pages);
        }
        return cache;
    }

    private static PageMetaStore fillAlluxio(int pages, Path directory)
            throws IOException
    {
        InstancedConfiguration configuration = new InstancedConfiguration(new AlluxioProperties());
        configuration.set(PropertyKey.USER_CLIENT_CACHE_DIRS, (Object) directory.resolve("alluxio").toString());
        PageMetaStore index = PageMetaStore.create(CacheManagerOptions.create(configuration));
        String file = "";
        for (int page = 0; page < pages; page++) {
            if (page % PAGES_OF_A_FILE == 0) {
                // as long as the hash of a path, which Presto's integration uses as a file's name
                file = String.format(Locale.ROOT, "%064x", page);
            }
            PageId id = new PageId(file, page % PAGES_OF_A_FILE);
            index.addPage(id, new PageInfo(id, 1, CacheScope.GLOBAL, index.getStoreDirs().get(0)));
        }
        return index;
    }

    private static long usedBytes()
    {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long offHeap = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream().mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        return heap + offHeap;
    }
}
