// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobCacheStats;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;

import java.nio.ByteBuffer;
import java.util.Optional;

/** A blob cache that runs an action of a test inside one of its calls, before the call returns to its caller. Each action runs once. */
public final class InterruptedBlobs
        implements BlobCache
{
    private final BlobCache blobs;
    public Runnable afterGet = () -> {};
    public Runnable afterStart = () -> {};
    public Runnable afterIsStale = () -> {};

    public InterruptedBlobs(BlobCache blobs)
    {
        this.blobs = blobs;
    }

    @Override
    public Optional<byte[]> get(BlobKey key)
    {
        Optional<byte[]> found = blobs.get(key);
        Runnable action = afterGet;
        afterGet = () -> {};
        action.run();
        return found;
    }

    @Override
    public Optional<byte[]> start(BlobKey key, int bytes)
    {
        Optional<byte[]> found = blobs.start(key, bytes);
        Runnable action = afterStart;
        afterStart = () -> {};
        action.run();
        return found;
    }

    @Override
    public long epoch()
    {
        return blobs.epoch();
    }

    @Override
    public boolean isStale(BlobKey key, Scope scope, long epoch)
    {
        boolean stale = blobs.isStale(key, scope, epoch);
        Runnable action = afterIsStale;
        afterIsStale = () -> {};
        action.run();
        return stale;
    }

    @Override
    public void put(BlobKey key, PageTags tags, ByteBuffer blob, long epoch)
    {
        blobs.put(key, tags, blob, epoch);
    }

    @Override
    public void replace(BlobKey key, PageTags tags, ByteBuffer blob, long epoch)
    {
        blobs.replace(key, tags, blob, epoch);
    }

    @Override
    public void invalidate(BlobKey key)
    {
        blobs.invalidate(key);
    }

    @Override
    public void remove(BlobKey key)
    {
        blobs.remove(key);
    }

    @Override
    public int maxBlobBytes()
    {
        return blobs.maxBlobBytes();
    }

    @Override
    public BlobCacheStats stats()
    {
        return blobs.stats();
    }
}
