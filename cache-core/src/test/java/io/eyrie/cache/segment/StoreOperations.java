// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStore.WriteTerms;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import io.eyrie.cache.thread.Schedules;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * A real store on an in-memory disk, whose pages are concurrently loaded, read, removed and invalidated. A read returns the page's own bytes, at
 * least as new as the last invalidation that ended before it. {@link SchedulesIT} runs it.
 */
@Param(name = "page", gen = IntGen.class, conf = "0:1")
public final class StoreOperations
{
    private static final List<PageKey> KEYS = IntStream.range(0, 2).mapToObj(page -> TestingStore.key(page, 0)).toList();

    private final SegmentPageStore store = open();
    private final AtomicIntegerArray remote = new AtomicIntegerArray(KEYS.size());
    private final AtomicIntegerArray invalidated = new AtomicIntegerArray(KEYS.size());
    private final AtomicReferenceArray<AtomicBoolean> replaced = new AtomicReferenceArray<>(new AtomicBoolean[] {new AtomicBoolean(),
            new AtomicBoolean()});

    /** Arguments: the number of scenarios, and of schedules of each. */
    public static void main(String[] args)
    {
        // disks do not affect the order of operations, and Lincheck does not know paths
        Schedules.check(StoreOperations.class, AlwaysTrue.class, args,
                "io.eyrie.cache.device.",
                "java.nio.file.",
                SegmentFiles.class.getName(),
                Scratch.class.getName(),
                "java.util.stream.",
                "java.util.HashMap",
                "java.util.TreeMap",
                "java.util.zip.");
        Schedules.done();
    }

    private static SegmentPageStore open()
    {
        StoreParts parts = new StoreParts(new FaultyDevice(1 << 20, TestingStore.A), () -> 1_800_000_000_000L, SequencePoint.NONE,
                new SimulatedThreads(
                        new Random(1), 0), () -> 7);
        return SegmentPageStore.open(TestingStore.config(TestingStore.A).build(), parts);
    }

    @Operation
    public boolean load(@Param(name = "page") int page)
    {
        AtomicBoolean own = replaced.get(page);
        long epoch = store.epoch();
        write(page, remote.get(page), new WriteTerms(epoch, own::get));
        return true;
    }

    private WriteOutcome write(int page, int version, WriteTerms terms)
    {
        byte[] bytes = new byte[TestingStore.GRANULE];
        bytes[0] = (byte) page;
        bytes[1] = (byte) version;
        return store.write(KEYS.get(page), TestingStore.TAGS, TestingStore.GRANULE, 0, ByteBuffer.wrap(bytes), terms);
    }

    /** Replaces a page's bytes, as a blob is replaced: earlier writes must not be published after this one. */
    @Operation
    public boolean replace(@Param(name = "page") int page)
    {
        AtomicBoolean own = new AtomicBoolean();
        int version;
        synchronized (replaced) {
            version = remote.incrementAndGet(page);
            replaced.getAndSet(page, own).set(true);
        }
        store.remove(KEYS.get(page));
        if (write(page, version, new WriteTerms(store.epoch(), own::get)) == WriteOutcome.STORED) {
            invalidated.accumulateAndGet(page, version, Math::max);
        }
        return true;
    }

    @Operation
    public boolean change(@Param(name = "page") int page)
    {
        int version = remote.incrementAndGet(page);
        store.invalidateFile(KEYS.get(page));
        invalidated.accumulateAndGet(page, version, Math::max);
        return true;
    }

    @Operation
    public boolean remove(@Param(name = "page") int page)
    {
        store.remove(KEYS.get(page));
        return true;
    }

    /** Returns whether the bytes, if the store has any, are the page's own and not stale. */
    @Operation
    public boolean read(@Param(name = "page") int page)
    {
        int least = invalidated.get(page);
        byte[] bytes = new byte[TestingStore.GRANULE];
        return store.read(KEYS.get(page), 0, ByteBuffer.wrap(bytes)) != ReadOutcome.HIT || (bytes[0] == page && bytes[1] >= least);
    }

    /** The expected results of all operations, in any order. */
    public static final class AlwaysTrue
    {
        public boolean load(int page)
        {
            return true;
        }

        public boolean replace(int page)
        {
            return true;
        }

        public boolean change(int page)
        {
            return true;
        }

        public boolean remove(int page)
        {
            return true;
        }

        public boolean read(int page)
        {
            return true;
        }
    }
}
