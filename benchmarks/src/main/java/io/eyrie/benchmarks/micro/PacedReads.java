// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Reads hits at a fixed rate, with or without concurrent streams that fill the cache. */
final class PacedReads
{
    private static final int READERS = 2;
    private static final int STREAMS = 4;
    private static final int READ_BYTES = 8 << 10;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 250;
    private static final int LATENCY_MILLIS = 5;
    private static final int MEBIBYTES_PER_SECOND = 50;
    private static final int MILLIS_FACTOR = 8;
    private static final long CAPACITY_BYTES = 4L << 30;

    private final CacheVariant variant;
    private final CacheVariant filled;
    private final Effort effort;
    private final Path directory;
    private final AtomicInteger coldFiles = new AtomicInteger();

    /** Creates readers of one variant's hits, with streams that fill the cache of another variant or of the same one. */
    PacedReads(CacheVariant variant, CacheVariant filled, Effort effort, Path directory)
    {
        this.variant = variant;
        this.filled = filled;
        this.effort = effort;
        this.directory = directory;
    }

    /** Returns the 99th percentile of the time of a read, in microseconds. */
    double p99Micros(boolean filling)
            throws IOException
    {
        SyntheticFile hot = new SyntheticFile("/hot", effort.filePages() * PageReads.PAGE_BYTES);
        int reads = Math.max(1, (int) (TimeUnit.MILLISECONDS.toNanos((long) effort.millis() * MILLIS_FACTOR) / PERIOD_NANOS));
        long[][] nanos = new long[READERS][reads];
        Path beside = Files.createDirectory(directory.resolve("filled"));
        try (PageCache cache = variant.open(Files.createDirectory(directory.resolve("read")), CAPACITY_BYTES, PageReads.PAGE_BYTES);
                PageCache other = filled == variant ? cache : filled.open(beside, CAPACITY_BYTES, PageReads.PAGE_BYTES);
                CachedFile cached = hot.open(cache)) {
            CacheFiller.fill(cached, hot);
            AtomicInteger reading = new AtomicInteger(READERS);
            ReaderThreads.run(READERS + (filling ? STREAMS : 0), number -> {
                if (number < READERS) {
                    try {
                        read(cached, nanos[number], number);
                    }
                    finally {
                        reading.decrementAndGet();
                    }
                }
                else {
                    stream(other, reading);
                }
            });
        }
        long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        return all[(int) (all.length * 0.99)] / 1e3;
    }

    private static void read(CachedFile cached, long[] nanos, int seed)
            throws IOException
    {
        Random random = new Random(seed);
        byte[] buffer = new byte[READ_BYTES];
        int places = (int) (cached.version().lengthBytes() / READ_BYTES);
        long turn = System.nanoTime();
        for (int i = 0; i < nanos.length; i++) {
            turn += PERIOD_NANOS;
            for (long left = turn - System.nanoTime(); left > 0; left = turn - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long position = (long) random.nextInt(places) * READ_BYTES;
            long begin = System.nanoTime();
            cached.readFully(position, buffer, 0, buffer.length);
            nanos[i] = System.nanoTime() - begin;
        }
    }

    private void stream(PageCache cache, AtomicInteger reading)
            throws IOException
    {
        byte[] buffer = new byte[PageReads.PAGE_BYTES];
        while (reading.get() > 0) {
            SyntheticFile cold = new SyntheticFile(
                    "/cold/" + coldFiles.incrementAndGet(),
                    effort.filePages() * PageReads.PAGE_BYTES,
                    LATENCY_MILLIS,
                    MEBIBYTES_PER_SECOND);
            try (CachedFile cached = cold.open(cache)) {
                for (int position = 0; position < cold.lengthBytes() && reading.get() > 0; position += buffer.length) {
                    cached.readFully(position, buffer, 0, buffer.length);
                }
            }
        }
    }
}
