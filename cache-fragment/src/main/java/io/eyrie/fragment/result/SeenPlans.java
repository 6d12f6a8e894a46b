// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * The plans that a coordinator has seen, in memory and in its store: results that workers stored before a restart are of use only if the coordinator asks
 * for them again. Thread-safe.
 */
public final class SeenPlans
{
    // sixteen bytes each, and the cache's entry
    private static final int ENTRIES = 10_000;
    private static final byte SEEN = 1;
    private static final byte[] PREFIX = "plan".getBytes(UTF_8);

    private final BlobCache blobs;
    private final Cache<BlobKey, Boolean> memory = Caffeine.newBuilder().maximumSize(ENTRIES).build();

    /** @param blobs the store of the plans; not closed here */
    public SeenPlans(BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Remembers a plan, and returns whether it was seen before. */
    public boolean add(BlobKey plan)
    {
        BlobKey key = key(plan);
        if (memory.asMap().putIfAbsent(plan, true) != null || blobs.get(key).filter(bytes -> bytes.length == 1 && bytes[0] == SEEN).isPresent()) {
            return true;
        }
        blobs.put(key, new PageTags(Scope.RECORDS, StorageClass.RESULT), ByteBuffer.wrap(new byte[] {SEEN}), blobs.epoch());
        return false;
    }

    /* The prefix separates these keys from those of the store's other users. */
    static BlobKey key(BlobKey plan)
    {
        return BlobKey.of(ByteBuffer.allocate(PREFIX.length + 2 * Long.BYTES).put(PREFIX).putLong(plan.hashHigh()).putLong(plan.hashLow()).flip());
    }
}
