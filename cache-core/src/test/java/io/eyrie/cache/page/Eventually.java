// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until another thread has done something, and fails if it does not. */
public final class Eventually
{
    private static final long LIMIT_SECONDS = 60;

    private Eventually()
    {}

    public static void eventually(String what, BooleanSupplier condition)
    {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("does not happen: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
