// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.page.ReadListener;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Marks files that a thread opens because an operator wants them cached. Their data is cached at the first read, regardless of how much their query
 * has written. Table rules and the daily write budget of the disks still apply.
 */
public final class OrderedReads
{
    private static final ThreadLocal<@Nullable ReadListener> CURRENT = new ThreadLocal<>();

    private OrderedReads()
    {}

    /**
     * Runs {@code opener} and returns its result.
     *
     * @param listener is notified, in addition to the query's own listener, of reads of the files that {@code opener} opens on this thread
     */
    public static <T> T during(ReadListener listener, Supplier<T> opener)
    {
        CURRENT.set(listener);
        try {
            return opener.get();
        }
        finally {
            CURRENT.remove();
        }
    }

    /** Returns the listener, if an operator ordered the files that this thread opens. */
    static Optional<ReadListener> listener()
    {
        return Optional.ofNullable(CURRENT.get());
    }
}
