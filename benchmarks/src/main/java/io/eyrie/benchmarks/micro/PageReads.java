// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.testing.files.Directories;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Question: how many hits per second does a cache serve into the reader's array, if all of it is in the operating system's page cache? Baseline: the
 * other variants. Command: {@code bin/bench page-read}, {@code bin/bench contention}.
 *
 * <p>An operation is a fixed number of reads, of which each thread takes a batch at a time; its time ends with the last of them. (JMH measures the
 * time of each of its own threads; if there are more of them than processors, the sum of their rates means nothing. If each thread had the same
 * number of reads, one processor could run out of them while threads of the other still wait for their turn.)
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters, and the set-up the rest
public class PageReads
{
    static final int PAGE_BYTES = 1 << 20;
    private static final int OPERATION_BYTES = 256 << 20;
    private static final int BUNCH_BYTES = 256 << 10;

    @Param("EYRIE")
    public CacheVariant variant;
    /** An existing directory; the benchmark fills and empties it. */
    @Param("")
    public String directory;
    @Param("8192")
    public int readBytes;
    @Param("1")
    public int threads;
    @Param("true")
    public boolean aligned;
    @Param("64")
    public int filePages;

    private final AtomicInteger taken = new AtomicInteger();
    private Path pages;
    private PageCache cache;
    private SyntheticFile file;
    private CachedFile cached;
    private long requestsBefore;
    private ExecutorService executor;
    private List<Callable<Void>> readers;

    @Setup(Level.Trial)
    public void fill()
            throws IOException
    {
        pages = Files.createTempDirectory(Path.of(directory), variant.peerName());
        cache = variant.open(pages, 4L * (filePages + 16) * PAGE_BYTES, PAGE_BYTES);
        file = new SyntheticFile("/page-read", filePages * PAGE_BYTES);
        cached = file.open(cache);
        CacheFiller.fill(cached, file);
        requestsBefore = file.requests();
        executor = Executors.newFixedThreadPool(threads);
        readers = new Random().longs(threads).mapToObj(this::reader).toList();
    }

    @TearDown(Level.Trial)
    public void empty()
    {
        executor.shutdown();
        cached.close();
        cache.close();
        Directories.delete(pages);
        if (file.requests() > requestsBefore) {
            throw new ReportedException(variant + " was to serve hits, and asked " + (file.requests() - requestsBefore) + " times for more");
        }
    }

    /** Returns one reader's part of an operation: until no reads are left, it reads {@link #readBytes} anywhere in the file, or at multiples of that. */
    private Callable<Void> reader(long seed)
    {
        Random random = new Random(seed);
        byte[] buffer = new byte[readBytes];
        int lengthBytes = filePages * PAGE_BYTES;
        int reads = readsOfOperation(readBytes);
        int bunch = Math.max(1, BUNCH_BYTES / readBytes);
        return () -> {
            while (taken.getAndAdd(bunch) < reads) {
                for (int i = 0; i < bunch; i++) {
                    int position = aligned
                            ? random.nextInt(lengthBytes / readBytes) * readBytes
                            : random.nextInt(lengthBytes / readBytes - 1) * readBytes + 1 + random.nextInt(readBytes - 1);
                    cached.readFully(position, buffer, 0, readBytes);
                }
            }
            return null;
        };
    }

    /** Returns the number of reads of one operation, of all threads together; a whole number of batches. */
    static int readsOfOperation(int readBytes)
    {
        return OPERATION_BYTES / readBytes;
    }

    @Benchmark
    public void hits()
            throws Exception
    {
        taken.set(0);
        for (Future<Void> done : executor.invokeAll(readers)) {
            done.get();
        }
    }
}
