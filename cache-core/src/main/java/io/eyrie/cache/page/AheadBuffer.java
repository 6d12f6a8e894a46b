// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;

/**
 * What was read ahead of a stream whose bytes are not cached: at most one range for each open file, in memory that counts as that of fetches. Thread-safe.
 */
final class AheadBuffer
{
    private final Fetches fetches;
    private final SourceHandle source;
    private final LongPredicate isStale;
    private final AtomicReference<@Nullable AheadRange> kept = new AtomicReference<>();

    private record AheadRange(long position, ByteBuffer bytes, long epoch)
    {
        long end()
        {
            return position + bytes.capacity();
        }
    }

    /** @param isStale whether what was read since an epoch of the store may be invalidated */
    AheadBuffer(Fetches fetches, SourceHandle source, LongPredicate isStale)
    {
        this.fetches = fetches;
        this.source = source;
        this.isStale = isStale;
    }

    /** Copies bytes from {@code position} on to an index of the target; returns their number, from 0 to {@code length}. What was read to its end is dropped. */
    int serve(long position, ByteBuffer target, int index, int length)
    {
        AheadRange current = kept.get();
        if (current == null || position < current.position || position >= current.end() || isStale.test(current.epoch)) {
            return 0;
        }
        int served = (int) Math.min(length, current.end() - position);
        target.put(index, current.bytes, (int) (position - current.position), served);
        if (position + served == current.end() && kept.compareAndSet(current, null)) {
            fetches.giveBack(current.bytes.capacity());
        }
        return served;
    }

    /** Keeps bytes whose memory the caller reserved as that of a fetch; drops what was kept before. */
    void keep(long position, ByteBuffer bytes, long epoch)
    {
        replace(new AheadRange(position, bytes, epoch));
        if (source.isClosed()) {
            drop();
        }
    }

    void drop()
    {
        replace(null);
    }

    private void replace(@Nullable AheadRange next)
    {
        AheadRange last = kept.getAndSet(next);
        if (last != null) {
            fetches.giveBack(last.bytes.capacity());
        }
    }
}
