package io.eyrie.cache.page;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A source, and how many use it: its file while it is open, reads and fetches while they run. The last one closes it. Thread-safe. */
final class SourceHandle
{
    private final RangeSource source;
    private final AtomicLong users = new AtomicLong(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    SourceHandle(RangeSource source)
    {
        this.source = source;
    }

    /** To be called by a user only. */
    RangeSource get()
    {
        return source;
    }

    /** Becomes a user; false if there is none left, so that the source is closed. */
    boolean acquire()
    {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Ceases to be a user. */
    void release()
    {
        if (users.decrementAndGet() > 0) {
            return;
        }
        try {
            source.close();
        }
        catch (IOException | RuntimeException e) {
            // all bytes that anyone wanted have arrived
            System.getLogger(SourceHandle.class.getName()).log(Level.DEBUG, "Closing a source failed", e);
        }
    }

    /** The file ceases to be a user, once. */
    void close()
    {
        if (closed.compareAndSet(false, true)) {
            release();
        }
    }

    boolean isClosed()
    {
        return closed.get();
    }
}
