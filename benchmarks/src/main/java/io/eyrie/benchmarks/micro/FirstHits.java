// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * Question: how long after the start of a process does a cache with many pages serve the first hit? Baseline: the other variant. Command:
 * {@code bin/bench recovery}.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public class FirstHits
{
    static final int PAGE_BYTES = 64 << 10;

    @Param("EYRIE")
    public CacheVariant variant;
    /** The directory that {@link CacheFiller#fillSmall} has filled. */
    @Param("")
    public String directory;
    @Param("1")
    public int pages;

    private @Nullable PageCache cache;

    @Benchmark
    public int hit()
            throws IOException
    {
        PageCache opened = variant.open(Path.of(directory), capacityBytes(pages), PAGE_BYTES);
        cache = opened;
        SyntheticFile file = CacheFiller.small(new Random().nextInt(pages));
        byte[] buffer = new byte[file.lengthBytes()];
        long before;
        try (CachedFile cached = file.open(opened)) {
            do {
                before = file.requests();
                cached.readFully(0, buffer, 0, buffer.length);
            }
            while (file.requests() > before);
        }
        return buffer.length;
    }

    @TearDown(Level.Trial)
    public void close()
    {
        if (cache != null) {
            cache.close();
        }
    }

    /** Returns a capacity for this many small pages, including the further data that a cache writes with each. */
    static long capacityBytes(int pages)
    {
        return pages * (32L << 10) + (64L << 20);
    }
}
