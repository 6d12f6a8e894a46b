// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import io.eyrie.cache.page.MissCause;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.presto.ledger.MissReason;
import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of one split that were found and loaded, and records why some are not cached. */
final class WarmedBytes
        implements ReadListener
{
    private static final String WARM = "warm";
    /* What is not cached after such a miss is read again. */
    private static final Set<MissCause> LOADED = EnumSet.of(
            MissCause.NEVER_KEPT, MissCause.EVICTED, MissCause.EVICTED_LATELY, MissCause.CORRUPT, MissCause.FETCH_BUSY, MissCause.NOT_WRITTEN);

    private final AtomicLong found = new AtomicLong();
    private final AtomicLong loaded = new AtomicLong();
    private volatile boolean again;
    private volatile @Nullable MissReason refusal;

    @Override
    public void onCacheRead(int pages, long bytes, long nanos)
    {
        if (!again) {
            found.addAndGet(bytes);
        }
    }

    @Override
    public void onRemoteRead(long bytes, long nanos)
    {
        loaded.addAndGet(bytes);
    }

    @Override
    public void onMiss(MissCause cause, long bytes)
    {
        if (!LOADED.contains(cause)) {
            refuse(MissReason.of(cause));
        }
    }

    /** Sets whether the next reads repeat earlier ones, so that the bytes that they find are counted already. */
    void readAgain(boolean newAgain)
    {
        again = newAgain;
    }

    void refuse(MissReason reason)
    {
        refusal = reason;
    }

    long found()
    {
        return found.get();
    }

    long loaded()
    {
        return loaded.get();
    }

    boolean refused()
    {
        return refusal != null;
    }

    String state()
    {
        MissReason reason = refusal;
        return reason == null ? WARM : reason.label();
    }
}
