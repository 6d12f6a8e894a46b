package io.eyrie.presto.filesystem;

import io.eyrie.cache.page.ReadListener;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Files that a thread opens because an operator wants them in the cache: what is read of them is kept the first time, whatever their query may have written. Rules for
 * tables and the disks' daily budget hold.
 */
public final class OrderedReads
{
    private static final ThreadLocal<@Nullable ReadListener> CURRENT = new ThreadLocal<>();

    private OrderedReads()
    {}

    /**
     * What {@code opener} gives.
     *
     * @param listener hears, beside the query's own, what is read of the files that it opens in this thread
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

    /** Who listens, if what this thread opens was ordered. */
    static Optional<ReadListener> listener()
    {
        return Optional.ofNullable(CURRENT.get());
    }
}
