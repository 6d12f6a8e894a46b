// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;
import io.eyrie.fragment.result.FragmentResults.RecordedResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The recording of a result that one caller computes and that others may wait for. */
final class Recording
        implements ResultRecorder
{
    // reading a stored result costs about one nanosecond per byte
    private static final int WORTH_NANOS_PER_BYTE = 4;
    private static final int SMALL_BYTES = 16 << 10;
    // the size in memory: LZ4 halves it, roughly
    private static final int LARGE_BYTES = 2 << 20;

    private final FragmentResults results;
    private final FragmentKey key;
    private final List<OutputId> stored;
    private final int[] storedChannels;
    private final FragmentLimits limits;
    private final ResultFormat.Writer writer;
    private final SingleFlight<BlobKey, RecordedResult>.Load load;
    private final Scope scope;
    private final boolean recurring;
    private final long epoch;
    private final boolean tainted;
    private final long startedNanos;
    private final ResultMemory memory;
    private long reservedBytes;
    private long decodedBytes;
    // pages not yet serialized, until the result is known not to be large and new: most results that are abandoned for this are then never serialized
    private List<Page> held = new ArrayList<>();
    private long heldBytes;
    private boolean large;
    private long rows;
    private volatile boolean recording = true;
    private volatile Optional<Abandonment> abandonment = Optional.empty();

    /**
     * @param recurring whether a large result is stored at once
     * @param load the first caller's part in the load of the result
     */
    Recording(FragmentResults results, FragmentKey key, Scope scope, boolean recurring, SingleFlight<BlobKey, RecordedResult>.Load load)
    {
        this.scope = scope;
        this.recurring = recurring;
        this.load = load;
        // taken before anything is read: a result invalidated from now on is not stored
        this.epoch = results.epoch();
        // after the epoch, which has moved if an invalidation begins in between
        this.tainted = results.isInvalidating();
        this.results = results;
        this.key = key;
        this.stored = key.storedOutputs();
        this.storedChannels = stored.stream().mapToInt(key.outputs()::indexOf).toArray();
        this.limits = results.limits();
        this.memory = results.memory();
        this.writer = results.format().writer(key, stored);
        this.startedNanos = results.nanoTime();
    }

    @Override
    public void add(Page page)
    {
        if (!recording) {
            return;
        }
        if (page.getChannelCount() != key.outputs().size()) {
            throw new IllegalArgumentException("The page has " + page.getChannelCount() + " columns, not " + key.outputs().size());
        }
        Page loaded = page.extractChannels(storedChannels).getLoadedPage();
        rows += loaded.getPositionCount();
        decodedBytes += loaded.getSizeInBytes();
        if (rows > limits.maxResultRows()) {
            abandon(Abandonment.TOO_MANY_ROWS);
        }
        else if (decodedBytes > limits.maxDecodedBytes()) {
            abandon(Abandonment.TOO_MANY_DECODED_BYTES);
        }
        else if (isLargeAndNew()) {
            abandon(Abandonment.LARGE_AND_NEW);
        }
        else {
            hold(loaded);
        }
    }

    private boolean isLargeAndNew()
    {
        if (large || decodedBytes <= LARGE_BYTES) {
            return false;
        }
        large = true;
        return !recurring && !results.wasLarge(key) && !load.isAwaited();
    }

    private void hold(Page page)
    {
        held.add(page);
        // regions of larger pages retain those pages
        heldBytes += page.getRetainedSizeInBytes();
        if (large || heldBytes > LARGE_BYTES) {
            writeHeld();
        }
        long grown = writer.retainedBytes() + heldBytes - reservedBytes;
        reservedBytes += grown;
        boolean tooMuch = !memory.grow(grown);
        if (isTooLong(writer.bytes())) {
            abandon(Abandonment.TOO_MANY_BYTES);
        }
        else if (results.nanoTime() - startedNanos > limits.maxRecordTime().toNanos()) {
            abandon(Abandonment.TOO_LONG);
        }
        else if (tooMuch) {
            abandon(Abandonment.IN_FLIGHT);
        }
    }

    /* A result that could never be served is also too long. */
    private boolean isTooLong(int bytes)
    {
        return bytes > limits.maxResultBytes() || (long) bytes + writer.excessBytes() > limits.maxInFlightBytes();
    }

    private void writeHeld()
    {
        held.forEach(writer::add);
        held = new ArrayList<>();
        heldBytes = 0;
    }

    @Override
    public void finish(Cost cost)
    {
        if (!recording) {
            return;
        }
        writeHeld();
        // the writer's bytes and their copy briefly exist together
        memory.grow(writer.bytes());
        reservedBytes += writer.bytes();
        byte[] bytes = writer.finish(cost);
        if (isTooLong(bytes.length)) {
            note(Abandonment.TOO_MANY_BYTES);
        }
        else if (!isWorthIt(bytes.length, cost)) {
            note(Abandonment.NOT_WORTH_IT);
        }
        else if (!tainted) {
            results.publish(key, stored, bytes, epoch, scope);
        }
        // waiters receive it even if it is not stored
        end(Optional.of(bytes));
    }

    @Override
    public long retainedBytes()
    {
        return recording ? reservedBytes : 0;
    }

    @Override
    public void close()
    {
        if (recording) {
            abandon(Abandonment.CLOSED_EARLY);
        }
    }

    private boolean isWorthIt(long bytes, Cost cost)
    {
        return bytes <= SMALL_BYTES || bytes <= cost.inputBytes() * limits.maxShareOfInput() || cost.cpuNanos() >= bytes * WORTH_NANOS_PER_BYTE;
    }

    private void abandon(Abandonment reason)
    {
        note(reason);
        end(Optional.empty());
    }

    private void note(Abandonment reason)
    {
        abandonment = Optional.of(reason);
        results.abandoned(key, reason);
    }

    @Override
    public Optional<Abandonment> abandonment()
    {
        return abandonment;
    }

    private void end(Optional<byte[]> bytes)
    {
        recording = false;
        held = List.of();
        memory.release(reservedBytes);
        results.share(load, new RecordedResult(bytes, abandonment));
    }
}
