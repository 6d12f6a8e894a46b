// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus.Health;
import io.eyrie.metastore.entry.CrashMark;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A coordinator's metadata in a process of its own, which a test kills: a cached metastore that stores its entries in a directory. As a program, its arguments are
 * the metastore's address, which for Presto's file metastore is a {@code file:} URI, and the directory; for each line of its input, it does what the line says and
 * prints a line that begins with {@link #DONE}.
 */
final class CoordinatorProcess
        implements AutoCloseable
{
    static final String CHECK = "check";
    static final String FLUSH = "flush";
    static final String DONE = "done ";
    static final String SAME = "the same ";
    private static final int CAPACITY_BYTES = 64 << 20;
    private static final int PAGE_BYTES = 256 << 10;

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;

    /** Starts a process. */
    CoordinatorProcess(URI metastore, Path directory)
            throws IOException
    {
        process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CoordinatorProcess.class.getName(),
                metastore.toString(),
                directory.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = process.inputReader(UTF_8);
        orders = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    /** Gives an order and returns the answer. */
    String order(String order)
    {
        orders.println(order);
        return answers.lines().filter(line -> line.startsWith(DONE)).findFirst().orElseThrow(() -> new AssertionError(
                "The coordinator ended at " + order)).substring(DONE.length());
    }

    /** Kills the process at once. */
    void kill()
            throws InterruptedException
    {
        int unused = process.destroyForcibly().waitFor();
    }

    /** Lets the process write what it has, and end. */
    @Override
    public void close()
    {
        orders.close();
        try {
            int unused = process.waitFor();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        finally {
            process.destroyForcibly();
        }
    }

    public static void main(String[] arguments)
            throws IOException
    {
        Path directory = Files.createDirectories(Path.of(arguments[1]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        PrintWriter output = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        CheckedMetastore metastore = CheckedMetastore.at(URI.create(arguments[0]));
        try (PageCache disk = open(directory)) {
            store(metastore.cached(), disk);
            for (String order = input.readLine(); order != null; order = input.readLine()) {
                output.println(DONE + (order.equals(FLUSH) ? metastore.cached().flush() : metastore.check()));
            }
            boolean unused = metastore.cached().flush();
        }
    }

    /**
     * A cached metastore beside the metastore itself.
     *
     * @param truth calls the metastore for everything, as one query does
     * @param seen calls the cached metastore in the same way
     */
    private record CheckedMetastore(VersionedHiveMetastore cached, Supplier<Map<String, Object>> truth, Supplier<Map<String, Object>> seen)
    {
        static CheckedMetastore at(URI uri)
        {
            if (uri.getScheme().equals("file")) {
                Path directory = Path.of(uri);
                VersionedHiveMetastore cached = FileMetastoreTest.cached(directory);
                return new CheckedMetastore(
                        cached,
                        () -> FileMetastoreTest.everything(new FileMetastoreWriter(directory).metastore()),
                        () -> FileMetastoreTest.everything(cached));
            }
            MetastoreUnderTest metastore = MetastoreUnderTest.ofAnotherProcess(uri, new CountedMetastore());
            return new CheckedMetastore(
                    metastore.cached(),
                    () -> SecondWriterIT.everything(metastore.direct()),
                    () -> SecondWriterIT.everything(metastore.cached()));
        }

        /* Returns a line that begins with SAME, or describes the difference. */
        String check()
        {
            Map<String, Object> is = new TreeMap<>(truth.get());
            Map<String, Object> found = seen.get();
            if (found.equals(is)) {
                MetastoreCacheCounters counters = cached.counters();
                return SAME + counters.stored().entriesRead() + " " + counters.stored().resumptions() + " " + counters.log().restarts();
            }
            is.entrySet().removeIf(part -> part.getValue().equals(found.get(part.getKey())));
            return ("not as it is: " + is + "; seen: " + found).replace('\n', ' ');
        }
    }

    /** Opens a store on a disk, and waits until it has recovered its pages. */
    static PageCache open(Path directory)
    {
        PageCache disk = PageCaches.open(PageCacheConfig.builder()
                .baseDirectories(List.of(directory))
                .capacityBytes(CAPACITY_BYTES)
                .pageSizeBytes(PAGE_BYTES)
                .minFreeSpaceBytes(0)
                .build());
        while (disk.disks().stream().anyMatch(found -> found.health() == Health.OPENING)) {
            Thread.onSpinWait();
        }
        return disk;
    }

    /** Lets a metastore store its entries, but no lists of files. */
    static void store(VersionedHiveMetastore metastore, PageCache disk)
    {
        metastore.storeIn(disk.blobs().orElseThrow(), "metadata", new CrashMark() {
            @Override
            public long current()
            {
                return 0;
            }

            @Override
            public void renew()
            {
                throw new UnsupportedOperationException();
            }
        });
    }
}
