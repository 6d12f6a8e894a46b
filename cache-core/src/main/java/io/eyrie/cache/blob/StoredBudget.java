// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.admission.DailyBudget;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * A {@link DailyBudget} whose state is stored in the cache that it limits, so that a restart does not refill it. A restart refunds only the bytes
 * admitted since the last write of the state: at most a 256th of a day's bytes, and none after {@link #close}.
 */
public final class StoredBudget
        implements AdmissionPolicy, AutoCloseable
{
    /*
     * Blob        | number of the blob | the budget's state |, each a long
     * Keys        two, in turns, because a key is written only once: while one is dropped and written again, the other still exists
     */
    private static final int STEPS_A_DAY = 256;
    private static final PageTags TAGS = new PageTags(Scope.NONE, StorageClass.FOOTER);
    private static final List<BlobKey> KEYS = Stream.of("daily budget 0", "daily budget 1").map(UTF_8::encode).map(BlobKey::of).toList();

    private final DailyBudget budget;
    private final BlobCache blobs;
    private final long stepBytes;
    private final AtomicLong untilWriteBytes = new AtomicLong();
    // guarded by this
    private long number;

    /** Restores the stored state. */
    public StoredBudget(DailyBudget budget, BlobCache blobs)
    {
        this.budget = requireNonNull(budget, "budget is null");
        this.blobs = requireNonNull(blobs, "blobs is null");
        stepBytes = budget.bytesADay() / STEPS_A_DAY;
        untilWriteBytes.set(stepBytes);
        long[] newest = {0};
        for (BlobKey key : KEYS) {
            long[] found = blobs.get(key).map(StoredBudget::longs).orElse(newest);
            newest = found.length > 0 && found[0] > newest[0] ? found : newest;
        }
        number = newest[0];
        budget.restore(LongStream.of(newest).skip(1).boxed().toList());
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget query)
    {
        Admission admission = budget.admit(page, scope, bytes, query);
        if (admission == Admission.ADMITTED && untilWriteBytes.addAndGet(-bytes) < 0) {
            untilWriteBytes.set(stepBytes);
            write();
        }
        return admission;
    }

    /** Adds the usage of this budget to the statistics of the policies before it. */
    public AdmissionStats with(AdmissionStats stats)
    {
        return new AdmissionStats(stats.decisions(), stats.bytes(), OptionalLong.of(budget.spentBytes()), OptionalLong.of(budget.bytesADay()));
    }

    private synchronized void write()
    {
        number++;
        List<Long> state = budget.state();
        ByteBuffer blob = ByteBuffer.allocate((1 + state.size()) * Long.BYTES).putLong(number);
        state.forEach(blob::putLong);
        BlobKey key = KEYS.get((int) (number % KEYS.size()));
        blobs.invalidate(key);
        blobs.put(key, TAGS, blob.flip(), blobs.epoch());
    }

    /** Writes the state. */
    @Override
    public void close()
    {
        write();
    }

    private static long[] longs(byte[] blob)
    {
        LongBuffer buffer = ByteBuffer.wrap(blob).asLongBuffer();
        long[] longs = new long[buffer.remaining()];
        buffer.get(longs);
        return longs;
    }
}
