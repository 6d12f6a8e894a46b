// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.key.FragmentKey;
import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

import static java.util.Objects.requireNonNull;

/** A found result whose memory is accounted for. */
final class FoundResult
        implements StoredResult
{
    /*
     * Memory      a result already in memory: its bytes, counted once for all readers that share them. A result on disk: as many bytes
     *             are reserved, and exchanged for the bytes that were read
     */
    private final FragmentResults results;
    private final ResultLocation found;
    private final FragmentKey key;
    private long reservedBytes;
    private byte @Nullable [] held;
    private boolean lost;
    private boolean closed;

    /**
     * The location and header of a result.
     *
     * @param bytes the whole result, if it is in memory
     * @param kind the counter for results found this way
     */
    record ResultLocation(BlobKey where, ResultFormat.Header header, Optional<byte[]> bytes, LongAdder kind)
    {
        ResultLocation countedBy(LongAdder other)
        {
            return new ResultLocation(where, header, bytes, other);
        }
    }

    private FoundResult(FragmentResults results, ResultLocation found, FragmentKey key)
    {
        this.results = requireNonNull(results, "results is null");
        this.found = requireNonNull(found, "found is null");
        this.key = requireNonNull(key, "key is null");
    }

    /** Empty if the results being recorded and served hold too much memory. */
    static Optional<FoundResult> of(FragmentResults results, ResultLocation found, FragmentKey key)
    {
        FoundResult result = new FoundResult(results, found, key);
        if (result.reserve(found.header().excessBytes())
                && found.bytes().map(result::hold).orElseGet(() -> result.reserve(found.header().storedBytes()))) {
            return Optional.of(result);
        }
        result.release();
        return Optional.empty();
    }

    private boolean reserve(long bytes)
    {
        boolean reserved = results.memory().reserve(bytes);
        reservedBytes += reserved ? bytes : 0;
        return reserved;
    }

    private boolean hold(byte[] bytes)
    {
        if (held == null && results.memory().hold(bytes)) {
            held = bytes;
        }
        return held == bytes;
    }

    @Override
    public Cost cost()
    {
        return found.header().cost();
    }

    @Override
    public long storedBytes()
    {
        return found.header().storedBytes();
    }

    @Override
    public boolean isInMemory()
    {
        return held != null;
    }

    @Override
    public Optional<Iterator<Page>> pages()
    {
        byte[] bytes = held == null ? read() : held;
        Optional<Iterator<Page>> pages = Optional.ofNullable(bytes).flatMap(whole -> results.pages(found, whole, key));
        if (pages.isEmpty()) {
            unusable();
        }
        else {
            results.given(this);
        }
        return pages;
    }

    private byte @Nullable [] read()
    {
        Optional<byte[]> read = results.read(found.where());
        results.memory().release(reservedBytes - found.header().excessBytes());
        reservedBytes = found.header().excessBytes();
        return read.filter(this::hold).orElse(null);
    }

    @Override
    public long retainedBytes()
    {
        return held == null && reservedBytes == 0 ? 0 : storedBytes() + found.header().longestFrameBytes();
    }

    @Override
    public void unusable()
    {
        lost = true;
        close();
    }

    @Override
    public void close()
    {
        if (!closed) {
            closed = true;
            results.closed(found, lost);
        }
        release();
    }

    private void release()
    {
        results.memory().release(reservedBytes);
        reservedBytes = 0;
        if (held != null) {
            results.memory().letGo(held);
            held = null;
        }
    }
}
