// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Spreads bytes over time. Not thread-safe. */
final class Pacer
{
    /** Shorter waits accumulate until they reach this, because a sleep is not that exact. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private long freeAt = System.nanoTime();

    /** Waits until {@code bytes} more may pass. */
    void pass(long bytes, long bytesPerSecond)
    {
        if (bytesPerSecond == 0) {
            return;
        }
        long now = System.nanoTime();
        if (freeAt - now < 0) {
            freeAt = now;
        }
        freeAt += (long) (bytes * 1e9 / bytesPerSecond);
        if (freeAt - now >= SHORTEST_WAIT_NANOS) {
            waitUntil(freeAt);
        }
    }

    static void waitNanos(long nanos)
    {
        if (nanos > 0) {
            waitUntil(System.nanoTime() + nanos);
        }
    }

    private static void waitUntil(long time)
    {
        long left = time - System.nanoTime();
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = time - System.nanoTime();
        }
    }
}
