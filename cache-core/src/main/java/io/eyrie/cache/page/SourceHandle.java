// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A source with a count of its users: its file while it is open, reads and fetches while they run. The last user closes it. Thread-safe. */
final class SourceHandle
{
    private final RangeSource source;
    private final AtomicLong users = new AtomicLong(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    SourceHandle(RangeSource source)
    {
        this.source = source;
    }

    /** Returns the source. Only for users. */
    RangeSource get()
    {
        return source;
    }

    /** Adds a user; returns false if there is none left and the source is therefore closed. */
    boolean acquire()
    {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Removes a user. */
    void release()
    {
        if (users.decrementAndGet() > 0) {
            return;
        }
        try {
            source.close();
        }
        catch (IOException | RuntimeException e) {
            // all requested bytes have arrived
            System.getLogger(SourceHandle.class.getName()).log(Level.DEBUG, "Closing a source failed", e);
        }
    }

    /** Removes the file as a user, once. */
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
