// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.page.CachedFile;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.VectoredReadUtils;
import org.apache.hadoop.fs.impl.CombinedFileRange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Reads many ranges of a file at once, in parallel; ranges that lie close together are read as one. Each range gets its own buffer from the caller's
 * allocator, never a slice of another.
 */
final class VectoredRead
{
    private static final int MAX_THREADS = 32;
    private static final Executor THREADS = threads();

    private final CachedFile file;
    private final Consumer<ByteBuffer> release;
    private final StreamCounters counters;

    /** A range whose buffer waits to be filled. */
    private record Target(FileRange range, ByteBuffer buffer, CompletableFuture<ByteBuffer> result)
    {}

    private VectoredRead(CachedFile file, Consumer<ByteBuffer> release, StreamCounters counters)
    {
        this.file = file;
        this.release = release;
        this.counters = counters;
    }

    /**
     * Sets the future of each range and returns.
     *
     * @param release receives the buffers of ranges that fail
     * @throws IllegalArgumentException if ranges overlap
     * @throws java.io.EOFException if a range ends after the file's end, or begins before its start
     */
    static void start(
            CachedFile file, List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release,
            StreamCounters counters)
            throws IOException
    {
        List<? extends FileRange> sorted = VectoredReadUtils.validateAndSortRanges(ranges, Optional.of(file.version().lengthBytes()));
        List<CombinedFileRange> combined = VectoredReadUtils.mergeSortedRanges(
                sorted, 1, CachedInputStream.MIN_SEEK_BYTES, CachedInputStream.MAX_MERGED_BYTES);
        counters.vectored(ranges.size(), combined.size(), ranges.stream().mapToLong(FileRange::getLength).sum());
        VectoredRead read = new VectoredRead(file, release, counters);
        for (CombinedFileRange range : combined) {
            List<Target> targets = range.getUnderlying().stream().map(part -> target(part, allocate)).toList();
            THREADS.execute(() -> read.fill(range, targets));
        }
    }

    private static Target target(FileRange range, IntFunction<ByteBuffer> allocate)
    {
        CompletableFuture<ByteBuffer> result = new CompletableFuture<>();
        range.setData(result);
        return new Target(range, allocate.apply(range.getLength()), result);
    }

    private void fill(CombinedFileRange range, List<Target> targets)
    {
        try {
            if (targets.size() == 1) {
                file.read(range.getOffset(), targets.get(0).buffer().duplicate().limit(range.getLength()));
            }
            else {
                scatter(range, targets);
            }
        }
        catch (IOException | RuntimeException e) {
            fail(targets, e);
            return;
        }
        catch (Error e) {
            // no reader may wait forever
            fail(targets, e);
            throw e;
        }
        for (Target target : targets) {
            target.result().complete(target.buffer().position(0).limit(target.range().getLength()));
        }
    }

    private void scatter(CombinedFileRange range, List<Target> targets)
            throws IOException
    {
        byte[] bytes = new byte[range.getLength()];
        file.readFully(range.getOffset(), bytes, 0, bytes.length);
        for (Target target : targets) {
            target.buffer().duplicate().put(bytes, (int) (target.range().getOffset() - range.getOffset()), target.range().getLength());
        }
    }

    private void fail(List<Target> targets, Throwable cause)
    {
        counters.vectoredReadFailed();
        for (Target target : targets) {
            release.accept(target.buffer());
            target.result().completeExceptionally(cause);
        }
    }

    private static Executor threads()
    {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "eyrie-vectored-read");
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
