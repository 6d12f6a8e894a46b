// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Stores a state of this process in its cache. The state survives a restart, and is lost only if the cached data is. Thread-safe.
 */
public final class StoredState
{
    /*
     * Blob        | number of the blob, a long | the state |
     * Keys        two, which take turns, because a blob that is being replaced may be lost: the other still exists. After a write that
     *             the cache did not accept, the same key is written again
     */
    private static final PageTags TAGS = new PageTags(Scope.RECORDS, StorageClass.FOOTER);

    private final BlobCache blobs;
    private final List<BlobKey> keys;
    // guarded by this
    private long number;

    /** @param name differs from that of all other states in the store */
    public StoredState(String name, BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        keys = Stream.of(name + " 0", name + " 1").map(UTF_8::encode).map(BlobKey::of).toList();
    }

    /** Returns the state that was written last; empty if there is none. Reads from the disk. */
    public synchronized Optional<byte[]> read()
    {
        Optional<byte[]> newest = Optional.empty();
        for (BlobKey key : keys) {
            Optional<byte[]> found = blobs.get(key).filter(blob -> blob.length >= Long.BYTES);
            if (found.isPresent() && ByteBuffer.wrap(found.get()).getLong() > number) {
                number = ByteBuffer.wrap(found.get()).getLong();
                newest = found;
            }
        }
        return newest.map(blob -> Arrays.copyOfRange(blob, Long.BYTES, blob.length));
    }

    /** Writes the state in the background. Call {@link #read} before the first call, so that this state counts as the newer one. */
    public synchronized void write(byte[] state)
    {
        number += blobs.wasNotWritten(key()) ? 2 : 1;
        BlobKey key = key();
        blobs.replace(key, TAGS, ByteBuffer.allocate(Long.BYTES + state.length).putLong(number).put(state).flip(), blobs.epoch());
    }

    /* Returns the key of the latest write. */
    private BlobKey key()
    {
        return keys.get((int) (number % keys.size()));
    }
}
