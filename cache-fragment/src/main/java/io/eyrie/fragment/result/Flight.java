package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import io.eyrie.cache.file.Scope;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A result that one computes and others may wait for. */
final class Flight
        implements Recorder
{
    // reading a stored result costs about a nanosecond a byte
    private static final int WORTH_NANOS_PER_BYTE = 4;
    private static final int SMALL_BYTES = 16 << 10;
    private static final int LARGE_BYTES = 1 << 20;

    private final FragmentResults results;
    private final FragmentKey key;
    private final List<OutputId> stored;
    private final int[] storedChannels;
    private final FragmentLimits limits;
    private final FragmentCounters counters;
    private final ResultFormat.Writer writer;
    private final CompletableFuture<Optional<byte[]>> outcome = new CompletableFuture<>();
    private final Scope scope;
    private final long epoch;
    private final long startedNanos;
    private long reservedBytes;
    private boolean askedBefore;
    private volatile boolean recording = true;

    Flight(FragmentResults results, FragmentKey key, Scope scope, FragmentLimits limits, FragmentCounters counters, ResultFormat format)
    {
        this.scope = scope;
        // of before anything is read: what is invalidated from now on is not kept
        this.epoch = results.epoch();
        this.results = results;
        this.key = key;
        this.stored = key.storedOutputs();
        this.storedChannels = stored.stream().mapToInt(key.outputs()::indexOf).toArray();
        this.limits = limits;
        this.counters = counters;
        this.writer = format.writer(key, stored);
        this.startedNanos = results.nanoTime();
    }

    /** The bytes of the result for one who waits, or nothing. */
    CompletableFuture<Optional<byte[]>> waiter()
    {
        return outcome.copy().completeOnTimeout(Optional.empty(), limits.waitMillis(), TimeUnit.MILLISECONDS);
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
        writer.add(page.extractChannels(storedChannels));
        long grown = writer.bytes() - reservedBytes;
        reservedBytes += grown;
        boolean tooMuch = counters.inFlightBytes.addAndGet(grown) > limits.maxInFlightBytes();
        if (writer.rows() > limits.maxResultRows()) {
            abandon(Abandonment.TOO_MANY_ROWS);
        }
        else if (writer.bytes() > limits.maxResultBytes()) {
            abandon(Abandonment.TOO_MANY_BYTES);
        }
        else if (results.nanoTime() - startedNanos > limits.maxRecordTime().toNanos()) {
            abandon(Abandonment.TOO_LONG);
        }
        else if (tooMuch) {
            abandon(Abandonment.IN_FLIGHT);
        }
        else if (!askedBefore && writer.bytes() > LARGE_BYTES) {
            askedBefore = results.wasLarge(key);
            if (!askedBefore) {
                abandon(Abandonment.LARGE_AND_NEW);
            }
        }
    }

    @Override
    public void finish(Cost cost)
    {
        if (!recording) {
            return;
        }
        byte[] bytes = writer.finish(cost);
        if (bytes.length > limits.maxResultBytes()) {
            counters.abandoned(Abandonment.TOO_MANY_BYTES);
        }
        else if (!isWorthIt(bytes.length, cost)) {
            counters.abandoned(Abandonment.NOT_WORTH_IT);
        }
        else {
            results.publish(key, stored, bytes, epoch, scope);
        }
        // whole in any case: those who wait get it
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
        counters.abandoned(reason);
        end(Optional.empty());
    }

    /** Ends the flight with what there is for those who wait. */
    void end(Optional<byte[]> bytes)
    {
        recording = false;
        counters.inFlightBytes.addAndGet(-reservedBytes);
        results.landed(key, this);
        outcome.complete(bytes);
    }
}
