package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.ReportedException;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
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
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Question: how many hits a second does a cache serve, all of it in the operating system's page cache, into an array of the reader? Baseline: the
 * other variants. Command: {@code bin/bench page-read}, {@code bin/bench contention}.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the parameters in, and the set-up
public class PageReads
{
    static final int PAGE_BYTES = 1 << 20;
    private static final int POSITIONS = 4096;

    @Param("EYRIE")
    public Variant variant;
    /** An existing directory, to be filled and emptied. */
    @Param("")
    public String directory;
    @Param("8192")
    public int readBytes;
    @Param("true")
    public boolean aligned;
    @Param("64")
    public int filePages;

    private Path pages;
    private PageCache cache;
    private SyntheticFile file;
    private CachedFile cached;
    private long requestsBefore;

    @Setup(Level.Trial)
    public void fill()
            throws IOException
    {
        pages = Files.createTempDirectory(Path.of(directory), variant.peerName());
        cache = variant.open(pages, 4L * (filePages + 16) * PAGE_BYTES, PAGE_BYTES);
        file = new SyntheticFile("/page-read", filePages * PAGE_BYTES);
        cached = file.open(cache);
        Filling.fill(cached, file);
        requestsBefore = file.requests();
    }

    @TearDown(Level.Trial)
    public void empty()
    {
        cached.close();
        cache.close();
        Directories.delete(pages);
        if (file.requests() > requestsBefore) {
            throw new ReportedException(variant + " was to serve hits, and asked " + (file.requests() - requestsBefore) + " times for more");
        }
    }

    /** Where one reader reads, in its order: anywhere in the file, or at multiples of the length. */
    @State(Scope.Thread)
    public static class Reader
    {
        private byte[] buffer;
        private int[] positions;
        private int next;

        @Setup(Level.Trial)
        public void choose(PageReads reads)
        {
            Random random = new Random(ThreadLocalRandom.current().nextLong());
            buffer = new byte[reads.readBytes];
            positions = new int[POSITIONS];
            int lengthBytes = reads.filePages * PAGE_BYTES;
            for (int i = 0; i < POSITIONS; i++) {
                positions[i] = reads.aligned
                        ? random.nextInt(lengthBytes / reads.readBytes) * reads.readBytes
                        : random.nextInt(lengthBytes - 2 * reads.readBytes) / reads.readBytes * reads.readBytes + 1 + random.nextInt(reads.readBytes
                                - 1);
            }
        }

        private int position()
        {
            next = (next + 1) % POSITIONS;
            return positions[next];
        }
    }

    @Benchmark
    public int hit(Reader reader)
            throws IOException
    {
        return cached.read(reader.position(), reader.buffer, 0, reader.buffer.length);
    }
}
