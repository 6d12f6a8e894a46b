// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.handle;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The handles of one reader of one file. A read takes a handle from the pool, opens one, or shares that of a concurrent read; the last read that
 * uses a handle returns it. Thread-safe; needs no closing.
 */
public final class ReaderHandles<K, H extends Closeable>
{
    private final HandlePool<K, H> pool;
    private final K key;
    private final HandleOpener<H> opener;
    private final boolean concurrent;
    // guarded by this; null while no read runs, and if each read has its own
    private @Nullable SharedHandle<H> current;

    /** Opens a handle. */
    public interface HandleOpener<H>
    {
        H open()
                throws IOException;
    }

    /** Reads over a handle. */
    public interface HandleRead<H>
    {
        void over(H handle)
                throws IOException;
    }

    private static final class SharedHandle<H>
    {
        final H handle;
        final boolean reused;
        int reads;
        boolean failed;

        SharedHandle(H handle, boolean reused)
        {
            this.handle = handle;
            this.reused = reused;
        }
    }

    /** @param concurrent whether the reader's own reads may share one handle concurrently */
    public ReaderHandles(HandlePool<K, H> pool, K key, HandleOpener<H> opener, boolean concurrent)
    {
        this.pool = requireNonNull(pool, "pool is null");
        this.key = requireNonNull(key, "key is null");
        this.opener = requireNonNull(opener, "opener is null");
        this.concurrent = concurrent;
    }

    /**
     * Reads once. If a read fails over a handle that another reader opened, whose client or connection may be closed by now, it is repeated once
     * over a handle opened for this reader, so that the pool adds no failures. All other exceptions of opener or read are thrown unchanged.
     */
    public void read(HandleRead<H> read)
            throws IOException
    {
        SharedHandle<H> used = acquire(true);
        try {
            read(used, read);
        }
        catch (InterruptedIOException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            if (!used.reused) {
                throw e;
            }
            read(acquire(false), read);
        }
    }

    private void read(SharedHandle<H> used, HandleRead<H> read)
            throws IOException
    {
        boolean whole = false;
        try {
            read.over(used.handle);
            whole = true;
        }
        finally {
            release(used, whole);
        }
    }

    /* Opens under the lock, because reads that begin meanwhile would also open a handle. */
    private SharedHandle<H> acquire(boolean idleOnes)
            throws IOException
    {
        if (!concurrent) {
            SharedHandle<H> own = takeOrOpen(idleOnes);
            own.reads = 1;
            return own;
        }
        synchronized (this) {
            SharedHandle<H> used = current;
            if (used == null || (used.reused && !idleOnes)) {
                used = takeOrOpen(idleOnes);
                current = used;
            }
            used.reads++;
            return used;
        }
    }

    private SharedHandle<H> takeOrOpen(boolean idleOnes)
            throws IOException
    {
        Optional<H> idle = idleOnes ? pool.take(key) : Optional.empty();
        if (idle.isPresent()) {
            return new SharedHandle<>(idle.get(), true);
        }
        H handle = opener.open();
        pool.opened();
        return new SharedHandle<>(handle, false);
    }

    private void release(SharedHandle<H> used, boolean whole)
    {
        boolean failed;
        synchronized (this) {
            used.failed |= !whole;
            if (used.failed && current == used) {
                // later reads get another handle
                current = null;
            }
            if (--used.reads > 0) {
                return;
            }
            if (current == used) {
                current = null;
            }
            failed = used.failed;
        }
        if (failed) {
            pool.discard(used.handle);
        }
        else {
            pool.giveBack(key, used.handle);
        }
    }
}
