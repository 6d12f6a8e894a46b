package io.eyrie.benchmarks.soak;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** When which fault was there and which table was not whole, so that a query that failed can be told why it may. Thread-safe. */
final class Windows
{
    // what a query still meets after a fault is gone: retries, a worker that is missed
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(20);

    @GuardedBy("this")
    private final List<Window> windows = new ArrayList<>();

    /** Why queries may fail. */
    enum Cause
    {
        /** Requests to S3 go wrong. */
        S3,
        /** The metastore is down. */
        METASTORE,
        /** A worker is gone. */
        WORKER,
        /** The table is dropped, or a partition. */
        TABLE,
        /** A file is overwritten or deleted. */
        FILE
    }

    /** A time; {@code until} is in the future as long as it lasts. */
    private record Window(Cause cause, String table, long from, long until)
    {}

    /** What is done meanwhile. */
    interface Work<E extends Exception>
    {
        void run()
                throws E;
    }

    /** Does something of the kind: to all tables, if {@code table} is empty. */
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

    /** Whether the cause was there for the table at a time of the query, or shortly before. */
    private synchronized boolean was(Cause cause, String table, long from, long until)
    {
        return windows.stream().anyMatch(window -> window.cause == cause && (window.table.isEmpty() || window.table.equals(table))
                && window.from <= until
                && (window.until == Long.MAX_VALUE || window.until + AFTERMATH_NANOS >= from));
    }

    /** Why a query failed, in a word; empty if nothing that was done to it explains it. A cache's disk explains nothing. */
    Optional<String> explain(String table, long from, long until, String error)
    {
        if (error.contains(Canceller.MESSAGE)) {
            return Optional.of("cancelled");
        }
        if (error.contains("SocketTimeoutException: Read timed out")) {
            // Derby lets writers wait for readers until it takes them for dead
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

    /** The same for a query past the caches, whose reads are on no condition: of a file that changes meanwhile it may find anything. */
    Optional<String> explainMixture(String table, long from, long until)
    {
        return was(Cause.FILE, table, from, until) || was(Cause.TABLE, table, from, until)
                ? Optional.of("file changed under a reader without a cache")
                : Optional.empty();
    }
}
