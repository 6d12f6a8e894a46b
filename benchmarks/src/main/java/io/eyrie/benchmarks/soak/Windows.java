// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Records when each fault was active and when each table was incomplete, to explain why a query failed. Thread-safe. */
final class Windows
{
    // effects that a query still meets after a fault has ended: retries, a missing worker
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(20);

    @GuardedBy("this")
    private final List<Window> windows = new ArrayList<>();

    /** The reasons why queries may fail. */
    enum Cause
    {
        /** Requests to S3 fail. */
        S3,
        /** The metastore is down. */
        METASTORE,
        /** A worker is missing. */
        WORKER,
        /** The table or one of its partitions is dropped. */
        TABLE,
        /** A file is overwritten or deleted. */
        FILE
    }

    /** A period; {@code until} is {@link Long#MAX_VALUE} while it lasts. */
    private record Window(Cause cause, String table, long from, long until)
    {}

    /** Work that runs during a window. */
    interface Work<E extends Exception>
    {
        void run()
                throws E;
    }

    /** Runs the work and records its cause for that time: for all tables if {@code table} is empty. */
    <E extends Exception> void during(Cause cause, String table, Work<E> work)
            throws E
    {
        Window window = opened(new Window(cause, table, System.nanoTime(), Long.MAX_VALUE));
        try {
            work.run();
        }
        finally {
            closed(window);
        }
    }

    private synchronized Window opened(Window window)
    {
        windows.removeIf(old -> old.until < window.from - 30 * AFTERMATH_NANOS);
        windows.add(window);
        return window;
    }

    private synchronized void closed(Window window)
    {
        windows.remove(window);
        windows.add(new Window(window.cause, window.table, window.from, System.nanoTime()));
    }

    /** Returns whether the cause was active for the table during the query or shortly before. */
    private synchronized boolean was(Cause cause, String table, long from, long until)
    {
        return windows.stream().anyMatch(window -> window.cause == cause && (window.table.isEmpty() || window.table.equals(table))
                && window.from <= until
                && (window.until == Long.MAX_VALUE || window.until + AFTERMATH_NANOS >= from));
    }

    /** Returns the reason of a query's failure, in a few words; empty if no fault or change explains it. Faults of a cache's disk explain no failure. */
    Optional<String> explain(String table, long from, long until, String error)
    {
        if (error.contains(Canceller.MESSAGE)) {
            return Optional.of("cancelled");
        }
        if (error.contains("SocketTimeoutException: Read timed out")) {
            // on Derby, writers wait for readers until Derby assumes a deadlock
            return Optional.of("metastore timed out");
        }
        boolean ofFile = error.contains("was overwritten after the query listed it") || error.contains("does not exist") || error.contains(
                "no longer exists") || error.contains(
                        "No such file")
                || error.contains("Not Found");
        if (ofFile && was(Cause.FILE, table, from, until)) {
            return Optional.of("file changed meanwhile");
        }
        if ((ofFile || error.contains("not found") || error.contains("changed")) && was(Cause.TABLE, table, from, until)) {
            return Optional.of("table or partition dropped meanwhile");
        }
        for (Cause cause : List.of(Cause.WORKER, Cause.METASTORE, Cause.S3)) {
            if (!ofFile && was(cause, table, from, until)) {
                return Optional.of(switch (cause) {
                    case WORKER -> "worker killed";
                    case METASTORE -> "metastore down";
                    default -> "S3 fails";
                });
            }
        }
        return Optional.empty();
    }

    /** As {@link #explain}, for a query that bypasses the caches and reads without conditions: it may find anything in a file that changes meanwhile. */
    Optional<String> explainMixture(String table, long from, long until)
    {
        return was(Cause.FILE, table, from, until) || was(Cause.TABLE, table, from, until)
                ? Optional.of("file changed under a reader without a cache")
                : Optional.empty();
    }
}
