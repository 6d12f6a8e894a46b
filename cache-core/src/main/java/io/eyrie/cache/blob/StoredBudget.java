// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.admission.DailyBudget;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import static java.util.Objects.requireNonNull;

/**
 * A {@link DailyBudget} whose state is stored in the cache that it limits, so that a restart does not refill it. A restart refunds only the bytes
 * admitted since the last write of the state: at most a 256th of a day's bytes, and none after {@link #close}.
 */
public final class StoredBudget
        implements AdmissionPolicy, AutoCloseable
{
    private static final int STEPS_A_DAY = 256;

    private final DailyBudget budget;
    private final StoredState stored;
    private final long stepBytes;
    private final AtomicLong untilWriteBytes = new AtomicLong();

    /** Restores the stored state. */
    public StoredBudget(DailyBudget budget, BlobCache blobs)
    {
        this.budget = requireNonNull(budget, "budget is null");
        this.stored = new StoredState("daily budget", blobs);
        stepBytes = budget.bytesADay() / STEPS_A_DAY;
        untilWriteBytes.set(stepBytes);
        budget.restore(stored.read().map(StoredBudget::longs).orElse(List.of()));
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
        List<Long> state = budget.state();
        ByteBuffer bytes = ByteBuffer.allocate(state.size() * Long.BYTES);
        state.forEach(bytes::putLong);
        stored.write(bytes.array());
    }

    /** Writes the state. */
    @Override
    public void close()
    {
        write();
    }

    private static List<Long> longs(byte[] state)
    {
        LongBuffer longs = ByteBuffer.wrap(state).asLongBuffer();
        return LongStream.range(0, longs.remaining()).mapToObj(index -> longs.get((int) index)).toList();
    }
}
