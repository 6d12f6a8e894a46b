// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.thread.CallersThreads;
import io.eyrie.cache.thread.Schedules;
import io.eyrie.cache.trace.TraceListener;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static io.eyrie.cache.page.TestingFiles.version;

/** Single flight: concurrent readers of one granule of a file that does not change. One remote read serves all of them. {@code SchedulesIT} runs it. */
public class FetchOperations
{
    private static final FileVersion VERSION = version(new byte[GRANULE], 1);

    private final ReadThroughPageCache cache = open();
    private final AtomicInteger remote = new AtomicInteger();
    private final AtomicInteger invalidated = new AtomicInteger();
    private final AtomicInteger remoteReads = new AtomicInteger();

    /** Arguments: the number of scenarios, and of schedules of each. */
    public static void main(String[] args)
    {
        for (Class<?> operations : List.of(FetchOperations.class, WithChanges.class)) {
            Schedules.check(operations, Schedules.AlwaysTrue.class, args, "java.util.stream.", "java.util.HashMap", "java.util.TreeMap");
        }
        Schedules.done();
    }

    private static ReadThroughPageCache open()
    {
        PageCacheConfig config = TestingFiles.config().build();
        TestingPageStore store = new TestingPageStore();
        CallersThreads threads = new CallersThreads();
        PageWriter writer = new PageWriter(store, config.writeBufferBytes(), config.pageSizeBytes(), threads);
        return new ReadThroughPageCache(store, writer, config, AdmissionPolicy.ALL, TraceListener.NOOP, threads);
    }

    /** Returns whether the bytes are at least as new as the last invalidation that ended before. */
    @Operation
    public boolean read()
    {
        int least = invalidated.get();
        byte[] bytes = new byte[GRANULE];
        try (CachedFile file = cache.open(VERSION, new Source(), TestingFiles.context())) {
            return file.read(0, bytes, 0, GRANULE) == GRANULE && bytes[0] >= least;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Validate
    public void oneRemoteReadServesAll()
    {
        if (remote.get() == 0 && remoteReads.get() > 1) {
            throw new IllegalStateException("Remote reads of one granule: " + remoteReads);
        }
    }

    /** The same, while the remote store replaces the file and the cache invalidates it. */
    public static final class WithChanges
            extends FetchOperations
    {
        @Operation
        public boolean change()
        {
            int changed = super.remote.incrementAndGet();
            super.cache.control().invalidate(VERSION);
            super.invalidated.accumulateAndGet(changed, Math::max);
            return true;
        }
    }

    private final class Source
            implements RangeSource
    {
        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
        {
            remoteReads.incrementAndGet();
            buffer[offset] = (byte) remote.get();
        }

        @Override
        public void close()
        {}
    }
}
