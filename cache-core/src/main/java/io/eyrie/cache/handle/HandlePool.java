// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.handle;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.metric.Metric;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/**
 * Pools idle handles for the next user with the same key. Only the user that takes a handle uses it, and it returns or closes the handle.
 * Thread-safe.
 *
 * @param <K> identifies interchangeable handles: the file version, with everything that affects its bytes and permissions
 */
public final class HandlePool<K, H extends Closeable>
        implements AutoCloseable
{
    /*
     * Idle        in the order of return: the oldest are closed, at the limit or after the idle time; the latest of a key is taken.
     *             A search visits all of them, which is cheap compared to opening one.
     * Sweep       scheduled whenever a handle is idle
     * Lock        this; nothing is closed under it
     */
    private static final LimitedLog log = new LimitedLog(HandlePool.class, Level.DEBUG);

    private final int maxIdle;
    private final long idleNanos;
    private final LongSupplier nanoClock;
    private final DelayedTasks later;

    // guarded by this
    private final Deque<IdleHandle<K, H>> idle = new ArrayDeque<>();
    private boolean sweeping;
    private boolean closed;
    private long opened;
    private long reused;
    private long failed;

    private record IdleHandle<K, H>(K key, H handle, long sinceNanos)
    {}

    /** Runs a task once after a delay. */
    interface DelayedTasks
    {
        void run(Runnable task, long afterNanos);
    }

    /** Counts of handles since the pool was created. */
    public record Stats(
            @Metric("remote files opened") long opened,
            @Metric("times that a reader reused an open file") long reused,
            @Metric("open files closed because a read from them failed") long failed,
            @Metric("idle open files") long currentIdle)
    {}

    /** @param maxIdle maximum number of idle handles; 0 pools none */
    public HandlePool(int maxIdle, long idleMillis)
    {
        this(maxIdle, TimeUnit.MILLISECONDS.toNanos(idleMillis), System::nanoTime,
                (task, afterNanos) -> CompletableFuture.delayedExecutor(afterNanos, TimeUnit.NANOSECONDS).execute(task));
    }

    HandlePool(int maxIdle, long idleNanos, LongSupplier nanoClock, DelayedTasks later)
    {
        if (maxIdle < 0 || idleNanos < 0) {
            throw new IllegalArgumentException("maxIdle " + maxIdle + " or idleNanos " + idleNanos + " is negative");
        }
        this.maxIdle = maxIdle;
        this.idleNanos = idleNanos;
        this.nanoClock = requireNonNull(nanoClock, "nanoClock is null");
        this.later = requireNonNull(later, "later is null");
    }

    /** Returns an idle handle of this key, the most recently used one. */
    synchronized Optional<H> take(K key)
    {
        Iterator<IdleHandle<K, H>> latestFirst = idle.descendingIterator();
        while (latestFirst.hasNext()) {
            IdleHandle<K, H> candidate = latestFirst.next();
            if (candidate.key.equals(key) && nanoClock.getAsLong() - candidate.sinceNanos < idleNanos) {
                latestFirst.remove();
                reused++;
                return Optional.of(candidate.handle);
            }
        }
        return Optional.empty();
    }

    synchronized void opened()
    {
        opened++;
    }

    /** Returns a working handle to the pool. */
    void giveBack(K key, H handle)
    {
        List<H> leaving = new ArrayList<>(1);
        synchronized (this) {
            if (closed) {
                leaving.add(handle);
            }
            else {
                idle.addLast(new IdleHandle<>(key, handle, nanoClock.getAsLong()));
                while (idle.size() > maxIdle) {
                    leaving.add(idle.removeFirst().handle);
                }
                sweepLaterLocked();
            }
        }
        leaving.forEach(HandlePool::close);
    }

    /** Closes a handle that failed. */
    void discard(H handle)
    {
        synchronized (this) {
            failed++;
        }
        close(handle);
    }

    private void sweepLaterLocked()
    {
        IdleHandle<K, H> oldest = idle.peekFirst();
        if (oldest != null && !sweeping) {
            sweeping = true;
            later.run(this::sweep, Math.max(0, idleNanos - (nanoClock.getAsLong() - oldest.sinceNanos)));
        }
    }

    private void sweep()
    {
        List<H> leaving = new ArrayList<>();
        synchronized (this) {
            sweeping = false;
            long now = nanoClock.getAsLong();
            for (IdleHandle<K, H> oldest = idle.peekFirst(); oldest != null && now - oldest.sinceNanos >= idleNanos; oldest = idle.peekFirst()) {
                leaving.add(idle.removeFirst().handle);
            }
            sweepLaterLocked();
        }
        leaving.forEach(HandlePool::close);
    }

    /** Closes the idle handles of some keys, which will not be used again. */
    public void forget(Predicate<? super K> which)
    {
        List<H> leaving = new ArrayList<>();
        synchronized (this) {
            idle.removeIf(entry -> which.test(entry.key) && leaving.add(entry.handle));
        }
        leaving.forEach(HandlePool::close);
    }

    public synchronized Stats stats()
    {
        return new Stats(opened, reused, failed, idle.size());
    }

    /** Closes all idle handles, and from now on every returned handle. */
    @Override
    public void close()
    {
        List<H> leaving = new ArrayList<>();
        synchronized (this) {
            closed = true;
            idle.forEach(entry -> leaving.add(entry.handle));
            idle.clear();
        }
        leaving.forEach(HandlePool::close);
    }

    private static void close(Closeable handle)
    {
        try {
            handle.close();
        }
        catch (IOException | RuntimeException e) {
            // readers over the handle have their bytes, or the failure that matters
            log.log("Closing a file of the store failed", e);
        }
    }
}
