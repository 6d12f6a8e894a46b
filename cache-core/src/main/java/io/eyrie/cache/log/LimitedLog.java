// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.log;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Logs at most one message of its kind every ten seconds; the next message includes the number of messages suppressed. Thread-safe. */
public final class LimitedLog
{
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final System.Logger logger;
    private final Level level;
    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong suppressed = new AtomicLong();

    public LimitedLog(Class<?> owner, Level level)
    {
        logger = System.getLogger(owner.getName());
        this.level = level;
    }

    public void log(String message)
    {
        log(message, null);
    }

    public void log(String message, @Nullable Throwable cause)
    {
        long now = System.nanoTime();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            suppressed.incrementAndGet();
            return;
        }
        long kept = suppressed.getAndSet(0);
        logger.log(level, kept == 0 ? message : message + " (similar messages suppressed: " + kept + ")", cause);
    }
}
